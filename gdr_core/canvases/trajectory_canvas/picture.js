// The curves as one picture with their names, as it is seen or as a drawing, and a film of the line.

import { inWords } from "../library/numbers.js";
import { legendHeight, paintLegend } from "../library/saving/legend.js";
import { lettersOf } from "../library/theme.js";
import { drawAxes } from "./axes.js";
import { drawLines } from "./lines.js";
import { drawCursor, drawHandle, drawPeaks } from "./marks.js";
import { plotOf } from "./plot.js";

/** @import { Pen } from "../library/canvas.js" */
/** @import { Entry } from "../library/saving/legend.js" */
/** @import { Picture } from "../library/saving/pictures.js" */
/** @import { Plot } from "./plot.js" */
/** @import { Chart } from "./trajectory.js" */

const SECONDS = 8; // of a film

/**
 * @param {Chart} chart
 * @returns {Picture | null}
 */
export function pictureOf(chart) {
  const { index, cursor } = chart;
  if (!chart.plot) return null;
  const { data, theme, width, height, ratio } = chart.plot;
  const plot = plotOf(data, theme, width, height, ratio); // names stand in the legend: no room at the right
  /** @type {(pen: Pen, at: number, follows: number) => void} */
  const paint = (pen, at, follows) => {
    paintChart(pen, chart, plot, at, follows);
    paintLegend(pen, entriesOf(chart, plot, at), theme, width, height);
  };
  return {
    name: "curves",
    title: `${data.quantity} over time, ${data.names[0] ?? ""}`,
    width,
    height: height + legendHeight(entriesOf(chart, plot, index), theme, width),
    theme,
    paint: (pen) => paint(pen, index, cursor),
    film: { name: `Film of ${data.handle}`, frames: data.moves, seconds: SECONDS, room: 20, paint: (pen, frame) => paint(pen, frame, -1) },
  };
}

/**
 * Both canvases of the chart, one over the other.
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Plot} plot
 * @param {number} index
 * @param {number} cursor
 */
function paintChart(pen, chart, plot, index, cursor) {
  const shown = chart.shown();
  pen.font = lettersOf(12, plot.theme);
  pen.lineJoin = "round";
  drawAxes(pen, plot);
  drawLines(pen, plot, shown, plot.data.labels?.[index] ?? -1);
  drawPeaks(pen, plot, shown, index);
  if (cursor >= 0 && cursor !== index) drawCursor(pen, plot, plot.xs[cursor]);
  drawHandle(pen, plot, plot.xs[index]);
}

/**
 * Where the line stands, the label there, and the curves by colour.
 * @param {Chart} chart
 * @param {Plot} plot
 * @param {number} index
 * @returns {Entry[]}
 */
function entriesOf({ hidden }, { data }, index) {
  const { handle, times, labels, legend, groups } = data;
  const label = labels ? ` → ${legend[labels[index]].name}` : "";
  const curves = legend.flatMap(({ name, colour }, code) =>
    groups.includes(code) && !hidden.has(code) ? [{ text: name, draw: (/** @type {Pen} */ pen) => stroke(pen, colour) }] : []);
  return [{ text: `${handle} = ${inWords(times[index])}${label}`, draw: null }, ...curves];
}

/**
 * @param {Pen} pen
 * @param {string} colour
 */
function stroke(pen, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 3;
  pen.beginPath();
  pen.moveTo(-6, 0);
  pen.lineTo(6, 0);
  pen.stroke();
}
