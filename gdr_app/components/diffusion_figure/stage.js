// The graph of a figure: discs filled with what their node believes now, in SVG.

import { drawn, element } from "#canvases/library/elements.js";
import { inWords } from "#canvases/library/numbers.js";
import { pressKey, spotOf } from "#canvases/library/pointer.js";
import { themeOf } from "#canvases/library/theme.js";
import { coloursOf, curveColour } from "./colours.js";
import { Disc } from "./disc.js";
import { Link } from "./link.js";
import { roomOf } from "./room.js";

/** @import { Model } from "./model.js" */
/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { Theme } from "#canvases/library/theme.js" */

/** @typedef {{ node?: number, edge?: number }} Hit */

/**
 * What happens with pointer and keys; an editor has another one.
 * @typedef {{
 *   down?: (hit: Hit, spot: Point, event: PointerEvent) => void,
 *   move?: (hit: Hit, spot: Point, event: PointerEvent) => void,
 *   up?: (hit: Hit, spot: Point, event: PointerEvent) => void,
 *   keys?: Record<string, () => void>,
 * }} Hand
 */

const PAD = 44;
const RADII = [[6, 27], [9, 24], [12, 21], [20, 17], [34, 13], [60, 11]];

export class Stage {
  /**
   * @param {Model} model
   * @param {{ signal: AbortSignal, onResize: (stage: Element, act: () => void) => void }} life
   * @param {{ label: string, values: boolean, badges: boolean }} options
   */
  constructor(model, life, { label, values, badges }) {
    this.model = model;
    this.values = values;
    this.badges = badges;
    /** @type {Hand} */
    this.hand = {};
    /** an edge that is being drawn: from a node to a place @type {{ from: number, to: Point } | null} */
    this.rubber = null;
    /** the edge that is chosen @type {number | null} */
    this.edge = null;
    this.links = drawn("g", {});
    this.band = drawn("line", { class: "rubber" });
    this.discsLayer = drawn("g", {});
    this.svg = drawn("svg", { "aria-hidden": "true" }, this.links, this.band, this.discsLayer);
    this.box = element("div", { className: "stage graph", tabIndex: 0, role: "application", "aria-label": label }, this.svg);
    this.spoken = element("div", { className: "spoken", "aria-live": "polite" });
    this.box.append(this.spoken);
    /** @type {Disc[]} */
    this.discs = [];
    /** @type {Link[]} */
    this.lines = [];
    this.listen(life.signal);
    this.size = roomOf(this.box, life, () => this.draw());
  }

  get radius() {
    const count = this.model.sketch.nodes.length;
    const scale = Math.min(1, this.size.width / 460);
    return scale * (RADII.find(([most]) => count <= most) ?? RADII[RADII.length - 1])[1];
  }

  /**
   * Where a place of the sketch is on the stage.
   * @param {{ x: number, y: number }} place
   * @returns {Point}
   */
  spot({ x, y }) {
    const { width, height } = this.size;
    return [PAD + (x / 1000) * (width - 2 * PAD), PAD + (y / 1000) * (height - 2 * PAD)];
  }

  /**
   * The place of the sketch under a spot of the stage.
   * @param {Point} spot
   */
  place([x, y]) {
    const { width, height } = this.size;
    /** @type {(value: number, room: number) => number} */
    const share = (value, room) => Math.round(Math.max(0, Math.min(1, (value - PAD) / Math.max(room - 2 * PAD, 1))) * 1000);
    return { x: share(x, width), y: share(y, height) };
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const { box } = this;
    box.addEventListener("pointerdown", (event) => {
      box.focus({ preventScroll: true });
      this.hand.down?.(this.hit(event), spotOf(box, event), event);
    }, { signal });
    box.addEventListener("pointermove", (event) => {
      const hit = this.hit(event);
      if (!event.buttons) this.model.point(hit.node ?? null);
      this.hand.move?.(hit, spotOf(box, event), event);
    }, { signal });
    box.addEventListener("pointerup", (event) => this.hand.up?.(this.hit(event), spotOf(box, event), event), { signal });
    box.addEventListener("pointerleave", () => this.model.point(null), { signal });
    box.addEventListener("keydown", (event) => pressKey(event, { ...this.arrows(), ...this.hand.keys }), { signal });
  }

  /** What arrow keys do: they lead from node to node. */
  arrows() {
    return {
      ArrowLeft: () => this.step(-1, 0),
      ArrowRight: () => this.step(1, 0),
      ArrowUp: () => this.step(0, -1),
      ArrowDown: () => this.step(0, 1),
    };
  }

  /**
   * Choose the nearest node in a direction.
   * @param {number} dx
   * @param {number} dy
   */
  step(dx, dy) {
    const { sketch, chosen } = this.model;
    if (!sketch.nodes.length) return;
    if (chosen === null) return this.choose(0);
    const here = sketch.nodes[chosen];
    let [best, least] = [-1, Infinity];
    sketch.nodes.forEach((node, i) => {
      const along = (node.x - here.x) * dx + (node.y - here.y) * dy;
      const aside = Math.abs((node.x - here.x) * dy) + Math.abs((node.y - here.y) * dx);
      if (i !== chosen && along > 0 && along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
    });
    if (best >= 0) this.choose(best);
  }

  /** @param {number | null} node */
  choose(node) {
    this.edge = null;
    this.model.choose(node);
    this.box.dataset.chosen = node === null ? "" : this.model.sketch.nodes[node].name;
    if (node !== null) this.say(this.tellNode(node));
  }

  /** @param {string} text is read out */
  say(text) {
    this.spoken.textContent = text;
  }

  /** @param {number} node */
  tellNode(node) {
    const { sketch } = this.model;
    const parts = Array.from({ length: sketch.classes }, (_, k) => {
      const { value, limit, above } = this.model.state(node, k);
      return `${sketch.classes > 1 ? `class ${k + 1}: ` : ""}${inWords(value)}, ${above ? "above" : "not above"} π = ${inWords(limit)}`;
    });
    return `Node ${sketch.nodes[node].name}${sketch.nodes[node].train ? ", training" : ""}. ${parts.join("; ")}`;
  }

  /**
   * What lies under a pointer: nodes first, then edges.
   * @param {PointerEvent} event
   * @returns {Hit}
   */
  hit(event) {
    const [x, y] = spotOf(this.box, event);
    const reach = Math.max(this.radius + 4, event.pointerType === "touch" ? 24 : 0);
    const spots = this.model.sketch.nodes.map((node) => this.spot(node));
    const far = spots.map(([a, b]) => Math.hypot(a - x, b - y));
    const node = far.length ? far.indexOf(Math.min(...far)) : -1;
    if (node >= 0 && far[node] <= reach) return { node };
    const edge = this.lines.findIndex((line) => line.near([x, y], event.pointerType === "touch" ? 16 : 8));
    return edge >= 0 ? { edge } : {};
  }

  /**
   * Everything, after a change of the graph or of the room.
   * @param {Theme} [theme] asking the page for it is slow: who knows it gives it
   */
  draw(theme = themeOf(this.box)) {
    const { sketch } = this.model;
    const { width, height } = this.size;
    if (!width) return;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.fit(sketch.nodes.length, sketch.edges.length);
    const spots = sketch.nodes.map((node) => this.spot(node));
    sketch.edges.forEach((edge, i) => {
      const twin = sketch.edges.some((other) => other.arrow && other.from === edge.to && other.to === edge.from);
      this.lines[i].draw(edge, spots[edge.from], spots[edge.to], this.radius, twin);
      this.lines[i].mark(this.edge === i);
    });
    this.drawBand(spots);
    this.paint(theme);
  }

  /**
   * As many discs and lines as the graph has.
   * @param {number} nodes
   * @param {number} edges
   */
  fit(nodes, edges) {
    while (this.discs.length > nodes) this.discs.pop()?.group.remove();
    while (this.lines.length > edges) this.lines.pop()?.group.remove();
    while (this.discs.length < nodes) {
      const disc = new Disc();
      this.discs.push(disc);
      this.discsLayer.append(disc.group);
    }
    while (this.lines.length < edges) {
      const line = new Link();
      this.lines.push(line);
      this.links.append(line.group);
    }
  }

  /** @param {Point[]} spots */
  drawBand(spots) {
    this.band.style.display = this.rubber ? "" : "none";
    if (!this.rubber) return;
    const [[x1, y1], [x2, y2]] = [spots[this.rubber.from], this.rubber.to];
    for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) this.band.setAttribute(name, String(value));
  }

  /**
   * Fills, rings and badges: what changes with time.
   * @param {Theme} theme
   */
  paint(theme) {
    const { sketch, top, focus, chosen, partner, labels } = this.model;
    if (this.discs.length !== sketch.nodes.length) return; // there is no room yet; `measure` draws all
    const colours = coloursOf(theme);
    const scale = this.model.dynamics.start.reduce((most, belief) => Math.max(most, belief), 0) || top;
    sketch.nodes.forEach((node, i) => {
      const states = Array.from({ length: sketch.classes }, (_, k) => this.model.state(i, k));
      const label = sketch.classes > 1 ? labels.now[i] ?? null : null;
      this.discs[i].draw({
        node,
        spot: this.spot(node),
        radius: this.radius,
        states,
        scale,
        colours,
        rim: label === null ? curveColour(colours, sketch, i, 0) : colours[label],
        plain: sketch.classes > 1 && label === null,
        focus: i === focus,
        chosen: i === chosen,
        partner: i === partner,
        value: this.values,
        badges: this.badges,
      });
    });
  }
}
