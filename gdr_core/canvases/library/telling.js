// When Python hears where a hand is: of a single move at once, of many moves the last.

/** @import { Life } from "./life.js" */

const REST = 200; // ms after a move in which others are waited for

export class Telling {
  /**
   * @param {Life} life
   * @param {(value: number) => void} send
   */
  constructor(life, send) {
    this.send = send;
    /** @type {number | null} */
    this.owed = null;
    /** @type {number[]} */
    this.unanswered = [];
    this.resting = life.rest(REST, () => this.settle());
  }

  /** Whether the hand is ahead of what Python was told. */
  get ahead() {
    return this.owed !== null;
  }

  /**
   * The hand has moved. After a rest that is told at once, otherwise when the hand rests again.
   * @param {number} value
   * @param {boolean} held whether the hand still drags: then more will follow
   */
  move(value, held = false) {
    const amongOthers = held || this.resting.waiting();
    this.owed = value;
    if (amongOthers) this.resting.start();
    else this.settle();
  }

  /** Tells what is owed now: the hand has let go. */
  settle() {
    if (this.owed === null) return;
    const value = this.owed;
    this.owed = null;
    this.unanswered.push(value);
    this.resting.start();
    this.send(value);
  }

  /**
   * Whether what Python says answers an earlier message than the last: the hand knows better.
   * @param {number} value
   */
  isOld(value) {
    const place = this.unanswered.lastIndexOf(value);
    const old = place >= 0 && place < this.unanswered.length - 1;
    this.unanswered = old ? this.unanswered.slice(place + 1) : [];
    return old;
  }
}
