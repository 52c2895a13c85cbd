// The legend under a graph: classes to hide and show, and what the marks mean.

import { penOf } from "../library/canvas.js";
import { element } from "../library/elements.js";
import { toggle } from "../library/legend.js";
import { counted } from "../library/numbers.js";
import { paintShape } from "./sprites.js";

/** @import { Theme } from "../library/theme.js" */
/** @import { Looks, MarkStyle } from "./looks.js" */

/**
 * @param {Looks} looks
 * @param {Set<number>} hidden classes
 * @param {Theme} theme
 * @param {() => void} changed
 */
export function keyEntries(looks, hidden, theme, changed) {
  const counts = countsOf(looks);
  const title = "Click to hide or show this class";
  const classes = [...counts].map(([code, count]) =>
    toggle({ code, colour: looks.colourOf(code), hidden, title, changed }, looks.className(code), number(count)));
  const marks = namedMarks(looks).map((code) => markEntry(looks, looks.styles[code], code, theme));
  return [...classes, ...marks];
}

/**
 * Nodes of each class.
 * @param {Looks} looks
 */
export function countsOf({ data, colours }) {
  const counts = new Map(data.classes.map((_, code) => [code, 0]));
  for (const code of colours) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

/**
 * Other numbers in the same entries: while t_min moves, none comes or goes.
 * @param {HTMLElement} key
 * @param {Looks} looks
 */
export function recount(key, looks) {
  const numbers = [...countsOf(looks).values(), ...countsOfMarks(looks).values()];
  key.querySelectorAll(".number").forEach((place, i) => { place.textContent = counted(numbers[i]); });
}

/**
 * Nodes of each mark that has an entry.
 * @param {Looks} looks
 */
export function countsOfMarks(looks) {
  const marked = new Uint32Array(256);
  for (const mark of looks.marks ?? []) marked[mark]++;
  return new Map(namedMarks(looks).map((code) => [code, marked[code]]));
}

/**
 * Codes of the marks that have an entry: a mark without a name needs none, and neither does one
 * without nodes, unless t_min may bring some.
 * @param {Looks} looks
 */
function namedMarks({ styles, marks, data }) {
  if (!marks) return [];
  const there = new Set(marks);
  return [...styles.keys()].filter((code) => styles[code].name && (data.sweep || there.has(code)));
}

/** @param {number} count */
function number(count) {
  return element("span", { className: "number", textContent: counted(count) });
}

/**
 * @param {Looks} looks
 * @param {MarkStyle} style
 * @param {number} code
 * @param {Theme} theme
 */
function markEntry({ marks }, style, code, theme) {
  let count = 0;
  for (const mark of marks ?? []) if (mark === code) count++;
  const canvas = element("canvas", { width: 32, height: 32 });
  const pen = penOf(canvas);
  pen.translate(16, 16);
  const colour = style.colour ?? theme.ink;
  paintShape(pen, { shape: style.shape, radius: 9, colour, opacity: style.opacity, rim: theme.paper });
  return element("span", { className: "mark" }, canvas, style.name ?? "", number(count));
}
