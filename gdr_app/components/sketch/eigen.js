// Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations: for sixty nodes a few
// milliseconds, and every eigenvector is orthogonal to the others to rounding.

const MOST_SWEEPS = 60;

/**
 * values    ascending
 * vectors   as rows: the k-th n numbers are the eigenvector of the k-th value
 * @typedef {{ values: Float64Array, vectors: Float64Array }} Spectrum
 */

/**
 * @param {Float64Array} matrix symmetric, n rows of n; it is left as it is
 * @param {number} n
 * @returns {Spectrum}
 */
export function spectrumOf(matrix, n) {
  const a = Float64Array.from(matrix);
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  let size = 0;
  for (const entry of a) size = Math.max(size, Math.abs(entry));
  const nothing = 1e-300 + 1e-17 * size;
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let largest = 0;
    for (let p = 0; p < n - 1; p++)
      for (let q = p + 1; q < n; q++) {
        const off = Math.abs(a[p * n + q]);
        if (off <= nothing) continue;
        largest = Math.max(largest, off);
        rotate(a, v, n, p, q);
      }
    if (largest <= 1e-15 * size) break;
  }
  return sorted(a, v, n);
}

/**
 * The rotation of rows and columns p and q that makes entry (p, q) zero.
 * @param {Float64Array} a
 * @param {Float64Array} v
 * @param {number} n
 * @param {number} p
 * @param {number} q
 */
function rotate(a, v, n, p, q) {
  const [rowP, rowQ] = [p * n, q * n];
  const off = a[rowP + q];
  const [atP, atQ] = [a[rowP + p], a[rowQ + q]];
  const theta = (atQ - atP) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  // Rows only, then the columns are copied from them: memory is read in the order it lies in.
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[rowP + k], a[rowQ + k]];
    a[rowP + k] = c * x - s * y;
    a[rowQ + k] = s * x + c * y;
    const [f, g] = [v[rowP + k], v[rowQ + k]];
    v[rowP + k] = c * f - s * g;
    v[rowQ + k] = s * f + c * g;
  }
  a[rowP + p] = atP - t * off;
  a[rowQ + q] = atQ + t * off;
  a[rowP + q] = 0;
  a[rowQ + p] = 0;
  for (let k = 0; k < n; k++) {
    a[k * n + p] = a[rowP + k];
    a[k * n + q] = a[rowQ + k];
  }
}

/**
 * @param {Float64Array} a
 * @param {Float64Array} v
 * @param {number} n
 */
function sorted(a, v, n) {
  const order = Array.from({ length: n }, (_, k) => k).sort((i, j) => a[i * n + i] - a[j * n + j]);
  const values = Float64Array.from(order, (k) => a[k * n + k]);
  const vectors = new Float64Array(n * n);
  order.forEach((k, place) => vectors.set(v.subarray(k * n, (k + 1) * n), place * n));
  return { values, vectors };
}

/**
 * x with M x = right, by elimination with pivots.
 * @param {Float64Array} matrix n rows of n; it is left as it is
 * @param {Float64Array} right
 */
export function solved(matrix, right) {
  const n = right.length;
  const m = Float64Array.from(matrix);
  const x = Float64Array.from(right);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(m[i * n + k]) > Math.abs(m[pivot * n + k])) pivot = i;
    for (let j = 0; pivot !== k && j < n; j++) [m[k * n + j], m[pivot * n + j]] = [m[pivot * n + j], m[k * n + j]];
    [x[k], x[pivot]] = [x[pivot], x[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = m[i * n + k] / m[k * n + k];
      if (factor === 0) continue;
      for (let j = k; j < n; j++) m[i * n + j] -= factor * m[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) x[i] -= m[i * n + j] * x[j];
    x[i] /= m[i * n + i];
  }
  return x;
}
