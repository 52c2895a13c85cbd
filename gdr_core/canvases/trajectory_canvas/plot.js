// Where times and values stand on the chart.

/** @import { Theme } from "../library/theme.js" */
/** @import { Curves } from "./curves.js" */

/**
 * right         where the plot ends; names of curves may follow
 * xs            of the times
 * least, most   the values at the ends of the vertical axis
 * @typedef {{
 *   data: Curves, theme: Theme, width: number, right: number, height: number, ratio: number,
 *   xs: Float32Array, least: number, most: number,
 *   xAt: (time: number) => number, yAt: (value: number) => number,
 * }} Plot
 */

export const MARGIN = { left: 54, right: 16, top: 14, bottom: 42 };
export const FLOOR = 1e-3; // lowest value of a logarithmic vertical axis
const ZERO_GAP = 30; // pixels between time 0, which has no logarithm, and the first time after it

/**
 * @param {Curves} data
 * @param {Theme} theme
 * @param {number} width
 * @param {number} height
 * @param {number} ratio
 * @param {number} [room] at the right, for names of curves
 * @returns {Plot}
 */
export function plotOf(data, theme, width, height, ratio, room = 0) {
  const right = width - (room || MARGIN.right);
  const xAt = timeScale(data.times, right);
  const xs = Float32Array.from(data.times, xAt);
  return { data, theme, width, right, height, ratio, xs, xAt, ...valueScale(data, height) };
}

/**
 * @param {Float32Array} times
 * @param {number} right where the last time stands
 * @returns {Plot["xAt"]}
 */
export function timeScale(times, right) {
  const left = MARGIN.left + (times[0] === 0 ? ZERO_GAP : 0);
  const start = times[0] === 0 ? times[1] : times[0];
  const span = Math.log(times[times.length - 1] / start) || 1;
  const wide = right - left;
  return (time) => (time <= 0 ? MARGIN.left : left + (wide * Math.log(time / start)) / span);
}

/**
 * @param {Pick<Curves, "curves" | "logarithmic">} data
 * @param {number} height
 * @returns {Pick<Plot, "least" | "most" | "yAt">}
 */
export function valueScale({ curves, logarithmic }, height) {
  let most = 0;
  let least = Infinity;
  for (const curve of curves) {
    for (const value of [...curve.line, curve.level, curve.end]) {
      if (value > most) most = value;
      if (value < least) least = value;
    }
  }
  least = least > 0.35 * most ? Math.max(0, least - 0.15 * (most - least)) : 0; // 0 unless that hides all
  most = most || 1;
  const bottom = height - MARGIN.bottom;
  const high = bottom - MARGIN.top;
  if (logarithmic) {
    const top = Math.log(Math.max(most, 10) * 1.3);
    const low = Math.log(FLOOR);
    return { least, most, yAt: (value) => bottom - (high * (Math.log(Math.max(value, FLOOR)) - low)) / (top - low) };
  }
  const top = most + 0.06 * (most - least);
  return { least, most, yAt: (value) => bottom - (high * (Math.max(value, least) - least)) / (top - least || 1) };
}

/**
 * The time that stands nearest to a place.
 * @param {Float32Array} xs
 * @param {number} x
 */
export function indexAt(xs, x) {
  let best = 0;
  for (let i = 1; i < xs.length; i++) if (Math.abs(xs[i] - x) < Math.abs(xs[best] - x)) best = i;
  return best;
}
