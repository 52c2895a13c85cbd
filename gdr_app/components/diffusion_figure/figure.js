// A figure that can be mounted anywhere: a small graph, its curves, and the moment to look at.

import { element } from "#canvases/library/elements.js";
import { Life } from "#canvases/library/life.js";
import { SaveMenu } from "#canvases/library/saving/menu.js";
import { themeOf } from "#canvases/library/theme.js";
import { read } from "../sketch/text.js";
import { Chart } from "./chart.js";
import { Model } from "./model.js";
import { pictureOf } from "./picture.js";
import { playerOf, tellPlayer } from "./playing.js";
import { Stage } from "./stage.js";

/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { Change } from "./model.js" */

/**
 * code      of the sketch, as in links, or its text
 * controls  which are shown: "play", "speed", "axis"; none hides the row
 * curves    see the chart
 * chart     whether there are curves at all
 * values    whether the value is written under each node
 * badges    whether nodes say that they overshot or never will
 * ask       what a visitor is asked for: a node to click, a curve to draw, or nothing
 * focus     the name of the node that is chosen at first
 * stop      the time at which playing stops
 * height    in pixels
 * @typedef {{
 *   code: string, label: string, controls: string[], curves: "all" | "focus" | "past" | "none", chart: boolean,
 *   values: boolean, badges: boolean, ask: "" | "node" | "curve", focus: string, stop: number | null, height: number,
 * }} FigureData
 */

/**
 * What a figure tells: a node was clicked, a time was reached, a curve was drawn.
 * @typedef {{ event: "node", node: string } | { event: "time", time: number } | { event: "curve", points: Point[] }} Told
 */

export class Figure {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.life = new Life();
    this.content = "";
    /** @type {(told: Told) => void} */
    this.send = () => {};
    this.frame = element("div", { className: "frame diffusion", role: "group" });
    root.append(this.frame);
  }

  /**
   * @param {FigureData} data
   * @param {(told: Told) => void} send
   */
  update(data, send) {
    this.send = send;
    const content = JSON.stringify(data);
    if (content === this.content) { // what is new may be the theme
      this.changed = "graph";
      this.draw();
      return;
    }
    this.content = content;
    this.build(data);
  }

  /** @param {FigureData} data */
  build(data) {
    this.life.end();
    this.player?.pause();
    this.life = new Life();
    this.data = data;
    this.model = new Model(read(data.code));
    const node = this.model.sketch.nodes.findIndex((one) => one.name === data.focus);
    if (node >= 0) this.model.choose(node);
    this.stage = new Stage(this.model, this.life, data);
    this.stage.hand = { up: (hit) => this.click(hit.node), keys: { Enter: () => this.click(this.model?.chosen ?? undefined), " ": () => this.player?.toggle() } };
    this.chart = new Chart(this.model, this.life, {
      curves: data.curves,
      drawn: data.ask === "curve" ? (points) => this.send({ event: "curve", points }) : null,
      scrub: (time) => this.scrub(time),
    });
    this.player = playerOf(this.model, { ...data, reached: () => this.tellTime() });
    const { stage, chart } = this;
    this.player.box.append(new SaveMenu(this.life, () => pictureOf(stage, data.chart ? chart : null, themeOf(this.frame)), "figure").box);
    const parts = [this.stage.box, ...(data.chart ? [this.chart.box] : [])];
    const row = element("div", { className: `pictures${data.chart ? "" : " alone"}`, style: `height: ${data.height}px` }, ...parts);
    this.frame.setAttribute("aria-label", data.label);
    this.frame.replaceChildren(row, ...(data.controls.length ? [this.player.box] : []));
    const redraw = this.life.drawing(() => this.draw());
    this.changed = /** @type {Change} */ ("graph");
    this.model.listen((change) => { if (change === "graph") this.changed = change; redraw(); });
    this.draw();
  }

  tellTime() {
    if (this.model) this.send({ event: "time", time: this.model.sketch.time });
  }

  /** @param {number} time */
  scrub(time) {
    this.player?.pause();
    this.model?.setTime(time);
    this.tellTime();
  }

  /** @param {number | undefined} node */
  click(node) {
    if (node === undefined || !this.model) return;
    this.stage?.choose(node);
    this.send({ event: "node", node: this.model.sketch.nodes[node].name });
  }

  draw() {
    const { model, stage, chart, player } = this;
    if (!model || !stage || !chart || !player) return;
    const theme = themeOf(this.frame);
    if (this.changed === "graph") stage.draw(theme);
    else stage.paint(theme);
    this.changed = "time";
    chart.draw(theme);
    tellPlayer(player, model);
    this.frame.dataset.time = String(model.sketch.time);
  }

  close() {
    this.player?.pause();
    this.life.end();
    this.frame.remove();
  }
}
