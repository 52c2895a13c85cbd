// Hands and keys that change the graph on the stage.

import { pressKey } from "#canvases/library/pointer.js";
import { changedNode, freePlace, wayOf, withEdge, withInk, withNode, withWay, withWeight, withoutEdge, withoutNode } from "./changes.js";

/** @import { Hit, Stage } from "../diffusion_figure/stage.js" */
/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { Desk } from "./desk.js" */

/** @typedef {"move" | "node" | "edge" | "erase" | "train" | "ink"} Tool */

const NEAR = 5; // pixels that a pointer may move within a click
const DOUBLING = 70; // pixels upwards that double a weight
const NUDGE = 20;

export class Editor {
  /**
   * @param {Desk} desk
   * @param {Stage} stage
   * @param {{ signal: AbortSignal, play: () => void, changed: () => void }} options changed: the tool or the choice
   */
  constructor(desk, stage, { signal, play, changed }) {
    this.desk = desk;
    this.stage = stage;
    this.changed = changed;
    /** @type {Tool} */
    this.tool = "move";
    /** the class that is painted */
    this.ink = 0;
    /** the node that an edge by keys begins at @type {number | null} */
    this.from = null;
    /** what is being dragged @type {{ hit: Hit, spot: Point, weight: number, moved: boolean } | null} */
    this.grip = null;
    stage.hand = {
      down: (hit, spot, event) => this.down(hit, spot, event),
      move: (hit, spot) => this.move(hit, spot),
      up: (hit, spot) => this.up(hit, spot),
      keys: this.keys(play),
    };
    stage.box.addEventListener("pointercancel", () => this.cancel(), { signal });
    stage.box.addEventListener("keydown", (event) => this.special(event), { signal, capture: true });
  }

  get sketch() {
    return this.desk.sketch;
  }

  /**
   * @param {Tool} tool
   * @param {number} [ink]
   */
  take(tool, ink = this.ink) {
    this.tool = tool;
    this.ink = ink;
    this.from = null;
    this.stage.box.dataset.tool = tool;
    this.changed();
  }

  /**
   * @param {Hit} hit
   * @param {Point} spot
   * @param {PointerEvent} event
   */
  down(hit, spot, event) {
    this.stage.box.setPointerCapture(event.pointerId);
    this.grip = { hit, spot, weight: hit.edge === undefined ? 1 : this.sketch.edges[hit.edge].weight, moved: false };
    if (this.tool === "edge" && hit.node !== undefined) this.stage.rubber = { from: hit.node, to: spot };
  }

  /**
   * @param {Hit} hit
   * @param {Point} spot
   */
  move(hit, spot) {
    const { grip, stage } = this;
    if (!grip) return;
    if (Math.hypot(spot[0] - grip.spot[0], spot[1] - grip.spot[1]) > NEAR) grip.moved = true;
    if (!grip.moved) return;
    if (stage.rubber) {
      stage.rubber.to = spot;
      stage.model.point(hit.node ?? null);
      stage.draw();
    } else if (this.tool !== "erase" && grip.hit.node !== undefined) {
      this.desk.drag(changedNode(this.sketch, grip.hit.node, stage.place(spot)));
    } else if (this.tool === "move" && grip.hit.edge !== undefined) {
      stage.edge = grip.hit.edge;
      const weight = grip.weight * 2 ** ((grip.spot[1] - spot[1]) / DOUBLING);
      this.desk.drag(withWeight(this.sketch, grip.hit.edge, Math.max(0.01, Math.min(100, Number(weight.toPrecision(2))))));
      this.changed();
    }
  }

  /**
   * @param {Hit} hit
   * @param {Point} spot
   */
  up(hit, spot) {
    const { grip, stage } = this;
    this.grip = null;
    if (!grip) return;
    if (stage.rubber) this.join(stage.rubber.from, hit, spot, grip.moved);
    else if (grip.moved) this.desk.drop();
    else this.click(grip.hit, spot);
    this.changed();
  }

  cancel() {
    this.grip = null;
    this.stage.rubber = null;
    this.desk.drop();
    this.stage.draw();
  }

  /**
   * The end of an edge that was drawn: on a node, or in the open, where a new node comes to be.
   * @param {number} from
   * @param {Hit} hit
   * @param {Point} spot
   * @param {boolean} moved
   */
  join(from, hit, spot, moved) {
    this.stage.rubber = null;
    if (!moved) return this.choose(from);
    const grown = hit.node === undefined ? withNode(this.sketch, this.stage.place(spot)) : this.sketch;
    const to = hit.node ?? grown.nodes.length - 1;
    this.desk.change(withEdge(grown, from, to));
    this.stage.draw();
    this.choose(to);
  }

  /**
   * @param {Hit} hit
   * @param {Point} spot
   */
  click(hit, spot) {
    const { desk, sketch, tool } = this;
    if (hit.node !== undefined) {
      if (tool === "erase") return this.remove(hit);
      if (tool === "ink") desk.change(withInk(sketch, hit.node, this.ink));
      if (tool === "train") desk.change(changedNode(sketch, hit.node, { train: !sketch.nodes[hit.node].train }));
      this.choose(hit.node);
    } else if (hit.edge !== undefined) {
      if (tool === "erase") return this.remove(hit);
      this.chooseEdge(hit.edge);
    } else if (tool === "node" || (tool === "move" && !sketch.nodes.length)) {
      desk.change(withNode(sketch, this.stage.place(spot)));
      this.choose(desk.sketch.nodes.length - 1);
    } else this.choose(null);
  }

  /** @param {number | null} node */
  choose(node) {
    this.stage.choose(node);
    this.stage.draw();
    this.changed();
  }

  /** @param {number} edge */
  chooseEdge(edge) {
    const { from, to, weight } = this.sketch.edges[edge];
    this.desk.model.choose(null);
    this.stage.edge = edge;
    this.stage.say(`Edge ${this.sketch.nodes[from].name} to ${this.sketch.nodes[to].name}, weight ${weight}`);
    this.stage.draw();
    this.changed();
  }

  /** @param {Hit} hit */
  remove(hit) {
    if (hit.node !== undefined) this.desk.change(withoutNode(this.sketch, hit.node));
    if (hit.edge !== undefined) this.desk.change(withoutEdge(this.sketch, hit.edge));
    this.from = null;
    this.choose(null);
  }

  removeChosen() {
    const { edge } = this.stage;
    const node = this.desk.model.chosen;
    if (edge !== null) this.remove({ edge });
    else if (node !== null) this.remove({ node });
  }

  /** @param {() => void} play */
  keys(play) {
    /** @type {Record<string, () => void>} */
    const keys = {
      n: () => this.addByKey(),
      e: () => this.startEdge(),
      t: () => this.withChosen((node) => this.desk.change(changedNode(this.sketch, node, { train: !this.sketch.nodes[node].train }))),
      d: () => this.turn(),
      ".": () => this.next(1),
      ",": () => this.next(-1),
      "]": () => this.nextEdge(1),
      "[": () => this.nextEdge(-1),
      "+": () => this.scale(1.25),
      "=": () => this.scale(1.25),
      "-": () => this.scale(0.8),
      Enter: () => this.endEdge(),
      Escape: () => this.take("move"),
      Delete: () => this.removeChosen(),
      Backspace: () => this.removeChosen(),
      " ": play,
    };
    for (let k = 0; k < 6; k++) keys[String(k + 1)] = () => this.withChosen((node) => this.desk.change(withInk(this.sketch, node, k)));
    return keys;
  }

  /** @param {(node: number) => void} act */
  withChosen(act) {
    const node = this.desk.model.chosen;
    if (node === null) return this.stage.say("No node is chosen: choose one with the arrow keys.");
    act(node);
    this.choose(node);
  }

  addByKey() {
    this.desk.change(withNode(this.sketch, freePlace(this.sketch)));
    this.choose(this.sketch.nodes.length - 1);
  }

  startEdge() {
    this.withChosen((node) => {
      this.from = node;
      this.stage.say(`Edge from ${this.sketch.nodes[node].name}: choose the other end and press Enter.`);
    });
    this.changed();
  }

  endEdge() {
    const { from } = this;
    const to = this.desk.model.chosen;
    if (from === null || to === null || from === to) return;
    this.desk.change(withEdge(this.sketch, from, to));
    this.from = null;
    this.choose(to);
  }

  /** @param {number} by */
  next(by) {
    const count = this.sketch.nodes.length;
    if (count) this.choose(((this.desk.model.chosen ?? (by > 0 ? -1 : 0)) + by + count) % count);
  }

  /** @param {number} by */
  nextEdge(by) {
    const count = this.sketch.edges.length;
    if (count) this.chooseEdge(((this.stage.edge ?? (by > 0 ? -1 : 0)) + by + count) % count);
  }

  /** @param {number} factor */
  scale(factor) {
    const { edge } = this.stage;
    if (edge === null) return this.stage.say("No edge is chosen: choose one with [ or ].");
    this.desk.change(withWeight(this.sketch, edge, Number((this.sketch.edges[edge].weight * factor).toPrecision(2))));
    this.chooseEdge(edge);
  }

  turn() {
    const { edge } = this.stage;
    if (edge === null) return;
    const way = wayOf(this.sketch.edges[edge]);
    this.desk.change(withWay(this.sketch, edge, way === "both" ? "along" : way === "along" ? "against" : "both"));
    this.chooseEdge(edge);
  }

  /**
   * Keys with a second key: undo, redo, and moving a node.
   * @param {KeyboardEvent} event
   */
  special(event) {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && (key === "z" || key === "y")) {
      event.preventDefault();
      event.stopPropagation();
      if (key === "y" || event.shiftKey) this.desk.redo();
      else this.desk.undo();
      this.changed();
    } else if (event.shiftKey && event.key.startsWith("Arrow")) {
      pressKey(event, { ArrowLeft: () => this.nudge(-1, 0), ArrowRight: () => this.nudge(1, 0), ArrowUp: () => this.nudge(0, -1), ArrowDown: () => this.nudge(0, 1) });
    }
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  nudge(dx, dy) {
    this.withChosen((node) => {
      const { x, y } = this.sketch.nodes[node];
      /** @param {number} value */
      const inside = (value) => Math.max(0, Math.min(1000, value));
      this.desk.change(changedNode(this.sketch, node, { x: inside(x + NUDGE * dx), y: inside(y + NUDGE * dy) }));
    });
  }
}
