// Sweeping through t_min by itself. Who wants less motion goes from mark to mark by hand instead.

import { Frames } from "../library/frames.js";

/** @import { Life } from "../library/life.js" */
/** @import { Sweep } from "./sweeps.js" */

const SECONDS = 9; // for the whole grid

export class Play {
  /**
   * @param {Life} life
   * @param {(index: number) => void} show
   */
  constructor(life, show) {
    this.show = show;
    /** @param {boolean} playing */
    this.onChange = (playing) => {};
    this.frames = new Frames((playing) => this.onChange(playing));
    life.signal.addEventListener("abort", () => cancelAnimationFrame(this.frames.request));
  }

  get playing() {
    return this.frames.playing;
  }

  get calm() {
    return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** What the button says. */
  get name() {
    return this.calm ? "Go to the next mark" : "Play";
  }

  /**
   * @param {number} index where t_min stands
   * @param {Sweep} sweep
   */
  toggle(index, sweep) {
    if (this.playing) this.pause();
    else if (this.calm) this.show(nextMark(index, sweep));
    else this.start(index >= sweep.times - 1 ? 0 : index, sweep.times - 1);
  }

  /**
   * @param {number} index
   * @param {number} last
   */
  start(index, last) {
    const began = performance.now();
    this.frames.start((now) => {
      const at = index + Math.floor(((now - began) * last) / (1000 * SECONDS));
      this.show(Math.min(Math.max(at, index), last));
      return at >= last;
    });
  }

  pause() {
    this.frames.stop();
  }
}

/**
 * The next named place of the grid, the first one after the last.
 * @param {number} index
 * @param {{ ticks: [number, string][], times: number }} sweep
 */
export function nextMark(index, { ticks, times }) {
  const marks = [0, ...ticks.map(([place]) => place), times - 1];
  return marks.find((place) => place > index) ?? 0;
}
