// The bar of t_min: the accuracy curve to drag along, play and back, and numbers that tick along.
//
// While the hand moves, everything is drawn here and the graphs of the page follow. Python hears of a
// single move at once, of many when the hand rests. What Python says is taken only while the hand
// rests, nothing is owed, and no later move was told.

import { cleanPen, sharpen } from "../library/canvas.js";
import { tellTime } from "../library/clock.js";
import { element } from "../library/elements.js";
import { ICONS, dress, iconButton } from "../library/icons.js";
import { Life } from "../library/life.js";
import { clamped, counted } from "../library/numbers.js";
import { pressKey, spotOf } from "../library/pointer.js";
import { legendHeight, paintLegend } from "../library/saving/legend.js";
import { SaveMenu } from "../library/saving/menu.js";
import { Telling } from "../library/telling.js";
import { themeOf } from "../library/theme.js";
import { twoMounts } from "../mounts/parts.js";
import { bounds, drawCurves, drawPlace, indexAt, legendOf } from "./chart.js";
import { forgetPlace, tellPlace } from "./following.js";
import { Play } from "./play.js";
import { sweeps, unpackSweep } from "./sweeps.js";

/** @import { Picture } from "../library/saving/pictures.js" */
/** @import { Plot } from "./chart.js" */
/** @import { Sweep } from "./sweeps.js" */

/** @typedef {{ sweep: string, index: number, label: string }} Message */

const CHOSEN = -1; // tells Python that the chosen t_min is wanted, whichever that is
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -1e9, End: 1e9 };

class Bar {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.index = 0;
    this.dragging = false;
    /** @type {Sweep | null} */
    this.sweep = null;
    /** @type {Plot | null} */
    this.plot = null;
    /** @param {number} index */
    this.send = (index) => {};
    this.life = new Life();
    this.draw = this.life.drawing(() => this.drawNow());
    this.telling = new Telling(this.life, (index) => this.send(index));
    this.play = new Play(this.life, (index) => this.moveTo(index));
    this.playButton = iconButton("Play", ICONS.play, () => this.toggle(), "play");
    this.backButton = element("button", { type: "button", className: "back", onclick: () => this.goBack() });
    this.value = element("span", { className: "value" });
    this.numbers = element("div", { className: "numbers" });
    this.lower = element("canvas", { "aria-hidden": "true" });
    this.upper = element("canvas", { "aria-hidden": "true" });
    this.track = element("div", { className: "track", tabIndex: 0, role: "slider" }, this.lower, this.upper);
    this.saving = new SaveMenu(this.life, () => this.picture(), "chart of accuracy");
    const head = element("div", { className: "head player" }, this.playButton, this.value, this.backButton, this.numbers, this.saving.box);
    this.frame = element("div", { className: "frame" }, head, this.track);
    root.append(this.frame);
    this.play.onChange = (playing) => dress(this.playButton, playing ? "Pause" : this.play.name, playing ? ICONS.pause : ICONS.play);
    this.life.onResize(this.track, () => this.resize());
    this.listen(this.life.signal);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const rest = () => this.letGo();
    this.track.addEventListener("pointerdown", (event) => this.press(event), { signal });
    this.track.addEventListener("pointermove", (event) => { if (this.dragging) this.pointAt(event); }, { signal });
    this.track.addEventListener("pointerup", rest, { signal });
    this.track.addEventListener("pointercancel", rest, { signal });
    this.track.addEventListener("keydown", (event) => this.pressKey(event), { signal });
  }

  close() {
    this.play.pause();
    if (this.sweep) forgetPlace(this.sweep.id);
    this.life.end();
  }

  get busy() {
    return this.dragging || this.telling.ahead || this.play.playing;
  }

  // ------------------------------------------------------------ data from Python

  /**
   * @param {Sweep} sweep
   * @param {Message} message
   * @param {(index: number) => void} send
   */
  take(sweep, message, send) {
    this.send = send;
    const fresh = this.sweep?.id !== sweep.id;
    const sameGrid = this.sweep?.names.join() === sweep.names.join();
    if (fresh && this.sweep) forgetPlace(this.sweep.id);
    if (!sameGrid) this.play.pause();
    this.sweep = sweep;
    const old = this.telling.isOld(message.index);
    if ((!this.busy && !old) || !sameGrid) this.index = message.index;
    this.track.setAttribute("aria-label", message.label);
    this.track.setAttribute("aria-valuemin", "0");
    this.track.setAttribute("aria-valuemax", String(sweep.times - 1));
    this.backButton.textContent = `Back to ${sweep.names[sweep.chosen]}`;
    this.backButton.title = "Back to the chosen t_min";
    this.backButton.setAttribute("aria-label", `Back to the chosen t_min, ${sweep.names[sweep.chosen]}`);
    dress(this.playButton, this.play.playing ? "Pause" : this.play.name, this.play.playing ? ICONS.pause : ICONS.play);
    if (fresh) this.numbers.replaceChildren(...entries(sweep));
    this.resize(true);
    this.tell(sweep);
  }

  // ------------------------------------------------------------ drawing

  resize(force = false) {
    const { clientWidth: width, clientHeight: height } = this.track;
    if (!width || !height || !this.sweep) return;
    if (!force && this.plot?.width === width && this.plot.height === height) return;
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.lower, this.upper]) sharpen(canvas, width, height, ratio);
    const [low, high] = bounds(this.sweep);
    this.plot = { sweep: this.sweep, theme: themeOf(this.frame), width, height, low, high };
    drawCurves(cleanPen(this.lower, ratio), this.plot);
    this.drawNow();
  }

  drawNow() {
    if (this.plot) drawPlace(cleanPen(this.upper, window.devicePixelRatio || 1), this.plot, this.index);
  }

  /**
   * Everything that says where t_min stands.
   * @param {Sweep} sweep
   */
  tell(sweep) {
    const { index } = this;
    const name = sweep.names[index];
    this.value.textContent = `t_min ${name}`;
    this.backButton.disabled = index === sweep.chosen;
    const said = texts(sweep, index);
    this.numbers.querySelectorAll(".number").forEach((place, i) => { place.textContent = said[i]; });
    this.track.dataset.value = name;
    this.track.setAttribute("aria-valuenow", String(index));
    this.track.setAttribute("aria-valuetext", `${name} relaxation times, ${counted(sweep.counts[0].values[index])} relabelled`);
    tellPlace({ sweep: sweep.id, index });
  }

  /** @returns {Picture | null} the curves and the line on them, with what they are below */
  picture() {
    const { plot, index } = this;
    if (!plot) return null;
    const { theme, width, height, sweep } = plot;
    const entries = legendOf(sweep, index);
    return {
      name: "accuracy",
      title: `Accuracy along t_min, the line at ${sweep.names[index]}`,
      width,
      height: height + legendHeight(entries, theme, width),
      theme,
      paint: (pen) => {
        drawCurves(pen, plot);
        drawPlace(pen, plot, index);
        paintLegend(pen, entries, theme, width, height);
      },
    };
  }

  // ------------------------------------------------------------ hand and keys

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    this.track.setPointerCapture(event.pointerId);
    this.dragging = true;
    this.play.pause();
    this.pointAt(event);
  }

  letGo() {
    this.dragging = false;
    this.telling.settle();
  }

  /** @param {PointerEvent} event */
  pointAt(event) {
    if (this.plot) this.moveTo(indexAt(this.plot, spotOf(this.track, event)[0]));
  }

  /** @param {KeyboardEvent} event */
  pressKey(event) {
    const acts = Object.fromEntries(Object.entries(STEPS).map(([key, by]) => [key, () => this.step(by)]));
    pressKey(event, { ...acts, " ": () => this.toggle() });
  }

  /** @param {number} by */
  step(by) {
    this.play.pause();
    this.moveTo(this.index + by);
  }

  toggle() {
    if (this.sweep) this.play.toggle(this.index, this.sweep);
  }

  goBack() {
    if (!this.sweep) return;
    this.play.pause();
    this.moveTo(this.sweep.chosen, CHOSEN);
  }

  /**
   * @param {number} index
   * @param {number} [told] what Python hears, where that is not the index
   */
  moveTo(index, told) {
    if (!this.sweep) return;
    const next = clamped(index, 0, this.sweep.times - 1);
    if (next === this.index) return;
    this.index = next;
    this.tell(this.sweep);
    this.draw();
    tellTime({ from: "line", index: next });
    this.telling.move(told ?? next, this.dragging || this.play.playing);
  }
}

/**
 * A place for each number, with its name.
 * @param {Sweep} sweep
 */
function entries({ lines, counts }) {
  /** @type {(name: string, title: string, sign: (Node | string)[]) => HTMLElement} */
  const entry = (name, title, sign) =>
    element("span", { className: "entry", title }, element("span", { className: "name" }, ...sign, name), element("span", { className: "number" }));
  return [
    ...lines.map(({ name, colour }) =>
      entry(`Accuracy, ${name}`, `On ${name} nodes: of the prior, dotted, and after reclassification.`, [
        element("span", { className: "stroke", style: `background: ${colour}` }),
      ])),
    ...counts.map(({ name, explanation }) => entry(name, explanation, [])),
  ];
}

/**
 * The numbers at one t_min, in the order of the entries.
 * @param {Sweep} sweep
 * @param {number} index
 */
export function texts({ lines, counts }, index) {
  return [
    ...lines.map(({ prior, values }) => `${percent(prior ?? NaN)} → ${percent(values[index])}`),
    ...counts.map(({ values }) => counted(values[index])),
  ];
}

/** @param {number} share */
function percent(share) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)}%` : "–";
}

export default twoMounts({ name: "t_min_bar", wants: "sweep", event: "moved" }, Bar, sweeps(), unpackSweep);
