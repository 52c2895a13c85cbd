// A legend as a part of a picture: signs and words in rows, as wide as the picture.

import { penOf } from "../canvas.js";
import { element } from "../elements.js";
import { shortened } from "../numbers.js";

/** @import { Pen } from "../canvas.js" */
/** @import { Theme } from "../theme.js" */

/** @typedef {{ text: string, draw: ((pen: Pen) => void) | null }} Entry the sign is drawn about the origin */

const [ROW, SIDE, GAP, SIGN] = [20, 12, 16, 18]; // pixels

/**
 * Where each entry begins, and how many rows they take; no entry is cut in two.
 * @param {number[]} lengths of the entries
 * @param {number} width
 */
export function rowsOf(lengths, width) {
  let [x, row] = [SIDE, 0];
  const places = lengths.map((long) => {
    if (x > SIDE && x + long > width - SIDE) [x, row] = [SIDE, row + 1];
    const place = { x, row };
    x += long + GAP;
    return place;
  });
  return { places, rows: lengths.length ? row + 1 : 0 };
}

/** @param {Entry[]} entries @param {Theme} theme @param {number} width */
export function legendHeight(entries, theme, width) {
  const pen = penOf(element("canvas", { width: 1, height: 1 }));
  const { rows } = rowsOf(lengthsOf(pen, entries, theme), width);
  return rows ? rows * ROW + 8 : 0;
}

/** @param {Entry} entry */
function words({ text }) {
  return shortened(text, 48);
}

/** @param {Pen} pen @param {Entry[]} entries @param {Theme} theme */
function lengthsOf(pen, entries, theme) {
  return entries.map((entry) => {
    pen.font = fontOf(entry, theme);
    return pen.measureText(words(entry)).width + (entry.draw ? SIGN : 0);
  });
}

/** @param {Entry} entry @param {Theme} theme */
function fontOf({ draw }, theme) {
  return `${draw ? 400 : 600} 12px ${theme.font}`;
}

/**
 * @param {Pen} pen
 * @param {Entry[]} entries
 * @param {Theme} theme
 * @param {number} width
 * @param {number} top
 */
export function paintLegend(pen, entries, theme, width, top) {
  const { places } = rowsOf(lengthsOf(pen, entries, theme), width);
  entries.forEach((entry, i) => {
    const [x, y] = [places[i].x, top + 4 + ROW * (places[i].row + 0.5)];
    if (entry.draw) {
      pen.save();
      pen.translate(x + 6, y);
      entry.draw(pen);
      pen.restore();
    }
    pen.globalAlpha = 1;
    pen.font = fontOf(entry, theme);
    pen.fillStyle = theme.ink;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(words(entry), x + (entry.draw ? SIGN : 0), y);
  });
}
