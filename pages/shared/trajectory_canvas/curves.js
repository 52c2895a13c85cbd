// Curves over one time grid, as they arrive.

import { bodyOf, headOf } from "../mounts/bytes.js";
import { Store } from "../mounts/store.js";

/**
 * line   a value for each time
 * level  drawn dashed: what the line is compared with
 * main   whether the curve is shown in full; the others are pale
 * peaks  for each time the place of the highest value from there on
 * @typedef {{ line: Float32Array, level: number, group: number, owner: number, main: boolean, peaks: Uint16Array }} Curve
 */

/** @typedef {{ name: string, colour: string }} Group */

/**
 * labels  for each time the group that wins there, or none
 * single  each owner has one curve
 * @typedef {{
 *   id: string, times: Float32Array, curves: Curve[], labels: Uint8Array | null, groups: number[],
 *   legend: Group[], names: string[], quantity: string, handle: string,
 *   logarithmic: boolean, single: boolean, lateFrom: number | null,
 * }} Curves
 */

/** @typedef {{ curves: string, index: number, label: string, height: number, listens: boolean }} Message */

const REMEMBERED = 6;

/** @type {Store<Curves>} */
export const known = new Store(REMEMBERED);

/**
 * @param {Uint8Array} bytes
 * @returns {Curves}
 */
export function unpackCurves(bytes) {
  const { length, head } = headOf(bytes);
  const body = bodyOf(bytes, length);
  const times = body.take(Float32Array, head.times);
  const levels = body.take(Float32Array, head.curves);
  const values = body.take(Float32Array, head.curves * head.times);
  const labels = head.labelled ? body.rest() : null;
  const curves = Array.from({ length: head.curves }, (_, i) => {
    const line = values.subarray(i * head.times, (i + 1) * head.times);
    return { line, level: levels[i], group: head.groups[i], owner: head.owners[i], main: head.single || head.owners[i] === 0, peaks: peaksFrom(line) };
  });
  return { ...head, times, curves, labels };
}

/**
 * For every time the place of the highest value from there on.
 * @param {Float32Array} line
 */
export function peaksFrom(line) {
  const peaks = new Uint16Array(line.length);
  let best = line.length - 1;
  for (let i = line.length - 1; i >= 0; i--) {
    if (line[i] >= line[best]) best = i;
    peaks[i] = best;
  }
  return peaks;
}
