// Changes of a sketch: each gives a new one and leaves the old as it is.

import { MOST_CLASSES, MOST_NODES, clash, copyOf, isWeight, tidy } from "../sketch/sketch.js";

/** @import { Sketch, SketchEdge, SketchNode } from "../sketch/sketch.js" */

/** @returns {Sketch} */
export function emptySketch() {
  return { nodes: [], edges: [], classes: 1, laplacian: "combinatorial", direction: "forward", alpha: 0.85, time: 0, tMin: 0 };
}

/**
 * The first free name: letters where there are only letters, else numbers.
 * @param {Sketch} sketch
 */
function freeName({ nodes }) {
  const taken = new Set(nodes.map((node) => node.name));
  const letters = nodes.every((node) => /^[a-z]$/.test(node.name)) ? [..."abcdefghijklmnopqrstuvwxyz"] : [];
  return [...letters, ...Array.from({ length: MOST_NODES + 1 }, (_, i) => String(i + 1))].find((name) => !taken.has(name)) ?? "new";
}

/**
 * @param {Sketch} sketch
 * @param {{ x: number, y: number }} place
 */
export function withNode(sketch, place) {
  if (sketch.nodes.length >= MOST_NODES) return sketch;
  const next = copyOf(sketch);
  next.nodes.push({ name: freeName(sketch), ...place, beliefs: new Array(sketch.classes).fill(0), train: false });
  return next;
}

/**
 * A place with room around it, for a node that is added by a key.
 * @param {Sketch} sketch
 */
export function freePlace({ nodes }) {
  let [best, most] = [{ x: 500, y: 500 }, -1];
  for (let x = 150; x <= 850; x += 100)
    for (let y = 150; y <= 850; y += 100) {
      const away = Math.min(400, ...nodes.map((node) => Math.hypot(node.x - x, node.y - y)));
      const score = away - Math.hypot(x - 500, y - 500) / 10;
      if (score > most) [best, most] = [{ x, y }, score];
    }
  return best;
}

/**
 * @param {Sketch} sketch
 * @param {number} node
 */
export function withoutNode(sketch, node) {
  const next = copyOf(sketch);
  next.nodes.splice(node, 1);
  next.edges = next.edges.filter(({ from, to }) => from !== node && to !== node);
  for (const edge of next.edges) {
    if (edge.from > node) edge.from--;
    if (edge.to > node) edge.to--;
  }
  return next;
}

/**
 * @param {Sketch} sketch
 * @param {number} node
 * @param {Partial<SketchNode>} said
 */
export function changedNode(sketch, node, said) {
  const next = copyOf(sketch);
  Object.assign(next.nodes[node], said);
  return next;
}

/**
 * An edge more; the same sketch where the two are joined already.
 * @param {Sketch} sketch
 * @param {number} from
 * @param {number} to
 */
export function withEdge(sketch, from, to, arrow = false) {
  const edge = { from, to, weight: 1, arrow };
  if (from === to || sketch.edges.some((other) => clash(other, edge))) return sketch;
  const next = copyOf(sketch);
  next.edges.push(edge);
  return next;
}

/**
 * @param {Sketch} sketch
 * @param {number} edge
 */
export function withoutEdge(sketch, edge) {
  const next = copyOf(sketch);
  next.edges.splice(edge, 1);
  return next;
}

/**
 * Another weight, as near to it as is allowed.
 * @param {Sketch} sketch
 * @param {number} edge
 * @param {number} weight
 */
export function withWeight(sketch, edge, weight) {
  if (!isWeight(weight)) return sketch;
  const next = copyOf(sketch);
  next.edges[edge].weight = tidy(weight);
  return next;
}

/** @typedef {"both" | "along" | "against"} Way */

/** @param {SketchEdge} edge @returns {Way} */
export function wayOf(edge) {
  if (!edge.arrow) return "both";
  return edge.from < edge.to ? "along" : "against";
}

/**
 * An edge that leads both ways, from the earlier node to the later, or back.
 * @param {Sketch} sketch
 * @param {number} place of the edge
 * @param {Way} way
 */
export function withWay(sketch, place, way) {
  const next = copyOf(sketch);
  const edge = next.edges[place];
  const [low, high] = [Math.min(edge.from, edge.to), Math.max(edge.from, edge.to)];
  const ends = way === "against" ? { from: high, to: low } : { from: low, to: high };
  next.edges[place] = { ...edge, ...ends, arrow: way !== "both" };
  const clashes = next.edges.some((other, i) => i !== place && clash(other, next.edges[place]));
  return clashes ? sketch : next;
}

/**
 * Ink on a node: a whole drop of one class, or none where it was that already.
 * @param {Sketch} sketch
 * @param {number} node
 * @param {number} k
 */
export function withInk(sketch, node, k) {
  const next = copyOf(withClasses(sketch, Math.max(sketch.classes, k + 1)));
  const { beliefs } = next.nodes[node];
  const full = beliefs.every((belief, c) => belief === (c === k ? 1 : 0));
  next.nodes[node].beliefs = beliefs.map((_, c) => (!full && c === k ? 1 : 0));
  return next;
}

/**
 * So many classes; beliefs in classes that are gone are forgotten.
 * @param {Sketch} sketch
 * @param {number} classes
 */
export function withClasses(sketch, classes) {
  const count = Math.max(1, Math.min(MOST_CLASSES, classes));
  if (count === sketch.classes) return sketch;
  const next = copyOf(sketch);
  next.classes = count;
  for (const node of next.nodes) node.beliefs = Array.from({ length: count }, (_, c) => node.beliefs[c] ?? 0);
  return next;
}

/** @param {Sketch} sketch */
export function withoutInk(sketch) {
  const next = copyOf(sketch);
  for (const node of next.nodes) node.beliefs.fill(0);
  return next;
}

/**
 * What is odd about a graph that can be drawn: nothing flows, or not everywhere.
 * @param {Sketch} sketch
 * @param {number} parts
 */
export function noticeOf({ nodes, edges }, parts) {
  if (!nodes.length) return "No node yet: click the empty space, or press N here.";
  if (nodes.length === 1) return "A single node: nothing can flow. Add another and join the two.";
  if (!edges.length) return "No edge yet: nothing flows. Choose Edge and drag from one node to another.";
  return parts > 1 ? `The graph is in ${parts} parts: nothing flows from one to another, and each has a π of its own.` : "";
}

/**
 * Why a graph that comes as text is not taken; nothing where it is.
 * @param {Sketch} sketch
 * @param {number} parts
 */
export function textFault({ nodes, edges }, parts) {
  if (nodes.length < 2) return `A graph needs two nodes or more, and this text has ${nodes.length ? "one" : "none"}.`;
  if (!edges.length) return "This text has no edge: nothing would flow.";
  return parts > 1 ? `This graph is in ${parts} parts that no edge joins. Join them, then it is taken.` : "";
}
