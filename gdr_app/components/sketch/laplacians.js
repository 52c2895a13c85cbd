// Every Laplacian of the library, as dense matrices: L = diag(s)⁻¹ S diag(s) with S symmetric. So
// eigenvectors of a symmetric matrix serve all of them, those of directed graphs included.

import { solved, spectrumOf } from "./eigen.js";
import { adjacencyOf, partsOf } from "./sketch.js";

/** @import { Sketch } from "./sketch.js" */

/**
 * n         number of nodes
 * matrix    S, symmetric
 * scale     s; ones where L itself is symmetric
 * null_     the null vector of S, positive
 * part      the number of each node's part: nothing flows from one part to another
 * parts     how many there are
 * @typedef {{
 *   n: number, matrix: Float64Array, scale: Float64Array, null_: Float64Array, part: Int32Array, parts: number,
 * }} Form
 */

/** @typedef {{ directed: boolean, formula: string, build: (adjacency: Float64Array, n: number, alpha: number) => Form }} Kind */

/** @type {Record<string, Kind>} */
export const LAPLACIANS = {
  combinatorial: { directed: false, formula: "D − A", build: combinatorial },
  symmetric: { directed: false, formula: "I − D^(−1/2) A D^(−1/2)", build: (a, n) => normalised(a, n, false) },
  "random-walk": { directed: false, formula: "I − D^(−1) A", build: (a, n) => normalised(a, n, true) },
  "max-entropy": { directed: false, formula: "I − A/ρ(A)", build: maxEntropy },
  directed: { directed: true, formula: "Φ − (ΦP + PᵀΦ)/2", build: (a, n, alpha) => circulation(a, n, alpha).form },
  "directed-normalised": { directed: true, formula: "I − Φ^(−1/2) (ΦP + PᵀΦ) Φ^(−1/2) / 2", build: (a, n, alpha) => directedNormalised(a, n, alpha, false) },
  "directed-random-walk": { directed: true, formula: "I − (P + Φ^(−1) Pᵀ Φ) / 2", build: (a, n, alpha) => directedNormalised(a, n, alpha, true) },
};

/**
 * The Laplacian that a sketch has chosen; an undirected one forgets directions first.
 * @param {Sketch} sketch
 * @returns {Form}
 */
export function formOf(sketch) {
  const kind = LAPLACIANS[sketch.laplacian];
  const n = sketch.nodes.length;
  const along = adjacencyOf(sketch);
  if (!kind.directed) return kind.build(both(along, n), n, 1);
  return kind.build(sketch.direction === "backward" ? turned(along, n) : along, n, sketch.alpha);
}

/**
 * L itself, row by row.
 * @param {Form} form
 */
export function denseOf({ n, matrix, scale }) {
  return matrix.map((entry, place) => (entry * scale[place % n]) / scale[Math.floor(place / n)]);
}

/**
 * The larger weight of i → j and j → i.
 * @param {Float64Array} a
 * @param {number} n
 */
function both(a, n) {
  return a.map((entry, place) => Math.max(entry, a[(place % n) * n + Math.floor(place / n)]));
}

/**
 * @param {Float64Array} a
 * @param {number} n
 */
function turned(a, n) {
  return a.map((_, place) => a[(place % n) * n + Math.floor(place / n)]);
}

/**
 * @param {Float64Array} a
 * @param {number} n
 */
function degrees(a, n) {
  return Float64Array.from({ length: n }, (_, i) => a.subarray(i * n, (i + 1) * n).reduce((sum, w) => sum + w, 0));
}

/** @param {number} n */
function ones(n) {
  return new Float64Array(n).fill(1);
}

/**
 * diag(rates) − weights.
 * @param {Float64Array} weights
 * @param {Float64Array} rates
 */
function difference(weights, rates) {
  const n = rates.length;
  const matrix = weights.map((entry) => -entry);
  for (let i = 0; i < n; i++) matrix[i * n + i] += rates[i];
  return matrix;
}

/**
 * diag(f) M diag(f).
 * @param {Float64Array} matrix
 * @param {Float64Array} factor
 */
function framed(matrix, factor) {
  const n = factor.length;
  return matrix.map((entry, place) => entry * factor[Math.floor(place / n)] * factor[place % n]);
}

/**
 * @param {Float64Array} a
 * @param {number} n
 * @returns {Form}
 */
function combinatorial(a, n) {
  const { part, count } = partsOf(a, n);
  return { n, matrix: difference(a, degrees(a, n)), scale: ones(n), null_: ones(n), part, parts: count };
}

/**
 * I − D^(−1/2) A D^(−1/2), or its similar form I − D⁻¹A; isolated nodes have a row of zeros.
 * @param {Float64Array} a
 * @param {number} n
 * @param {boolean} walk
 * @returns {Form}
 */
function normalised(a, n, walk) {
  const root = degrees(a, n).map(Math.sqrt);
  const inverse = root.map((r) => (r > 0 ? 1 / r : 0));
  const null_ = root.map((r) => (r > 0 ? r : 1));
  const { part, count } = partsOf(a, n);
  const matrix = difference(framed(a, inverse), root.map((r) => (r > 0 ? 1 : 0)));
  return { n, matrix, scale: walk ? null_ : ones(n), null_, part, parts: count };
}

/**
 * I − A/ρ with the largest eigenvalue ρ of each part and its positive eigenvector.
 * @param {Float64Array} a
 * @param {number} n
 * @returns {Form}
 */
function maxEntropy(a, n) {
  const { part, count } = partsOf(a, n);
  const inverseRoot = new Float64Array(n);
  const null_ = ones(n);
  for (let k = 0; k < count; k++) {
    const inside = Array.from(part.keys()).filter((i) => part[i] === k);
    if (inside.length < 2) continue;
    const m = inside.length;
    const block = Float64Array.from({ length: m * m }, (_, place) => a[inside[Math.floor(place / m)] * n + inside[place % m]]);
    const { values, vectors } = spectrumOf(block, m);
    inside.forEach((i, at) => {
      inverseRoot[i] = 1 / Math.sqrt(values[m - 1]);
      null_[i] = Math.abs(vectors[(m - 1) * m + at]);
    });
  }
  const matrix = difference(framed(a, inverseRoot), inverseRoot.map((r) => (r > 0 ? 1 : 0)));
  return { n, matrix, scale: ones(n), null_, part, parts: count };
}

/**
 * PageRank φ ∝ (I − α(D⁺A)ᵀ)⁻¹ 1 and the flow α Φ D⁺ A + φ g 1ᵀ/n, symmetrised.
 * @param {Float64Array} a
 * @param {number} n
 * @param {number} alpha
 */
function circulation(a, n, alpha) {
  const out = degrees(a, n);
  const system = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) system[i * n + j] = (i === j ? 1 : 0) - (out[j] > 0 ? (alpha * a[j * n + i]) / out[j] : 0);
  const raw = solved(system, ones(n));
  const total = raw.reduce((sum, value) => sum + value, 0);
  const rank = raw.map((value) => value / total);
  const flow = a.map((entry, place) => {
    const i = Math.floor(place / n);
    const jump = (rank[i] * (out[i] > 0 ? 1 - alpha : 1)) / n;
    return jump + (out[i] > 0 ? (alpha * rank[i] * entry) / out[i] : 0);
  });
  const middle = flow.map((entry, place) => (entry + flow[(place % n) * n + Math.floor(place / n)]) / 2);
  const matrix = difference(middle, degrees(middle, n)); // row sums: then L 1 = 0 to rounding
  /** @type {Form} */
  const form = { n, matrix, scale: ones(n), null_: ones(n), part: new Int32Array(n), parts: 1 };
  return { rank, form };
}

/**
 * @param {Float64Array} a
 * @param {number} n
 * @param {number} alpha
 * @param {boolean} walk
 * @returns {Form}
 */
function directedNormalised(a, n, alpha, walk) {
  const { rank, form } = circulation(a, n, alpha);
  const root = rank.map(Math.sqrt);
  return { ...form, matrix: framed(form.matrix, root.map((r) => 1 / r)), scale: walk ? root : ones(n), null_: root };
}
