// Every node in numbers: what it believed, believes, will believe, and how far it overshoots.

import { element } from "#canvases/library/elements.js";
import { fill } from "./grid.js";

/** @import { Model } from "../diffusion_figure/model.js" */

const HEADS = ["node", "H", "p(t)", "π", "Ω", "peak t"];

export class NodeTable {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.shape = "";
    /** @type {HTMLTableCellElement[][]} */
    this.rows = [];
    this.table = element("table", {});
    this.caption = element("caption", { className: "spoken", textContent: "Beliefs of every node" });
    this.box = element("div", { className: "numbers", tabIndex: 0, role: "region", "aria-label": "Table of nodes" }, this.table);
    this.box.onpointerleave = () => this.model.point(null);
  }

  draw() {
    const { sketch, now, dynamics, later, focus, term } = this.model;
    const shape = `${sketch.nodes.length} ${sketch.classes}`;
    if (shape !== this.shape) this.build();
    this.shape = shape;
    this.rows.forEach((cells, row) => {
      const node = Math.floor(row / sketch.classes);
      const { above, height, time, never } = later[row];
      const name = sketch.classes > 1 ? `${sketch.nodes[node].name} · ${(row % sketch.classes) + 1}` : sketch.nodes[node].name;
      const texts = [
        name,
        String(Number(dynamics.start[row].toPrecision(3))),
        now[row].toFixed(6),
        dynamics.limit[row].toFixed(4),
        above ? height.toFixed(4) : never ? "0" : "?",
        above ? String(Number(time.toPrecision(3))) : never ? "never" : "?",
      ];
      texts.forEach((text, i) => fill(cells[i], text, node === focus && i === 0, node === focus || node === term));
    });
  }

  build() {
    const { sketch } = this.model;
    this.rows = Array.from({ length: sketch.nodes.length * sketch.classes }, () => HEADS.map((_, i) => (i ? element("td", {}) : element("th", { scope: "row" }))));
    const head = element("thead", {}, element("tr", {}, ...HEADS.map((text) => element("th", { scope: "col", textContent: text }))));
    const body = this.rows.map((cells, row) => {
      const line = element("tr", {}, ...cells);
      line.onpointerenter = () => this.model.point(Math.floor(row / this.model.sketch.classes));
      return line;
    });
    this.table.replaceChildren(this.caption, head, element("tbody", {}, ...body));
  }
}
