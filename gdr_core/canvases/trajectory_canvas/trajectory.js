// Curves over a logarithmic time axis with one line that can be dragged.
//
// Two canvases: axes and curves below, drawn when they change; the line and all that follows it
// (shading, peaks, hover) above, drawn in every frame. A window event keeps the neighbourhood on
// the same page at the same time.

import { cleanPen, sharpen } from "../library/canvas.js";
import { followTime, tellTime } from "../library/clock.js";
import { element } from "../library/elements.js";
import { toggle } from "../library/legend.js";
import { Life } from "../library/life.js";
import { clamped, inWords } from "../library/numbers.js";
import { pressKey, spotOf } from "../library/pointer.js";
import { SaveMenu } from "../library/saving/menu.js";
import { Telling } from "../library/telling.js";
import { lettersOf, themeOf } from "../library/theme.js";
import { Tooltip } from "../library/tooltip.js";
import { drawAxes } from "./axes.js";
import { drawLines } from "./lines.js";
import { drawCursor, drawHandle, drawHover, drawPeaks } from "./marks.js";
import { EndNames, roomFor } from "./names.js";
import { pictureOf } from "./picture.js";
import { indexAt, plotOf } from "./plot.js";
import { readAt } from "./reading.js";

/** @import { Curves, Message } from "./curves.js" */
/** @import { Hover } from "./marks.js" */
/** @import { Plot } from "./plot.js" */

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -1e9, End: 1e9 };

export class Chart {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {Set<number>} */
    this.hidden = new Set();
    this.index = 0;
    this.cursor = -1; // a time shown by another component on the page
    /** @type {Hover | null} */
    this.hover = null;
    /** @type {Curves | null} */
    this.data = null;
    /** @type {Plot | null} */
    this.plot = null;
    this.listens = false;
    this.dragging = false;
    /** @param {number} index */
    this.send = (index) => {};
    /** @param {number} index whoever shows the chart hears every move at once */
    this.heard = (index) => {};
    this.life = new Life();
    this.draw = this.life.drawing(() => this.drawUpper());
    this.telling = new Telling(this.life, (index) => this.send(index));
    this.lower = element("canvas", { className: "curves", "aria-hidden": "true" });
    this.upper = element("canvas", { className: "overlay", "aria-hidden": "true" });
    this.tip = new Tooltip();
    this.winner = -1; // the group that is drawn in full
    this.stage = element("div", { className: "stage", tabIndex: 0, role: "slider" }, this.lower, this.upper, this.tip.box);
    this.readout = element("div", { className: "readout", "aria-hidden": "true" }); // the slider says the same
    this.key = element("div", { className: "key", role: "group", "aria-label": "Curves shown" });
    this.names = new EndNames(this.hidden, () => this.showOthers());
    const holder = element("div", { className: "holder" }, this.stage, this.names.box);
    this.saving = new SaveMenu(this.life, () => pictureOf(this), "chart");
    const head = element("div", { className: "head" }, this.readout, this.saving.box);
    this.frame = element("div", { className: "frame" }, head, holder, this.key);
    root.append(this.frame);
    this.life.onResize(this.stage, () => this.resize());
    this.listen(this.life.signal);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const rest = () => this.letGo();
    this.stage.addEventListener("pointerdown", (event) => this.press(event), { signal });
    this.stage.addEventListener("pointermove", (event) => this.move(event), { signal });
    this.stage.addEventListener("pointerup", rest, { signal });
    this.stage.addEventListener("pointercancel", rest, { signal });
    this.stage.addEventListener("pointerleave", () => this.leave(), { signal });
    this.stage.addEventListener("keydown", (event) => this.pressKey(event), { signal });
    followTime("line", signal, (index) => this.follow(index));
  }

  close() {
    this.life.end();
  }

  // ------------------------------------------------------------ data from Python

  /**
   * @param {Curves} data
   * @param {Message} message
   * @param {(index: number) => void} send
   */
  take(data, message, send) {
    this.send = send;
    this.plot = null;
    if (this.data && JSON.stringify(this.data.legend) !== JSON.stringify(data.legend)) this.hidden.clear();
    this.data = data;
    this.listens = message.listens;
    const old = this.telling.isOld(message.index);
    if (!this.dragging && !this.telling.ahead && !old) this.index = message.index;
    this.cursor = -1;
    this.leave();
    this.stage.style.height = `${message.height}px`;
    this.stage.setAttribute("aria-valuemin", "0");
    this.stage.setAttribute("aria-valuemax", String(data.moves - 1));
    this.stage.setAttribute("aria-label", `${data.handle}. ${message.label}`);
    this.buildKey(data);
    this.tell(data);
    this.resize(true);
    this.stage.dataset.ready = data.id;
  }

  /** @param {Curves} data */
  buildKey({ groups, legend }) {
    const { hidden } = this;
    const title = "Click to hide or show";
    const changed = () => this.showOthers();
    const buttons = legend.map(({ name, colour }, code) => toggle({ code, colour, hidden, title, changed }, name));
    this.key.replaceChildren(...buttons.filter((_, code) => groups.includes(code)));
  }

  /** Curves were hidden or shown. */
  showOthers() {
    this.drawLower();
    this.draw();
  }

  shown() {
    return this.data?.curves.filter((curve) => !this.hidden.has(curve.group)) ?? [];
  }

  // ------------------------------------------------------------ drawing

  resize(force = false) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const ratio = window.devicePixelRatio || 1;
    if (!width || !height || !this.data) return;
    const { plot } = this;
    if (!force && plot && width === plot.width && height === plot.height && ratio === plot.ratio) return;
    for (const canvas of [this.lower, this.upper]) sharpen(canvas, width, height, ratio);
    const room = roomFor(this.data, width);
    this.plot = plotOf(this.data, themeOf(this.frame), width, height, ratio, room);
    this.names.place(this.plot);
    this.key.hidden = room > 0;
    this.drawLower();
    this.drawUpper();
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Plot} plot
   */
  pen(canvas, { theme, ratio }) {
    const pen = cleanPen(canvas, ratio);
    pen.font = lettersOf(12, theme);
    pen.lineJoin = "round";
    return pen;
  }

  drawLower() {
    const { plot } = this;
    if (!plot) return;
    const pen = this.pen(this.lower, plot);
    this.winner = plot.data.labels?.[this.index] ?? -1;
    this.names.emphasise(this.winner);
    drawAxes(pen, plot);
    drawLines(pen, plot, this.shown(), this.winner);
  }

  drawUpper() {
    const { plot } = this;
    if (!plot) return;
    if ((plot.data.labels?.[this.index] ?? -1) !== this.winner) this.drawLower();
    const pen = this.pen(this.upper, plot);
    drawPeaks(pen, plot, this.shown(), this.index);
    if (this.cursor >= 0 && this.cursor !== this.index) drawCursor(pen, plot, plot.xs[this.cursor]);
    drawHandle(pen, plot, plot.xs[this.index]);
    if (this.hover) drawHover(pen, plot, this.hover);
  }

  // ------------------------------------------------------------ pointing and keys

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0 || !this.plot) return;
    this.stage.setPointerCapture(event.pointerId);
    this.dragging = true;
    this.leave();
    this.moveTo(indexAt(this.plot.xs, spotOf(this.stage, event)[0]));
  }

  letGo() {
    this.dragging = false;
    this.telling.settle();
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.plot) return;
    const [x, y] = spotOf(this.stage, event);
    if (this.dragging) this.moveTo(indexAt(this.plot.xs, x));
    else this.read(x, y, this.plot);
  }

  /** @param {KeyboardEvent} event */
  pressKey(event) {
    pressKey(event, Object.fromEntries(Object.entries(STEPS).map(([key, by]) => [key, () => this.moveTo(this.index + by)])));
  }

  /** @param {number} index */
  moveTo(index) {
    if (!this.data) return;
    const next = clamped(index, 0, this.data.moves - 1);
    if (next === this.index) return;
    this.index = next;
    this.cursor = -1;
    this.tell(this.data);
    this.draw();
    tellTime({ from: "line", index: next });
    this.heard(next);
    if (this.listens) this.telling.move(next, this.dragging);
  }

  /**
   * Where another control has put the line.
   * @param {number} index
   */
  put(index) {
    if (!this.data || index === this.index) return;
    this.index = clamped(index, 0, this.data.moves - 1);
    this.tell(this.data);
    this.draw();
  }

  /** @param {number} index */
  follow(index) {
    if (!this.data || index >= this.data.times.length) return;
    this.cursor = index;
    this.draw();
  }

  /** @param {Curves} data */
  tell({ times, handle, labels, legend }) {
    const number = element("span", { className: "number", textContent: inWords(times[this.index]) });
    /** @type {(Node | string)[]} */
    const parts = [element("span", {}, `${handle} = `, number)];
    let spoken = `${inWords(times[this.index])} relaxation times`;
    if (labels) {
      const winner = legend[labels[this.index]];
      parts.push("→", element("span", { className: "winner", textContent: winner.name, style: `border-color: ${winner.colour}` }));
      spoken += `, label ${winner.name}`;
    }
    this.readout.replaceChildren(...parts);
    this.stage.setAttribute("aria-valuenow", String(this.index));
    this.stage.setAttribute("aria-valuetext", spoken);
  }

  // ------------------------------------------------------------ reading values

  /**
   * @param {number} x
   * @param {number} y
   * @param {Plot} plot
   */
  read(x, y, plot) {
    const found = readAt(plot, this.shown(), x, y);
    if (!found) {
      this.leave();
      return;
    }
    this.hover = found.hover;
    this.tip.say(found.title, found.rows);
    this.tip.place([x, y], plot);
    this.draw();
  }

  leave() {
    this.tip.hide();
    if (!this.hover) return;
    this.hover = null;
    this.draw();
  }
}
