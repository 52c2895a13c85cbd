// Labels along t_min: who has which at one of them, and what happened to every node.

/** @import { Message } from "../graph_canvas/looks.js" */

/**
 * labels  of every node, one row for each t_min
 * prior   the label of every node before
 * truth   its true class, a code into `truths`, which begins with the classes
 * @typedef {{
 *   nodes: number, classes: string[], truths: string[], labels: Uint8Array, prior: Uint8Array, truth: Uint8Array,
 * }} Course
 */

const KEPT = 0;
const FIXED = 1;
const BROKEN = 2;
const STILL_WRONG = 3;
const NOT_JUDGED = 4;

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
 * The same from labels that stand node by node.
 * @param {Uint8Array} labels labels[node * times + index]
 * @param {number} times
 */
export function turned(labels, times) {
  const size = times ? labels.length / times : 0;
  const result = new Uint8Array(labels.length);
  for (let index = 0; index < times; index++)
    for (let node = 0; node < size; node++) result[index * size + node] = labels[node * times + index];
  return result;
}

/**
 * @param {Course} course
 * @param {number} index
 */
export function labelsAt({ labels, nodes }, index) {
  return labels.subarray(index * nodes, (index + 1) * nodes);
}

/**
 * What happened to every node, by the same codes as in Python (`OUTCOMES`).
 * @param {Course} course
 * @param {number} index
 */
export function outcomesAt(course, index) {
  const { prior, truth, classes, nodes } = course;
  const labels = labelsAt(course, index);
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
 * The lines of a node's tooltip.
 * @param {Course} course
 * @param {number} index
 * @returns {Message["details"]}
 */
export function detailsAt(course, index) {
  const { classes, truths, prior, truth } = course;
  return [
    { label: "true class", names: truths, wide: false, codes: truth },
    { label: "prior", names: classes, wide: false, codes: prior },
    { label: "GDR", names: classes, wide: false, codes: labelsAt(course, index) },
  ];
}
