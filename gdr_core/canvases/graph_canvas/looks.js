// How the nodes are to look, as Python said it last.

import { counted } from "../library/numbers.js";
import { decode } from "../mounts/bytes.js";

/** @import { Geometry } from "./geometry.js" */
/** @import { Shape } from "./sprites.js" */

/** @typedef {{ name?: string, shape: Shape, size: number, colour?: string | null, opacity: number }} MarkStyle */
/** @typedef {{ label: string, names: string[], codes: Uint8Array | Uint16Array }} Detail */

/** @typedef {string | Uint8Array} Codes as they travel, in base64, or as they are */

/**
 * The message; `sweep` names the labels to follow while t_min moves, from which colours, marks and
 * details are then made (`../t_min_bar/following.js`).
 * @typedef {{
 *   geometry: string, colours: Codes, classes: string[], palette: string[], unknownColour: string,
 *   details: { label: string, names: string[], wide: boolean, codes: Codes | Uint16Array }[],
 *   marks: Codes | null, markStyles: MarkStyle[],
 *   selected: number | null, clickable: boolean, label: string, height: number, fills?: number | null,
 *   sweep?: string, index?: number, byClass?: boolean,
 * }} Message
 */

const UNKNOWN = 255;
/** @type {MarkStyle} */
const PLAIN = { shape: "circle", size: 1, opacity: 1 };

export class Looks {
  /** @param {Message} data */
  constructor(data) {
    this.data = data;
    this.colours = bytesOf(data.colours);
    this.marks = data.marks ? bytesOf(data.marks) : null;
    /** @type {Detail[]} */
    this.details = data.details.map(({ label, names, wide, codes }) => ({
      label,
      names,
      codes: typeof codes !== "string" ? codes : wide ? decode(codes, Uint16Array) : decode(codes, Uint8Array),
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
    if (!marks) return order;
    const next = new Uint32Array(257); // where the next node of each mark goes
    for (const mark of marks) next[mark + 1]++;
    for (let mark = 0; mark < 256; mark++) next[mark + 1] += next[mark];
    for (let i = 0; i < marks.length; i++) order[next[marks[i]]++] = i;
    return order;
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

/** @param {Codes} codes */
function bytesOf(codes) {
  return typeof codes === "string" ? decode(codes, Uint8Array) : codes;
}
