// A combo box over the names of a graph's nodes. Matches are looked up here; at most a few dozen
// are shown, those that begin with what was typed first.

import { element } from "#canvases/library/elements.js";
import { pressKey } from "#canvases/library/pointer.js";
import { viewing } from "#canvases/mounts/mounting.js";
import { labelsOf, matchesOf } from "./matches.js";

/** @import { Geometry } from "#canvases/graph_canvas/geometry.js" */
/** @import { Mount } from "#canvases/mounts/mounting.js" */

/** @typedef {{ geometry: string, selected: number | null, label: string, hint: string }} Message */

const SHOWN = 40;
let counter = 0;

class Search {
  /** @param {HTMLElement} root */
  constructor(root) {
    const id = `gdr-search-${++counter}`;
    /** @type {Message} */
    this.data = { geometry: "", selected: null, label: "", hint: "" };
    /** @type {Geometry | null} */
    this.geometry = null;
    /** @type {number[]} */
    this.matches = [];
    this.active = -1;
    /** @param {number} node */
    this.send = (node) => {};
    this.label = element("label", { htmlFor: id });
    const combo = { role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": `${id}-list` };
    this.input = element("input", { id, type: "text", autocomplete: "off", spellcheck: false, ...combo });
    this.list = element("div", { id: `${id}-list`, className: "list", hidden: true, role: "listbox" });
    this.clear = element("button", { type: "button", className: "clear", textContent: "×", hidden: true, "aria-label": "Choose no node" });
    this.none = element("div", { className: "none", hidden: true });
    const status = element("div", { role: "status" }, this.none); // announced by screen readers when it fills
    root.append(element("div", { className: "search frame" }, this.label, this.input, this.clear, this.list, status));
    this.input.addEventListener("input", () => this.open());
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.input.addEventListener("blur", () => this.rest());
    this.clear.addEventListener("click", () => this.choose(-1));
  }

  /**
   * @param {Message} data
   * @param {(node: number) => void} send
   */
  update(data, send) {
    this.send = send;
    this.data = data;
    this.label.textContent = data.label;
    this.list.setAttribute("aria-label", data.label);
    this.input.placeholder = data.hint;
    this.geometry = null;
    window.gdrGeometry?.(data.geometry, (geometry) => {
      if (this.data !== data) return;
      this.geometry = geometry;
      if (!this.typing()) this.rest();
    });
  }

  close() {}

  typing() {
    return !this.list.hidden || !this.none.hidden;
  }

  /** What the box shows when nobody types in it: the chosen node. */
  rest() {
    const { selected } = this.data;
    this.fold();
    this.input.value = selected === null || !this.geometry ? "" : labelsOf(this.geometry)[selected];
    this.clear.hidden = selected === null;
  }

  open() {
    if (!this.geometry) return;
    const typed = this.input.value.trim();
    const labels = labelsOf(this.geometry);
    this.matches = matchesOf(labels, typed, SHOWN);
    this.list.replaceChildren(...this.matches.map((node, place) => this.option(labels[node], place)));
    this.list.hidden = !this.matches.length;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.none.hidden = this.matches.length > 0;
    this.none.textContent = this.none.hidden ? "" : `No node’s name contains “${typed}”.`;
    this.point(typed && this.matches.length ? 0 : -1);
  }

  /**
   * @param {string} text
   * @param {number} place
   */
  option(text, place) {
    const made = element("div", { id: `${this.input.id}-${place}`, textContent: text, role: "option" });
    made.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
    made.addEventListener("click", () => this.choose(this.matches[place]));
    return made;
  }

  /** @param {number} place */
  point(place) {
    this.active = place;
    [...this.list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === place)));
    if (place < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", this.list.children[place].id);
      this.list.children[place].scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const last = this.matches.length - 1;
    pressKey(event, {
      ArrowDown: () => (this.typing() ? this.point(Math.min(last, this.active + 1)) : this.open()),
      ArrowUp: () => this.point(Math.min(last, Math.max(0, this.active - 1))),
      Escape: () => this.rest(),
      Enter: () => {
        if (!this.input.value.trim()) this.choose(-1);
        else if (this.typing() && this.active >= 0) this.choose(this.matches[this.active]);
      },
    });
  }

  /** @param {number} node */
  choose(node) {
    this.data = { ...this.data, selected: node < 0 ? null : node };
    this.rest();
    this.send(node);
  }

  fold() {
    this.list.hidden = this.none.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}

const view = viewing(Search, "chosen");

/** @type {Mount} */
function mount(given) {
  // The canvas that knows the names may be mounted after this box.
  const awaited = (window.gdrGeometryAwaited ??= []);
  window.gdrGeometry ??= (id, act) => awaited.push([id, act]);
  return view(given);
}

export default mount;
