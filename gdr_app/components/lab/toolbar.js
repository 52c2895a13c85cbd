// The row above the picture: graphs to begin with, tools, ink, undo; and the Laplacian.

import { element } from "#canvases/library/elements.js";
import { icon } from "#canvases/library/icons.js";
import { LAPLACIANS } from "../sketch/laplacians.js";
import { LEAST_ALPHA, MOST_ALPHA, MOST_CLASSES } from "../sketch/sketch.js";
import { withoutInk } from "./changes.js";

/** @import { Sketch } from "../sketch/sketch.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Editor, Tool } from "./editor.js" */

/** @typedef {{ name: string, title: string, about: string, code: string }} Exhibit */

const ICONS = {
  move: "M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3",
  node: "M12 5a7 7 0 1 0 .01 0M12 9v6M9 12h6",
  edge: "M5 19L19 5M5 19a2 2 0 1 0 .01 0M19 5a2 2 0 1 0 .01 0",
  erase: "M5 5l14 14M19 5L5 19",
  train: "M6 4h12v16l-6-4-6 4z",
  undo: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-3",
  redo: "M15 7l5 5-5 5M20 12H10a5 5 0 0 0 0 10h3",
  clear: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11M4 4l16 16",
};
/** @type {[Exclude<Tool, "ink">, string, string][]} */
const TOOLS = [
  ["move", "Move", "Drag nodes to move them; drag an edge up or down to change its weight"],
  ["node", "Node", "Click the empty space to add a node (key N)"],
  ["edge", "Edge", "Drag from one node to another, or into the open (key E)"],
  ["erase", "Erase", "Click a node or an edge to remove it (key Delete)"],
  ["train", "Training", "Click a node to mark that its class is known (key T)"],
];

export class Toolbar {
  /**
   * @param {Desk} desk
   * @param {Editor} editor
   * @param {Exhibit[]} gallery
   * @param {(code: string) => void} open
   */
  constructor(desk, editor, gallery, open) {
    this.desk = desk;
    this.editor = editor;
    this.gallery = element("select", { "aria-label": "Graph to begin with" }, element("option", { value: "", textContent: "Gallery…" }), ...gallery.map(({ name, title }) => element("option", { value: name, textContent: title })), element("option", { value: "new", textContent: "An empty page" }));
    this.gallery.onchange = () => open(this.gallery.value);
    this.tools = TOOLS.map(([tool, name, title]) => ({ tool, button: toolButton(name, title, ICONS[tool], () => editor.take(tool)) }));
    this.inks = element("div", { className: "inks", role: "group", "aria-label": "Ink: click a node to drop it there" });
    this.undo = toolButton("Undo", "Undo (Ctrl+Z)", ICONS.undo, () => { desk.undo(); editor.changed(); });
    this.redo = toolButton("Redo", "Redo (Ctrl+Y)", ICONS.redo, () => { desk.redo(); editor.changed(); });
    this.clear = toolButton("No ink", "Take all ink away", ICONS.clear, () => { desk.change(withoutInk(desk.sketch)); editor.changed(); });
    const tools = element("div", { className: "group", role: "group", "aria-label": "Tools" }, ...this.tools.map(({ button }) => button));
    const past = element("div", { className: "group" }, this.undo, this.redo);
    this.box = element("div", { className: "toolbar" }, this.gallery, tools, this.inks, past, ...this.walk());
    this.colours = /** @type {string[]} */ ([]);
  }

  /** The Laplacian, and what it takes. */
  walk() {
    const { desk } = this;
    this.laplacian = element("select", { "aria-label": "Laplacian" }, ...Object.keys(LAPLACIANS).map((name) => element("option", { value: name, textContent: name })));
    this.laplacian.onchange = () => this.put({ laplacian: this.laplacian?.value ?? "" });
    this.direction = element("select", { "aria-label": "Direction" }, ...["forward", "backward"].map((name) => element("option", { value: name, textContent: name })));
    this.direction.onchange = () => this.put({ direction: this.direction?.value === "backward" ? "backward" : "forward" });
    this.alpha = element("input", { type: "range", min: String(LEAST_ALPHA), max: String(MOST_ALPHA), step: "0.01", "aria-label": "α, probability of following an arrow" });
    this.alpha.oninput = () => desk.drag({ ...desk.sketch, alpha: Number(this.alpha?.value) });
    this.alpha.onchange = () => desk.drop();
    this.alphaWords = element("span", { className: "number" });
    this.formula = element("span", { className: "formula" });
    this.directed = element("span", { className: "directed" }, this.direction, this.alpha, this.alphaWords);
    return [element("label", { className: "walk" }, element("span", { textContent: "L" }), this.laplacian), this.formula, this.directed];
  }

  /**
   * Another Laplacian has another time: the same share of the axis is shown.
   * @param {Partial<Sketch>} said
   */
  put(said) {
    const { model } = this.desk;
    const share = model.shareOf(this.desk.sketch.time);
    this.desk.change({ ...this.desk.sketch, ...said });
    model.setTime(model.timeAt(share));
  }

  /** @param {string[]} colours */
  draw(colours) {
    const { sketch, past } = this.desk;
    const { tool, ink } = this.editor;
    for (const { tool: other, button } of this.tools) button.setAttribute("aria-pressed", String(other === tool));
    this.undo.disabled = !past.before.length;
    this.redo.disabled = !past.after.length;
    this.drawInks(colours, sketch.classes, tool === "ink" ? ink : -1);
    const kind = LAPLACIANS[sketch.laplacian];
    if (!this.laplacian || !this.formula || !this.directed || !this.direction || !this.alpha || !this.alphaWords) return;
    this.laplacian.value = sketch.laplacian;
    this.formula.textContent = kind.formula;
    this.directed.hidden = !kind.directed;
    this.direction.value = sketch.direction;
    this.alpha.value = String(sketch.alpha);
    this.alphaWords.textContent = `α ${sketch.alpha}`;
  }

  /**
   * One drop for each class, and one for a class more.
   * @param {string[]} colours
   * @param {number} classes
   * @param {number} chosen
   */
  drawInks(colours, classes, chosen) {
    const count = Math.min(classes + 1, MOST_CLASSES);
    const drops = Array.from({ length: count }, (_, k) => {
      const more = k >= classes;
      const name = more ? `Ink of a new class ${k + 1}` : classes > 1 ? `Ink of class ${k + 1}` : "Ink";
      const button = element("button", { type: "button", title: `${name}: click a node to drop it there, again to take it away (key ${k + 1})`, "aria-label": name, "aria-pressed": String(k === chosen), className: more ? "drop more" : "drop", style: `--ink: ${colours[k]}` });
      button.append(icon("M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z"));
      button.onclick = () => this.editor.take("ink", k);
      return button;
    });
    const look = `${count} ${chosen} ${colours[0]}`;
    if (this.inks.dataset.look === look) return;
    this.inks.dataset.look = look;
    const held = this.inks.contains(/** @type {ShadowRoot | Document} */ (this.inks.getRootNode()).activeElement);
    this.inks.replaceChildren(...drops, this.clear);
    if (held) drops[Math.max(chosen, 0)].focus();
  }
}

/**
 * @param {string} name
 * @param {string} title
 * @param {string} path
 * @param {() => void} act
 */
function toolButton(name, title, path, act) {
  return element("button", { type: "button", className: "tool", title, "aria-label": name, onclick: act }, icon(path));
}
