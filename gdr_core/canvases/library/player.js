// Play, pause, step and drag through the frames of a film that is here already. Who wants less motion
// sees a still now and then.

import { element } from "./elements.js";
import { Frames } from "./frames.js";
import { ICONS, dress, iconButton } from "./icons.js";
import { clamped } from "./numbers.js";

/**
 * rate    steps a second at speed 1
 * speeds  to choose from; none: no choice
 * label   of the slider, for screen readers
 * rewind  whether there is a button back to the start
 * show    draws a frame; `byHand` says that the film stands and somebody chose it
 * @typedef {{
 *   rate: number, speeds?: number[], label: string, rewind?: boolean,
 *   show: (index: number, byHand: boolean) => void,
 * }} Film
 */

const STILL = 800; // ms for which a picture stands where somebody wants less motion

export class Player {
  /** @param {Film} film */
  constructor(film) {
    this.film = film;
    this.index = 0;
    this.last = 0;
    this.speed = 1;
    this.frames = new Frames((playing) => dress(this.playButton, playing ? "Pause" : "Play", playing ? ICONS.pause : ICONS.play));
    this.playButton = iconButton("Play", ICONS.play, () => this.toggle(), "play");
    this.slider = element("input", { type: "range", min: "0", step: "1", "aria-label": film.label });
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.words = element("span", { className: "time" });
    this.box = element("div", { className: "player" }, ...this.parts());
  }

  parts() {
    const { rewind, speeds } = this.film;
    return [
      ...(rewind ? [iconButton("Back to the start", ICONS.start, () => this.go(0))] : []),
      iconButton("One step back", ICONS.back, () => this.step(-1)),
      this.playButton,
      iconButton("One step on", ICONS.forward, () => this.step(1)),
      this.slider,
      this.words,
      ...(speeds ? [this.speedChoice(speeds)] : []),
    ];
  }

  /** @param {number[]} speeds */
  speedChoice(speeds) {
    const options = speeds.map((speed) => element("option", { value: String(speed), textContent: `${speed}×`, selected: speed === 1 }));
    const choice = element("select", { title: "Speed", "aria-label": "Speed" }, ...options);
    choice.onchange = () => { this.speed = Number(choice.value); };
    return choice;
  }

  /** @param {number} frames */
  setLength(frames) {
    this.last = frames - 1;
    this.slider.max = String(this.last);
  }

  /** @param {string} text what the player says about the frame */
  say(text) {
    this.words.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  /**
   * Move the slider without drawing.
   * @param {number} index
   */
  put(index) {
    this.index = clamped(index, 0, this.last);
    this.slider.value = String(this.index);
  }

  /** @param {number} index */
  show(index, byHand = false) {
    this.put(index);
    this.film.show(this.index, byHand);
  }

  /** @param {number} index */
  go(index) {
    this.pause();
    this.show(index, true);
  }

  /** @param {number} by */
  step(by) {
    this.go(this.index + by);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  get playing() {
    return this.frames.playing;
  }

  play() {
    if (this.index >= this.last) this.show(0);
    let before = performance.now();
    let owed = 0;
    let shown = before;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.frames.start((now) => {
      owed += (Math.min(now - before, 250) * this.film.rate * this.speed) / 1000;
      before = now;
      if (calm && now - shown < STILL) return false;
      shown = now;
      const steps = Math.floor(owed);
      owed -= steps;
      if (steps) this.show(this.index + steps);
      return this.index >= this.last;
    });
  }

  pause() {
    this.frames.stop();
  }
}
