// A sketch: a small graph with beliefs, marks, places, a Laplacian and a time. What it may hold.

/**
 * beliefs  one number for each class, none negative
 * train    whether its class is known
 * x, y     its place, whole numbers from 0 to 1000
 * @typedef {{ name: string, x: number, y: number, beliefs: number[], train: boolean }} SketchNode
 */

/**
 * arrow  leads from `from` to `to` only; otherwise the edge leads both ways
 * @typedef {{ from: number, to: number, weight: number, arrow: boolean }} SketchEdge
 */

/**
 * time, tMin  in the time of the Laplacian, the t of e^(−tL)
 * @typedef {{
 *   nodes: SketchNode[], edges: SketchEdge[], classes: number,
 *   laplacian: string, direction: "forward" | "backward", alpha: number, time: number, tMin: number,
 * }} Sketch
 */

export const MOST_NODES = 60;
export const MOST_CLASSES = 6;
export const PLACES = 1000;
export const LONGEST_NAME = 12;
export const LEAST_ALPHA = 0.05;
export const MOST_ALPHA = 0.99;
const DIGITS = 6;
const LARGEST = 1e6;
const SMALLEST = 1e-6;

/**
 * A number with six digits: what is computed with is what the link says.
 * @param {number} value
 */
export function tidy(value) {
  return Number(value.toPrecision(DIGITS));
}

/**
 * A weight that is allowed: positive, neither tiny nor huge.
 * @param {number} value
 */
export function isWeight(value) {
  return value >= SMALLEST && value <= LARGEST;
}

/**
 * A belief or a time that is allowed.
 * @param {number} value
 */
export function isAmount(value) {
  return value === 0 || (value >= 1e-9 && value <= 1e9);
}

/**
 * Whether two edges may not both be there: they join the same nodes the same way.
 * @param {SketchEdge} one
 * @param {SketchEdge} other
 */
export function clash(one, other) {
  const along = one.from === other.from && one.to === other.to;
  const against = one.from === other.to && one.to === other.from;
  return along || (against && !(one.arrow && other.arrow));
}

/** @param {Sketch} sketch */
export function hasArrows(sketch) {
  return sketch.edges.some((edge) => edge.arrow);
}

/**
 * The adjacency as rows: entry (i, j) is the weight of the way from i to j.
 * @param {Sketch} sketch
 */
export function adjacencyOf({ nodes, edges }) {
  const n = nodes.length;
  const matrix = new Float64Array(n * n);
  for (const { from, to, weight, arrow } of edges) {
    matrix[from * n + to] = weight;
    if (!arrow) matrix[to * n + from] = weight;
  }
  return matrix;
}

/**
 * The number of each node's part: parts are joined by no edge, arrows count both ways.
 * @param {Float64Array} adjacency
 * @param {number} n
 */
export function partsOf(adjacency, n) {
  const part = new Int32Array(n).fill(-1);
  let count = 0;
  for (let start = 0; start < n; start++) {
    if (part[start] >= 0) continue;
    const open = [start];
    part[start] = count;
    for (let i = open.pop(); i !== undefined; i = open.pop())
      for (let j = 0; j < n; j++)
        if (part[j] < 0 && (adjacency[i * n + j] > 0 || adjacency[j * n + i] > 0)) {
          part[j] = count;
          open.push(j);
        }
    count++;
  }
  return { part, count };
}

/**
 * A sketch that shares nothing with another.
 * @param {Sketch} sketch
 * @returns {Sketch}
 */
export function copyOf(sketch) {
  return {
    ...sketch,
    nodes: sketch.nodes.map((node) => ({ ...node, beliefs: [...node.beliefs] })),
    edges: sketch.edges.map((edge) => ({ ...edge })),
  };
}
