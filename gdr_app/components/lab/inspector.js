// What is chosen, in fields: a node's name and beliefs, an edge's weight and direction.

import { element } from "#canvases/library/elements.js";
import { nameFault } from "../sketch/checks.js";
import { isAmount, isWeight, tidy } from "../sketch/sketch.js";
import { changedNode, wayOf, withWay, withWeight } from "./changes.js";

/** @import { Stage } from "../diffusion_figure/stage.js" */
/** @import { Way } from "./changes.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Editor } from "./editor.js" */

export class Inspector {
  /**
   * @param {Desk} desk
   * @param {Stage} stage
   * @param {Editor} editor
   */
  constructor(desk, stage, editor) {
    this.desk = desk;
    this.stage = stage;
    this.editor = editor;
    this.shape = "";
    this.message = element("span", { className: "fault", role: "alert" });
    this.fields = element("div", { className: "fields" });
    this.box = element("div", { className: "inspector" }, this.fields, this.message);
    /** @type {(() => void)[]} */
    this.refreshes = [];
    this.notice = "";
  }

  /** @param {string} notice what is odd about the graph as it is */
  draw(notice) {
    const { edge } = this.stage;
    const node = this.desk.model.chosen;
    const { sketch } = this.desk;
    const shape = edge !== null && sketch.edges[edge] ? `edge ${edge}` : node !== null ? `node ${node} ${sketch.classes}` : "";
    if (shape !== this.shape) {
      this.shape = shape;
      this.refreshes = [];
      this.notice = "";
      this.fields.replaceChildren(...(shape.startsWith("edge") ? this.edgeFields(edge ?? 0) : shape ? this.nodeFields(node ?? 0) : []));
    }
    for (const refresh of this.refreshes) refresh();
    this.say(this.notice || notice);
  }

  /** @param {string} text */
  say(text) {
    if (this.message.textContent !== text) this.message.textContent = text;
  }

  /**
   * A field that is taken over when it is left; what cannot be is told, and the graph stays.
   * @param {string} label
   * @param {() => string} value
   * @param {(text: string) => string} take answers what is wrong
   */
  field(label, value, take, wide = false) {
    const input = element("input", { type: "text", value: value(), "aria-label": label, className: wide ? "wide" : "", autocomplete: "off", spellcheck: false });
    input.onchange = () => {
      this.notice = take(input.value.trim());
      input.setAttribute("aria-invalid", String(Boolean(this.notice)));
      if (this.notice) this.say(this.notice);
      this.editor.changed();
    };
    const root = () => /** @type {ShadowRoot | Document} */ (input.getRootNode());
    this.refreshes.push(() => { if (root().activeElement !== input && !this.notice) input.value = value(); });
    return input;
  }

  /** @param {number} node */
  nodeFields(node) {
    const { desk } = this;
    const here = () => desk.sketch.nodes[node];
    const name = this.field("Name of the node", () => here().name, (text) => {
      const fault = nameFault(text) || (desk.sketch.nodes.some((other, i) => i !== node && other.name === text) ? `Two nodes have the name “${text}”; every node needs its own.` : "");
      if (!fault) desk.change(changedNode(desk.sketch, node, { name: text }));
      return fault;
    }, true);
    const beliefs = here().beliefs.map((_, k) => this.field(`Belief in class ${k + 1}`, () => String(here().beliefs[k]), (text) => {
      const value = tidy(Number(text));
      if (text === "" || !isAmount(value)) return `“${text.slice(0, 20)}” is no belief: a belief is a number that is not negative.`;
      desk.change(changedNode(desk.sketch, node, { beliefs: here().beliefs.map((belief, c) => (c === k ? value : belief)) }));
      return "";
    }));
    const known = element("input", { type: "checkbox" });
    known.onchange = () => { desk.change(changedNode(desk.sketch, node, { train: known.checked })); this.editor.changed(); };
    this.refreshes.push(() => { known.checked = here().train; });
    return [element("span", { textContent: "Node" }), name, element("span", { textContent: "believes" }), ...beliefs, element("label", {}, known, " training"), this.removal("Remove node")];
  }

  /** @param {number} edge */
  edgeFields(edge) {
    const { desk } = this;
    const here = () => desk.sketch.edges[edge];
    /** @param {number} end */
    const name = (end) => desk.sketch.nodes[end].name;
    const [low, high] = [Math.min(here().from, here().to), Math.max(here().from, here().to)];
    const weight = this.field("Weight of the edge", () => String(here().weight), (text) => {
      const value = tidy(Number(text));
      if (text === "" || !isWeight(value)) return `“${text.slice(0, 20)}” is no weight: weights are numbers between 0.000001 and 1,000,000.`;
      desk.change(withWeight(desk.sketch, edge, value));
      return "";
    });
    const slider = element("input", { type: "range", min: "-2", max: "2", step: "0.02", "aria-label": "Weight of the edge, as a power of ten" });
    slider.oninput = () => { this.notice = ""; desk.drag(withWeight(desk.sketch, edge, Number((10 ** Number(slider.value)).toPrecision(3)))); };
    slider.onchange = () => desk.drop();
    this.refreshes.push(() => { slider.value = String(Math.log10(here().weight)); });
    /** @type {[Way, string][]} */
    const ways = [["both", `${name(low)} – ${name(high)}`], ["along", `${name(low)} → ${name(high)}`], ["against", `${name(high)} → ${name(low)}`]];
    const way = element("select", { "aria-label": "Direction of the edge" }, ...ways.map(([value, text]) => element("option", { value, textContent: text })));
    way.onchange = () => { desk.change(withWay(desk.sketch, edge, /** @type {Way} */ (way.value))); this.editor.changed(); };
    this.refreshes.push(() => { way.value = wayOf(here()); });
    return [element("span", { textContent: "Edge" }), way, element("span", { textContent: "weight" }), weight, slider, this.removal("Remove edge")];
  }

  /** @param {string} name */
  removal(name) {
    return element("button", { type: "button", className: "remove", textContent: "×", title: name, "aria-label": name, onclick: () => this.editor.removeChosen() });
  }
}
