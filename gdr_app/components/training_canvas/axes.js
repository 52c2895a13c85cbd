// Scales and ticks of the small charts, and the frame they are drawn in.

import { rule } from "#canvases/library/canvas.js";
import { niceStep } from "#canvases/library/numbers.js";

/** @import { Pen } from "#canvases/library/canvas.js" */

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Area */

/**
 * What a chart is drawn with: a pen, the place for it, how much larger letters are than usual, and
 * where numbers stand.
 * @typedef {{
 *   pen: Pen, area: Area, ink: string, paper: string, text: number,
 *   x: (value: number) => number, y: (value: number) => number,
 * }} Sheet
 */

/**
 * Round numbers between two ends, about so many.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
export function steps(low, high, count) {
  const step = niceStep(high - low, count);
  const found = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + 1e-9 * step; value += step) found.push(Number(value.toPrecision(10)));
  return found;
}

/**
 * 1, 2 and 5 times the powers of ten between two ends.
 * @param {number} low
 * @param {number} high
 */
export function logSteps(low, high) {
  const found = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++)
    for (const digit of [1, 2, 5]) if (digit * 10 ** exponent >= low * 0.999 && digit * 10 ** exponent <= high * 1.001) found.push(digit * 10 ** exponent);
  return found;
}

/** @param {number} value */
export const short = (value) => (Math.abs(value) >= 1e5 ? value.toExponential(1) : String(Number(value.toPrecision(3))));

/** @param {number} value */
export const percent = (value) => `${(100 * value).toFixed(1)}%`;

/**
 * @param {Sheet} sheet
 * @param {{ xs: number[], ys: number[], name: string, inPercent?: boolean }} ticks
 */
export function drawAxes({ pen, area, ink, text, x, y }, { xs, ys, name, inPercent = false }) {
  const { left, right, bottom } = area;
  pen.strokeStyle = pen.fillStyle = ink;
  pen.lineWidth = 1;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const value of ys) {
    rule(pen, [left, y(value)], [right, y(value)], 0.13);
    pen.fillText(inPercent ? `${Math.round(100 * value)}%` : short(value), left - 6, y(value));
  }
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const value of xs) pen.fillText(short(value), x(value), bottom + 4);
  pen.fillText(name, (left + right) / 2, bottom + 19 * text);
  rule(pen, [left, bottom], [right, bottom], 0.6);
}
