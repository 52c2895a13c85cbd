// The same graph as text, both ways; to a file and back; as a link; as NetworkX code; as a dataset.

import { element } from "#canvases/library/elements.js";
import { partsOf, adjacencyOf } from "../sketch/sketch.js";
import { encode } from "../sketch/coding.js";
import { read, write } from "../sketch/text.js";
import { textFault } from "./changes.js";

/** @import { Sketch } from "../sketch/sketch.js" */
/** @import { Desk } from "./desk.js" */

const LARGEST_FILE = 100_000;

export class Sharing {
  /**
   * @param {Desk} desk
   * @param {(sketch: Sketch) => void} open
   * @param {(() => void) | null} toDataset
   */
  constructor(desk, open, toDataset) {
    this.desk = desk;
    this.open = open;
    this.typing = false;
    this.message = element("p", { className: "fault", role: "alert" });
    this.text = element("textarea", { "aria-label": "The graph as text", spellcheck: false, autocomplete: "off" });
    this.text.oninput = () => this.take();
    this.text.onfocus = () => { this.typing = true; };
    this.text.onblur = () => { this.typing = false; if (!this.message.textContent) this.draw(); };
    this.file = element("input", { type: "file", accept: ".txt,text/plain", hidden: true, "aria-label": "Graph from a file" });
    this.file.onchange = () => this.load();
    this.said = element("span", { className: "said", role: "status" });
    const buttons = [
      action("Copy link", "Copy the address of this page with the graph, the beliefs and the time", () => this.copy(this.link(), "Link copied.")),
      action("Save file", "Save this text as a file", () => this.save()),
      action("Open file", "Open a text that was saved here", () => this.file.click()),
      action("NetworkX", "Copy Python code that makes this graph with NetworkX", () => this.copy(networkx(desk.sketch), "NetworkX code copied.")),
      ...(toDataset ? [action("As a dataset", "Look at this graph on every other page", toDataset)] : []),
    ];
    this.box = element("div", { className: "sharing" }, this.text, this.message, element("div", { className: "actions" }, ...buttons, this.file, this.said));
  }

  draw() {
    if (this.typing || this.box.hidden) return;
    const text = write(this.desk.sketch);
    if (this.text.value !== text) this.text.value = text;
    this.tell("");
  }

  /** @param {string} fault */
  tell(fault) {
    if (this.message.textContent !== fault) this.message.textContent = fault;
    this.text.setAttribute("aria-invalid", String(Boolean(fault)));
  }

  /** What is typed is taken as soon as it is a graph; until then the last one stays. */
  take() {
    const { fault, sketch } = understood(this.text.value);
    this.tell(fault ? `${fault} The last good graph is kept.` : "");
    if (sketch) this.open(sketch);
  }

  async load() {
    const file = this.file.files?.[0];
    this.file.value = "";
    if (!file) return;
    if (file.size > LARGEST_FILE) return this.tell(`This file has ${file.size.toLocaleString("en")} bytes; a graph of the lab has at most ${LARGEST_FILE.toLocaleString("en")}. The last good graph is kept.`);
    this.text.value = await file.text();
    this.take();
  }

  save() {
    const place = URL.createObjectURL(new Blob([`${write(this.desk.sketch)}\n`], { type: "text/plain" }));
    const anchor = element("a", { href: place, download: "graph.txt" });
    anchor.click();
    URL.revokeObjectURL(place);
    this.said.textContent = "Saved as graph.txt.";
  }

  link() {
    const address = new URL(window.location.href);
    address.searchParams.set("graph", encode(this.desk.sketch));
    return address.href;
  }

  /**
   * @param {string} text
   * @param {string} done
   */
  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.said.textContent = done;
    } catch {
      this.said.textContent = "The browser does not allow copying; the address bar has the link.";
    }
  }
}

/**
 * @param {string} text
 * @returns {{ fault: string, sketch: Sketch | null }}
 */
export function understood(text) {
  try {
    const sketch = read(text);
    const fault = textFault(sketch, partsOf(adjacencyOf(sketch), sketch.nodes.length).count);
    return { fault, sketch: fault ? null : sketch };
  } catch (fault) {
    return { fault: fault instanceof Error ? fault.message : String(fault), sketch: null };
  }
}

/**
 * Python code that makes the same graph, and p(t) by dense arithmetic where D − A is the Laplacian.
 * @param {Sketch} sketch
 */
export function networkx({ nodes, edges, time }) {
  const directed = edges.some((edge) => edge.arrow);
  const triples = edges.flatMap(({ from, to, weight, arrow }) => {
    const [one, other] = [JSON.stringify(nodes[from].name), JSON.stringify(nodes[to].name)];
    return [`(${one}, ${other}, ${weight})`, ...(directed && !arrow ? [`(${other}, ${one}, ${weight})`] : [])];
  });
  return [
    "import networkx as nx",
    "",
    `graph = nx.${directed ? "DiGraph" : "Graph"}()`,
    ...nodes.map(({ name, x, y, beliefs, train }) => `graph.add_node(${JSON.stringify(name)}, beliefs=[${beliefs.join(", ")}], train=${train ? "True" : "False"}, pos=(${x}, ${1000 - y}))`),
    `graph.add_weighted_edges_from([${triples.join(", ")}])`,
    ...(directed ? [] : ["", "import numpy as np", "from scipy.linalg import expm", "", "L = nx.laplacian_matrix(graph).toarray().astype(float)", 'H = np.array([graph.nodes[node]["beliefs"] for node in graph], dtype=float)', `p = expm(-${time} * L) @ H  # with the combinatorial Laplacian`]),
    "",
  ].join("\n");
}

/**
 * @param {string} name
 * @param {string} title
 * @param {() => void} act
 */
function action(name, title, act) {
  return element("button", { type: "button", textContent: name, title, onclick: act });
}
