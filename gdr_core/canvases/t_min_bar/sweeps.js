// Labels for every t_min, as they arrive, and how a graph looks at one of them.

import { bodyOf, headOf } from "../mounts/bytes.js";
import { Store } from "../mounts/store.js";

/** @import { Message } from "../graph_canvas/looks.js" */

/** @typedef {{ name: string, colour: string, prior: number | null, values: Float32Array }} Line */
/** @typedef {{ name: string, explanation: string, values: Uint32Array }} Count */

/**
 * labels  of every node, one row for each t_min
 * prior   the label of every node before
 * truth   its true class, a code into `truths`, which begins with the classes
 * @typedef {{
 *   id: string, times: number, nodes: number, names: string[], ticks: [number, string][], chosen: number,
 *   classes: string[], truths: string[], lines: Line[], counts: Count[],
 *   labels: Uint8Array, prior: Uint8Array, truth: Uint8Array,
 * }} Sweep
 */

const REMEMBERED = 4;
const KEPT = 0;
const FIXED = 1;
const BROKEN = 2;
const STILL_WRONG = 3;
const NOT_JUDGED = 4;

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
 * The labels at every t_min, from those at the first and what changes from one to the next.
 * @param {Uint8Array} first
 * @param {Uint32Array} steps how many change
 * @param {Uint32Array} nodes which
 * @param {Uint8Array} fresh their new labels
 */
export function rows(first, steps, nodes, fresh) {
  const size = first.length;
  const labels = new Uint8Array((steps.length + 1) * size);
  labels.set(first);
  let at = 0;
  steps.forEach((count, step) => {
    const row = (step + 1) * size;
    labels.copyWithin(row, row - size, row);
    for (const end = at + count; at < end; at++) labels[row + nodes[at]] = fresh[at];
  });
  return labels;
}

/**
 * @param {Sweep} sweep
 * @param {number} index
 */
export function labelsAt({ labels, nodes }, index) {
  return labels.subarray(index * nodes, (index + 1) * nodes);
}

/**
 * What happened to every node, by the same codes as in Python (`OUTCOMES`).
 * @param {Sweep} sweep
 * @param {number} index
 */
export function outcomesAt(sweep, index) {
  const { prior, truth, classes, nodes } = sweep;
  const labels = labelsAt(sweep, index);
  const known = classes.length;
  const codes = new Uint8Array(nodes);
  for (let i = 0; i < nodes; i++) {
    if (labels[i] === prior[i]) codes[i] = KEPT;
    else if (truth[i] >= known) codes[i] = NOT_JUDGED;
    else codes[i] = labels[i] === truth[i] ? FIXED : prior[i] === truth[i] ? BROKEN : STILL_WRONG;
  }
  return codes;
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
  const { classes, truths, prior, truth } = sweep;
  const details = [
    { label: "true class", names: truths, wide: false, codes: truth },
    { label: "prior", names: classes, wide: false, codes: prior },
    { label: "GDR", names: classes, wide: false, codes: labels },
  ];
  return { ...message, index, marks, details, colours: message.byClass ? labels : marks };
}
