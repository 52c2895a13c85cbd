// A sketch as text that people read and write; the library's `text.py` tells the language.

import { check } from "./checks.js";
import { decode } from "./coding.js";
import { MOST_NODES, PLACES, clash, tidy } from "./sketch.js";

/** @import { Sketch, SketchEdge } from "./sketch.js" */

const MOST_LETTERS = 40_000;
const NAME = "[^\\s:@>#,;<=\\-—→\"'\x60\\\\/]+";
const EDGE = new RegExp(`^(${NAME})\\s*(->|-|—|→|>|,|\\s)\\s*(${NAME})(?:(?:\\s*,\\s*|\\s+)(\\S+))?$`, "u");
const BELIEFS = new RegExp(`^(${NAME})\\s*:\\s*(.*)$`, "u");
const PLACE = new RegExp(`^(${NAME})\\s*@\\s*(\\S+)\\s+(\\S+)$`, "u");
const ALONE = new RegExp(`^${NAME}$`, "u");
const SETTING = /^(laplacian|direction|alpha|time|t_min)\s+(\S+)$/;
const ARROWS = ["->", "→", ">"];
const DEFAULTS = { laplacian: "combinatorial", direction: "forward", alpha: 0.85, time: 0, t_min: 0 };

/**
 * @typedef {{
 *   names: string[], edges: SketchEdge[], beliefs: Map<number, number[]>, train: Set<number>,
 *   places: Map<number, [number, number]>, settings: Record<string, string | number>,
 * }} Draft
 */

/**
 * The sketch that a text describes; an error names the line.
 * @param {string} text
 * @returns {Sketch}
 */
export function parse(text) {
  if (text.length > MOST_LETTERS) throw new Error(`This text has ${text.length.toLocaleString("en")} characters; ${MOST_LETTERS.toLocaleString("en")} are read.`);
  /** @type {Draft} */
  const draft = { names: [], edges: [], beliefs: new Map(), train: new Set(), places: new Map(), settings: {} };
  text.split(/\r\n|\r|\n/).forEach((line, i) => {
    for (const part of line.split("#")[0].split(";")) {
      const statement = part.trim();
      const fault = statement ? take(draft, statement) : "";
      if (fault) throw new Error(`Line ${i + 1}: ${fault}`);
    }
  });
  const sketch = finished(draft);
  const fault = check(sketch);
  if (fault) throw new Error(fault);
  return sketch;
}

/**
 * The sketch that somebody gives: as in links, or as text to read.
 * @param {string} given
 */
export function read(given) {
  return /^\d+\.[\w-]*$/.test(given.trim()) ? decode(given.trim()) : parse(given);
}

/** @param {Sketch} sketch */
export function write(sketch) {
  const { nodes, edges } = sketch;
  const lines = inOrder(sketch) ? [] : nodes.map((node) => node.name);
  for (const { from, to, weight, arrow } of edges)
    lines.push(`${nodes[from].name} ${arrow ? ">" : "-"} ${nodes[to].name}${weight === 1 ? "" : ` ${weight}`}`);
  let every = sketch.classes > 1; // one class more than anybody believes in must be seen
  for (const { name, beliefs, train } of nodes) {
    if (!every && !train && !beliefs.some(Boolean)) continue;
    lines.push(`${name}: ${beliefs.join(" ")}${train ? " train" : ""}`);
    every = false;
  }
  for (const { name, x, y } of nodes) lines.push(`${name} @ ${x} ${y}`);
  const told = { laplacian: sketch.laplacian, direction: sketch.direction, alpha: sketch.alpha, time: sketch.time, t_min: sketch.tMin };
  for (const [name, value] of Object.entries(told)) if (value !== Reflect.get(DEFAULTS, name)) lines.push(`${name} ${value}`);
  return lines.join("\n");
}

/**
 * Places on a circle, the first one on top.
 * @param {number} count
 * @returns {[number, number][]}
 */
export function circle(count) {
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    return [Math.round(500 + 380 * Math.sin(angle)), Math.round(500 - 380 * Math.cos(angle))];
  });
}

/**
 * Whether edges alone name all nodes in their order.
 * @param {Sketch} sketch
 */
function inOrder({ nodes, edges }) {
  const met = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  return met.length === nodes.length && met.every((node, i) => node === i);
}

/**
 * Puts one statement into the draft; answers what is wrong with it.
 * @param {Draft} draft
 * @param {string} statement
 */
function take(draft, statement) {
  const found = { setting: statement.match(SETTING), beliefs: statement.match(BELIEFS), place: statement.match(PLACE) };
  let fault = "";
  if (found.setting) fault = takeSetting(draft, found.setting);
  else if (found.beliefs) fault = takeBeliefs(draft, nodeOf(draft, found.beliefs[1]), found.beliefs[2].split(/[\s,]+/).filter(Boolean));
  else if (found.place) fault = takePlace(draft, found.place);
  else if (ALONE.test(statement)) nodeOf(draft, statement);
  else {
    const edge = statement.match(EDGE);
    if (!edge) return `“${statement.slice(0, 40)}” is no statement; an edge is “a - b” or “a - b 2”.`;
    fault = takeEdge(draft, edge);
  }
  return fault || (draft.names.length > MOST_NODES ? `more than ${MOST_NODES} nodes; the lab computes with at most those.` : "");
}

/**
 * @param {Draft} draft
 * @param {string} name
 */
function nodeOf({ names }, name) {
  if (!names.includes(name)) names.push(name);
  return names.indexOf(name);
}

/**
 * @param {Draft} draft
 * @param {RegExpMatchArray} found
 */
function takeSetting(draft, [, name, word]) {
  const number = !["laplacian", "direction"].includes(name);
  const fault = number ? numberFault(word, false) : "";
  draft.settings[name] = number ? tidy(Number(word)) : word;
  return fault;
}

/**
 * @param {Draft} draft
 * @param {RegExpMatchArray} found
 */
function takePlace(draft, [, name, ...words]) {
  const fault = words.map((word) => numberFault(word, false)).find(Boolean);
  if (fault) return fault;
  const [x, y] = words.map((word) => Math.round(Number(word)));
  draft.places.set(nodeOf(draft, name), [x, y]);
  return Math.max(x, y) > PLACES ? `places lie between 0 and ${PLACES}.` : "";
}

/**
 * @param {Draft} draft
 * @param {number} node
 * @param {string[]} words
 */
function takeBeliefs(draft, node, words) {
  if (draft.beliefs.has(node)) return `the beliefs of “${draft.names[node]}” are given twice: one name, two nodes?`;
  if (words[words.length - 1] === "train") {
    draft.train.add(node);
    words = words.slice(0, -1);
  }
  draft.beliefs.set(node, words.map((word) => tidy(Number(word))));
  return words.map((word) => numberFault(word, false)).find(Boolean) ?? "";
}

/**
 * @param {Draft} draft
 * @param {RegExpMatchArray} found
 */
function takeEdge(draft, [, one, sign, other, word]) {
  const fault = word === undefined ? "" : numberFault(word, true);
  if (fault) return fault;
  const edge = { from: nodeOf(draft, one), to: nodeOf(draft, other), weight: word === undefined ? 1 : tidy(Number(word)), arrow: ARROWS.includes(sign) };
  if (one === other) return `an edge leads from “${one}” to itself.`;
  if (draft.edges.some((before) => clash(before, edge))) return `“${one}” and “${other}” are joined already.`;
  draft.edges.push(edge);
  return "";
}

/**
 * @param {string} word
 * @param {boolean} weight
 */
function numberFault(word, weight) {
  const value = Number(word);
  if (Number.isNaN(value)) return `“${word.slice(0, 20)}” is not a number.`;
  const [least, most] = weight ? [1e-6, 1e6] : [1e-9, 1e9];
  if ((tidy(value) >= least && value <= most) || (value === 0 && !weight)) return "";
  return `${word.slice(0, 20)} is not allowed: ${weight ? "a weight is positive" : "a number is not negative"} and at most ${most.toLocaleString("en")}.`;
}

/**
 * @param {Draft} draft
 * @returns {Sketch}
 */
function finished({ names, edges, beliefs, train, places, settings }) {
  const classes = Math.max(1, ...[...beliefs.values()].map((row) => row.length));
  const ring = circle(names.length);
  const { t_min: tMin, ...rest } = { ...DEFAULTS, ...settings };
  const nodes = names.map((name, i) => {
    const [x, y] = places.get(i) ?? ring[i];
    const row = beliefs.get(i) ?? [];
    return { name, x, y, train: train.has(i), beliefs: Array.from({ length: classes }, (_, c) => row[c] ?? 0) };
  });
  return /** @type {Sketch} */ ({ nodes, edges, classes, ...rest, tMin });
}
