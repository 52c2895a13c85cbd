// The curves of a figure: every belief over time, the level π, and the moment that is shown.

import { cleanPen, rule, sharpen, write } from "#canvases/library/canvas.js";
import { element } from "#canvases/library/elements.js";
import { clamped } from "#canvases/library/numbers.js";
import { spotOf } from "#canvases/library/pointer.js";
import { lettersOf, themeOf } from "#canvases/library/theme.js";
import { BOTTOM, LEFT, RIGHT, TOP, drawAxes } from "./axes.js";
import { coloursOf, curveColour } from "./colours.js";
import { roomOf } from "./room.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Model } from "./model.js" */
/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { Theme } from "#canvases/library/theme.js" */

/**
 * curves  which are drawn: all, that of the node in focus, what has been so far, or none
 * drawn   called with what somebody has drawn: times and values
 * @typedef {{ curves: "all" | "focus" | "past" | "none", drawn: ((points: Point[]) => void) | null, scrub: (time: number) => void }} ChartOptions
 */

export class Chart {
  /**
   * @param {Model} model
   * @param {{ signal: AbortSignal, onResize: (stage: Element, act: () => void) => void }} life
   * @param {ChartOptions} options
   */
  constructor(model, life, options) {
    this.model = model;
    this.options = options;
    /** what somebody draws: shares of the axis and values @type {Map<number, number>} */
    this.answer = new Map();
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.box = element("div", { className: "stage chart", role: "img", "aria-label": "Chart: beliefs of all nodes over time, and the level π" }, this.canvas);
    this.listen(life.signal);
    this.size = roomOf(this.box, life, () => this.draw());
  }

  /** @param {number} share of the axis */
  x(share) {
    return LEFT + share * (this.size.width - LEFT - RIGHT);
  }

  /** @param {number} value */
  y(value) {
    return TOP + (this.size.height - TOP - BOTTOM) * (1 - value / (1.06 * this.model.top));
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const { box } = this;
    /** @param {PointerEvent} event */
    const act = (event) => {
      const [x, y] = spotOf(box, event);
      const share = clamped((x - LEFT) / (this.size.width - LEFT - RIGHT), 0, 1);
      if (this.options.drawn) this.addAnswer(share, y);
      else this.options.scrub(this.model.timeAt(share));
    };
    box.addEventListener("pointerdown", (event) => { box.setPointerCapture(event.pointerId); act(event); }, { signal });
    box.addEventListener("pointermove", (event) => {
      if (event.buttons) act(event);
      else this.model.point(this.nearest(spotOf(box, event)));
    }, { signal });
    box.addEventListener("pointerup", () => { if (this.options.drawn && this.answer.size) this.options.drawn(this.answerPoints()); }, { signal });
    box.addEventListener("pointerleave", () => this.model.point(null), { signal });
  }

  /**
   * The node whose curve passes nearest to a spot.
   * @param {Point} spot
   */
  nearest([x, y]) {
    const { times, curves, sketch } = this.model;
    if (!times || !curves || this.options.curves !== "all") return null;
    const at = Math.round(clamped((x - LEFT) / (this.size.width - LEFT - RIGHT), 0, 1) * (times.length - 1));
    let [best, least] = [-1, 14];
    for (let row = 0; row < sketch.nodes.length * sketch.classes; row++) {
      const away = Math.abs(this.y(curves[row * times.length + at]) - y);
      if (away < least) [best, least] = [Math.floor(row / sketch.classes), away];
    }
    return best >= 0 ? best : null;
  }

  /**
   * @param {number} share
   * @param {number} y
   */
  addAnswer(share, y) {
    const room = this.size.height - TOP - BOTTOM;
    const value = clamped((1.06 * this.model.top * (TOP + room - y)) / room, 0, 1.06 * this.model.top);
    this.answer.set(Math.round(share * 60), value);
    this.draw();
  }

  /** @returns {Point[]} */
  answerPoints() {
    return [...this.answer].sort(([one], [other]) => one - other).map(([share, value]) => [this.model.timeAt(share / 60), value]);
  }

  /** @param {Theme} [theme] */
  draw(theme = themeOf(this.box)) {
    const { width, height } = this.size;
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    sharpen(this.canvas, width, height, ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.paint(cleanPen(this.canvas, ratio), theme);
  }

  /**
   * @param {Pen} pen
   * @param {Theme} theme
   */
  paint(pen, theme) {
    const { width, height } = this.size;
    pen.font = lettersOf(12, theme);
    drawAxes(pen, theme, this);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT - 6, 0, width - LEFT - RIGHT + 12, height - BOTTOM + 6);
    pen.clip();
    this.drawCurves(pen, theme);
    pen.restore();
    this.drawMoment(pen, theme);
    this.drawAnswer(pen, theme);
  }

  /**
   * @param {Pen} pen
   * @param {Theme} theme
   */
  drawCurves(pen, theme) {
    const { sketch, focus } = this.model;
    const { curves: which } = this.options;
    if (which === "none") return;
    const colours = coloursOf(theme);
    const faint = focus !== null || sketch.nodes.length > 12;
    for (let k = 0; k < sketch.classes; k++) this.drawLevel(pen, focus, k, theme);
    for (let node = 0; which !== "focus" && node < sketch.nodes.length; node++) {
      if (node === focus) continue;
      pen.globalAlpha = faint ? (focus === null ? 0.6 : 0.28) : 0.95;
      pen.lineWidth = faint ? 1.2 : 2;
      for (let k = 0; k < sketch.classes; k++) this.trace(pen, node, k, curveColour(colours, sketch, node, k));
    }
    pen.globalAlpha = 1;
    if (focus === null) return;
    pen.lineWidth = 3;
    for (let k = 0; k < sketch.classes; k++) {
      const colour = curveColour(colours, sketch, focus, k);
      this.shade(pen, focus, k, colour);
      this.trace(pen, focus, k, colour);
    }
    pen.textAlign = "right";
    pen.textBaseline = "top";
    write(pen, `${sketch.nodes[focus].name} ${this.model.fate(focus)}`, this.size.width - RIGHT - 2, 3, theme);
  }

  /**
   * π: where it is the same for all nodes, one line for all; else that of the node in focus.
   * @param {Pen} pen
   * @param {number | null} focus
   * @param {number} k
   * @param {Theme} theme
   */
  drawLevel(pen, focus, k, theme) {
    const { limit, n, classes } = this.model.dynamics;
    if (!n) return;
    const levels = Array.from({ length: n }, (_, j) => limit[j * classes + k]);
    const [low, high] = [Math.min(...levels), Math.max(...levels)];
    const one = high - low < 1e-9 * (high || 1);
    if (!one && focus === null) return;
    const y = this.y(focus === null ? high : levels[focus]);
    pen.setLineDash([5, 4]);
    pen.lineWidth = 1.5;
    pen.strokeStyle = classes > 1 ? coloursOf(theme)[k] : theme.ink;
    rule(pen, [LEFT, y], [this.size.width - RIGHT, y], 0.85);
    pen.setLineDash([]);
    pen.fillStyle = pen.strokeStyle;
    pen.textAlign = "right";
    pen.textBaseline = "bottom";
    pen.font = lettersOf(14, theme, "italic");
    pen.fillText(classes > 1 ? `π${"₁₂₃₄₅₆"[k]}` : "π", this.size.width - RIGHT - 3, y - 2);
    pen.font = lettersOf(12, theme);
  }

  /** How many samples of a curve are shown. */
  get shown() {
    const count = this.model.times?.length ?? 0;
    return this.options.curves === "past" ? Math.max(1, Math.round(this.model.shareOf(this.model.sketch.time) * (count - 1)) + 1) : count;
  }

  /**
   * @param {Pen} pen
   * @param {number} node
   * @param {number} k
   * @param {string} colour
   */
  trace(pen, node, k, colour) {
    const { times, curves, sketch } = this.model;
    if (!times || !curves) return;
    const row = (node * sketch.classes + k) * times.length;
    const last = times.length - 1;
    pen.strokeStyle = colour;
    pen.lineJoin = "round";
    pen.beginPath();
    for (let i = 0; i < this.shown; i++) pen.lineTo(this.x(i / last), this.y(curves[row + i]));
    pen.stroke();
  }

  /**
   * What lies above π, as an area.
   * @param {Pen} pen
   * @param {number} node
   * @param {number} k
   * @param {string} colour
   */
  shade(pen, node, k, colour) {
    const { times, curves, sketch, dynamics } = this.model;
    if (!times || !curves) return;
    const row = node * sketch.classes + k;
    const level = dynamics.limit[row];
    const last = times.length - 1;
    pen.beginPath();
    pen.moveTo(this.x(0), this.y(level));
    for (let i = 0; i < this.shown; i++) pen.lineTo(this.x(i / last), this.y(Math.max(level, curves[row * times.length + i])));
    pen.lineTo(this.x((this.shown - 1) / last), this.y(level));
    pen.closePath();
    pen.globalAlpha = 0.18;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
  }

  /**
   * @param {Pen} pen
   * @param {Theme} theme
   */
  drawMoment(pen, theme) {
    const { sketch, now, focus } = this.model;
    const { height, width } = this.size;
    if (sketch.tMin > 0) {
      const edge = this.x(this.model.shareOf(sketch.tMin));
      pen.globalAlpha = 0.09;
      pen.fillStyle = theme.ink;
      pen.fillRect(LEFT, TOP, edge - LEFT, height - TOP - BOTTOM);
      pen.globalAlpha = 1;
      pen.textAlign = edge > width - 60 ? "right" : "left";
      pen.textBaseline = "bottom";
      write(pen, "t_min", edge + (edge > width - 60 ? -4 : 4), height - BOTTOM - 3, theme);
    }
    const x = this.x(this.model.shareOf(sketch.time));
    pen.strokeStyle = theme.accent;
    pen.lineWidth = 2;
    rule(pen, [x, TOP - 4], [x, height - BOTTOM], 1);
    if (this.options.curves === "none" || !now) return;
    const colours = coloursOf(theme);
    const late = sketch.time > this.model.span * (1 + 1e-9);
    for (let row = 0; !late && row < now.length; row++) {
      if (now[row] > 1.06 * this.model.top) continue;
      const node = Math.floor(row / sketch.classes);
      if (this.options.curves === "focus" && node !== focus) continue;
      pen.globalAlpha = focus === null || focus === node ? 1 : 0.3;
      pen.fillStyle = curveColour(colours, sketch, node, row % sketch.classes);
      pen.beginPath();
      pen.arc(x, this.y(now[row]), node === focus ? 5 : 3.2, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  /**
   * @param {Pen} pen
   * @param {Theme} theme
   */
  drawAnswer(pen, theme) {
    if (!this.options.drawn) return;
    if (!this.answer.size) {
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      write(pen, "Draw your curve here", this.size.width / 2, this.size.height / 2, theme);
      return;
    }
    pen.strokeStyle = theme.ink;
    pen.lineWidth = 3;
    pen.setLineDash([2, 6]);
    pen.lineCap = "round";
    pen.beginPath();
    for (const [time, value] of this.answerPoints()) pen.lineTo(this.x(this.model.shareOf(time)), this.y(value));
    pen.stroke();
    pen.setLineDash([]);
  }
}
