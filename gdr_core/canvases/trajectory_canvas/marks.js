// The upper canvas: the line that can be dragged and all that follows it, drawn in every frame.

import { rule, write } from "../library/canvas.js";
import { inWords } from "../library/numbers.js";
import { lettersOf } from "../library/theme.js";
import { drawCurve } from "./lines.js";
import { MARGIN } from "./plot.js";

/** @import { Pen } from "../library/canvas.js" */
/** @import { Curve } from "./curves.js" */
/** @import { Plot } from "./plot.js" */

/** @typedef {{ points: { curve: Curve, at: number }[], pale: Curve[] }} Hover what is pointed at */

/**
 * Beyond t_min: what lies above the level, and the highest point.
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {Curve[]} shown
 * @param {number} index
 */
export function drawPeaks(pen, plot, shown, index) {
  if (plot.data.single) return;
  const main = shown.filter((curve) => curve.main);
  for (const curve of main) shade(pen, plot, curve, index);
  for (const curve of main) markPeak(pen, plot, curve, index);
}

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {Curve} curve
 * @param {number} index
 */
function shade(pen, { data, xs, yAt }, curve, index) {
  const base = yAt(curve.level);
  pen.fillStyle = data.legend[curve.group].colour;
  pen.globalAlpha = !data.labels || data.labels[index] === curve.group ? 0.25 : 0.08;
  pen.beginPath();
  pen.moveTo(xs[index], base);
  for (let i = index; i < data.moves; i++) pen.lineTo(xs[i], Math.min(base, yAt(curve.line[i])));
  pen.lineTo(xs[data.moves - 1], base);
  pen.closePath();
  pen.fill();
  pen.globalAlpha = 1;
}

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {Curve} curve
 * @param {number} index
 */
function markPeak(pen, { data, theme, xs, yAt, right }, curve, index) {
  if (!curve.peaks) return;
  const at = curve.peaks[index];
  const excess = curve.line[at] - curve.level;
  const wins = data.labels && data.labels[index] === curve.group;
  const [x, y] = [xs[at], yAt(curve.line[at])];
  pen.beginPath();
  pen.arc(x, y, wins ? 6 : 4, 0, 2 * Math.PI);
  pen.lineWidth = 2;
  pen.strokeStyle = excess > 0 ? theme.paper : data.legend[curve.group].colour;
  pen.fillStyle = excess > 0 ? data.legend[curve.group].colour : theme.paper;
  pen.fill();
  pen.stroke();
  if (!wins || excess <= 0) return;
  const text = `Ω = ${inWords(excess)}`;
  pen.font = lettersOf(12, theme, 600);
  const room = pen.measureText(text).width + 14;
  const leftwards = x + room > right;
  pen.textAlign = leftwards ? "right" : "left";
  pen.textBaseline = "middle";
  write(pen, text, x + (leftwards ? -10 : 10), Math.max(y, MARGIN.top + 8), theme);
}

/**
 * The time that another component on the page shows.
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {number} x
 */
export function drawCursor(pen, { theme, height }, x) {
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 1.5;
  pen.setLineDash([4, 3]);
  rule(pen, [x, MARGIN.top], [x, height - MARGIN.bottom], 0.7);
  pen.setLineDash([]);
}

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {number} x
 */
export function drawHandle(pen, { theme, height }, x) {
  const bottom = height - MARGIN.bottom;
  const middle = (MARGIN.top + bottom) / 2;
  pen.strokeStyle = pen.fillStyle = theme.accent;
  pen.lineWidth = 2.5;
  rule(pen, [x, MARGIN.top - 4], [x, bottom]);
  pen.beginPath();
  pen.roundRect(x - 6, middle - 15, 12, 30, 5);
  pen.fill();
  pen.strokeStyle = theme.paper;
  pen.lineWidth = 1.2;
  for (const dx of [-2, 2]) rule(pen, [x + dx, middle - 7], [x + dx, middle + 7]);
}

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {Hover} hover
 */
export function drawHover(pen, plot, { points, pale }) {
  const { data, xs, yAt } = plot;
  for (const { curve, at } of points) {
    pen.beginPath();
    pen.arc(xs[at], yAt(curve.line[at]), 3, 0, 2 * Math.PI);
    pen.fillStyle = data.legend[curve.group].colour;
    pen.fill();
  }
  if (data.single && points.length) drawCurve(pen, plot, points[0].curve, 3, 1);
  if (pale.length) drawCurve(pen, plot, pale[0], 2, 1);
}
