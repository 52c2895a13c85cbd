// Pixels and scales against plain arithmetic.

import assert from "node:assert/strict";
import { test } from "node:test";

import { EdgeDensity } from "../../gdr_core/canvases/graph_canvas/density.js";
import { blend } from "../../gdr_core/canvases/graph_canvas/sprites.js";
import { logSteps, steps } from "../../gdr_app/components/training_canvas/axes.js";
import { heatSpan, rangeOf } from "../../gdr_app/components/training_canvas/lines.js";
import { roomFor, spread } from "../../gdr_core/canvases/trajectory_canvas/names.js";
import { MARGIN, indexAt, timeScale, valueScale } from "../../gdr_core/canvases/trajectory_canvas/plot.js";
import { arrange, distanceTo } from "../../gdr_app/components/walk_canvas/arrangement.js";

const rgba = (r, g, b, a) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;
const parts = (colour) => [0, 8, 16, 24].map((by) => (colour >>> by) & 255);

test("a colour over another is the mean that their opacities say", () => {
  for (const [under, over] of [[[10, 200, 30, 255], [250, 0, 90, 128]], [[40, 40, 40, 100], [250, 250, 10, 60]], [[0, 0, 0, 0], [9, 8, 7, 6]]]) {
    const [a, b] = [over[3] / 255, under[3] / 255];
    const whole = a + b * (1 - a);
    const expected = [0, 1, 2].map((i) => (over[i] * a + under[i] * b * (1 - a)) / whole);
    const found = parts(blend(rgba(...under), rgba(...over)));
    expected.forEach((value, i) => assert.ok(Math.abs(found[i] - value) <= 2, `${found} for ${expected}`));
    assert.ok(Math.abs(found[3] - 255 * whole) <= 1);
  }
});

test("an edge counts once for each step along its longer axis, cut at the rim", () => {
  const total = (from, to) => {
    const geometry = { edges: 1, ends: Uint16Array.of(0, 1), positions: Float32Array.of(...from, ...to) };
    const density = new EdgeDensity(geometry, null, { k: 1, x: 0, y: 50 }, 100, 50);
    while (!density.done) density.advance(5);
    return density.count.reduce((sum, value) => sum + value, 0);
  };
  assert.ok(Math.abs(total([10, 20], [70, 30]) - 60) < 1e-3);
  assert.ok(Math.abs(total([10, 10], [12, 40]) - 30) < 1e-3);
  assert.ok(Math.abs(total([-100, 20], [300, 20]) - 98) <= 1);
  assert.equal(total([-10, 20], [-5, 30]), 0);
});

test("ticks are round, inside the axis, and evenly or logarithmically spaced", () => {
  for (const [low, high, count] of [[0, 1, 5], [0.137, 0.152, 5], [1, 200, 6], [-3, 7, 4]]) {
    const found = steps(low, high, count);
    assert.ok(found.length >= 2 && found.length <= count + 1);
    assert.ok(found.every((value) => value >= low - 1e-9 && value <= high + 1e-9));
    const size = found[1] - found[0];
    found.slice(1).forEach((value, i) => assert.ok(Math.abs(value - found[i] - size) < 1e-9));
    assert.ok([1, 2, 5].some((digit) => Math.abs(Math.log10(size / digit) - Math.round(Math.log10(size / digit))) < 1e-9));
  }
  assert.deepEqual(logSteps(0.1, 20).map((value) => Number(value.toPrecision(3))), [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]);
});

test("a chart's axis holds all of its values", () => {
  const line = (y) => ({ name: "", colour: "", dash: [], strong: true, x: y.map((_, i) => i + 1), y });
  const panel = { kind: "lines", title: "", alt: "", last: 3, heat: null };
  for (const kind of [{ percent: true, logarithmic: false }, { percent: false, logarithmic: false }, { percent: false, logarithmic: true }]) {
    for (const y of [[0.31, null, 0.77], [0.5, 0.5, 0.5], [1, 1, 1]]) {
      const [low, high] = rangeOf({ ...panel, ...kind, lines: [line(y)] });
      assert.ok(low <= Math.min(...y.filter(Boolean)) && high >= Math.max(...y));
      assert.ok(kind.percent || low < high);
    }
  }
  const heat = { title: "", epochs: [1], levels: [1, 2], values: [[0.8, 0.7]] };
  assert.ok(Math.abs(heatSpan(heat) - 0.1) < 1e-12);
});

test("times stand apart by their logarithms, and the nearest one is found", () => {
  const times = Float32Array.of(0, 0.01, 0.1, 1, 10);
  const xAt = timeScale(times, 700);
  const gaps = [0.01, 0.1, 1].map((time) => xAt(10 * time) - xAt(time));
  gaps.forEach((gap) => assert.ok(Math.abs(gap - gaps[0]) < 1e-3));
  assert.equal(xAt(0), MARGIN.left);
  assert.ok(Math.abs(xAt(times[4]) - 700) < 1e-3);
  const xs = Float32Array.from(times, xAt);
  xs.forEach((x, i) => assert.equal(indexAt(xs, x + 3), i));
});

test("names at the ends of curves keep their order and their distance, as near as they can", () => {
  for (const wanted of [[10, 12, 11], [200, 201, 202, 203], [0, 300], [150]]) {
    const found = spread(wanted, 20, 5, 210);
    const order = [...wanted.keys()].sort((a, b) => wanted[a] - wanted[b]);
    order.slice(1).forEach((at, i) => assert.ok(found[at] - found[order[i]] >= 20 - 1e-9, `${found}`));
    assert.ok(Math.max(...found) <= 210);
  }
  assert.deepEqual(spread([50, 120], 20, 5, 210), [50, 120]);
  const data = { single: false, groups: [0, 1], legend: [{ name: "a" }, { name: "Reinforcement Learning" }] };
  assert.equal(roomFor(data, 400), 0);
  assert.ok(roomFor(data, 900) >= 100);
  assert.equal(roomFor({ ...data, single: true }, 900), 0);
});

test("higher values stand higher, inside the chart, on both scales", () => {
  const curves = [{ line: Float32Array.of(0.2, 0.9, 0.4), level: 0.3, end: 0.4 }];
  for (const logarithmic of [false, true]) {
    const { yAt } = valueScale({ curves, logarithmic }, 400);
    const ys = [0.2, 0.3, 0.4, 0.9].map(yAt);
    ys.slice(1).forEach((y, i) => assert.ok(y < ys[i]));
    assert.ok(ys.every((y) => y >= MARGIN.top && y <= 400 - MARGIN.bottom));
  }
});

test("discs of a walk do not touch, labels stand clear of them", () => {
  const places = [[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 2]];
  const { points, radius, labels } = arrange(places, [[0, 1], [1, 2], [2, 3], [3, 0], [2, 4]]);
  const apart = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
  points.forEach((a, i) => points.slice(0, i).forEach((b) => assert.ok(apart(a, b) > 2 * radius)));
  labels.forEach((label) => points.forEach((point) => assert.ok(apart(label, point) > radius)));
  assert.equal(distanceTo([0, 3], [-1, 0], [1, 0]), 3);
  assert.equal(distanceTo([5, 3], [-1, 0], [1, 0]), 5);
});
