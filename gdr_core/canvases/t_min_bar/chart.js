// Accuracy along t_min, drawn from side to side, and the line at t_min over it.

import { rule, write } from "../library/canvas.js";
import { clamped, niceStep } from "../library/numbers.js";
import { lettersOf } from "../library/theme.js";

/** @import { Pen } from "../library/canvas.js" */
/** @import { Entry } from "../library/saving/legend.js" */
/** @import { Theme } from "../library/theme.js" */
/** @import { Sweep } from "./sweeps.js" */

/** @typedef {{ sweep: Sweep, theme: Theme, width: number, height: number, low: number, high: number }} Plot */

const SIDE = 12; // pixels left and right of the grid: the knob has room there
const TOP = 15; // the highest number stands above all curves
const BOTTOM = 20;

/**
 * Round accuracies that hold all curves between them.
 * @param {Sweep} sweep
 * @returns {[number, number]}
 */
export function bounds({ lines }) {
  const seen = lines.flatMap(({ values, prior }) => [...values, prior ?? NaN]).filter(Number.isFinite);
  if (!seen.length) return [0, 1];
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const step = niceStep(Math.max(high - low, 0.02), 3);
  const floor = Math.floor(low / step + 1e-9) * step;
  const ceiling = Math.min(1, Math.ceil(high / step - 1e-9) * step);
  return [floor, ceiling > floor ? ceiling : floor + step];
}

/**
 * @param {Plot} plot
 * @param {number} index
 */
export function xAt({ sweep, width }, index) {
  return SIDE + ((width - 2 * SIDE) * index) / (sweep.times - 1);
}

/**
 * @param {Plot} plot
 * @param {number} value
 */
export function yAt({ low, high, height }, value) {
  return height - BOTTOM - ((height - BOTTOM - TOP) * (value - low)) / (high - low);
}

/**
 * The place of the grid nearest to a point.
 * @param {{ sweep: { times: number }, width: number }} plot
 * @param {number} x
 */
export function indexAt({ sweep, width }, x) {
  const last = sweep.times - 1;
  return clamped(Math.round((last * (x - SIDE)) / (width - 2 * SIDE)), 0, last);
}

/**
 * What stays while t_min moves.
 * @param {Pen} pen
 * @param {Plot} plot
 */
export function drawCurves(pen, plot) {
  const { sweep, theme, width, height, low, high } = plot;
  pen.font = lettersOf(11, theme);
  pen.strokeStyle = pen.fillStyle = theme.ink;
  pen.lineWidth = 1;
  pen.textBaseline = "bottom";
  pen.textAlign = "center";
  rule(pen, [SIDE, height - BOTTOM], [width - SIDE, height - BOTTOM], 0.35);
  for (const [place, name] of sweep.ticks) {
    const x = xAt(plot, place);
    rule(pen, [x, height - BOTTOM], [x, height - BOTTOM + 4], 0.6);
    pen.fillText(name, clamped(x, 20, width - 20), height - 1);
  }
  for (const line of sweep.lines) drawLine(pen, plot, line);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const value of [low, high]) write(pen, `${Math.round(100 * value)}%`, SIDE + 2, yAt(plot, value) - 8, theme);
  drawChosen(pen, plot);
}

/**
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {Sweep["lines"][number]} line
 */
function drawLine(pen, plot, { values, prior, colour }) {
  if (!Number.isFinite(values[0])) return;
  pen.strokeStyle = colour;
  pen.lineJoin = "round";
  if (prior !== null) {
    pen.lineWidth = 1.5;
    pen.setLineDash([2, 3]);
    rule(pen, [SIDE, yAt(plot, prior)], [plot.width - SIDE, yAt(plot, prior)]);
    pen.setLineDash([]);
  }
  pen.lineWidth = 2.5;
  pen.beginPath();
  values.forEach((value, i) => pen.lineTo(xAt(plot, i), yAt(plot, value)));
  pen.stroke();
}

/**
 * A diamond at the t_min that GDR chose.
 * @param {Pen} pen
 * @param {Plot} plot
 */
function drawChosen(pen, plot) {
  const { sweep, theme } = plot;
  const line = sweep.lines[0];
  if (!line || !Number.isFinite(line.values[sweep.chosen])) return;
  const [x, y] = [xAt(plot, sweep.chosen), yAt(plot, line.values[sweep.chosen])];
  pen.beginPath();
  pen.moveTo(x, y - 7);
  for (const [dx, dy] of [[7, 0], [0, 7], [-7, 0]]) pen.lineTo(x + dx, y + dy);
  pen.closePath();
  pen.fillStyle = line.colour;
  pen.strokeStyle = theme.paper;
  pen.lineWidth = 1.5;
  pen.fill();
  pen.stroke();
}

/**
 * What moves: the line at t_min, its knob, and where it meets the curves.
 * @param {Pen} pen
 * @param {Plot} plot
 * @param {number} index
 */
export function drawPlace(pen, plot, index) {
  const { sweep, theme, height } = plot;
  const x = xAt(plot, index);
  pen.strokeStyle = pen.fillStyle = theme.accent;
  pen.lineWidth = 2;
  rule(pen, [x, 0], [x, height - BOTTOM]);
  pen.strokeStyle = theme.paper;
  for (const { values, colour } of sweep.lines) {
    if (!Number.isFinite(values[index]) || (values === sweep.lines[0].values && index === sweep.chosen)) continue; // a diamond
    pen.beginPath();
    pen.arc(x, yAt(plot, values[index]), 4.5, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
    pen.stroke();
  }
  pen.beginPath();
  pen.arc(x, height - BOTTOM, 8, 0, 2 * Math.PI);
  pen.fillStyle = theme.accent;
  pen.fill();
  pen.stroke();
}

/**
 * What a picture of the curves says below them.
 * @param {Sweep} sweep
 * @param {number} index
 * @returns {Entry[]}
 */
export function legendOf({ names, lines }, index) {
  /** @type {(colour: string) => Entry["draw"]} */
  const stroke = (colour) => (pen) => {
    pen.strokeStyle = colour;
    pen.lineWidth = 3;
    rule(pen, [-6, 0], [6, 0]);
  };
  const shown = lines.filter(({ values }) => Number.isFinite(values[0]));
  const curves = shown.map(({ name, colour }) => ({ text: `${name} accuracy; dotted: of the prior`, draw: stroke(colour) }));
  return [{ text: `t_min ${names[index]} relaxation times`, draw: null }, ...curves];
}
