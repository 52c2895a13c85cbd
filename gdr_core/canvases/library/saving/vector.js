// A pen that writes SVG: what a drawing function would draw on a canvas becomes shapes and texts.
//
// It knows as much of a canvas' pen as `Pen` says. Neighbouring shapes of one style share a group, a
// path that is filled and then stroked is one shape, and so is a text with its rim.

import { FAMILY, attributes, escaped, fontOf, moved, pathText, turned } from "./svg.js";

/** @import { Pen } from "../canvas.js" */
/** @import { Matrix, Piece } from "./svg.js" */

/** @typedef {Record<string, string>} Style attributes and what they say */
/** @typedef {{ style: Style, shape: string, text: string }} Mark one element: `text` stands inside of it */
/** @typedef {(text: string, font: string) => number} Measure how wide a text is */

const FULL = 2 * Math.PI - 1e-9;
/** @type {Record<string, number>} how far below its place a text's line lies, in heights of its font */
const BELOW = { top: 0.82, hanging: 0.82, middle: 0.35, alphabetic: 0, bottom: -0.22, ideographic: -0.22 };
/** @type {Record<string, string>} */
const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };

const FRESH = {
  fillStyle: /** @type {string | CanvasGradient | CanvasPattern} */ ("#000000"),
  strokeStyle: /** @type {string | CanvasGradient | CanvasPattern} */ ("#000000"),
  lineWidth: 1,
  globalAlpha: 1,
  font: "10px sans-serif",
  textAlign: /** @type {CanvasTextAlign} */ ("start"),
  textBaseline: /** @type {CanvasTextBaseline} */ ("alphabetic"),
  lineJoin: /** @type {CanvasLineJoin} */ ("miter"),
  lineCap: /** @type {CanvasLineCap} */ ("butt"),
};

/** @implements {Pen} */
export class VectorPen {
  /**
   * @param {{ measure: Measure, decimals?: number }} options
   */
  constructor({ measure, decimals = 2 }) {
    Object.assign(this, FRESH);
    this.fillStyle = FRESH.fillStyle;
    this.strokeStyle = FRESH.strokeStyle;
    this.lineWidth = FRESH.lineWidth;
    this.globalAlpha = FRESH.globalAlpha;
    this.font = FRESH.font;
    this.textAlign = FRESH.textAlign;
    this.textBaseline = FRESH.textBaseline;
    this.lineJoin = FRESH.lineJoin;
    this.lineCap = FRESH.lineCap;
    this.measure = measure;
    this.decimals = decimals;
    /** @type {number[]} */
    this.dash = [];
    /** @type {Matrix} */
    this.matrix = [1, 0, 0, 1, 0, 0];
    /** @type {{ state: object, matrix: Matrix, dash: number[], clips: number }[]} */
    this.saved = [];
    /** @type {Piece[]} the path in the making */
    this.path = [];
    /** @type {Mark[]} */
    this.marks = [];
    this.filled = false; // whether the last mark is the path, filled, and may be stroked as well
    this.clips = 0; // groups that are open because something is cut off
    this.cuts = 0;
    /** @type {string[]} */
    this.written = [];
  }

  // ------------------------------------------------------------ state

  save() {
    const state = Object.fromEntries(Object.keys(FRESH).map((name) => [name, Reflect.get(this, name)]));
    this.saved.push({ state, matrix: this.matrix, dash: this.dash, clips: this.clips });
  }

  restore() {
    const before = this.saved.pop();
    if (!before) return;
    Object.assign(this, before.state);
    this.matrix = before.matrix;
    this.dash = before.dash;
    for (; this.clips > before.clips; this.clips--) this.put("</g>");
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a, b, c, d, a * x + c * y + e, b * x + d * y + f];
  }

  /** @param {number} angle */
  rotate(angle) {
    this.matrix = turned(this.matrix, angle);
  }

  /** @param {number} wide @param {number} high the same: what is round stays round */
  scale(wide, high) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a * wide, b * wide, c * high, d * high, e, f];
  }

  /** How much larger all is drawn than it is said. */
  get zoom() {
    return Math.hypot(this.matrix[0], this.matrix[1]);
  }

  /** @param {number[]} lengths */
  setLineDash(lengths) {
    this.dash = lengths;
  }

  // ------------------------------------------------------------ paths

  beginPath() {
    this.path = [];
    this.filled = false;
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.add({ kind: "M", at: [x, y] });
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.add({ kind: this.path.length ? "L" : "M", at: [x, y] });
  }

  closePath() {
    this.path.push({ kind: "Z", at: [0, 0] });
    this.filled = false;
  }

  /** @param {number} x @param {number} y @param {number} radius @param {number} from @param {number} to */
  arc(x, y, radius, from, to) {
    const whole = Math.abs(to - from) >= FULL;
    this.add({ kind: "O", at: [x, y], radius: radius * this.zoom, from, to: whole ? from + 2 * Math.PI : to, whole });
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.moveTo(x, y);
    for (const [u, v] of [[x + width, y], [x + width, y + height], [x, y + height]]) this.lineTo(u, v);
    this.closePath();
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number | DOMPointInit | Iterable<number | DOMPointInit>} [radius] */
  roundRect(x, y, width, height, radius = 0) {
    const r = Math.min(Number(radius) || 0, width / 2, height / 2);
    const quarter = Math.PI / 2;
    this.moveTo(x + r, y);
    /** @type {[number, number, number][]} */
    const corners = [[x + width - r, y + r, -1], [x + width - r, y + height - r, 0], [x + r, y + height - r, 1], [x + r, y + r, 2]];
    for (const [u, v, turn] of corners) this.arc(u, v, r, turn * quarter, (turn + 1) * quarter);
    this.closePath();
  }

  /** @param {Piece} piece */
  add(piece) {
    this.path.push({ ...piece, at: moved(this.matrix, piece.at) });
    this.filled = false;
  }

  fill() {
    if (!this.path.length) return;
    this.marks.push(this.shaped({ fill: String(this.fillStyle), ...this.alpha("fill-opacity") }));
    this.filled = true;
  }

  stroke() {
    if (!this.path.length) return;
    const stroke = this.strokes();
    const last = this.marks[this.marks.length - 1];
    if (this.filled && last) last.style = { ...last.style, ...stroke };
    else this.marks.push(this.shaped({ fill: "none", ...stroke }));
    this.filled = false;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    const before = this.path;
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
    this.path = before;
    this.filled = false;
  }

  /** What follows is seen inside of the path only, until the state is restored. */
  clip() {
    const id = `cut${++this.cuts}`;
    this.put(`<clipPath id="${id}"><path d="${pathText(this.path, this.decimals)}"/></clipPath><g clip-path="url(#${id})">`);
    this.clips += 1;
  }

  // ------------------------------------------------------------ texts

  /** @param {string} text */
  measureText(text) {
    return { width: this.measure(text, this.font.replace(/px.*$/, `px ${FAMILY}`)) };
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const mark = this.lettered(text, x, y, { fill: String(this.fillStyle), ...this.alpha("fill-opacity") });
    const last = this.marks[this.marks.length - 1];
    if (last && last.text === mark.text && last.shape === mark.shape && last.style.fill === "none") {
      mark.style = { ...last.style, ...mark.style, "paint-order": "stroke" };
      this.marks.pop();
    }
    this.marks.push(mark);
  }

  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.marks.push(this.lettered(text, x, y, { fill: "none", ...this.strokes() }));
  }

  /** @param {string} text @param {number} x @param {number} y @param {Style} style */
  lettered(text, x, y, style) {
    const { size, ...font } = fontOf(this.font);
    const [a, b] = this.matrix;
    const angle = (Math.atan2(b, a) * 180) / Math.PI;
    const [left, line] = moved(this.matrix, [x, y + size * (BELOW[this.textBaseline] ?? 0)]).map((one) => this.round(one));
    const spot = ` x="${left}" y="${line}"${angle ? ` transform="rotate(${this.round(angle)} ${left} ${line})"` : ""}`;
    const all = { ...style, ...font, "font-size": this.round(size * this.zoom), "text-anchor": ANCHORS[this.textAlign] ?? "start" };
    /** @type {Mark} */
    const mark = { style: all, shape: `text${spot}`, text: escaped(text) };
    return mark;
  }

  // ------------------------------------------------------------ marks

  /** @param {string} name @returns {Style} */
  alpha(name) {
    return this.globalAlpha < 1 ? { [name]: String(Number(this.globalAlpha.toFixed(3))) } : {};
  }

  /** @returns {Style} */
  strokes() {
    return {
      stroke: String(this.strokeStyle),
      "stroke-width": this.round(this.lineWidth * this.zoom),
      ...this.alpha("stroke-opacity"),
      ...(this.dash.length ? { "stroke-dasharray": this.dash.map((one) => this.round(one * this.zoom)).join(" ") } : {}),
      ...(this.lineJoin === "miter" ? {} : { "stroke-linejoin": this.lineJoin }),
      ...(this.lineCap === "butt" ? {} : { "stroke-linecap": this.lineCap }),
    };
  }

  /** @param {Style} style @returns {Mark} */
  shaped(style) {
    const [first] = this.path;
    const circle = this.path.length === 1 && first.whole;
    const shape = circle
      ? `circle cx="${this.round(first.at[0])}" cy="${this.round(first.at[1])}" r="${this.round(first.radius ?? 0)}"`
      : `path d="${pathText(this.path, this.decimals)}"`;
    return { style, shape, text: "" };
  }

  /** @param {number} value */
  round(value) {
    return String(Number(value.toFixed(this.decimals)));
  }

  /** @param {string} text as it is, after all that was drawn before */
  put(text) {
    this.written.push(...grouped(this.marks), text);
    this.marks = [];
    this.filled = false;
  }

  /** All elements that were drawn. */
  elements() {
    this.put("</g>".repeat(this.clips));
    this.clips = 0;
    return this.written.filter(Boolean).join("\n");
  }
}

/**
 * Marks as elements: neighbours of one style stand in a group that says it.
 * @param {Mark[]} marks
 */
function grouped(marks) {
  /** @type {{ style: string, elements: string[] }[]} */
  const groups = [];
  for (const { style, shape, text } of marks) {
    const said = attributes(style);
    const one = text ? `<${shape}>${text}</text>` : `<${shape}/>`;
    const last = groups[groups.length - 1];
    if (last?.style === said) last.elements.push(one);
    else groups.push({ style: said, elements: [one] });
  }
  return groups.map(({ style, elements }) => `<g${style}>${elements.length > 1 ? "\n" : ""}${elements.join("\n")}</g>`);
}
