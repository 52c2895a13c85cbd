// A sketch as a short text for links; the library's `coding.py` does the same and tells the format.

import { check } from "./checks.js";
import { PLACES, tidy } from "./sketch.js";

/** @import { Sketch, SketchEdge, SketchNode } from "./sketch.js" */

const VERSION = "1";
const LONGEST = 40_000;
export const DAMAGED =
  "The graph in this link cannot be read: a part of it is missing or was changed. Ask for the link again.";
// Numbers in links: new kinds go to the end.
export const KINDS = ["combinatorial", "symmetric", "random-walk", "max-entropy", "directed", "directed-normalised", "directed-random-walk"];

/** @param {Sketch} sketch */
export function encode(sketch) {
  /** @type {number[]} */
  const out = [];
  const numbered = sketch.nodes.every((node, i) => node.name === String(i + 1));
  out.push((numbered ? 0 : 1) | (sketch.direction === "backward" ? 2 : 0), KINDS.indexOf(sketch.laplacian));
  putNumber(out, sketch.nodes.length);
  putNumber(out, sketch.classes);
  for (const value of [sketch.alpha, sketch.time, sketch.tMin]) putDecimal(out, value);
  for (const { x, y, beliefs, train } of sketch.nodes) {
    putNumber(out, (PLACES + 1) * x + y);
    putNumber(out, beliefs.reduce((marks, belief, c) => marks + (belief ? 2 << c : 0), train ? 1 : 0));
    for (const belief of beliefs) if (belief) putDecimal(out, belief);
  }
  if (!numbered)
    for (const { name } of sketch.nodes) {
      const bytes = new TextEncoder().encode(name);
      putNumber(out, bytes.length);
      out.push(...bytes);
    }
  putNumber(out, sketch.edges.length);
  for (const { from, to, weight, arrow } of sketch.edges) {
    out.push(from | (arrow ? 128 : 0), to | (weight === 1 ? 0 : 128));
    if (weight !== 1) putDecimal(out, weight);
  }
  const sum = crc32(out);
  out.push(sum & 255, (sum >>> 8) & 255, (sum >>> 16) & 255, sum >>> 24);
  return `${VERSION}.${toBase64(out)}`;
}

/**
 * The sketch that a text stands for; whatever is damaged gives the same sentence.
 * @param {string} text
 * @returns {Sketch}
 */
export function decode(text) {
  try {
    if (text.length > LONGEST || !text.startsWith(`${VERSION}.`)) throw new Error("another version");
    const reader = new Reader(checkedBytes(text.slice(VERSION.length + 1)));
    const sketch = reader.sketch();
    if (check(sketch)) throw new Error("not a sketch");
    return sketch;
  } catch {
    throw new Error(DAMAGED);
  }
}

/**
 * @param {number[]} out
 * @param {number} value
 */
function putNumber(out, value) {
  for (; value > 127; value = Math.floor(value / 128)) out.push((value & 127) | 128);
  out.push(value);
}

/**
 * @param {number[]} out
 * @param {number} value
 */
function putDecimal(out, value) {
  const [digits, power] = tidy(value).toExponential().split("e");
  const [whole, part = ""] = digits.split(".");
  const mantissa = Number(whole + part);
  const exponent = Number(power) - part.length;
  putNumber(out, mantissa);
  if (mantissa) putNumber(out, exponent >= 0 ? 2 * exponent : -2 * exponent - 1);
}

/** @param {number[]} bytes */
function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} body */
function checkedBytes(body) {
  const bytes = Array.from(atob(body.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
  const sum = crc32(bytes.slice(0, -4));
  const told = bytes.slice(-4).reduce((value, byte, i) => value + byte * 256 ** i, 0);
  if (toBase64(bytes) !== body || sum !== told) throw new Error("the check does not fit");
  return Uint8Array.from(bytes.slice(0, -4));
}

/** @param {ArrayLike<number>} bytes */
function crc32(bytes) {
  let sum = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    sum ^= bytes[i];
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  /** @returns {Sketch} */
  sketch() {
    const [flags, kind] = [this.byte(), KINDS[this.byte()]];
    const [count, classes] = [this.number(), this.number()];
    if (count > 127 || classes > 30) throw new Error("too many");
    const [alpha, time, tMin] = [this.decimal(), this.decimal(), this.decimal()];
    const nodes = Array.from({ length: count }, (_, i) => this.node(classes, String(i + 1)));
    if (flags & 1) for (const node of nodes) node.name = this.name();
    const edges = Array.from({ length: this.number() }, () => this.edge());
    if (this.place < this.bytes.length) throw new Error("more bytes than a sketch has");
    return { nodes, edges, classes, laplacian: kind, direction: flags & 2 ? "backward" : "forward", alpha, time, tMin };
  }

  byte() {
    if (this.place >= this.bytes.length) throw new Error("the bytes end too early");
    return this.bytes[this.place++];
  }

  number() {
    let [value, size] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * size;
      size *= 128;
      if (byte < 128) return value;
      if (size > 2 ** 28) throw new Error("a number with too many bytes");
    }
  }

  decimal() {
    const mantissa = this.number();
    if (!mantissa) return 0;
    const twice = this.number();
    return Number(`${mantissa}e${twice % 2 ? -(twice + 1) / 2 : twice / 2}`);
  }

  name() {
    const length = this.number();
    this.place += length;
    if (this.place > this.bytes.length) throw new Error("a name ends too early");
    return new TextDecoder("utf-8", { fatal: true }).decode(this.bytes.subarray(this.place - length, this.place));
  }

  /**
   * @param {number} classes
   * @param {string} name
   * @returns {SketchNode}
   */
  node(classes, name) {
    const place = this.number();
    const marks = this.number();
    const beliefs = Array.from({ length: classes }, (_, c) => (marks & (2 << c) ? this.decimal() : 0));
    return { name, x: Math.floor(place / (PLACES + 1)), y: place % (PLACES + 1), beliefs, train: Boolean(marks & 1) };
  }

  /** @returns {SketchEdge} */
  edge() {
    const [from, to] = [this.byte(), this.byte()];
    return { from: from & 127, to: to & 127, arrow: from > 127, weight: to > 127 ? this.decimal() : 1 };
  }
}
