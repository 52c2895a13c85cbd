// The lower canvas: curves, the levels they are compared with, and from when on a peak is late. The
// curve of the class that wins is drawn in full, the others are quiet.

import { rule } from "../library/canvas.js";
import { FLOOR, MARGIN } from "./plot.js";

/** @import { Pen } from "../library/canvas.js" */
/** @import { Curve } from "./curves.js" */
/** @import { Plot } from "./plot.js" */

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {Curve[]} shown
 * @param {number} winner the group that wins, -1 where none does
 */
export function drawLines(pen, plot, shown, winner) {
  drawLevels(pen, plot, shown, winner);
  for (const curve of shown) if (!curve.main) drawCurve(pen, plot, curve, 1, 0.35);
  for (const curve of shown) if (curve.main && curve.group !== winner) drawCurve(pen, plot, curve, ...strokeOf(plot.data, curve, winner));
  for (const curve of shown) if (curve.main && curve.group === winner) drawCurve(pen, plot, curve, 3.4, 1);
}

/**
 * Thickness and opacity of a curve that does not win.
 * @param {Plot["data"]} data
 * @param {Curve} curve
 * @param {number} winner
 * @returns {[number, number]}
 */
function strokeOf({ single }, curve, winner) {
  if (single) return [1.3, curve.owner === 0 ? 1 : 0.75];
  return winner < 0 ? [2.4, 1] : [1.7, 0.6];
}

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {Curve[]} shown
 * @param {number} winner
 */
function drawLevels(pen, plot, shown, winner) {
  const { data, theme, yAt, right } = plot;
  pen.setLineDash([5, 5]);
  const drawn = new Set();
  for (const curve of shown) {
    const colour = data.single ? theme.ink : data.legend[curve.group].colour;
    const place = `${colour} ${yAt(curve.level).toFixed(1)}`;
    if (!curve.main || drawn.has(place)) continue;
    drawn.add(place);
    pen.strokeStyle = colour;
    pen.lineWidth = curve.group === winner ? 2 : 1.3;
    rule(pen, [MARGIN.left, yAt(curve.level)], [right, yAt(curve.level)], winner < 0 || curve.group === winner ? 1 : 0.5);
  }
  drawEnds(pen, plot, shown);
  pen.setLineDash([]);
  if (data.moves < data.times.length) drawEdge(pen, plot);
  const late = data.lateFrom;
  if (late && late < data.times[data.times.length - 1]) drawLate(pen, plot, plot.xAt(late));
}

/**
 * Where a curve ends, dotted at the right, if that is not the level it is compared with.
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {Curve[]} shown
 */
function drawEnds(pen, { data, yAt, right }, shown) {
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
 * @param {Pen} pen
 * @param {Plot} plot
 */
function drawEdge(pen, { data, theme, xs, right, height }) {
  const x = xs[data.moves - 1];
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
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {number} x
 */
function drawLate(pen, { theme, right, height }, x) {
  pen.strokeStyle = pen.fillStyle = theme.ink;
  pen.setLineDash([2, 3]);
  rule(pen, [x, MARGIN.top], [x, height - MARGIN.bottom]);
  pen.setLineDash([]);
  const fits = x + 110 < right + MARGIN.right;
  pen.textAlign = fits ? "left" : "right";
  pen.textBaseline = "top";
  pen.fillText(fits ? "a peak here is late →" : "late →", x + (fits ? 5 : -5), MARGIN.top);
}

/**
 * @param {Pen} pen
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
