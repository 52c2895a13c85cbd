// The picture, drawn by vis-network: fixed places, nodes that paint themselves from the film's
// current frame. A new frame is one redraw: nothing is rebuilt, zoom stays. The network is made
// anew only when places or links change.

import { write } from "#canvases/library/canvas.js";
import { element } from "#canvases/library/elements.js";
import { shortened } from "#canvases/library/numbers.js";
import { lettersOf } from "#canvases/library/theme.js";
import { NOBODY } from "./scene.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Theme } from "#canvases/library/theme.js" */
/** @import { Colours } from "./colours.js" */
/** @import { Scene } from "./scene.js" */

/** @typedef {{ hover: (node: number) => void, click: (node: number) => void }} Hands */
/** @typedef {{ scene: Scene, theme: Theme, colours: Colours }} Drawn */

const LABELLED = 36; // up to here nodes carry their names
const RIM = 34; // room for the nodes at the rim and their names

export class Network {
  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
    this.net = element("div", { className: "net" });
    /** @type {VisNetwork | null} */
    this.network = null;
    /** @type {Drawn | null} */
    this.drawn = null;
    this.shape = "";
    this.reach = 0;
    this.frame = 0;
    this.hovered = -1;
    this.zoomed = false;
  }

  /**
   * Whether the network is there: vis-network may come later than the data.
   * @param {Drawn} drawn
   */
  arrange(drawn) {
    this.drawn = drawn;
    if (!window.vis?.Network) return false;
    const edges = this.edgeLooks();
    if (this.network && this.shape === drawn.scene.shape) {
      this.network.setOptions({ edges });
      this.network.redraw();
      return true;
    }
    this.network?.destroy();
    this.shape = drawn.scene.shape;
    this.network = new window.vis.Network(this.net, this.parts(drawn.scene), {
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

  /** @param {Scene} scene */
  parts({ nodes, places, links }) {
    this.reach = 40 * Math.sqrt(nodes) + 50;
    const dots = Array.from({ length: nodes }, (_, id) => ({ id, x: places[2 * id] * this.reach, y: -places[2 * id + 1] * this.reach, shape: "custom" }));
    const lines = Array.from({ length: links.length / 2 }, (_, id) => ({ id, from: links[2 * id], to: links[2 * id + 1] }));
    return { nodes: dots, edges: lines };
  }

  edgeLooks() {
    return { color: { color: this.drawn?.theme.ink, opacity: 0.25, inherit: false } };
  }

  /** @param {VisNetwork} network */
  listen(network) {
    const { hands } = this;
    network.on("beforeDrawing", (pen) => this.drawRings(pen));
    network.on("hoverNode", ({ node }) => hands.hover(node));
    network.on("blurNode", () => hands.hover(-1));
    network.on("dragStart", () => hands.hover(-1));
    network.on("zoom", () => { this.zoomed = true; hands.hover(-1); });
    network.on("dragEnd", () => { this.zoomed = true; });
    network.on("click", ({ nodes: [node] }) => { network.unselectAll(); if (node !== undefined) hands.click(node); });
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
    if (!this.drawn || !this.network) return;
    const { places, rings, nodes } = this.drawn.scene;
    const box = rings ? [-1, 1, -1, 1] : [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; !rings && i < nodes; i++) {
      box[0] = Math.min(box[0], places[2 * i]);
      box[1] = Math.max(box[1], places[2 * i]);
      box[2] = Math.min(box[2], -places[2 * i + 1]);
      box[3] = Math.max(box[3], -places[2 * i + 1]);
    }
    const [left, right, top, bottom] = box.map((edge) => edge * this.reach);
    const scale = Math.min(this.net.clientWidth / (right - left + 2 * RIM), this.net.clientHeight / (bottom - top + 2 * RIM), 1.6);
    this.zoomed = false;
    this.network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale });
  }

  destroy() {
    this.network?.destroy();
  }

  // ------------------------------------------------------------ painting

  /** @param {Pen} pen */
  drawRings(pen) {
    if (!this.drawn?.scene.rings) return;
    const { theme, scene: { rings } } = this.drawn;
    pen.save();
    pen.strokeStyle = theme.ink;
    pen.globalAlpha = 0.15;
    pen.lineWidth = 1;
    pen.setLineDash([4, 6]);
    for (let ring = 1; ring <= rings; ring++) {
      pen.beginPath();
      pen.arc(0, 0, (this.reach * ring) / rings, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.restore();
  }

  /**
   * Called by vis-network for every node in every frame.
   * @param {{ ctx: CanvasRenderingContext2D, id: number, x: number, y: number }} request
   */
  paint({ ctx: pen, id, x, y }) {
    if (!this.drawn) return {};
    const dot = this.dotOf(this.drawn, this.frame, id);
    return {
      drawNode: () => this.dot(pen, dot, id, x, y),
      drawExternalLabel: () => this.label(pen, id, x, y + dot.radius),
      nodeDimensions: { width: 2 * dot.radius + 4, height: 2 * dot.radius + 4 },
    };
  }

  /**
   * How large a node is in a frame, and of which colour.
   * @param {Drawn} drawn
   * @param {number} frame
   * @param {number} id
   */
  dotOf({ scene: { nodes, codes, strengths }, colours }, frame, id) {
    const code = codes[frame * nodes + id];
    const strength = code === NOBODY ? 0 : strengths[frame * nodes + id];
    const radius = (id === 0 ? 13 : 9) * (0.8 + (0.45 * strength) / 255);
    return { radius, colour: code === NOBODY ? colours.quiet : colours.shades[code][strength] };
  }

  /**
   * @param {Pen} pen
   * @param {{ radius: number, colour: string }} look
   * @param {number} id
   * @param {number} x
   * @param {number} y
   */
  dot(pen, { radius, colour }, id, x, y) {
    if (!this.drawn) return;
    pen.beginPath();
    if (this.drawn.scene.squares[id]) pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
    pen.lineWidth = id === this.hovered ? 2.5 : 1;
    pen.strokeStyle = this.drawn.theme.ink;
    pen.globalAlpha = id === this.hovered ? 1 : 0.55;
    pen.stroke();
    pen.globalAlpha = 1;
    if (id === 0) this.ring(pen, x, y, radius + 5);
  }

  /**
   * All of a frame, for a picture: as it is seen, without what vis-network does itself.
   * @param {Pen} pen
   * @param {number} frame
   */
  paintAll(pen, frame) {
    const { drawn, network } = this;
    if (!drawn || !network) return;
    const { scene, theme } = drawn;
    const middle = network.canvasToDOM({ x: 0, y: 0 });
    const places = Array.from({ length: scene.nodes }, (_, id) => network.getPosition(id));
    pen.save();
    pen.translate(middle.x, middle.y);
    pen.scale(network.getScale(), network.getScale());
    this.drawRings(pen);
    this.drawLinks(pen, places, scene.links, theme);
    const dots = places.map((_, id) => this.dotOf(drawn, frame, id));
    places.forEach(({ x, y }, id) => this.dot(pen, dots[id], id, x, y));
    places.forEach(({ x, y }, id) => this.label(pen, id, x, y + dots[id].radius));
    pen.restore();
  }

  /**
   * @param {Pen} pen
   * @param {{ x: number, y: number }[]} places
   * @param {Uint16Array} links
   * @param {Theme} theme
   */
  drawLinks(pen, places, links, theme) {
    pen.strokeStyle = theme.ink;
    pen.globalAlpha = 0.25;
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (let at = 0; at < links.length; at += 2) {
      pen.moveTo(places[links[at]].x, places[links[at]].y);
      pen.lineTo(places[links[at + 1]].x, places[links[at + 1]].y);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /**
   * Round the selected node.
   * @param {Pen} pen
   * @param {number} x
   * @param {number} y
   * @param {number} radius
   */
  ring(pen, x, y, radius) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.lineWidth = 3;
    pen.stroke();
  }

  /**
   * @param {Pen} pen
   * @param {number} id
   * @param {number} x
   * @param {number} y
   */
  label(pen, id, x, y) {
    if (!this.drawn || (this.drawn.scene.nodes > LABELLED && id !== 0)) return;
    const { scene, theme } = this.drawn;
    pen.font = lettersOf(12, theme, id === 0 ? 600 : 400);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    write(pen, shortened(scene.names[id], 18), x, y + 6, theme);
  }
}
