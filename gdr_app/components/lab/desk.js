// The desk of the lab: the sketch that is worked on, what can be undone, and who must hear of it.

/** @import { Model } from "../diffusion_figure/model.js" */
/** @import { Sketch } from "../sketch/sketch.js" */

const MOST = 200; // changes that can be undone

/**
 * What can be undone, and done again.
 * @template T
 */
export class Past {
  constructor() {
    /** @type {T[]} */
    this.before = [];
    /** @type {T[]} */
    this.after = [];
  }

  /** @param {T} state as it was before a change */
  keep(state) {
    this.before.push(state);
    if (this.before.length > MOST) this.before.shift();
    this.after = [];
  }

  /**
   * @param {T} state as it is now
   * @returns {T} as it was before the last change
   */
  undo(state) {
    const found = this.before.pop();
    if (found === undefined) return state;
    this.after.push(state);
    return found;
  }

  /**
   * @param {T} state as it is now
   * @returns {T} as it was before the last undo
   */
  redo(state) {
    const found = this.after.pop();
    if (found === undefined) return state;
    this.before.push(state);
    return found;
  }
}

export class Desk {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    /** @type {Past<Sketch>} */
    this.past = new Past();
    /** the sketch before what is being dragged @type {Sketch | null} */
    this.held = null;
  }

  get sketch() {
    return this.model.sketch;
  }

  /**
   * A change that can be undone.
   * @param {Sketch} sketch
   */
  change(sketch) {
    if (sketch === this.sketch) return;
    this.past.keep(this.sketch);
    this.model.put(sketch);
  }

  /**
   * One of many small changes; together they are undone as one.
   * @param {Sketch} sketch
   */
  drag(sketch) {
    this.held ??= this.sketch;
    this.model.put(sketch, true);
  }

  /** The end of a drag. */
  drop() {
    if (this.held === null) return;
    this.past.keep(this.held);
    this.held = null;
    this.model.put(this.sketch);
  }

  undo() {
    this.move(this.past.undo(this.sketch));
  }

  redo() {
    this.move(this.past.redo(this.sketch));
  }

  /**
   * The time is no part of what is undone.
   * @param {Sketch} sketch
   */
  move(sketch) {
    if (sketch !== this.sketch) this.model.put({ ...sketch, time: this.sketch.time });
  }
}
