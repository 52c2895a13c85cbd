// Stacked bars between edges.

import { counted } from "#canvases/library/numbers.js";
import { drawAxes, short, steps } from "./axes.js";

/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { Sheet } from "./axes.js" */
/** @import { Reading } from "./charts.js" */

/**
 * counts[kind][bar]
 * @typedef {{
 *   kind: "bars", title: string, alt: string, axis: string, edges: number[], counts: number[][],
 *   names: string[], colours: string[],
 * }} BarsPanel
 */

const MOST_ROWS = 8;

/**
 * Draws the panel; answers what the tooltip says at the place that is pointed at.
 * @param {Omit<Sheet, "x" | "y">} paper
 * @param {BarsPanel} data
 * @param {Point | null} at
 * @returns {Reading | null}
 */
export function drawBars(paper, { edges, counts, names, colours, axis }, at) {
  const totals = edges.slice(1).map((_, i) => counts.reduce((sum, row) => sum + row[i], 0));
  const most = Math.max(1, ...totals);
  const [first, last] = [edges[0], edges[edges.length - 1]];
  const { pen, area: { left, right, top, bottom } } = paper;
  const x = (/** @type {number} */ value) => left + ((right - left) * (value - first)) / (last - first);
  const y = (/** @type {number} */ value) => bottom - ((bottom - top) * value) / (most * 1.05);
  drawAxes({ ...paper, x, y }, { xs: steps(first, last, 5), ys: steps(0, most, 4), name: axis });
  totals.forEach((_, i) => {
    let base = 0;
    counts.forEach((row, k) => {
      pen.fillStyle = colours[k];
      pen.fillRect(x(edges[i]) + 0.5, y(base + row[i]), x(edges[i + 1]) - x(edges[i]) - 1, y(base) - y(base + row[i]));
      base += row[i];
    });
  });
  const bar = at ? totals.findIndex((_, i) => at[0] >= x(edges[i]) && at[0] < x(edges[i + 1])) : -1;
  if (bar < 0) return null;
  const rows = names.flatMap((name, k) => (counts[k][bar] ? [{ colour: colours[k], name, value: counted(counts[k][bar]) }] : []));
  return { title: `${short(edges[bar])} to ${short(edges[bar + 1])}`, rows: rows.slice(0, MOST_ROWS) };
}
