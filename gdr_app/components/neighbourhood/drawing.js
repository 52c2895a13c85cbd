// A neighbourhood in one frame of its film: rings, links, nodes and names, drawn about the origin
// with `reach` from the middle to the rim. Whoever moves the pen says how large that is seen.

import { write } from "#canvases/library/canvas.js";
import { shortened } from "#canvases/library/numbers.js";
import { lettersOf } from "#canvases/library/theme.js";
import { NOBODY } from "./scene.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Theme } from "#canvases/library/theme.js" */
/** @import { Colours } from "./colours.js" */
/** @import { Scene } from "./scene.js" */

/** @typedef {{ scene: Scene, theme: Theme, colours: Colours }} Told */
/** @typedef {{ x: number, y: number, scale: number }} Seen the origin is seen at (x, y) */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

const LABELLED = 36; // up to here nodes carry their names
const RIM = 34; // room for the nodes at the rim and their names
const LARGEST = 1.6; // pixels of the screen for one of the drawing

export class Drawing {
  /** @param {Told} told */
  constructor({ scene, theme, colours }) {
    this.scene = scene;
    this.theme = theme;
    this.colours = colours;
    this.reach = 40 * Math.sqrt(scene.nodes) + 50;
    this.hovered = -1;
  }

  /**
   * Where a node is, y downwards.
   * @param {number} id
   */
  place(id) {
    const { places } = this.scene;
    return { x: places[2 * id] * this.reach, y: -places[2 * id + 1] * this.reach };
  }

  /**
   * What is seen on a stage of this size: all of it, with room for what stands at the rim; a few
   * nodes are not blown up.
   * @param {number} width
   * @param {number} height
   * @returns {Box}
   */
  box(width, height) {
    const { rings, nodes } = this.scene;
    const every = Array.from({ length: nodes }, (_, id) => this.place(id));
    const whole = [-this.reach, this.reach];
    const [left, right] = around(rings ? whole : every.map(({ x }) => x), width / LARGEST);
    const [top, bottom] = around(rings ? whole : every.map(({ y }) => y), height / LARGEST);
    return { left, right, top, bottom };
  }

  /**
   * All of a frame.
   * @param {Pen} pen
   * @param {number} frame
   * @param {Seen} seen
   */
  paint(pen, frame, { x, y, scale }) {
    const { nodes } = this.scene;
    pen.save();
    pen.translate(x, y);
    pen.scale(scale, scale);
    this.rings(pen);
    this.links(pen);
    for (let id = 0; id < nodes; id++) this.node(pen, frame, id);
    for (let id = 0; id < nodes; id++) this.label(pen, frame, id);
    pen.restore();
  }

  /** @param {Pen} pen */
  rings(pen) {
    const { rings } = this.scene;
    pen.save();
    pen.strokeStyle = this.theme.ink;
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

  /** @param {Pen} pen */
  links(pen) {
    const { links } = this.scene;
    pen.strokeStyle = this.theme.ink;
    pen.globalAlpha = 0.25;
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (let at = 0; at < links.length; at += 2) {
      const [from, to] = [this.place(links[at]), this.place(links[at + 1])];
      pen.moveTo(from.x, from.y);
      pen.lineTo(to.x, to.y);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /**
   * How large a node is in a frame, and of which colour.
   * @param {number} frame
   * @param {number} id
   */
  dotOf(frame, id) {
    const { nodes, codes, strengths } = this.scene;
    const code = codes[frame * nodes + id];
    const strength = code === NOBODY ? 0 : strengths[frame * nodes + id];
    const radius = (id === 0 ? 13 : 9) * (0.8 + (0.45 * strength) / 255);
    return { radius, colour: code === NOBODY ? this.colours.quiet : this.colours.shades[code][strength] };
  }

  /**
   * @param {Pen} pen
   * @param {number} frame
   * @param {number} id
   */
  node(pen, frame, id) {
    const { x, y } = this.place(id);
    const { radius, colour } = this.dotOf(frame, id);
    pen.beginPath();
    if (this.scene.squares[id]) pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
    pen.lineWidth = id === this.hovered ? 2.5 : 1;
    pen.strokeStyle = this.theme.ink;
    pen.globalAlpha = id === this.hovered ? 1 : 0.55;
    pen.stroke();
    pen.globalAlpha = 1;
    if (id === 0) this.selection(pen, x, y, radius + 5);
  }

  /**
   * Round the selected node.
   * @param {Pen} pen
   * @param {number} x
   * @param {number} y
   * @param {number} radius
   */
  selection(pen, x, y, radius) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.lineWidth = 3;
    pen.stroke();
  }

  /**
   * @param {Pen} pen
   * @param {number} frame
   * @param {number} id
   */
  label(pen, frame, id) {
    const { scene, theme } = this;
    if (scene.nodes > LABELLED && id !== 0) return;
    const { x, y } = this.place(id);
    pen.font = lettersOf(12, theme, id === 0 ? 600 : 400);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    write(pen, shortened(scene.names[id], 18), x, y + this.dotOf(frame, id).radius + 6, theme);
  }
}

/**
 * From the first of some places to the last, with a rim, and at least so long.
 * @param {number[]} places
 * @param {number} least
 */
function around(places, least) {
  const [from, to] = [Math.min(...places) - RIM, Math.max(...places) + RIM];
  const more = Math.max(0, least - (to - from)) / 2;
  return [from - more, to + more];
}
