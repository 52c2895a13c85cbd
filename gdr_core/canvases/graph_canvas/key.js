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
  const counts = new Map(looks.data.classes.map((_, code) => [code, 0]));
  for (const code of looks.colours) counts.set(code, (counts.get(code) ?? 0) + 1);
  const title = "Click to hide or show this class";
  const classes = [...counts].map(([code, count]) =>
    toggle({ code, colour: looks.colourOf(code), hidden, title, changed }, looks.className(code), number(count)));
  const marks = looks.marks ? looks.styles.flatMap((style, code) => markEntry(looks, style, code, theme)) : [];
  return [...classes, ...marks];
}

/** @param {number} count */
function number(count) {
  return element("span", { className: "number", textContent: counted(count) });
}

/**
 * A mark without nodes or without a name needs no entry.
 * @param {Looks} looks
 * @param {MarkStyle} style
 * @param {number} code
 * @param {Theme} theme
 */
function markEntry({ marks }, style, code, theme) {
  let count = 0;
  for (const mark of marks ?? []) if (mark === code) count++;
  if (!count || !style.name) return [];
  const canvas = element("canvas", { width: 32, height: 32 });
  const pen = penOf(canvas);
  pen.translate(16, 16);
  const colour = style.colour ?? theme.ink;
  paintShape(pen, { shape: style.shape, radius: 9, colour, opacity: style.opacity, rim: theme.paper });
  return [element("span", { className: "mark" }, canvas, style.name, number(count))];
}
