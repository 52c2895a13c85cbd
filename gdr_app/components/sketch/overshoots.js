// Whether a belief ever rises above π: decided for all times at once, as the library does.
//
// f(t) = p(t) − π = Σ c_k e^(−λ_k t). Each term is monotone, so on [a, b] f is at most
// Σ_{c>0} c e^(−λa) + Σ_{c<0} c e^(−λb). Where that does not prove f ≤ tolerance, the interval is
// halved, until it does or a time with f > tolerance turns up. Beyond the last time of the grid the
// positive terms together are below the tolerance.

/** @import { Dynamics } from "./dynamics.js" */

/**
 * above    whether f > tolerance at some time ≥ from
 * never    whether f ≤ tolerance at all times ≥ from is proved
 * height   the largest f over times ≥ from
 * time     when that is
 * rises    whether it starts at π or below and rises above it: an overshoot in the narrow sense
 * crossed  the first time of the grid at which f is above the tolerance; Infinity: at none
 * @typedef {{ above: boolean, never: boolean, height: number, time: number, rises: boolean, crossed: number }} Overshoot
 */

/**
 * times   from which on all that counts is seen
 * left    e^(−λ_k t): for each time, one number for each rate
 * @typedef {{ rates: Float64Array, times: Float64Array, left: Float64Array, tolerance: number }} Grid
 */

const FIRST_TIMES = 160;
const ROUNDS = 60;
const MOST_INTERVALS = 4000;
const RELATIVE = 1e-10;

/**
 * One record for each node and class, in the order j · classes + c.
 * @param {Dynamics} dynamics
 * @param {number} [from] only what happens from then on counts
 * @returns {Overshoot[]}
 */
export function overshootsOf(dynamics, from = 0) {
  const { rates, coefficients, modes } = dynamics.decay;
  const faded = rates.map((rate) => Math.exp(-rate * Math.max(from, 0)));
  const later = coefficients.map((factor, place) => factor * faded[place % modes]);
  const size = dynamics.start.reduce((most, belief) => Math.max(most, belief), 0);
  const grid = gridOf(rates, later, RELATIVE * (size || 1));
  const rows = dynamics.limit.length;
  return Array.from({ length: rows }, (_, row) => {
    const found = decided(grid, later.subarray(row * modes, (row + 1) * modes));
    return { ...found, time: from + found.time, crossed: from + found.crossed };
  });
}

/**
 * @param {Grid} grid
 * @param {Float64Array} factors
 * @returns {Overshoot}
 */
function decided(grid, factors) {
  const { times, left, tolerance } = grid;
  const modes = factors.length;
  let [best, height, first, start] = [0, -Infinity, Infinity, 0];
  for (let i = 0; i < times.length; i++) {
    let value = 0;
    for (let k = 0; k < modes; k++) value += factors[k] * left[i * modes + k];
    if (value > height) [best, height] = [i, value];
    if (value > tolerance && first === Infinity) first = times[i];
    if (i === 0) start = value;
  }
  const flat = { above: false, never: false, height, time: times[best], rises: false, crossed: first };
  if (height <= tolerance) {
    const { never, time } = proved(grid, factors);
    if (time === null) return { ...flat, never };
    best = Math.max(times.findIndex((one) => one >= time), 1);
    first = time;
  }
  const [time, top] = sharpened(grid, factors, best);
  return { above: true, never: false, height: top, time, rises: start <= tolerance, crossed: first };
}

/**
 * f at a time.
 * @param {Float64Array} rates
 * @param {Float64Array} factors
 * @param {number} time
 */
function valueOf(rates, factors, time) {
  let sum = 0;
  for (let k = 0; k < rates.length; k++) sum += factors[k] * Math.exp(-rates[k] * time);
  return sum;
}

/**
 * Zero and a logarithmic grid up to the time beyond which nothing exceeds the tolerance.
 * @param {Float64Array} rates
 * @param {Float64Array} coefficients
 * @param {number} tolerance
 * @returns {Grid}
 */
function gridOf(rates, coefficients, tolerance) {
  const modes = rates.length;
  if (!modes) return { rates, times: new Float64Array(1), left: new Float64Array(0), tolerance };
  let most = 0;
  for (let row = 0; row < coefficients.length; row += modes) {
    let sum = 0;
    for (let k = 0; k < modes; k++) sum += Math.max(coefficients[row + k], 0);
    most = Math.max(most, sum);
  }
  const last = Math.max(Math.log(Math.max(most / tolerance, 2)), 1) / rates[0];
  const first = 1e-4 / rates[modes - 1];
  const ratio = Math.log(last / first) / (FIRST_TIMES - 1);
  const times = Float64Array.from({ length: FIRST_TIMES + 1 }, (_, i) => (i ? first * Math.exp(ratio * (i - 1)) : 0));
  const left = Float64Array.from({ length: times.length * modes }, (_, place) => Math.exp(-rates[place % modes] * times[Math.floor(place / modes)]));
  return { rates, times, left, tolerance };
}

/**
 * Whether f ≤ tolerance is proved, and else a time with f > tolerance, if one was found.
 * @param {Grid} grid
 * @param {Float64Array} factors
 * @returns {{ never: boolean, time: number | null }}
 */
function proved(grid, factors) {
  const { rates, times, tolerance } = grid;
  let open = unproved(grid, factors);
  for (let round = 0; round < ROUNDS; round++) {
    if (round) open = open.filter(([low, high]) => boundOf(rates, factors, low, high) > tolerance);
    if (!open.length) return { never: true, time: null };
    if (open.length > MOST_INTERVALS) break;
    /** @type {[number, number][]} */
    const halves = [];
    for (const [low, high] of open) {
      const middle = (low + high) / 2;
      if (valueOf(rates, factors, middle) > tolerance) return { never: false, time: middle };
      halves.push([low, middle], [middle, high]);
    }
    open = halves;
  }
  return { never: times.length < 2, time: null };
}

/**
 * The intervals of the grid on which the bound is above the tolerance.
 * @param {Grid} grid
 * @param {Float64Array} factors
 */
function unproved({ times, left, tolerance }, factors) {
  const modes = factors.length;
  /** @type {[number, number][]} */
  const open = [];
  for (let i = 0; i < times.length - 1; i++) {
    let bound = 0;
    for (let k = 0; k < modes; k++) bound += factors[k] * left[(factors[k] > 0 ? i : i + 1) * modes + k];
    if (bound > tolerance) open.push([times[i], times[i + 1]]);
  }
  return open;
}

/**
 * @param {Float64Array} rates
 * @param {Float64Array} factors
 * @param {number} low
 * @param {number} high
 */
function boundOf(rates, factors, low, high) {
  let sum = 0;
  for (let k = 0; k < rates.length; k++) sum += factors[k] * Math.exp(-rates[k] * (factors[k] > 0 ? low : high));
  return sum;
}

/**
 * The highest point near a time of the grid: each look is ten times closer.
 * @param {Grid} grid
 * @param {Float64Array} factors
 * @param {number} near
 */
function sharpened({ rates, times }, factors, near) {
  let [low, high] = [times[Math.max(near - 1, 0)], times[Math.min(near + 1, times.length - 1)]];
  let [time, height] = [times[near], valueOf(rates, factors, times[near])];
  for (let look = 0; look < 6; look++) {
    const step = (high - low) / 12;
    for (let i = 0; i <= 12; i++) {
      const value = valueOf(rates, factors, low + i * step);
      if (value > height) [time, height] = [low + i * step, value];
    }
    [low, high] = [Math.max(time - step, low), Math.min(time + step, high)];
  }
  return [time, height];
}
