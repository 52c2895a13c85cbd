// What the lab does with a graph: changes, undo, challenges, and code for elsewhere.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Model } from "../../gdr_app/components/diffusion_figure/model.js";
import { CHALLENGES } from "../../gdr_app/components/lab/challenges.js";
import { emptySketch, freePlace, withClasses, withEdge, withInk, withNode, withWay, withWeight, withoutEdge, withoutNode } from "../../gdr_app/components/lab/changes.js";
import { Past } from "../../gdr_app/components/lab/desk.js";
import { networkx, understood } from "../../gdr_app/components/lab/sharing.js";
import { check } from "../../gdr_app/components/sketch/checks.js";
import { decode, encode } from "../../gdr_app/components/sketch/coding.js";
import { parse } from "../../gdr_app/components/sketch/text.js";

/** A small generator of numbers between 0 and 1, the same ones every time. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

test("any sequence of changes gives a sketch, leaves the old one alone, and can be undone", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const draw = generator(seed);
    const pick = (count) => Math.floor(draw() * count);
    const past = new Past();
    let sketch = emptySketch();
    for (let step = 0; step < 60; step++) {
      const [nodes, edges] = [sketch.nodes.length, sketch.edges.length];
      const before = JSON.stringify(sketch);
      const acts = [() => withNode(sketch, freePlace(sketch)), () => withNode(sketch, { x: pick(1001), y: pick(1001) })];
      if (nodes) acts.push(() => withEdge(sketch, pick(nodes), pick(nodes), draw() < 0.3), () => withInk(sketch, pick(nodes), pick(3)), () => withoutNode(sketch, pick(nodes)));
      if (edges) acts.push(() => withWeight(sketch, pick(edges), 10 ** (8 * draw() - 4)), () => withWay(sketch, pick(edges), ["both", "along", "against"][pick(3)]), () => withoutEdge(sketch, pick(edges)));
      acts.push(() => withClasses(sketch, 1 + pick(3)));
      const next = acts[pick(acts.length)]();
      assert.equal(JSON.stringify(sketch), before);
      assert.equal(check(next), "");
      assert.deepEqual(decode(encode(next)), next);
      if (next !== sketch) past.keep(sketch);
      sketch = next;
    }
    const last = JSON.stringify(sketch);
    const undone = past.before.length;
    for (let i = 0; i < undone; i++) sketch = past.undo(sketch);
    assert.deepEqual(sketch, emptySketch());
    for (let i = 0; i < undone; i++) sketch = past.redo(sketch);
    assert.equal(JSON.stringify(sketch), last);
  }
});

/** What the judge of a challenge says about a change of its start. */
function judged(number, change) {
  const { start, judge } = CHALLENGES[number];
  const sketch = parse(start);
  return judge(new Model(change(sketch)), sketch);
}

const between = (sketch, one, other) => sketch.edges.findIndex(({ from, to }) => [from, to].map((end) => sketch.nodes[end].name).sort().join() === [one, other].sort().join());
const node = (sketch, name) => sketch.nodes.findIndex((one) => one.name === name);

test("no challenge is solved before it begins, and each can be solved", () => {
  CHALLENGES.forEach((_, number) => assert.equal(judged(number, (sketch) => sketch).done, false));
  const solutions = [
    (sketch) => withWeight(sketch, between(sketch, "4", "5"), 0.05),
    null,
    (sketch) => withWeight(withEdge(sketch, node(sketch, "d"), node(sketch, "h")), sketch.edges.length, 5),
    (sketch) => ["3", "4", "5"].reduce((now, name) => withEdge(now, 0, node(now, name)), [["2", "4"], ["2", "5"]].reduce((now, [one, other]) => withEdge(now, node(now, one), node(now, other)), sketch)),
  ];
  solutions.forEach((solve, number) => { if (solve) assert.ok(judged(number, solve).done, `${number}: ${judged(number, solve).say}`); });
  const start = parse(CHALLENGES[1].start);
  const pairs = start.nodes.flatMap((_, i) => start.nodes.slice(0, i).map((__, j) => [i, j]));
  const single = [...pairs.map(([i, j]) => withEdge(start, i, j)), ...start.edges.map((_, i) => withoutEdge(start, i))].filter((sketch) => sketch !== start);
  const right = single.filter((sketch) => CHALLENGES[1].judge(new Model(sketch), start).done);
  assert.ok(right.length >= 1 && right.length <= single.length / 3, `${right.length} of ${single.length} single edges do it`);
});

test("answers that break a rule of a challenge do not count", () => {
  assert.equal(judged(0, (sketch) => withInk(sketch, 3, 0)).done, false);
  assert.match(judged(0, (sketch) => withInk(sketch, 3, 0)).say, /ink must stay/);
  assert.match(judged(1, (sketch) => withoutEdge(withoutEdge(sketch, 0), 0)).say, /only one may/);
  assert.match(judged(3, (sketch) => withoutEdge(sketch, 0)).say, /one part/);
});

test("a text is taken only if it is one connected graph", () => {
  assert.equal(understood("a - b\nb - c").fault, "");
  for (const [text, words] of [["a", "two nodes"], ["", "none"], ["a\nb", "no edge"], ["a - b; c - d", "2 parts"], ["a - b -1", "Line 1"]]) {
    const { fault, sketch } = understood(text);
    assert.ok(fault.includes(words), fault);
    assert.equal(sketch, null);
  }
});

test("NetworkX code names every node and every way", () => {
  const code = networkx(parse("a - b 2\nb > c\na: 1 0 train"));
  assert.match(code, /nx\.DiGraph\(\)/);
  for (const part of ['("a", "b", 2)', '("b", "a", 2)', '("b", "c", 1)', "train=True", "beliefs=[1, 0]"]) assert.ok(code.includes(part), part);
  assert.ok(!code.includes('("c", "b"'));
});
