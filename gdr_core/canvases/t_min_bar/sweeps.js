// Labels for every t_min, as they arrive, and how a graph looks at one of them.

import { bodyOf, headOf } from "../mounts/bytes.js";
import { Store } from "../mounts/store.js";
import { detailsAt, labelsAt, outcomesAt, rows } from "./labels.js";

/** @import { Message } from "../graph_canvas/looks.js" */
/** @import { Course } from "./labels.js" */

/** @typedef {{ name: string, colour: string, prior: number | null, values: Float32Array }} Line */
/** @typedef {{ name: string, explanation: string, values: Uint32Array }} Count */

/**
 * @typedef {Course & {
 *   id: string, times: number, names: string[], ticks: [number, string][], chosen: number, lines: Line[], counts: Count[],
 * }} Sweep
 */

const REMEMBERED = 4;

/**
 * One store for the whole page: bars bring sweeps, graphs follow them.
 * @returns {Store<Sweep>}
 */
export function sweeps() {
  return (window.gdrSweeps ??= new Store(REMEMBERED));
}

/**
 * @param {Uint8Array} bytes
 * @returns {Sweep}
 */
export function unpackSweep(bytes) {
  const { length, head } = headOf(bytes);
  const body = bodyOf(bytes, length);
  const lines = head.lines.map((/** @type {Line} */ line) => ({ ...line, values: body.take(Float32Array, head.times) }));
  const counts = head.counts.map((/** @type {Count} */ count) => ({ ...count, values: body.take(Uint32Array, head.times) }));
  const steps = body.take(Uint32Array, head.times - 1);
  const nodes = body.take(Uint32Array, head.changes);
  const [fresh, first, prior, truth] = [head.changes, head.nodes, head.nodes, head.nodes].map((size) => body.take(Uint8Array, size));
  return { ...head, lines, counts, prior, truth, labels: rows(first, steps, nodes, fresh) };
}

/**
 * The message to a graph, filled in for one t_min.
 * @param {Sweep} sweep
 * @param {Message} message
 * @param {number} index
 * @returns {Message}
 */
export function messageAt(sweep, message, index) {
  const [labels, marks] = [labelsAt(sweep, index), outcomesAt(sweep, index)];
  return { ...message, index, marks, details: detailsAt(sweep, index), colours: message.byClass ? labels : marks };
}
