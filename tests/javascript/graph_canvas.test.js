// The pictures of large graphs, which take several frames, while the hand moves the view.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Crowd } from "../../gdr_core/canvases/graph_canvas/crowd.js";
import { EdgeLayer } from "../../gdr_core/canvases/graph_canvas/edges.js";
import { openPage } from "./browser.js";

const BEGUN = { k: 40, x: 50, y: 50 };
const MOVED = { k: 200, x: 10, y: 90 };
const FRAMES = 400; // more than any of these pictures takes

/** A graph of many nodes and edges on a small stage. */
function sceneOf(nodes, edges) {
  const geometry = {
    id: `${nodes} ${edges}`, nodes, edges,
    positions: Float32Array.from({ length: 2 * nodes }, (_, i) => Math.sin(i)),
    ends: Uint32Array.from({ length: 2 * edges }, (_, i) => (7 * i) % nodes),
  };
  const looks = { order: Uint32Array.from({ length: nodes }, (_, i) => i), colours: new Uint8Array(nodes), marks: null };
  const camera = { width: 100, height: 100, view: { ...BEGUN } };
  return { geometry, looks, camera, hiddenNode: null, theme: { ink: "#000000" }, ratio: 1 };
}

/** A clock by which every look takes a millisecond, so that pictures take several frames. */
function slowly(t) {
  openPage();
  let now = 0;
  t.mock.method(performance, "now", () => ++now);
}

/** How many frames are drawn until no other is asked for. */
function settle(draw) {
  let frames = 1;
  while (draw()) assert.ok(++frames < FRAMES, "frames without end");
  return frames;
}

/** A layer of edges, and whether a frame of it asks for another. */
function edgesOf(scene) {
  const again = mock.fn();
  const layer = new EdgeLayer(again);
  const draw = (still) => {
    const before = again.mock.callCount();
    layer.draw(scene, still);
    return again.mock.callCount() > before;
  };
  return { draw, seen: () => layer.shown };
}

/** The same of a crowd of nodes. */
function crowdOf(scene) {
  const canvas = { style: {}, getContext: () => ({ putImageData() {} }) };
  const speck = { half: 0, count: 0, dx: [], dy: [], rgba: [], offsets: [], width: 0 };
  const crowd = new Crowd({ canvas, sprite: () => speck });
  return { draw: (still) => crowd.draw(scene, still), seen: () => crowd.seen?.shown, hidden: () => crowd.seen?.hidden };
}

for (const [name, picture] of [["edges", edgesOf], ["nodes", crowdOf]]) {
  test(`a picture of ${name} that was begun while the hand moved is followed by one of where it rests`, (t) => {
    slowly(t);
    const scene = sceneOf(60_000, 20_000);
    const { draw, seen } = picture(scene);
    settle(() => draw(true));
    scene.camera.view = { ...BEGUN, k: 90 };
    assert.ok(draw(false), "one frame does not draw all of it");
    scene.camera.view = { ...MOVED };
    settle(() => draw(true));
    const { k, x, y } = seen();
    assert.deepEqual({ k, x, y }, MOVED);
  });

  test(`where nothing moves, no frame is asked for when the picture of ${name} is there`, (t) => {
    slowly(t);
    const scene = sceneOf(60_000, 20_001);
    const { draw, seen } = picture(scene);
    for (const still of [true, false]) {
      settle(() => draw(still));
      const { k, x, y } = seen();
      assert.deepEqual({ k, x, y }, BEGUN);
      assert.equal(settle(() => draw(still)), 1);
    }
  });
}

test("nodes that are hidden while a picture is made are in no picture", (t) => {
  slowly(t);
  const scene = sceneOf(60_000, 0);
  const { draw, hidden } = crowdOf(scene);
  settle(() => draw(true));
  scene.camera.view = { ...MOVED };
  assert.ok(draw(false), "one frame does not draw all of it");
  scene.hiddenNode = new Uint8Array(60_000).fill(1);
  settle(() => draw(true));
  assert.equal(hidden(), scene.hiddenNode);
});
