// The lower canvas: curves, the levels they are compared with, and from when on a peak is late.

import { rule } from "../library/canvas.js";
import { FLOOR, MARGIN } from "./plot.js";

/** @import { Curve } from "./curves.js" */
/** @import { Plot } from "./plot.js" */

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Plot} plot
 * @param {Curve[]} shown
 */
export function drawLines(pen, plot, shown) {
  const { single } = plot.data;
  drawLevels(pen, plot, shown);
  for (const curve of shown) if (!curve.main) drawCurve(pen, plot, curve, 1, 0.35);
  for (const curve of shown) if (curve.main) drawCurve(pen, plot, curve, single ? 1.3 : 2.4, single && curve.owner !== 0 ? 0.75 : 1);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Plot} plot
 * @param {Curve[]} shown
 */
function drawLevels(pen, plot, shown) {
  const { data, theme, yAt, width } = plot;
  pen.setLineDash([5, 5]);
  pen.lineWidth = 1.4;
  const drawn = new Set();
  for (const curve of shown) {
    const colour = data.single ? theme.ink : data.legend[curve.group].colour;
    const place = `${colour} ${yAt(curve.level).toFixed(1)}`;
    if (!curve.main || drawn.has(place)) continue;
    drawn.add(place);
    pen.strokeStyle = colour;
    rule(pen, [MARGIN.left, yAt(curve.level)], [width - MARGIN.right, yAt(curve.level)]);
  }
  drawEnds(pen, plot, shown);
  pen.setLineDash([]);
  if (data.moves < data.times.length) drawEdge(pen, plot);
  const late = data.lateFrom;
  if (late && late < data.times[data.times.length - 1]) drawLate(pen, plot, plot.xAt(late));
}

/**
 * Where a curve ends, dotted at the right, if that is not the level it is compared with.
 * @param {CanvasRenderingContext2D} pen
 * @param {Plot} plot
 * @param {Curve[]} shown
 */
function drawEnds(pen, { data, yAt, width }, shown) {
  const right = width - MARGIN.right;
  const from = right - 0.22 * (right - MARGIN.left);
  pen.setLineDash([1.5, 4]);
  pen.lineWidth = 2;
  for (const curve of shown) {
    if (!curve.main || Math.abs(yAt(curve.end) - yAt(curve.level)) < 2) continue;
    pen.strokeStyle = data.legend[curve.group].colour;
    rule(pen, [from, yAt(curve.end)], [right, yAt(curve.end)]);
  }
}

/**
 * The end of the time window: what follows is shown, but does not count.
 * @param {CanvasRenderingContext2D} pen
 * @param {Plot} plot
 */
function drawEdge(pen, { data, theme, xs, width, height }) {
  const x = xs[data.moves - 1];
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  pen.fillStyle = pen.strokeStyle = theme.ink;
  pen.globalAlpha = 0.06;
  pen.fillRect(x, MARGIN.top, right - x, bottom - MARGIN.top);
  pen.lineWidth = 1;
  rule(pen, [x, MARGIN.top], [x, bottom], 0.5);
  const text = right - x > 120 ? "after the window" : "after";
  if (right - x < pen.measureText(text).width + 6) return;
  pen.textAlign = "left";
  pen.textBaseline = "bottom";
  pen.fillText(text, x + 4, bottom - 4);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Plot} plot
 * @param {number} x
 */
function drawLate(pen, { theme, width, height }, x) {
  pen.strokeStyle = pen.fillStyle = theme.ink;
  pen.setLineDash([2, 3]);
  rule(pen, [x, MARGIN.top], [x, height - MARGIN.bottom]);
  pen.setLineDash([]);
  const fits = x + 110 < width;
  pen.textAlign = fits ? "left" : "right";
  pen.textBaseline = "top";
  pen.fillText(fits ? "a peak here is late →" : "late →", x + (fits ? 5 : -5), MARGIN.top);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Plot} plot
 * @param {Curve} curve
 * @param {number} thickness
 * @param {number} alpha
 */
export function drawCurve(pen, { data, xs, yAt }, curve, thickness, alpha) {
  pen.strokeStyle = data.legend[curve.group].colour;
  pen.globalAlpha = alpha;
  pen.lineWidth = thickness;
  pen.beginPath();
  let begun = false; // on a logarithmic axis a curve begins where it rises above the floor
  for (let i = 0; i < xs.length; i++) {
    if (!begun && data.logarithmic && curve.line[i] < FLOOR) continue;
    const y = yAt(curve.line[i]);
    if (begun) pen.lineTo(xs[i], y);
    else pen.moveTo(xs[i], y);
    begun = true;
  }
  pen.stroke();
  pen.globalAlpha = 1;
}
