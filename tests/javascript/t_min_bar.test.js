// Labels along t_min, and what a graph makes of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Looks } from "../../gdr_core/canvases/graph_canvas/looks.js";
import { bounds, indexAt, xAt } from "../../gdr_core/canvases/t_min_bar/chart.js";
import { nextMark } from "../../gdr_core/canvases/t_min_bar/play.js";
import { labelsAt, outcomesAt, rows, turned } from "../../gdr_core/canvases/t_min_bar/labels.js";
import { messageAt } from "../../gdr_core/canvases/t_min_bar/sweeps.js";

const SWEEP = {
  id: "s", times: 3, nodes: 5, names: ["0", "0.1", "1"], ticks: [[1, "0.1"]], chosen: 1,
  classes: ["a", "b"], truths: ["a", "b", "unknown", "hidden"],
  lines: [{ name: "validation", colour: "#000", prior: 0.42, values: Float32Array.of(0.5, 0.6, 0.55) }], counts: [],
  labels: rows(Uint8Array.of(0, 0, 1, 1, 0), Uint32Array.of(2, 1), Uint32Array.of(0, 3, 4), Uint8Array.of(1, 0, 1)),
  prior: Uint8Array.of(0, 0, 0, 1, 0),
  truth: Uint8Array.of(1, 0, 1, 1, 3),
};

test("labels at each t_min are the first ones with all changes so far", () => {
  assert.deepEqual([...labelsAt(SWEEP, 0)], [0, 0, 1, 1, 0]);
  assert.deepEqual([...labelsAt(SWEEP, 1)], [1, 0, 1, 0, 0]);
  assert.deepEqual([...labelsAt(SWEEP, 2)], [1, 0, 1, 0, 1]);
});

test("labels that stand node by node are turned to stand t_min by t_min", () => {
  assert.deepEqual([...turned(Uint8Array.of(1, 2, 3, 4, 5, 6), 3)], [1, 4, 2, 5, 3, 6]);
  assert.equal(turned(new Uint8Array(0), 0).length, 0);
});

test("outcomes: kept, fixed, broken, still wrong, not judged", () => {
  assert.deepEqual([...outcomesAt(SWEEP, 0)], [0, 0, 1, 0, 0]);
  assert.deepEqual([...outcomesAt(SWEEP, 2)], [1, 0, 1, 2, 4]);
  const three = { ...SWEEP, classes: ["a", "b", "c"], truth: Uint8Array.of(2, 0, 2, 2, 4) };
  assert.deepEqual([...outcomesAt(three, 2)], [3, 0, 3, 3, 4]);
});

test("a graph is coloured by outcome or by class, marked by outcome, and higher marks lie on top", () => {
  const message = {
    geometry: "g", colours: "", classes: ["a", "b"], palette: ["#111111", "#222222"], unknownColour: "#333333",
    details: [], marks: null, markStyles: Array.from({ length: 5 }, () => ({ shape: "circle", size: 1, opacity: 1 })),
    selected: null, clickable: true, label: "", height: 1, sweep: "s", index: 0,
  };
  assert.deepEqual([...new Looks(messageAt(SWEEP, message, 2)).colours], [1, 0, 1, 2, 4]);
  const looks = new Looks(messageAt(SWEEP, { ...message, byClass: true }, 2));
  assert.deepEqual([...looks.colours], [1, 0, 1, 0, 1]);
  assert.deepEqual([...looks.order], [1, 0, 2, 3, 4]);
  const geometry = { names: ["n0", "n1", "n2", "n3", "n4"], start: Uint32Array.of(0, 0, 0, 0, 0, 0), directed: false };
  assert.deepEqual(looks.lines(geometry, 3).slice(1, 5), ["class: a", "true class: b", "prior: b", "GDR: a"]);
  assert.ok(looks.lines(geometry, 4).includes("true class: hidden"));
});

test("the axis holds all accuracies, and a point on the bar is the nearest t_min", () => {
  const [low, high] = bounds(SWEEP);
  assert.ok(low <= 0.42 && high >= 0.6);
  assert.deepEqual(bounds({ lines: [] }), [0, 1]);
  const flat = bounds({ lines: [{ values: Float32Array.of(1, 1), prior: 1 }] });
  assert.ok(flat[0] < flat[1] && flat[0] <= 1 && flat[1] >= 1);
  const plot = { sweep: SWEEP, width: 400 };
  for (const index of [0, 1, 2]) assert.equal(indexAt(plot, xAt(plot, index) + 9), index);
  assert.equal(indexAt(plot, -50), 0);
  assert.equal(indexAt(plot, 5000), 2);
});

test("who wants less motion goes from mark to mark and then back to the start", () => {
  assert.deepEqual([0, 1, 2].map((index) => nextMark(index, SWEEP)), [1, 2, 0]);
});
