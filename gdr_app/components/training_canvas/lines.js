// Lines over epochs, with or without a field of colour behind them.

import { rule } from "#canvases/library/canvas.js";
import { counted } from "#canvases/library/numbers.js";
import { drawAxes, logSteps, percent, short, steps } from "./axes.js";

/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { Sheet } from "./axes.js" */
/** @import { Reading, Row } from "./charts.js" */

/** @typedef {{ name: string, colour: string, dash: number[], strong: boolean, x: number[], y: (number | null)[] }} Line */

/**
 * One column for each scan, from its epoch to the next one's; values[column][level].
 * @typedef {{ title: string, epochs: number[], levels: number[], values: (number | null)[][] }} Heat
 */

/**
 * @typedef {{
 *   kind: "lines", title: string, alt: string, percent: boolean, logarithmic: boolean, last: number,
 *   lines: Line[], heat: Heat | null, cursor: number | null,
 * }} LinesPanel
 */

const HEAT = "0, 114, 178"; // the first class colour; more opaque is more accurate
const MOST_ROWS = 8; // lines named by the tooltip

/** @param {number} share */
export const heatColour = (share) => `rgba(${HEAT}, ${0.05 + 0.85 * share * share})`;

/** @param {(number | null)[]} column */
const best = (column) => Math.max(...column.map((value) => value ?? 0));

/**
 * Columns are shaded by their distance from their own best value: accuracy rises so much during
 * a run that one scale for all would hide what the rows say. This is the distance at which the
 * colour ends.
 * @param {Heat} heat
 */
export function heatSpan({ values }) {
  const column = values.at(-1) ?? [];
  const worst = best(column) - Math.min(...column.map((value) => value ?? 0));
  return Math.min(Math.max(worst, 0.02), 0.2);
}

/**
 * The lowest and the highest value of the vertical axis.
 * @param {LinesPanel} data
 * @returns {[number, number]}
 */
export function rangeOf({ lines, heat, logarithmic, percent: inPercent }) {
  const all = [...lines.flatMap((line) => line.y), ...(heat ? [heat.levels[0], heat.levels[heat.levels.length - 1]] : [])];
  const values = all.filter((value) => value !== null && (!logarithmic || value > 0)).map(Number);
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : logarithmic ? [1, 10] : [0, 1];
  if (logarithmic) return low === high ? [low / 2, high * 2] : [low, high];
  if (inPercent) return [Math.max(0, Math.floor(low * 10) / 10), Math.min(1, Math.ceil(high * 10 + 1e-9) / 10)];
  const gap = 0.05 * (high - low) || 0.5;
  return [Math.max(0, low - gap), high + gap];
}

/**
 * Draws the panel; answers what the tooltip says at the place that is pointed at.
 * @param {Omit<Sheet, "x" | "y">} paper
 * @param {LinesPanel} data
 * @param {Point | null} at
 * @returns {Reading | null}
 */
export function drawLines(paper, data, at) {
  const { lines, heat, logarithmic, last } = data;
  const [low, high] = rangeOf(data);
  const { left, right, top, bottom } = paper.area;
  /** @param {number} value */
  const lift = (value) => (logarithmic ? Math.log(value) : value);
  const sheet = {
    ...paper,
    x: (/** @type {number} */ epoch) => left + ((right - left) * (epoch - 1)) / Math.max(last - 1, 1),
    y: (/** @type {number} */ value) => bottom - ((bottom - top) * (lift(value) - lift(low))) / (lift(high) - lift(low) || 1),
  };
  const { pen } = sheet;
  if (heat) drawHeat(sheet, heat, reachedBy(lines));
  const ys = logarithmic ? logSteps(low, high) : steps(low, high, 5);
  const xs = steps(1, Math.max(last, 2), Math.min(6, (right - left) / 70));
  drawAxes(sheet, { xs, ys, name: "epoch", inPercent: data.percent });
  pen.save();
  pen.beginPath();
  pen.rect(left, top - 4, right - left + 4, bottom - top + 8);
  pen.clip();
  for (const line of [...lines].sort((a, b) => Number(a.strong) - Number(b.strong))) drawLine(sheet, line, heat !== null);
  if (data.cursor !== null) drawCursor(sheet, data.cursor);
  pen.restore();
  return at ? read(sheet, data, at) : null;
}

/**
 * A line at the epoch that is looked at; what comes after it is pale.
 * @param {Sheet} sheet
 * @param {number} epoch
 */
function drawCursor({ pen, ink, paper, x, area: { right, top, bottom } }, epoch) {
  pen.globalAlpha = 0.62;
  pen.fillStyle = paper;
  pen.fillRect(x(epoch), top - 4, right - x(epoch) + 4, bottom - top + 3);
  pen.globalAlpha = 1;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.4;
  rule(pen, [x(epoch), top], [x(epoch), bottom]);
}

/**
 * The last epoch of the runs that are shown in full.
 * @param {Line[]} lines
 */
function reachedBy(lines) {
  return Math.max(1, ...lines.filter((line) => line.strong).map((line) => line.x.at(-1) ?? 1));
}

/**
 * @param {Sheet} sheet
 * @param {Heat} heat
 * @param {number} reached
 */
function drawHeat({ pen, area, x, y }, heat, reached) {
  const { levels, epochs } = heat;
  const ends = [...epochs.slice(1), reached];
  const half = Math.sqrt(levels[1] / levels[0]);
  const span = heatSpan(heat);
  heat.values.forEach((column, i) => {
    const from = x(i ? epochs[i] : 1);
    const to = Math.min(area.right, Math.max(x(ends[i]), from + 2));
    const most = best(column);
    column.forEach((value, j) => {
      if (value === null) return;
      const upper = y(Math.min(levels[j] * half, levels[levels.length - 1]));
      const lower = y(Math.max(levels[j] / half, levels[0]));
      pen.fillStyle = heatColour(Math.max(0, 1 - (most - value) / span));
      pen.fillRect(from, upper, to - from + 0.5, lower - upper + 0.5);
    });
  });
}

/**
 * @param {Sheet} sheet
 * @param {Line} line
 * @param {boolean} onColour
 */
function drawLine({ pen, ink, paper, x, y }, line, onColour) {
  const points = line.x.flatMap((epoch, i) => { const value = line.y[i]; return value === null ? [] : [[x(epoch), y(value)]]; });
  pen.beginPath();
  for (const [across, down] of points) pen.lineTo(across, down);
  pen.lineJoin = "round";
  if (!line.colour && onColour) { // ink on a coloured ground needs a rim
    pen.strokeStyle = paper;
    pen.lineWidth = 6;
    pen.stroke();
  }
  pen.setLineDash(line.dash);
  pen.strokeStyle = pen.fillStyle = line.colour || ink;
  pen.lineWidth = line.strong ? 2.4 : 1.2;
  pen.globalAlpha = line.strong ? 1 : 0.75;
  pen.stroke();
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  if (!line.strong || !points.length || line.y.at(-1) === null) return;
  const [across, down] = points[points.length - 1];
  pen.beginPath();
  pen.arc(across, down, 3.2, 0, 2 * Math.PI);
  pen.fill();
}

/**
 * @param {Sheet} sheet
 * @param {LinesPanel} data
 * @param {Point} at
 * @returns {Reading | null}
 */
function read(sheet, { last, lines, heat, percent: inPercent }, at) {
  const { pen, ink, x, area: { left, right, top, bottom } } = sheet;
  const epoch = Math.round(1 + ((at[0] - left) / (right - left)) * Math.max(last - 1, 1));
  const rows = lines.flatMap((line) => {
    if (!line.x.length || epoch < line.x[0] || epoch > line.x[line.x.length - 1]) return [];
    const value = line.y[nearest(line.x, (one) => one - epoch)];
    return value === null ? [] : [{ colour: line.colour || ink, name: line.name, value: inPercent ? percent(value) : short(value) }];
  }).slice(0, MOST_ROWS);
  if (heat) rows.push(...heatRow(sheet, heat, epoch, at[1], reachedBy(lines)));
  if (!rows.length) return null;
  pen.strokeStyle = ink;
  rule(pen, [x(epoch), top], [x(epoch), bottom], 0.5);
  return { title: `epoch ${counted(epoch)}`, rows };
}

/**
 * The place of the number that is least far away.
 * @param {number[]} numbers
 * @param {(one: number) => number} away
 */
function nearest(numbers, away) {
  return numbers.reduce((found, one, i) => (Math.abs(away(one)) < Math.abs(away(numbers[found])) ? i : found), 0);
}

/**
 * @param {Sheet} sheet
 * @param {Heat} heat
 * @param {number} epoch
 * @param {number} height the place pointed at
 * @param {number} reached
 * @returns {Row[]}
 */
function heatRow({ y }, heat, epoch, height, reached) {
  const column = heat.epochs.reduce((found, one, i) => (one <= epoch ? i : found), -1);
  if (column < 0 || epoch > reached) return [];
  const level = nearest(heat.levels, (one) => y(one) - height);
  const value = heat.values[column][level];
  return value === null ? [] : [{ colour: `rgb(${HEAT})`, name: `with t fixed at ${short(heat.levels[level])}`, value: percent(value) }];
}
