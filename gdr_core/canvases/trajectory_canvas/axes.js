// The axes: times on a logarithmic scale that may begin with 0, values on either scale.

import { rule } from "../library/canvas.js";
import { niceStep, power } from "../library/numbers.js";
import { MARGIN } from "./plot.js";

/** @import { Pen } from "../library/canvas.js" */
/** @import { Plot } from "./plot.js" */

/**
 * @param {Pen} pen
 * @param {Plot} plot
 */
export function drawAxes(pen, plot) {
  const { theme, right, height } = plot;
  const bottom = height - MARGIN.bottom;
  pen.strokeStyle = pen.fillStyle = theme.ink;
  pen.lineWidth = 1;
  drawTimes(pen, plot, bottom);
  pen.fillText("time in relaxation times, t·λ₂", (MARGIN.left + right) / 2, bottom + 8 + 16 * theme.text);
  drawValues(pen, plot, right);
  rule(pen, [MARGIN.left, bottom], [right, bottom], 0.6);
}

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {number} bottom
 */
function drawTimes(pen, { data: { times }, xs, xAt, right }, bottom) {
  pen.textAlign = "center";
  pen.textBaseline = "top";
  if (times[0] === 0) {
    rule(pen, [xs[0], MARGIN.top], [xs[0], bottom], 0.12);
    pen.fillText("0", xs[0], bottom + 6);
    const gap = (xs[0] + xs[1]) / 2; // the axis is broken between 0 and the rest
    for (const dx of [-2, 2]) rule(pen, [gap + dx - 2, bottom + 4], [gap + dx + 2, bottom - 4], 0.8);
  }
  const first = times[0] === 0 ? times[1] : times[0];
  const from = Math.ceil(Math.log10(first) - 1e-6);
  const to = Math.floor(Math.log10(times[times.length - 1]) + 1e-6);
  const every = Math.max(1, Math.ceil((to - from + 1) / (right / 70)));
  for (let exponent = from; exponent <= to; exponent += every) {
    const x = xAt(10 ** exponent);
    rule(pen, [x, MARGIN.top], [x, bottom], 0.12);
    pen.fillText(power(exponent), x, bottom + 6);
  }
}

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {number} right
 */
function drawValues(pen, { data, least, most, yAt, height }, right) {
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  /** @type {(value: number, text: string) => void} */
  const mark = (value, text) => {
    rule(pen, [MARGIN.left, yAt(value)], [right, yAt(value)], 0.12);
    pen.fillText(text, MARGIN.left - 8, yAt(value));
  };
  if (data.logarithmic) {
    for (let exponent = -3; 10 ** exponent <= most * 1.3 || exponent <= 1; exponent++) mark(10 ** exponent, power(exponent));
  } else {
    const step = niceStep(most - least || 1, 5);
    for (let value = Math.ceil(least / step) * step; value <= most + 0.06 * (most - least); value += step) mark(value, String(Number(value.toFixed(6))));
  }
  pen.save();
  pen.translate(13, (MARGIN.top + height - MARGIN.bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillText(data.quantity, 0, 0);
  pen.restore();
}
