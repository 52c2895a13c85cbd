// What the tooltip says about a place on the chart.

import { element } from "../library/elements.js";
import { swatch } from "../library/legend.js";
import { inWords } from "../library/numbers.js";
import { MARGIN, indexAt } from "./plot.js";

/** @import { Curve } from "./curves.js" */
/** @import { Hover } from "./marks.js" */
/** @import { Plot } from "./plot.js" */

const REACH = 12; // pixels within which a pale curve is pointed at

/**
 * Nothing where there is no curve to read.
 * @param {Plot} plot
 * @param {Curve[]} shown
 * @param {number} x
 * @param {number} y
 * @returns {{ hover: Hover, title: string, rows: HTMLElement[] } | null}
 */
export function readAt({ data, xs, yAt }, shown, x, y) {
  const at = indexAt(xs, x);
  /** @param {Curve} curve */
  const away = (curve) => Math.abs(yAt(curve.line[at]) - y);
  const main = shown.filter((curve) => curve.main);
  const read = data.single ? main.sort((a, b) => away(a) - away(b)).slice(0, 1) : main.sort((a, b) => b.line[at] - a.line[at]);
  if (!read.length || x < MARGIN.left - 10) return null;
  const pale = paleAt(shown, away);
  const rows = data.single ? nodeRows(data, read[0], at) : read.map((curve) => classRow(data, curve, at));
  return {
    hover: { points: read.map((curve) => ({ curve, at })), pale },
    title: `t·λ₂ = ${inWords(data.times[at])}`,
    rows: [...rows, ...paleRows(data, pale, at)],
  };
}

/**
 * The pale curve that is pointed at, if any, then those that lie on top of it.
 * @param {Curve[]} shown
 * @param {(curve: Curve) => number} away
 */
function paleAt(shown, away) {
  const near = shown.filter((curve) => !curve.main && away(curve) <= REACH).sort((a, b) => away(a) - away(b));
  return near.filter((curve) => away(curve) - away(near[0]) < 1);
}

/**
 * @param {Plot["data"]} data
 * @param {Curve[]} pale
 * @param {number} at
 */
function paleRows(data, pale, at) {
  if (!pale.length) return [];
  const others = new Set(pale.map((curve) => curve.owner)).size - 1;
  const more = others ? ` and ${others} more` : "";
  return [element("strong", { className: "pale", textContent: `Pale: ${data.names[pale[0].owner]}${more}` }), classRow(data, pale[0], at)];
}

/**
 * @param {Plot["data"]} data
 * @param {Curve} curve
 * @param {number} at
 */
function classRow(data, curve, at) {
  const { name, colour } = data.legend[curve.group];
  const above = curve.line[at] - curve.level;
  const text = `${curve.line[at].toFixed(3)} (${above < 0 ? "−" : "+"}${Math.abs(above).toFixed(3)})`;
  return element("span", { className: "row" }, swatch(colour), name, element("span", { className: "value", textContent: text }));
}

/**
 * @param {Plot["data"]} data
 * @param {Curve} curve
 * @param {number} at
 */
function nodeRows(data, curve, at) {
  const { name, colour } = data.legend[curve.group];
  return [
    element("span", { className: "row" }, swatch(colour), `${data.names[curve.owner]}: ${name}`),
    element("span", { className: "row", textContent: `${inWords(curve.line[at])} times its stationary value` }),
  ];
}
