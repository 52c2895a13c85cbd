// Curves over one time grid, as they arrive.

import { bodyOf, headOf } from "../mounts/bytes.js";
import { Store } from "../mounts/store.js";

/**
 * line   a value for each time
 * level  drawn dashed: what the line is compared with
 * end    where the line ends, drawn dotted where that is another value
 * main   whether the curve is shown in full; the others are pale
 * peaks  for each t_min the place of the highest value from there on; none where it is not marked
 * @typedef {{
 *   line: Float32Array, level: number, end: number, group: number, owner: number, main: boolean,
 *   peaks: Uint16Array | null,
 * }} Curve
 */

/** @typedef {{ name: string, colour: string }} Group */

/**
 * moves   how many of the times, from the first on, belong to the time window: there the line can stand
 * labels  for each of these the group that wins there, or none
 * single  each owner has one curve
 * @typedef {{
 *   id: string, moves: number, times: Float32Array, curves: Curve[], labels: Uint8Array | null, groups: number[],
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
  const ends = body.take(Float32Array, head.curves);
  const values = body.take(Float32Array, head.curves * head.times);
  const peaks = body.take(Uint16Array, head.peaked * head.moves);
  const labels = head.labelled ? body.rest() : null;
  let marked = 0;
  const curves = Array.from({ length: head.curves }, (_, i) => {
    const line = values.subarray(i * head.times, (i + 1) * head.times);
    const [group, owner] = [head.groups[i], head.owners[i]];
    const own = owner === 0 && marked < head.peaked ? peaks.subarray(marked * head.moves, ++marked * head.moves) : null;
    return { line, level: levels[i], end: ends[i], group, owner, main: head.single || owner === 0, peaks: own };
  });
  return { ...head, times, curves, labels };
}
