// A neighbourhood as it is drawn with and without vis-network: places, sizes, names.

import assert from "node:assert/strict";
import { test } from "node:test";

import { VectorPen } from "../../gdr_core/canvases/library/saving/vector.js";
import { Drawing } from "../../gdr_app/components/neighbourhood/drawing.js";
import { Network } from "../../gdr_app/components/neighbourhood/network.js";
import { openPage } from "./browser.js";

const theme = { ink: "#000000", paper: "#ffffff", accent: "#0072b2", font: "sans-serif", text: 1 };
const shades = [Array.from({ length: 256 }, (_, i) => `rgb(${i},0,0)`)];

/** A node in the middle and others around it; every node leads after frame 0 as strongly as its number says. */
function toldOf(nodes, { rings = 1, places, frames = 2 } = {}) {
  const around = Array.from({ length: nodes }, (_, id) => (id ? [Math.cos(id), Math.sin(id)] : [0, 0])).flat();
  const scene = {
    nodes, rings, frames, shape: `${nodes}`,
    places: Float32Array.from(places ?? around),
    links: Uint16Array.from(Array.from({ length: nodes - 1 }, (_, i) => [0, i + 1]).flat()),
    names: Array.from({ length: nodes }, (_, id) => `node-${id}`),
    squares: Array.from({ length: nodes }, (_, id) => (id === 1 ? 1 : 0)),
    codes: Uint8Array.from([...Array(nodes).fill(255), ...Array((frames - 1) * nodes).fill(0)]),
    strengths: Uint8Array.from({ length: frames * nodes }, (_, at) => (at < nodes ? 0 : at % nodes)),
  };
  return { scene, theme, colours: { shades, quiet: "#cccccc" } };
}

/** The same as a drawing. */
function drawingOf(nodes, options) {
  return new Drawing(toldOf(nodes, options));
}

/** In the place of vis-network: it paints every node whenever it draws, and tells how it was moved. */
class Vis {
  constructor(place, { nodes }, options) {
    Object.assign(this, { nodes, options, moves: [] });
    this.redraw();
  }

  on() {}
  setOptions() {}
  destroy() {}
  moveTo(move) { this.moves.push(move); }
  getScale() { return 1; }
  redraw() { for (const { id } of this.nodes) this.options.nodes.ctxRenderer({ ctx: null, id }); }
}

/** A neighbourhood on a stage in the hands of it. */
function networkOf(told) {
  openPage();
  globalThis.window = { vis: { Network: Vis } };
  const network = new Network({});
  Object.assign(network.net, { clientWidth: 600, clientHeight: 400 });
  network.arrange(told);
  return network;
}

test("all nodes, with room for their signs, lie in the box", () => {
  for (const drawing of [drawingOf(9), drawingOf(4, { rings: 0, places: [0, 0, 0.5, 0, 0.5, 1, -1, 0.2] })]) {
    const { left, right, top, bottom } = drawing.box(600, 400);
    assert.ok(600 / (right - left) <= 1.6 && 400 / (bottom - top) <= 1.6, "not blown up");
    for (let id = 0; id < drawing.scene.nodes; id++) {
      const { x, y } = drawing.place(id);
      const { radius } = drawing.dotOf(1, id);
      assert.ok(x - radius > left && x + radius < right && y - radius > top && y + radius < bottom);
    }
  }
});

test("upwards in the data is upwards on the screen", () => {
  const drawing = drawingOf(2, { places: [0, 0, 0, 1] });
  assert.ok(drawing.place(1).y < drawing.place(0).y);
});

test("a node grows with the lead of its class, and is quiet where none leads", () => {
  const drawing = drawingOf(30);
  const sizes = Array.from({ length: 29 }, (_, i) => drawing.dotOf(1, i + 1).radius);
  assert.deepEqual(sizes, [...sizes].sort((a, b) => a - b));
  assert.ok(sizes[28] > sizes[0]);
  assert.equal(drawing.dotOf(0, 5).colour, "#cccccc");
  assert.equal(drawing.dotOf(1, 5).colour, "rgb(5,0,0)");
});

test("a frame has every node, link and ring, and names only where there is room", () => {
  for (const nodes of [5, 60]) {
    const pen = new VectorPen({ measure: (text) => 6 * text.length });
    drawingOf(nodes).paint(pen, 1, { x: 100, y: 80, scale: 0.5 });
    const text = pen.elements();
    const circles = text.split("<circle").length - 1;
    assert.equal(circles, nodes - 1 + 2, "nodes but the square, the ring, the selection");
    assert.equal(new Set(text.match(/node-\d+/g)).size, nodes > 36 ? 1 : nodes);
    assert.match(text, /cx="100" cy="80"/);
  }
});

test("another neighbourhood that comes while it is hidden is fitted when it is seen, whatever was zoomed before", () => {
  const network = networkOf(toldOf(9));
  network.zoomBy(2);
  network.net.clientHeight = 0;
  network.arrange(toldOf(4));
  assert.equal(network.network.moves.length, 0);
  network.net.clientHeight = 400;
  network.resized();
  assert.equal(network.network.moves.length, 1);
});

test("a shorter film of the same neighbourhood is drawn, however far the longer one was", () => {
  const network = networkOf(toldOf(9, { frames: 30 }));
  network.show(29);
  network.arrange(toldOf(9, { frames: 20 }));
  assert.equal(network.frame, 19);
});
