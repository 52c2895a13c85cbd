// What a figure shows: a sketch, its course, a moment, and the node that is pointed at.

import { clamped, inWords } from "#canvases/library/numbers.js";
import { Dynamics } from "../sketch/dynamics.js";
import { labelsOf } from "../sketch/labels.js";
import { overshootsOf } from "../sketch/overshoots.js";
import { tidy } from "../sketch/sketch.js";

/** @import { Overshoot } from "../sketch/overshoots.js" */
/** @import { Sketch } from "../sketch/sketch.js" */

export const FRAMES = 400;
const RELAXATIONS = 5; // of the axis, in relaxation times
const DECADES = 4; // of the logarithmic axis
const SAMPLES = 240;
const CROWD = 12; // nodes, above which the start of a single one would dwarf all others

/** @typedef {"graph" | "time" | "focus"} Change */

export class Model {
  /** @param {Sketch} sketch */
  constructor(sketch) {
    this.sketch = sketch;
    this.log = false;
    /** what somebody chose about the axis of values @type {boolean | null} */
    this.near = null;
    /** the node that is pointed at or chosen, or none @type {number | null} */
    this.focus = null;
    /** the node that stays chosen when nothing is pointed at @type {number | null} */
    this.chosen = null;
    /** the term of a sum that is pointed at, and the node it comes from @type {number | null} */
    this.term = null;
    /** @type {number | null} */
    this.partner = null;
    /** @type {Set<(change: Change) => void>} */
    this.listeners = new Set();
    this.dynamics = new Dynamics(sketch);
    this.span = 1;
    /** the largest value of all curves */
    this.top = 1;
    this.times = new Float64Array();
    this.curves = new Float64Array();
    /** p(t) now */
    this.now = new Float64Array();
    /** over all times, and from t_min on @type {Overshoot[]} */
    this.ever = [];
    this.later = this.ever;
    this.labels = labelsOf(sketch, this.ever);
    this.put(sketch);
  }

  /**
   * Another sketch. While something is dragged the axis of time stays where it is.
   * @param {Sketch} sketch
   */
  put(sketch, dragging = false) {
    this.sketch = sketch;
    this.dynamics = new Dynamics(sketch);
    if (!dragging) this.span = spanOf(this.dynamics);
    if (this.focus !== null && this.focus >= sketch.nodes.length) this.focus = null;
    if (this.chosen !== null && this.chosen >= sketch.nodes.length) this.chosen = null;
    this.ever = overshootsOf(this.dynamics);
    this.later = sketch.tMin > 0 ? overshootsOf(this.dynamics, sketch.tMin) : this.ever;
    this.labels = labelsOf(sketch, this.later);
    this.draft();
    this.now = this.dynamics.at(sketch.time);
    this.tell("graph");
  }

  /** The curves, at times that are even on the axis. */
  draft() {
    this.times = Float64Array.from({ length: SAMPLES + 1 }, (_, i) => this.timeAt(i / SAMPLES));
    this.curves = this.dynamics.curves(this.times);
    this.top = 0;
    let near = 0;
    this.dynamics.limit.forEach((level, row) => {
      const curve = this.curves.subarray(row * this.times.length, (row + 1) * this.times.length);
      const most = curve.reduce((top, value) => Math.max(top, value), 0);
      this.top = Math.max(this.top, most);
      near = Math.max(near, 1.6 * level, curve[0] > level ? 0 : most);
    });
    if (this.isNear) this.top = Math.min(this.top, near);
    this.top ||= 1;
  }

  /** Whether the chart shows what happens near π, or all of it; in a crowd it is near π at first. */
  get isNear() {
    return this.near ?? this.sketch.nodes.length > CROWD;
  }

  /** @param {boolean} near */
  setNear(near) {
    this.near = near;
    this.draft();
    this.tell("graph");
  }

  /** @param {boolean} log */
  setLog(log) {
    this.log = log;
    this.draft();
    this.tell("graph");
  }

  /**
   * The time at a share of the axis.
   * @param {number} share
   */
  timeAt(share) {
    if (!this.log) return share * this.span;
    return share <= 0 ? 0 : this.span * 10 ** (DECADES * (share - 1));
  }

  /**
   * Where on the axis a time is.
   * @param {number} time
   */
  shareOf(time) {
    if (!this.log) return clamped(time / this.span, 0, 1);
    return time <= 0 ? 0 : clamped(1 + Math.log10(time / this.span) / DECADES, 0, 1);
  }

  get frame() {
    return Math.round(FRAMES * this.shareOf(this.sketch.time));
  }

  /** @param {number} time */
  setTime(time) {
    const rounded = tidy(Math.max(time, 0));
    if (rounded === this.sketch.time) return;
    this.sketch = { ...this.sketch, time: rounded };
    this.now = this.dynamics.at(rounded);
    this.tell("time");
  }

  /**
   * Point at a node, and at a term of its sum; nothing: at the node that was chosen.
   * @param {number | null} node
   * @param {number | null} [term]
   * @param {number | null} [partner] the node that the term comes from
   */
  point(node, term = null, partner = null) {
    const wanted = node ?? this.chosen;
    if (wanted === this.focus && term === this.term && partner === this.partner) return;
    this.focus = wanted;
    this.term = term;
    this.partner = partner;
    this.tell("focus");
  }

  /** @param {number | null} node */
  choose(node) {
    this.chosen = node;
    this.focus = node;
    this.tell("focus");
  }

  /**
   * What can be said of a node's belief in a class now.
   * above     whether it is above π now
   * overshot  whether it began at π or below and has risen above it by now
   * never     whether it is proved that it never will
   * @param {number} node
   * @param {number} k
   */
  state(node, k) {
    const row = node * this.sketch.classes + k;
    const found = this.ever[row];
    const [value, limit] = [this.now[row], this.dynamics.limit[row]];
    const tolerance = 1e-9 * this.top;
    return {
      value,
      limit,
      above: value > limit + tolerance,
      overshot: Boolean(found?.rises && found.crossed <= this.sketch.time),
      never: Boolean(found?.never),
      found,
    };
  }

  /**
   * What becomes of a node over all times, in words that follow its name.
   * @param {number} node
   */
  fate(node) {
    const { classes } = this.sketch;
    const rows = this.ever.slice(node * classes, (node + 1) * classes);
    const said = rows.flatMap((found, k) => {
      if (!found.rises) return [];
      return [`overshoots${classes > 1 ? ` in class ${k + 1}` : ""} by ${inWords(found.height)} at t = ${inWords(found.time)}`];
    });
    if (said.length) return said.join(", ");
    if (rows.some((found) => found.above)) return "starts above π";
    return rows.every((found) => found.never) ? "never rises above π (proved for all t)" : "is not seen above π (not proved for all t)";
  }

  /** @param {(change: Change) => void} act */
  listen(act) {
    this.listeners.add(act);
  }

  /** @param {Change} change */
  tell(change) {
    for (const act of this.listeners) act(change);
  }
}

/**
 * A few relaxation times, two digits: the end of the axis.
 * @param {Dynamics} dynamics
 */
function spanOf(dynamics) {
  const span = dynamics.gap > 1e-9 ? RELAXATIONS / dynamics.gap : 1;
  return Number(span.toPrecision(2));
}
