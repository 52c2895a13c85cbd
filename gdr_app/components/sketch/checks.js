// What makes a sketch one: the rules of the library's `record.py`, each with its sentence.

import { LAPLACIANS } from "./laplacians.js";
import { LEAST_ALPHA, LONGEST_NAME, MOST_ALPHA, MOST_CLASSES, MOST_NODES, PLACES, clash, isAmount, isWeight } from "./sketch.js";

/** @import { Sketch } from "./sketch.js" */

const NAME = /^[^\s:@>#,;<=\-—→"'\x60\\/\u0000-\u001f]+$/;

/**
 * Why a text cannot be the name of a node; nothing where it can.
 * @param {string} name
 */
export function nameFault(name) {
  if (NAME.test(name) && [...name].length <= LONGEST_NAME) return "";
  return `“${name.slice(0, 20)}” cannot be a node's name: a name has 1 to ${LONGEST_NAME} letters or digits, no spaces and no signs such as - > : @ #.`;
}

/**
 * What is wrong with a sketch, in one sentence; nothing where all is well.
 * @param {Sketch} sketch
 */
export function check(sketch) {
  return namesFault(sketch) || edgesFault(sketch) || numbersFault(sketch) || choicesFault(sketch);
}

/** @param {Sketch} sketch */
function namesFault({ nodes }) {
  if (nodes.length > MOST_NODES) return `A graph here has at most ${MOST_NODES} nodes, and this one has ${nodes.length.toLocaleString("en")}.`;
  const names = nodes.map((node) => node.name);
  const odd = names.map(nameFault).find(Boolean);
  if (odd) return odd;
  const twice = names.find((name, i) => names.indexOf(name) < i);
  return twice === undefined ? "" : `Two nodes have the name “${twice}”; every node needs its own.`;
}

/** @param {Sketch} sketch */
function edgesFault({ nodes, edges }) {
  for (const [place, edge] of edges.entries()) {
    if (!nodes[edge.from] || !nodes[edge.to]) return "An edge leads to a node that is not there.";
    const [one, other] = [nodes[edge.from].name, nodes[edge.to].name];
    if (edge.from === edge.to) return `An edge leads from “${one}” to itself.`;
    if (!isWeight(edge.weight)) return `The weight ${edge.weight} is not allowed: weights lie between 0.000001 and 1,000,000.`;
    if (edges.slice(0, place).some((before) => clash(before, edge))) return `The nodes “${one}” and “${other}” are joined twice.`;
  }
  return "";
}

/** @param {Sketch} sketch */
function numbersFault({ nodes, classes }) {
  if (!(classes >= 1 && classes <= MOST_CLASSES) || nodes.some((node) => node.beliefs.length !== classes)) return `All nodes need beliefs in the same 1 to ${MOST_CLASSES} classes.`;
  if (!nodes.every((node) => node.beliefs.every(isAmount))) return "A belief is a number that is not negative.";
  const inside = nodes.every(({ x, y }) => Math.min(x, y) >= 0 && Math.max(x, y) <= PLACES);
  return inside ? "" : `Places are whole numbers from 0 to ${PLACES}.`;
}

/** @param {Sketch} sketch */
function choicesFault({ laplacian, direction, alpha, time, tMin }) {
  if (!(laplacian in LAPLACIANS)) return `There is no Laplacian “${laplacian}”; there are ${Object.keys(LAPLACIANS).join(", ")}.`;
  if (direction !== "forward" && direction !== "backward") return "The direction is forward or backward.";
  if (!(alpha >= LEAST_ALPHA && alpha <= MOST_ALPHA)) return `α lies between ${LEAST_ALPHA} and ${MOST_ALPHA}.`;
  return isAmount(time) && isAmount(tMin) ? "" : "A time is a number that is not negative.";
}
