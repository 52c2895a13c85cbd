// The exact arithmetic beside the picture: L, its eigenvectors, e^(−tL), and the sum for one node.

import { element } from "#canvases/library/elements.js";
import { inWords } from "#canvases/library/numbers.js";
import { Grid } from "./grid.js";
import { NodeTable } from "./node_table.js";

/** @import { Model } from "../diffusion_figure/model.js" */

export const MOST_ROWS = 12;
const ALL_THREE = 5; // nodes up to which the three matrices stand side by side

/**
 * title    of its button
 * columns  what a column is
 * values   the matrix, row by row, n rows
 * terms    the sum for a node and class: what it is, and its terms; a term of null is left out
 * digits   after the point
 * @typedef {{
 *   title: string, columns: (model: Model) => string[], values: (model: Model) => Float64Array, digits: number,
 *   terms: (model: Model, node: number, k: number) => { is: string, total: number, terms: (Term | null)[], first?: string },
 *   linked: boolean,
 * }} View
 */

/** @typedef {{ text: string, value: number }} Term */

/** @param {number} value */
function plain(value) {
  return Math.abs(value) < 5e-7 ? "0" : inWords(value);
}

/** @type {Record<string, View>} */
const VIEWS = {
  laplacian: {
    title: "L",
    digits: 2,
    linked: true,
    columns: (model) => model.sketch.nodes.map((node) => node.name),
    values: (model) => model.dynamics.laplacian,
    terms(model, node, k) {
      const { n, classes, laplacian } = model.dynamics;
      const terms = Array.from({ length: n }, (_, i) => {
        const [rate, value] = [laplacian[node * n + i], model.now[i * classes + k]];
        return Math.abs(rate) < 1e-12 ? null : { text: `${plain(-rate)} · ${plain(value)}`, value: -rate * value };
      });
      return { is: "dp/dt = −Σ L p", total: sum(terms), terms };
    },
  },
  eigen: {
    title: "λ, u",
    digits: 2,
    linked: false,
    columns: (model) => Array.from(model.dynamics.values, (value) => inWords(Math.abs(value) < 1e-9 ? 0 : value)),
    values({ dynamics: { n, vectors, form } }) {
      return vectors.map((_, place) => vectors[(place % n) * n + Math.floor(place / n)] / form.scale[Math.floor(place / n)]);
    },
    terms(model, node, k) {
      const { n, classes, values, vectors, form, start } = model.dynamics;
      const { time } = model.sketch;
      const terms = Array.from({ length: n }, (_, mode) => {
        let share = 0;
        for (let i = 0; i < n; i++) share += vectors[mode * n + i] * form.scale[i] * start[i * classes + k];
        const factor = (share * vectors[mode * n + node]) / form.scale[node];
        const left = mode < form.parts ? 1 : Math.exp(-values[mode] * time);
        return { text: mode < form.parts ? plain(factor) : `${plain(factor)} · ${plain(left)}`, value: factor * left };
      });
      return { is: "p = Σ c e^(−λt)", total: sum(terms), terms };
    },
  },
  kernel: {
    title: "e⁻ᵗᴸ",
    digits: 3,
    linked: true,
    columns: (model) => model.sketch.nodes.map((node) => node.name),
    values: (model) => model.dynamics.kernel(model.sketch.time),
    terms(model, node, k) {
      const { n, classes, start } = model.dynamics;
      const kernel = model.dynamics.kernel(model.sketch.time);
      const terms = Array.from({ length: n }, (_, i) => {
        const belief = start[i * classes + k];
        return belief === 0 ? null : { text: `${plain(kernel[node * n + i])} · ${plain(belief)}`, value: kernel[node * n + i] * belief };
      });
      return { is: "p = Σ e⁻ᵗᴸ H", total: sum(terms), terms };
    },
  },
};

/** @param {(Term | null)[]} terms */
function sum(terms) {
  return terms.reduce((total, term) => total + (term?.value ?? 0), 0);
}

export class Arithmetic {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.view = "kernel";
    this.table = new NodeTable(model);
    this.matrices = Object.entries(VIEWS).map(([name, { title, linked }]) => {
      const button = element("button", { type: "button", textContent: title, onclick: () => this.show(name) });
      const grid = new Grid(`Matrix ${title}`, (row, column) => {
        this.view = row === null ? this.view : name;
        this.model.point(row, column, linked ? column : null);
      });
      grid.box.onfocus = () => this.show(name);
      return { name, button, grid };
    });
    this.sum = element("div", { className: "sum", tabIndex: 0, role: "region", "aria-label": "Sum for one node" });
    this.note = element("p", { className: "note" });
    this.choice = element("div", { className: "segments", role: "group", "aria-label": "Matrix" }, ...this.matrices.map(({ button }) => button));
    this.grids = element("div", { className: "grids" }, ...this.matrices.map(({ grid }) => grid.box));
    this.left = element("div", { className: "matrix" }, this.choice, this.grids, this.note, this.sum);
    this.box = element("section", { className: "arithmetic", "aria-label": "Exact arithmetic" }, this.left, this.table.box);
  }

  /** @param {string} name */
  show(name) {
    this.view = name;
    this.draw();
  }

  draw() {
    const { model } = this;
    const count = model.sketch.nodes.length;
    const fits = count > 0 && count <= MOST_ROWS;
    this.table.draw();
    for (const part of [this.grids, this.sum]) part.hidden = !fits;
    this.choice.hidden = !fits || count <= ALL_THREE; // all are seen: the sum follows what is pointed at
    this.note.hidden = fits;
    this.note.textContent = count ? `Matrices are written out for up to ${MOST_ROWS} nodes; the table has every node.` : "";
    for (const { name, button, grid } of this.matrices) {
      button.setAttribute("aria-pressed", String(name === this.view));
      grid.box.hidden = !fits || (name !== this.view && count > ALL_THREE);
      if (!grid.box.hidden) this.drawGrid(grid, VIEWS[name], name === this.view);
    }
    if (fits) this.drawSum(VIEWS[this.view]);
  }

  /**
   * @param {Grid} grid
   * @param {View} view
   * @param {boolean} current whether the sum below is made of its entries
   */
  drawGrid(grid, view, current) {
    const { model } = this;
    const { focus, partner } = model;
    grid.draw({
      rows: model.sketch.nodes.map((node) => node.name),
      columns: view.columns(model),
      values: view.values(model),
      digits: view.digits,
      title: view.title,
      focus,
      term: current ? model.term ?? (view.linked ? focus : null) : view.linked ? partner ?? focus : null,
    });
  }

  /** @param {View} view */
  drawSum(view) {
    const { model } = this;
    const node = model.focus ?? 0;
    const k = model.labels.now[node] ?? 0;
    const { is, total, terms } = view.terms(model, node, k);
    const shown = terms.flatMap((term, i) => (term ? [{ term, i }] : []));
    const parts = shown.map(({ term, i }) => {
      const chip = element("span", { className: i === model.term ? "term lit" : "term", textContent: term.text });
      chip.onpointerenter = () => model.point(node, i, view.linked ? i : null);
      chip.onpointerleave = () => model.point(null);
      return chip;
    });
    const head = `${model.sketch.nodes[node].name}${model.sketch.classes > 1 ? `, class ${k + 1}` : ""}: ${is} = `;
    const joined = parts.flatMap((part, i) => (i ? [" + ", part] : [part]));
    this.sum.replaceChildren(element("b", { textContent: head }), ...(joined.length ? joined : ["0"]), ` = ${plain(total)}`);
  }
}
