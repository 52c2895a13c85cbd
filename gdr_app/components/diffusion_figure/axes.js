// The axes of the chart: values upwards, time to the right.

import { rule } from "#canvases/library/canvas.js";
import { inWords, niceStep, power } from "#canvases/library/numbers.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Theme } from "#canvases/library/theme.js" */
/** @import { Model } from "./model.js" */

export const LEFT = 44;
export const RIGHT = 14;
export const TOP = 16;
export const BOTTOM = 38;

/** @typedef {{ model: Model, size: { width: number, height: number }, x: (share: number) => number, y: (value: number) => number }} Room */

/**
 * @param {Pen} pen
 * @param {Theme} theme
 * @param {Room} room
 */
export function drawAxes(pen, theme, room) {
  const { width, height } = room.size;
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 1;
  pen.fillStyle = theme.ink;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const step = niceStep(1.06 * room.model.top, 5);
  for (let value = 0; value <= 1.06 * room.model.top + 1e-12; value += step) {
    const y = Math.round(room.y(value)) + 0.5;
    rule(pen, [LEFT, y], [width - RIGHT, y], value === 0 ? 0.5 : 0.1);
    pen.globalAlpha = 0.8;
    pen.fillText(inWords(Number(value.toPrecision(6))), LEFT - 7, y);
    pen.globalAlpha = 1;
  }
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const [share, text] of ticks(room)) {
    const x = Math.round(room.x(share)) + 0.5;
    rule(pen, [x, height - BOTTOM], [x, height - BOTTOM + 4], 0.5);
    pen.globalAlpha = 0.8;
    pen.fillText(text, x, height - BOTTOM + 6);
  }
  pen.textAlign = "right";
  pen.fillText("time t", width - RIGHT, height - 17);
  pen.textAlign = "left";
  pen.fillText("p(t)", 6, 3);
  pen.globalAlpha = 1;
}

/**
 * @param {Room} room
 * @returns {[number, string][]}
 */
function ticks({ model, size }) {
  const { log, span } = model;
  if (!log) {
    const step = niceStep(span, size.width < 420 ? 4 : 6);
    return Array.from({ length: Math.floor(span / step + 1e-9) + 1 }, (_, i) => [(i * step) / span, inWords(Number((i * step).toPrecision(6)))]);
  }
  const last = Math.floor(Math.log10(span));
  return Array.from({ length: 4 }, (_, i) => [model.shareOf(10 ** (last - i)), power(last - i)]);
}
