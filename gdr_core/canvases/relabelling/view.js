// A graph, a control of t_min with counts that follow it, and the curves of the chosen node.

import { GraphView } from "../graph_canvas/canvas.js";
import { element } from "../library/elements.js";
import { counted, inWords } from "../library/numbers.js";
import { Player } from "../library/player.js";
import { Chart } from "../trajectory_canvas/trajectory.js";
import { countsAt, datasetLooks, resultLooks } from "./looks.js";

/** @import { Curves } from "../trajectory_canvas/curves.js" */
/** @import { Sweeping } from "../graph_canvas/picture.js" */
/** @import { Colouring } from "./looks.js" */
/** @import { Block } from "./unpacking.js" */

const SWEEP = 8; // seconds from the first t_min to the last
const CHART_HEIGHT = 300;

/**
 * chose  somebody clicked a node
 * moved  t_min is another one
 * @typedef {{ chose: (node: number) => void, moved: (index: number) => void }} Ears
 */

export class RelabellingView {
  /**
   * @param {ParentNode} root
   * @param {Ears} [ears]
   */
  constructor(root, ears = { chose: () => {}, moved: () => {} }) {
    this.ears = ears;
    /** @type {Block | null} */
    this.block = null;
    /** @type {Colouring} */
    this.colouring = "outcome";
    /** @type {number | null} */
    this.node = null;
    this.player = new Player({ rate: 1, label: "t_min", show: (index) => this.show(index) });
    this.player.box.append(this.colourChoice());
    this.counts = element("p", { className: "counts" });
    this.picture = element("div");
    this.curves = element("div", { className: "curves-of-node", hidden: true });
    this.control = element("div", { className: "control", hidden: true }, this.player.box, this.counts);
    this.box = element("div", { className: "frame relabelling" }, this.control, this.picture, this.curves);
    root.append(this.box);
    this.graph = new GraphView(this.picture);
    this.graph.sweeping = () => this.sweeping();
    this.chart = new Chart(this.curves);
    this.chart.heard = (index) => this.player.go(index);
  }

  colourChoice() {
    /** @type {[Colouring, string][]} */
    const ways = [["outcome", "what happened"], ["class", "GDR class"]];
    const options = ways.map(([value, words]) => element("option", { value, textContent: `colour: ${words}` }));
    const choice = element("select", { "aria-label": "Colour by" }, ...options);
    choice.onchange = () => {
      this.colouring = ways.find(([value]) => value === choice.value)?.[0] ?? "outcome";
      this.show(this.player.index);
    };
    return choice;
  }

  /** @param {Block} block */
  take(block) {
    this.block = block;
    this.node = block.head.node;
    const { times, index } = block.head;
    this.control.hidden = !times.length;
    this.player.film.rate = times.length / SWEEP;
    this.player.setLength(Math.max(1, times.length));
    this.player.show(index ?? 0);
    this.draw(block.curves);
  }

  /** @param {number | null} node to be marked */
  mark(node) {
    if (node === this.node || !this.block) return;
    this.node = node;
    this.show(this.player.index);
  }

  /** @param {number} index of t_min */
  show(index) {
    const { block } = this;
    if (!block) return;
    if (!block.head.times.length) {
      this.tell(datasetLooks(block, this.node));
      return;
    }
    this.player.say(`t_min = ${inWords(block.head.times[index])}`);
    this.counts.textContent = this.inWords(countsAt(block, index), block);
    this.chart.put(index);
    this.tell(resultLooks(block, index, this.colouring, this.node));
    this.ears.moved(index);
  }

  /** @returns {Sweeping | null} every t_min in turn, for a film */
  sweeping() {
    const { block } = this;
    if (!block?.head.times.length) return null;
    const { times } = block.head;
    return {
      frames: times.length,
      at: this.player.index,
      name: (index) => `t_min ${inWords(times[index])}`,
      message: (index) => resultLooks(block, index, this.colouring, this.node),
    };
  }

  /**
   * @param {number[]} counts
   * @param {Block} block
   */
  inWords(counts, { head, geometry }) {
    const moved = counts.slice(1).reduce((sum, one) => sum + one, 0);
    const parts = counts.map((count, code) => `${counted(count)} ${head.outcomes[code]}`).slice(1);
    const told = parts.filter((_, at) => at < 3 || counts[at + 1]).join(", ");
    const drawn = head.all > geometry.nodes ? `Of the ${counted(geometry.nodes)} nodes drawn (of ${counted(head.all)}) ` : "";
    return `${drawn}${counted(moved)} relabelled: ${told}`;
  }

  /** @param {import("../graph_canvas/looks.js").Message} message */
  tell(message) {
    if (!this.block) return;
    this.graph.take(this.block.geometry, message, (node) => {
      this.node = node;
      this.ears.chose(node);
    });
  }

  /** @param {Curves | null} curves of the chosen node */
  draw(curves) {
    this.curves.hidden = !curves;
    if (!curves) return;
    const label = `Beliefs in every class at node ${curves.names[0]} over time. Arrow keys move t_min by one step.`;
    this.chart.take(curves, { curves: curves.id, index: this.player.index, label, height: CHART_HEIGHT, listens: false }, () => {});
  }

  close() {
    this.player.pause();
    this.graph.close();
    this.chart.close();
  }
}

/**
 * A root of its own, so that no style of the page reaches in and none reaches out.
 * @param {HTMLElement} host
 * @param {string} sheet
 */
export function rootIn(host, sheet) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.replaceChildren(element("style", { textContent: sheet }));
  return root;
}
