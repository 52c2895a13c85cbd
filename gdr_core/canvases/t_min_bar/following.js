// A graph that follows the bar of t_min: it shows what the bar says, frame by frame.

import { messageAt, sweeps } from "./sweeps.js";

/** @import { Message } from "../graph_canvas/looks.js" */
/** @import { Sweeping } from "../graph_canvas/picture.js" */
/** @import { Life } from "../library/life.js" */
/** @import { Sweep } from "./sweeps.js" */

/** @typedef {{ sweep: string, index: number }} Place where a bar stands */

/** @param {Place} place */
export function tellPlace(place) {
  window.gdrTMin = place;
  window.dispatchEvent(new Event("gdr-t-min"));
}

/**
 * A bar that goes takes its place with it.
 * @param {string} sweep
 */
export function forgetPlace(sweep) {
  if (window.gdrTMin?.sweep === sweep) delete window.gdrTMin;
}

export class Follower {
  /**
   * @param {Life} life of the graph
   * @param {(message: Message) => void} recolour
   */
  constructor(life, recolour) {
    /** @type {Message | null} */
    this.message = null;
    /** @type {Sweep | null} */
    this.sweep = null;
    const follow = life.drawing(() => {
      const now = this.now();
      if (now) recolour(now);
    });
    window.addEventListener("gdr-t-min", () => { if (window.gdrTMin?.sweep === this.message?.sweep) follow(); }, { signal: life.signal });
  }

  /**
   * Shows a message when all that it needs is here.
   * @param {Message} message
   * @param {(message: Message) => void} show
   */
  take(message, show) {
    this.message = message;
    this.sweep = null;
    if (!message.sweep) {
      show(message);
      return;
    }
    sweeps().when(message.sweep, (sweep) => {
      if (this.message !== message) return;
      this.sweep = sweep;
      show(this.now() ?? message);
    });
  }

  /** The message at the t_min that the bar shows, or that Python knows of where there is no bar. */
  now() {
    const { message, sweep } = this;
    if (!message || !sweep) return null;
    const place = window.gdrTMin;
    return messageAt(sweep, message, place?.sweep === sweep.id ? place.index : message.index ?? 0);
  }

  /**
   * Every t_min in turn, by name; null where none is followed.
   * @returns {Sweeping | null}
   */
  sweeping() {
    const { message, sweep } = this;
    if (!message || !sweep) return null;
    const at = this.now()?.index ?? 0;
    return { frames: sweep.times, at, name: (index) => `t_min ${sweep.names[index]}`, message: (index) => messageAt(sweep, message, index) };
  }
}
