// The exact course of a sketch: p(t) = e^(−tL) H from eigenvectors, for all times at once.

import { spectrumOf } from "./eigen.js";
import { denseOf, formOf } from "./laplacians.js";

/** @import { Form } from "./laplacians.js" */
/** @import { Sketch } from "./sketch.js" */

const SAME_RATE = 1e-12; // of the largest rate

/**
 * p_jc(t) − π_jc = Σ_k coefficients[(j · classes + c) · modes + k] e^(−rates[k] t).
 * modes       the number of rates that are not zero
 * @typedef {{ rates: Float64Array, coefficients: Float64Array, modes: number }} Decay
 */

export class Dynamics {
  /** @param {Sketch} sketch */
  constructor(sketch) {
    this.n = sketch.nodes.length;
    this.classes = sketch.classes;
    this.form = formOf(sketch);
    /** H, n rows of classes. */
    this.start = Float64Array.from(sketch.nodes.flatMap((node) => node.beliefs));
    const { values, vectors } = spectrumOf(this.form.matrix, this.n);
    this.values = values;
    this.vectors = vectors;
    this.parts = this.form.parts; // as many eigenvalues are zero
    this.limit = limitOf(this.form, this.start, this.classes);
    this.decay = this.decayOf();
  }

  /** L, row by row. */
  get laplacian() {
    return denseOf(this.form);
  }

  /** λ₂: the smallest rate at which anything decays; 0 where nothing moves. */
  get gap() {
    return this.parts < this.n ? this.values[this.parts] : 0;
  }

  get relaxationTime() {
    return this.gap > 0 ? 1 / this.gap : Infinity;
  }

  /**
   * Terms of the same rate are one: within an eigenspace they cancel exactly.
   * @returns {Decay}
   */
  decayOf() {
    const { n, classes, parts, vectors, values, start } = this;
    const { scale } = this.form;
    const tied = SAME_RATE * values[n - 1];
    const groups = groupsOf(values.subarray(parts), tied);
    const modes = groups.length ? groups[groups.length - 1] + 1 : 0;
    const rates = new Float64Array(modes);
    const coefficients = new Float64Array(n * classes * modes);
    groups.forEach((group, k) => {
      const vector = vectors.subarray((parts + k) * n, (parts + k + 1) * n);
      rates[group] ||= values[parts + k];
      for (let c = 0; c < classes; c++) {
        let share = 0;
        for (let i = 0; i < n; i++) share += vector[i] * scale[i] * start[i * classes + c];
        for (let j = 0; j < n; j++) coefficients[(j * classes + c) * modes + group] += (vector[j] * share) / scale[j];
      }
    });
    return { rates, coefficients, modes };
  }

  /**
   * p(t), n rows of classes.
   * @param {number} time
   */
  at(time) {
    if (time <= 0) return Float64Array.from(this.start);
    const { modes, rates, coefficients } = this.decay;
    const left = rates.map((rate) => Math.exp(-rate * time));
    return this.limit.map((value, place) => {
      let sum = value;
      for (let k = 0; k < modes; k++) sum += coefficients[place * modes + k] * left[k];
      return sum;
    });
  }

  /**
   * e^(−tL), row by row.
   * @param {number} time
   */
  kernel(time) {
    const { n, values, vectors, parts } = this;
    const { scale } = this.form;
    const found = new Float64Array(n * n);
    for (let k = 0; k < n; k++) {
      const left = k < parts ? 1 : Math.exp(-values[k] * time);
      for (let i = 0; i < n; i++) {
        const part = (left * vectors[k * n + i]) / scale[i];
        for (let j = 0; j < n; j++) found[i * n + j] += part * vectors[k * n + j] * scale[j];
      }
    }
    return found;
  }

  /**
   * Every p_jc over times: row j · classes + c has one number for each time.
   * @param {ArrayLike<number>} times
   */
  curves(times) {
    const { modes, rates, coefficients } = this.decay;
    const count = times.length;
    const left = new Float64Array(modes * count);
    for (let k = 0; k < modes; k++) for (let i = 0; i < count; i++) left[k * count + i] = Math.exp(-rates[k] * times[i]);
    const found = new Float64Array(this.limit.length * count);
    this.limit.forEach((value, row) => {
      const curve = found.subarray(row * count, (row + 1) * count).fill(value);
      for (let k = 0; k < modes; k++) {
        const factor = coefficients[row * modes + k];
        if (factor === 0) continue;
        for (let i = 0; i < count; i++) curve[i] += factor * left[k * count + i];
      }
    });
    return found;
  }
}

/**
 * For each value the number of its group: values that differ by rounding only are in one.
 * @param {Float64Array} values ascending
 * @param {number} tied
 */
function groupsOf(values, tied) {
  let group = 0;
  return Array.from(values, (value, k) => (k && value - values[k - 1] > tied ? ++group : group));
}

/**
 * π, where the diffusion ends on each part: r (wᵀ H)/(wᵀ r) with r = null/s and w = null·s.
 * @param {Form} form
 * @param {Float64Array} start
 * @param {number} classes
 */
function limitOf({ n, null_, scale, part, parts }, start, classes) {
  const mass = new Float64Array(parts * classes);
  const norm = new Float64Array(parts);
  for (let i = 0; i < n; i++) {
    norm[part[i]] += null_[i] ** 2;
    for (let c = 0; c < classes; c++) mass[part[i] * classes + c] += null_[i] * scale[i] * start[i * classes + c];
  }
  return start.map((_, place) => {
    const j = Math.floor(place / classes);
    return ((null_[j] / scale[j]) * mass[part[j] * classes + (place % classes)]) / norm[part[j]];
  });
}
