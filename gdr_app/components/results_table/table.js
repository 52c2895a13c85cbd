// A table whose numbers are buttons. One of them takes part in the tab order; arrows move on.

import { element } from "#canvases/library/elements.js";
import { pressKey } from "#canvases/library/pointer.js";
import { Tooltip } from "#canvases/library/tooltip.js";
import { viewing } from "#canvases/mounts/mounting.js";

/**
 * @typedef {{
 *   name: string, ours: string, paper: string, printed: boolean, difference: string,
 *   shade: string, missing: boolean, details: [string, string][],
 * }} Figure
 */
/** @typedef {{ group: string, name: string }} Column */
/** @typedef {{ title: string, columns: Column[], rows: { name: string, numbers: Figure[] }[], chosen: string | null }} Message */

/** @type {[string, [number, number]][]} */
const STEPS = [["ArrowLeft", [0, -1]], ["ArrowRight", [0, 1]], ["ArrowUp", [-1, 0]], ["ArrowDown", [1, 0]]];

/** @param {Column[]} columns */
function heads(columns) {
  const rows = [];
  if (columns.some(({ group }) => group)) {
    const top = element("tr", {}, element("td"));
    for (let i = 0; i < columns.length; ) {
      let wide = 1;
      while (columns[i + wide]?.group === columns[i].group) wide++;
      top.append(element("th", { scope: "colgroup", colSpan: wide, className: "group", textContent: columns[i].group }));
      i += wide;
    }
    rows.push(top);
  }
  const names = columns.map(({ name }) => element("th", { scope: "col", textContent: name }));
  rows.push(element("tr", {}, element("td"), ...names));
  return element("thead", {}, ...rows);
}

/** @param {string} difference */
function arrow(difference) {
  if (difference.startsWith("+")) return "▲ ";
  return difference.startsWith("−") ? "▼ " : "";
}

class Board {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.content = "";
    /** @type {{ figure: Figure, button: HTMLButtonElement }[][]} */
    this.cells = [];
    /** @param {string} name */
    this.send = (name) => {};
    this.box = element("div", { className: "box" });
    this.tip = new Tooltip();
    this.frame = element("div", { className: "frame" }, this.box, this.tip.box);
    this.frame.addEventListener("keydown", (event) => this.press(event));
    root.append(this.frame);
  }

  /**
   * @param {Message} data
   * @param {(name: string) => void} send
   */
  update(data, send) {
    this.send = send;
    const { chosen, ...rest } = data;
    const content = JSON.stringify(rest);
    if (content !== this.content) {
      this.content = content;
      this.tip.hide();
      this.draw(data);
    }
    for (const { figure, button } of this.cells.flat()) button.setAttribute("aria-pressed", String(figure.name === chosen));
  }

  close() {
    this.frame.remove();
  }

  /** @param {Message} data */
  draw({ title, columns, rows }) {
    this.cells = rows.map(({ name, numbers }) => numbers.map((figure, i) => ({ figure, button: this.button(figure, name, columns[i]) })));
    const body = rows.map(({ name }, r) => {
      const cells = this.cells[r].map(({ figure, button }) => element("td", { style: `background: ${figure.shade}` }, button));
      return element("tr", {}, element("th", { scope: "row", textContent: name }), ...cells);
    });
    const className = columns.length > 4 ? "narrow" : "";
    this.box.replaceChildren(element("table", { className, "aria-label": title }, heads(columns), element("tbody", {}, ...body)));
    this.cells[0][0].button.tabIndex = 0;
  }

  /**
   * @param {Figure} figure
   * @param {string} row
   * @param {Column} column
   */
  button(figure, row, { group, name }) {
    const { ours, paper, printed, difference, missing } = figure;
    const where = [row, name, group].filter(Boolean).join(", ");
    const label = `${where}: ours ${ours}, paper ${paper}${difference ? `, difference ${difference}` : ""}`;
    const button = element(
      "button",
      { type: "button", tabIndex: -1, className: missing ? "missing" : "", "aria-label": label },
      element("div", { className: "ours", textContent: ours }),
      element(
        "div",
        { className: "beside" },
        element("span", { className: "word", textContent: printed ? "paper " : "" }),
        `${printed ? paper : "not in paper"}${difference ? ` ${arrow(difference)}${difference}` : ""}`,
      ),
    );
    button.onmouseenter = button.onfocus = () => this.show(figure, button);
    button.onmouseleave = button.onblur = () => this.tip.hide();
    button.onclick = () => {
      this.tip.hide();
      this.choose(figure.name);
    };
    return button;
  }

  /**
   * The chosen number opens beside the tables; where there is no room beside them it opens below.
   * @param {string} name
   */
  choose(name) {
    this.send(name);
    const card = document.querySelector(".st-key-one-cell");
    if (!card || card.getBoundingClientRect().top < window.innerHeight / 2) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    card.scrollIntoView({ behavior: still ? "auto" : "smooth" });
  }

  /**
   * The settings, under the cell or above it: a table scrolls, so the place is one of the window.
   * @param {Figure} figure
   * @param {HTMLElement} button
   */
  show({ name, details }, button) {
    const list = element("dl", {}, ...details.flatMap(([key, text]) => [element("dt", { textContent: key }), element("dd", { textContent: text })]));
    this.tip.say(name, [list]);
    const place = button.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high, style } = this.tip.box;
    const below = place.bottom + 6 + high < window.innerHeight;
    style.left = `${Math.max(8, Math.min(window.innerWidth - wide - 8, place.left))}px`;
    style.top = `${below ? place.bottom + 6 : Math.max(8, place.top - high - 6)}px`;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Escape") this.tip.hide();
    const row = this.cells.findIndex((line) => line.some(({ button }) => button === event.target));
    if (row < 0) return;
    const column = this.cells[row].findIndex(({ button }) => button === event.target);
    pressKey(event, Object.fromEntries(STEPS.map(([key, [down, right]]) => [key, () => this.move(row, column, down, right)])));
  }

  /**
   * @param {number} row
   * @param {number} column
   * @param {number} down
   * @param {number} right
   */
  move(row, column, down, right) {
    const next = this.cells[row + down]?.[column + right]?.button;
    if (!next) return;
    this.cells[row][column].button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

export default viewing(Board, "chosen");
