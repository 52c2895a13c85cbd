// The neighbourhood without vis-network, as a saved page has it: the same drawing on a canvas of
// its own, which is dragged, zoomed and pointed at.

import { cleanPen, sharpen } from "#canvases/library/canvas.js";
import { element } from "#canvases/library/elements.js";
import { Life } from "#canvases/library/life.js";
import { Camera } from "#canvases/graph_canvas/camera.js";
import { Pointing } from "#canvases/graph_canvas/pointing.js";
import { Drawing } from "./drawing.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { Told } from "./drawing.js" */
/** @import { Hands } from "./network.js" */

const NEAR = 4; // pixels beside a node that still mean it

export class Board {
  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.net = element("div", { className: "net" }, this.canvas);
    /** @type {Drawing | null} */
    this.drawing = null;
    this.frame = 0;
    this.pointed = -1;
    this.life = new Life();
    this.redraw = this.life.drawing(() => this.draw());
    this.camera = new Camera(this.redraw);
    const point = (/** @type {Point | null} */ spot) => this.tell(spot ? this.nodeAt(spot) : -1);
    const click = (/** @type {Point} */ spot) => { const node = this.nodeAt(spot); point(spot); if (node >= 0) hands.click(node); };
    new Pointing(this.net, this.camera, { point, click }, this.life.signal);
  }

  /** @param {Told} told */
  arrange(told) {
    const same = this.drawing?.scene.shape === told.scene.shape;
    this.drawing = new Drawing(told);
    this.resized(!same);
    return true;
  }

  /** @param {boolean} [fresh] whether the neighbourhood is another one: then all of it is seen */
  resized(fresh = false) {
    if (!this.drawing) return;
    const { clientWidth: width, clientHeight: height } = this.net;
    const { left, right, top, bottom } = this.drawing.box(width, height);
    const first = fresh || !this.camera.width;
    this.camera.resize({ box: { left, right, low: -bottom, high: -top } }, width, height, first);
    if (first) this.camera.fit();
    this.redraw();
  }

  /** @param {number} frame */
  show(frame) {
    this.frame = frame;
    this.redraw();
  }

  /** @param {number} node */
  point(node) {
    if (this.drawing) this.drawing.hovered = node;
    this.redraw();
  }

  /** @param {number} node */
  spotOf(node) {
    const { x, y } = this.drawing?.place(node) ?? { x: 0, y: 0 };
    const { view } = this.camera;
    return { x: x * view.k + view.x, y: y * view.k + view.y };
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.camera.zoomBy(factor);
  }

  fit() {
    this.camera.fit();
  }

  destroy() {
    this.life.end();
  }

  // ------------------------------------------------------------ drawing and pointing

  draw() {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = this.camera;
    sharpen(this.canvas, width, height, ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.paintAll(cleanPen(this.canvas, ratio), this.frame);
  }

  /**
   * @param {Pen} pen
   * @param {number} frame
   */
  paintAll(pen, frame) {
    const { k, x, y } = this.camera.view;
    this.drawing?.paint(pen, frame, { x, y, scale: k });
  }

  /**
   * The node at a place of the screen; -1 where there is none.
   * @param {Point} spot
   */
  nodeAt([x, y]) {
    const { drawing, camera: { view } } = this;
    for (let id = (drawing?.scene.nodes ?? 0) - 1; drawing && id >= 0; id--) {
      const at = this.spotOf(id);
      if (Math.hypot(at.x - x, at.y - y) <= drawing.dotOf(this.frame, id).radius * view.k + NEAR) return id;
    }
    return -1;
  }

  /** @param {number} node */
  tell(node) {
    if (node === this.pointed) return;
    this.pointed = node;
    this.hands.hover(node);
  }
}
