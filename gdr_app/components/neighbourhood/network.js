// The neighbourhood in the hands of vis-network: it moves, zooms and tells what is pointed at;
// nodes paint themselves from the film's current frame. A new frame is one redraw: nothing is
// rebuilt, zoom stays. The network is made anew only when places or links change.

import { element } from "#canvases/library/elements.js";
import { Drawing } from "./drawing.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Told } from "./drawing.js" */

/** @typedef {{ hover: (node: number) => void, click: (node: number) => void }} Hands */

export class Network {
  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
    this.net = element("div", { className: "net" });
    /** @type {VisNetwork | null} */
    this.network = null;
    /** @type {Drawing | null} */
    this.drawing = null;
    this.shape = "";
    this.frame = 0;
    this.zoomed = false;
  }

  /**
   * Whether the network is there: vis-network may come later than the data.
   * @param {Told} told
   */
  arrange(told) {
    this.drawing = new Drawing(told);
    this.frame = Math.min(this.frame, told.scene.frames - 1); // this film may be shorter than the last
    if (!window.vis?.Network) return false;
    const edges = { color: { color: told.theme.ink, opacity: 0.25, inherit: false } };
    if (this.network && this.shape === told.scene.shape) {
      this.network.setOptions({ edges });
      this.network.redraw();
      return true;
    }
    this.network?.destroy();
    this.shape = told.scene.shape;
    this.network = new window.vis.Network(this.net, this.parts(this.drawing), {
      physics: false,
      layout: { improvedLayout: false },
      interaction: { hover: true, dragNodes: false, selectConnectedEdges: false, hoverConnectedEdges: false, keyboard: false },
      nodes: { ctxRenderer: (/** @type {any} */ request) => this.paint(request) },
      edges: { smooth: false, width: 1.2, chosen: false, ...edges },
    });
    this.listen(this.network);
    this.net.querySelector("canvas")?.setAttribute("aria-hidden", "true");
    this.net.querySelector(".vis-network")?.setAttribute("tabindex", "-1"); // the stage has the keys
    this.fit();
    return true;
  }

  /** @param {Drawing} drawing */
  parts(drawing) {
    const { nodes, links } = drawing.scene;
    const dots = Array.from({ length: nodes }, (_, id) => ({ id, ...drawing.place(id), shape: "custom" }));
    const lines = Array.from({ length: links.length / 2 }, (_, id) => ({ id, from: links[2 * id], to: links[2 * id + 1] }));
    return { nodes: dots, edges: lines };
  }

  /** @param {VisNetwork} network */
  listen(network) {
    const { hands } = this;
    network.on("beforeDrawing", (pen) => this.drawing?.rings(pen));
    network.on("hoverNode", ({ node }) => hands.hover(node));
    network.on("blurNode", () => hands.hover(-1));
    network.on("dragStart", () => hands.hover(-1));
    network.on("zoom", () => { this.zoomed = true; hands.hover(-1); });
    network.on("dragEnd", () => { this.zoomed = true; });
    network.on("click", ({ nodes: [node] }) => { network.unselectAll(); if (node !== undefined) hands.click(node); });
  }

  /** @param {number} node */
  point(node) {
    if (this.drawing) this.drawing.hovered = node; // vis-network draws it anew by itself
  }

  /** @param {number} frame */
  show(frame) {
    this.frame = frame;
    this.network?.redraw();
  }

  /** @param {number} node */
  spotOf(node) {
    return this.network?.canvasToDOM(this.network.getPosition(node)) ?? { x: 0, y: 0 };
  }

  /** @param {number} factor */
  zoomBy(factor) {
    if (!this.network) return;
    this.zoomed = true;
    this.network.moveTo({ scale: this.network.getScale() * factor });
  }

  resized() {
    if (this.network && !this.zoomed) this.fit();
  }

  fit() {
    if (!this.drawing || !this.network) return;
    this.zoomed = false;
    const { clientWidth: width, clientHeight: height } = this.net;
    if (!width || !height) return; // hidden, as between scenes; it is fitted when it is seen
    const { left, right, top, bottom } = this.drawing.box(width, height);
    const scale = Math.min(width / (right - left), height / (bottom - top));
    this.network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale });
  }

  destroy() {
    this.network?.destroy();
  }

  /**
   * Called by vis-network for every node in every frame.
   * @param {{ ctx: CanvasRenderingContext2D, id: number }} request
   */
  paint({ ctx: pen, id }) {
    const { drawing, frame } = this;
    if (!drawing) return {};
    const size = 2 * drawing.dotOf(frame, id).radius + 4;
    return {
      drawNode: () => drawing.node(pen, frame, id),
      drawExternalLabel: () => drawing.label(pen, frame, id),
      nodeDimensions: { width: size, height: size },
    };
  }

  /**
   * All of a frame as it is seen, for a picture.
   * @param {Pen} pen
   * @param {number} frame
   */
  paintAll(pen, frame) {
    if (!this.network) return;
    this.drawing?.paint(pen, frame, { ...this.network.canvasToDOM({ x: 0, y: 0 }), scale: this.network.getScale() });
  }
}
