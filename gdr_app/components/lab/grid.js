// A matrix as a table: entries shaded by size, the row and column that are pointed at lit up.

import { element } from "#canvases/library/elements.js";

/**
 * @typedef {{
 *   title: string, rows: string[], columns: string[], values: Float64Array, digits: number,
 *   focus: number | null, term: number | null,
 * }} Shown
 */

export class Grid {
  /**
   * @param {string} label
   * @param {(row: number | null, column: number | null) => void} point
   */
  constructor(label, point) {
    this.point = point;
    this.shape = "";
    /** @type {HTMLTableCellElement[]} */
    this.cells = [];
    /** @type {HTMLTableCellElement[]} */
    this.heads = [];
    /** @type {HTMLTableCellElement[]} */
    this.names = [];
    this.corner = element("td", { className: "corner" });
    this.table = element("table", {});
    this.box = element("div", { className: "grid", tabIndex: 0, role: "region", "aria-label": label }, this.table);
    this.box.onpointerleave = () => this.point(null, null);
  }

  /** @param {Shown} shown */
  draw(shown) {
    const { title, rows, columns, values, digits, focus, term } = shown;
    this.corner.textContent = title;
    const shape = `${rows.length} ${columns.length}`;
    if (shape !== this.shape) this.build(rows.length, columns.length);
    this.shape = shape;
    let size = 1e-12;
    for (const value of values) size = Math.max(size, Math.abs(value));
    columns.forEach((name, j) => fill(this.heads[j], name, j === term));
    rows.forEach((name, i) => fill(this.names[i], name, i === focus));
    this.cells.forEach((cell, place) => {
      const value = values[place];
      const [i, j] = [Math.floor(place / columns.length), place % columns.length];
      fill(cell, Math.abs(value) < 0.5 * 10 ** -digits ? "0" : value.toFixed(digits), i === focus && (term === null || j === term), i === focus || j === term);
      const share = Math.round(42 * Math.sqrt(Math.abs(value) / size));
      const look = `${value < 0 ? "var(--less)" : "var(--more)"} ${share}%`;
      if (cell.dataset.look === look) return;
      cell.dataset.look = look;
      cell.style.background = `color-mix(in srgb, ${look}, transparent)`;
    });
  }

  /**
   * @param {number} rows
   * @param {number} columns
   */
  build(rows, columns) {
    this.heads = Array.from({ length: columns }, () => element("th", { scope: "col" }));
    this.names = Array.from({ length: rows }, () => element("th", { scope: "row" }));
    this.cells = Array.from({ length: rows * columns }, (_, place) => {
      const cell = element("td", {});
      cell.onpointerenter = () => this.point(Math.floor(place / columns), place % columns);
      return cell;
    });
    const head = element("thead", {}, element("tr", {}, this.corner, ...this.heads));
    const body = this.names.map((name, i) => element("tr", {}, name, ...this.cells.slice(i * columns, (i + 1) * columns)));
    this.table.replaceChildren(head, element("tbody", {}, ...body));
  }
}

/**
 * Writes only what has changed: a table of hundreds of cells is drawn in every frame.
 * @param {HTMLTableCellElement} cell
 * @param {string} text
 * @param {boolean} lit
 */
export function fill(cell, text, lit, near = false) {
  if (cell.textContent !== text) cell.textContent = text;
  const look = lit ? "lit" : near ? "near" : "";
  if (cell.className !== look) cell.className = look;
}
