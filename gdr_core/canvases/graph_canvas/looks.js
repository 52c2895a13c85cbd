// How the nodes are to look, as Python said it last.

import { counted } from "../library/numbers.js";
import { decode } from "../mounts/bytes.js";

/** @import { Geometry } from "./geometry.js" */
/** @import { Shape } from "./sprites.js" */

/** @typedef {{ name?: string, shape: Shape, size: number, colour?: string | null, opacity: number }} MarkStyle */
/** @typedef {{ label: string, names: string[], codes: Uint8Array | Uint16Array }} Detail */

/**
 * The message; its arrays are base64, or decoded already.
 * @typedef {{
 *   geometry: string, colours: string | Uint8Array, classes: string[], palette: string[], unknownColour: string,
 *   details: { label: string, names: string[], wide: boolean, codes: string | Uint8Array | Uint16Array }[],
 *   marks: string | Uint8Array | null, markStyles: MarkStyle[],
 *   selected: number | null, clickable: boolean, label: string, height: number,
 * }} Message
 */

const UNKNOWN = 255;
/** @type {MarkStyle} */
const PLAIN = { shape: "circle", size: 1, opacity: 1 };

export class Looks {
  /** @param {Message} data */
  constructor(data) {
    this.data = data;
    this.colours = decode(data.colours, Uint8Array);
    this.marks = data.marks ? decode(data.marks, Uint8Array) : null;
    /** @type {Detail[]} */
    this.details = data.details.map(({ label, names, wide, codes }) => ({
      label,
      names,
      codes: wide ? decode(codes, Uint16Array) : decode(codes, Uint8Array),
    }));
    this.styles = data.markStyles.length ? data.markStyles : [PLAIN];
    this.largest = Math.max(...this.styles.map((style) => style.size));
    this.order = this.drawingOrder();
    /** What the codes mean: as long as it stays, so do sprites and hidden classes. */
    this.scheme = JSON.stringify([data.classes, data.palette, data.unknownColour, data.markStyles]);
  }

  /** Nodes with a higher mark are drawn over those with a lower one. */
  drawingOrder() {
    const { marks } = this;
    const order = Uint32Array.from({ length: this.colours.length }, (_, i) => i);
    return marks ? order.sort((a, b) => marks[a] - marks[b] || a - b) : order;
  }

  /** @param {number} node */
  mark(node) {
    return this.marks ? this.marks[node] : 0;
  }

  /** @param {number} node */
  size(node) {
    return this.styles[this.mark(node)].size;
  }

  /** @param {number} code */
  className(code) {
    return code === UNKNOWN ? "unknown" : this.data.classes[code];
  }

  /** @param {number} code */
  colourOf(code) {
    return code === UNKNOWN ? this.data.unknownColour : this.data.palette[code];
  }

  /**
   * A mask of the nodes whose classes are hidden, or null where none is.
   * @param {Set<number>} classes
   */
  hidden(classes) {
    return classes.size ? Uint8Array.from(this.colours, (code) => (classes.has(code) ? 1 : 0)) : null;
  }

  /**
   * What there is to say about a node, its name first.
   * @param {Geometry} geometry
   * @param {number} node
   */
  lines({ names, start, directed }, node) {
    const degree = start[node + 1] - start[node];
    const lines = [names[node], `class: ${this.className(this.colours[node])}`];
    for (const { label, names: words, codes } of this.details) if (words[codes[node]]) lines.push(`${label}: ${words[codes[node]]}`);
    lines.push(`${counted(degree)} ${directed ? "link" : "neighbour"}${degree === 1 ? "" : "s"}`);
    return lines;
  }
}
