// Geometry against plain loops over all nodes and edges.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera, fittingView } from "../../gdr_core/canvases/graph_canvas/camera.js";
import { boxOf, edgesByNode, nearestNode, unpackGeometry } from "../../gdr_core/canvases/graph_canvas/geometry.js";

/** Random numbers that are the same in every run. */
function* random(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

function draw(seed, count) {
  const source = random(seed);
  return Array.from({ length: count }, () => source.next().value);
}

/** Bytes as Python packs them, written once more from their description. */
function packed(positions, ends, names, wide) {
  const text = JSON.stringify({ id: "g", nodes: names.length, edges: ends.length / 2, wide, directed: false });
  const head = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4));
  const links = new Uint8Array((wide ? Uint32Array : Uint16Array).from(ends).buffer);
  const gap = new Uint8Array((4 - (links.length % 4)) % 4);
  const tail = new TextEncoder().encode(JSON.stringify(names));
  const parts = [new Uint8Array(Uint32Array.of(head.length).buffer), head, new Uint8Array(Float32Array.from(positions).buffer), links, gap, tail];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

for (const wide of [false, true]) {
  test(`what was packed is unpacked, ends in ${wide ? 4 : 2} bytes, at any offset`, () => {
    const names = ["a", "β", "c, \"d\""];
    const ends = [0, 1, 1, 2, 2, 0];
    const bytes = packed([0, 1, 2, 3, -4, 5.5], ends, names, wide);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const geometry = unpackGeometry(shifted.subarray(3));
    assert.deepEqual([...geometry.positions], [0, 1, 2, 3, -4, 5.5]);
    assert.deepEqual([...geometry.ends], ends);
    assert.deepEqual(geometry.names, names);
    assert.deepEqual(geometry.box, { left: -4, right: 2, low: 1, high: 5.5 });
  });
}

test("the edges of each node are those that name it", () => {
  const nodes = 30;
  const ends = Uint16Array.from(draw(1, 160), (value) => Math.floor(value * nodes));
  const { start, edgeOf } = edgesByNode(nodes, ends);
  for (let node = 0; node < nodes; node++) {
    const expected = [...ends.keys()].filter((at) => ends[at] === node).map((at) => at >> 1);
    assert.deepEqual([...edgeOf.subarray(start[node], start[node + 1])], expected);
  }
});

for (const [name, stretch] of [["a square", 1], ["a strip", 1e-4], ["one line", 0]]) {
  test(`the nearest node is found on ${name}, hidden ones passed over`, () => {
    const nodes = 400;
    const positions = Float32Array.from(draw(2, 2 * nodes), (value, i) => (i % 2 ? value * stretch : value));
    const ends = new Uint16Array(0);
    const geometry = { id: "g", nodes, edges: 0, directed: false, names: [], positions, ends, box: boxOf(positions), ...edgesByNode(nodes, ends), grid: null };
    const hidden = Uint8Array.from({ length: nodes }, (_, i) => Number(i % 3 === 0));
    const places = draw(3, 400);
    for (let i = 0; i < places.length; i += 2) {
      const [x, y] = [places[i] * 1.4 - 0.2, (places[i + 1] * 1.4 - 0.2) * stretch];
      for (const mask of [null, hidden]) {
        const away = (node) => Math.hypot(positions[2 * node] - x, positions[2 * node + 1] - y);
        const seen = [...Array(nodes).keys()].filter((node) => !mask?.[node] && away(node) <= 0.08);
        const found = nearestNode(geometry, x, y, 0.08, mask);
        assert.equal(found < 0 ? Infinity : away(found), Math.min(Infinity, ...seen.map(away)));
      }
    }
  });
}

test("another graph is seen whole at once, and nobody has moved it", () => {
  let moves = 0;
  const camera = new Camera(() => { moves += 1; });
  const box = { left: -3, right: 5, low: 2, high: 4 };
  camera.resize({ box }, 600, 400, false); // the first size may come after the graph
  assert.deepEqual(camera.view, fittingView(box, 600, 400));
  camera.zoomBy(3, 111, 222);
  const other = { left: 0, right: 1, low: 0, high: 9 };
  camera.resize({ box: other }, 600, 400, true);
  assert.deepEqual(camera.view, fittingView(other, 600, 400));
  assert.equal(moves, 1);
});

test("a fitting view shows the whole box, and zooming keeps the place under the pointer", () => {
  const box = { left: -3, right: 5, low: 2, high: 4 };
  const view = fittingView(box, 600, 400);
  for (const [u, v] of [[box.left, box.low], [box.right, box.high]]) {
    const [x, y] = [view.k * u + view.x, view.y - view.k * v];
    assert.ok(x >= 0 && x <= 600 && y >= 0 && y <= 400);
  }
  const camera = new Camera(() => {});
  camera.resize({ box }, 600, 400, true);
  camera.fit();
  const before = camera.plane(111, 222);
  camera.zoomBy(3, 111, 222);
  const after = camera.plane(111, 222);
  assert.ok(Math.abs(after.x - before.x) < 1e-9 && Math.abs(after.y - before.y) < 1e-9);
  assert.equal(camera.view.k, 3 * view.k);
  camera.zoomBy(1e9);
  assert.equal(camera.view.k, 80 * view.k);
});
