// The keys of the stage, as a list that can be read.

import { element } from "#canvases/library/elements.js";

const KEYS = [
  ["Arrows", "choose the nearest node that way"],
  [". ,", "choose the next node, the one before"],
  ["N", "add a node"],
  ["E, then Enter", "an edge from the chosen node to the one chosen then"],
  ["1 … 6", "drop ink of that class, or take it away"],
  ["T", "mark as training"],
  ["] [", "choose the next edge, the one before"],
  ["+ −", "raise or lower the edge's weight"],
  ["D", "turn the edge: both ways, there, back"],
  ["Shift + arrows", "move the node"],
  ["Delete", "remove what is chosen"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["Space", "play or pause"],
];

export function keysPanel() {
  const rows = KEYS.map(([key, does]) => element("tr", {}, element("th", { scope: "row", textContent: key }), element("td", { textContent: does })));
  return element("div", { className: "keys" }, element("p", { textContent: "With the graph in focus (click it, or reach it with Tab):" }), element("table", {}, element("tbody", {}, ...rows)));
}
