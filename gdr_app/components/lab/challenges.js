// Puzzles that the lab checks: each has a graph to begin with and a test of what was made of it.

import { Dynamics } from "../sketch/dynamics.js";
import { labelsOf } from "../sketch/labels.js";
import { overshootsOf } from "../sketch/overshoots.js";
import { clash } from "../sketch/sketch.js";

/** @import { Model } from "../diffusion_figure/model.js" */
/** @import { Sketch } from "../sketch/sketch.js" */

/** @typedef {{ done: boolean, say: string }} Verdict */

/**
 * start  text of the graph to begin with
 * judge  what was made of it; `start` is the sketch that the puzzle began with
 * @typedef {{ title: string, ask: string, start: string, judge: (model: Model, start: Sketch) => Verdict }} Challenge
 */

const LATE = 3; // the time after which a peak is called late
const OPEN = { done: false, say: "" };

/** @type {Challenge[]} */
export const CHALLENGES = [
  {
    title: "Make node 4 overshoot late",
    ask: `The ink stays on node 1. Change weights or edges until node 4 overshoots, with its peak after t = ${LATE}.`,
    start: path(7, "1: 1"),
    judge(model, start) {
      const node = model.sketch.nodes.findIndex(({ name }) => name === "4");
      if (node < 0) return { ...OPEN, say: "Node 4 must stay." };
      if (!sameInk(model.sketch, start)) return { ...OPEN, say: "The ink must stay as it was: all of it on node 1." };
      const { rises, time, never } = model.ever[node];
      if (never) return { ...OPEN, say: "Node 4 never rises above π: that is proved for all times. What draws the mass past it?" };
      if (!rises) return OPEN;
      if (time <= LATE) return { ...OPEN, say: `It overshoots, but early: its peak is at t = ${round(time)}.` };
      return { done: true, say: `Solved: node 4 peaks at t = ${round(time)}. Mass arrives faster than it can leave again.` };
    },
  },
  {
    title: "One edge makes x change class: which?",
    ask: "Add or remove a single edge, of weight 1, so that GDR gives node x the other class.",
    start: "a - b\nb - c\nc - a\nd - e\ne - f\nf - d\nx - a\nx - d\nx - e\nc - f\na: 1 0 train\nb: 0.6 0.4\nc: 0.6 0.4\nd: 0 1 train\ne: 0.4 0.6\nf: 0.4 0.6\nx: 0.5 0.4\nt_min 0.1\na @ 330 330\nb @ 110 260\nc @ 190 620\nd @ 670 330\ne @ 780 640\nf @ 900 300\nx @ 500 760",
    judge(model, start) {
      const [here, there] = [model.sketch, start].map((sketch) => sketch.nodes.findIndex(({ name }) => name === "x"));
      if (here < 0 || !sameInk(model.sketch, start)) return { ...OPEN, say: "Nodes and beliefs must stay as they were." };
      const changed = edgeChanges(model.sketch, start);
      if (!changed) return OPEN;
      if (changed > 1) return { ...OPEN, say: `${changed} edges differ from the start; only one may. Undo takes changes back.` };
      const label = model.labels.now[here];
      if (label === null || here !== there || label === labelsAt(start)[there]) return { ...OPEN, say: "One edge differs, and x keeps its class. Look at whom x hears first." };
      return { done: true, say: `Solved: with this one edge x is of class ${label + 1}.` };
    },
  },
  {
    title: "Make GDR fail",
    ask: "Left is class 1, right is class 2, and the classifier is right everywhere. Change edges, weights or t_min until GDR gives a node the wrong class.",
    start: "a - b\na - c\na - d\nb - c\nb - d\nc - d\nd - e\ne - f\ne - g\ne - h\nf - g\nf - h\ng - h\na: 1 0 train\nb: 0.7 0.3\nc: 0.7 0.3\nd: 0.6 0.4\ne: 0.4 0.6\nf: 0.3 0.7\ng: 0.3 0.7\nh: 0 1 train\nt_min 0.05\na @ 110 330\nb @ 110 700\nc @ 330 800\nd @ 370 450\ne @ 630 450\nf @ 890 330\ng @ 670 800\nh @ 890 700",
    judge(model, start) {
      if (!sameInk(model.sketch, start)) return { ...OPEN, say: "Nodes and beliefs must stay as they were: the classifier is right." };
      const wrong = model.sketch.nodes.flatMap(({ name, train }, i) => {
        const label = model.labels.now[i];
        return !train && label !== null && label !== ("abcd".includes(name) ? 0 : 1) ? [name] : [];
      });
      if (!wrong.length) return OPEN;
      return { done: true, say: `Solved: GDR is wrong at ${wrong.join(", ")}, where the classifier was right. It trusts the links, and they mislead.` };
    },
  },
  {
    title: "Nobody overshoots",
    ask: "Add edges until no node but the one with the ink ever rises above π. Five more suffice.",
    start: path(5, "1: 1"),
    judge(model, start) {
      if (!sameInk(model.sketch, start)) return { ...OPEN, say: "Five nodes, and all ink on node 1: these must stay." };
      if (model.dynamics.parts > 1) return { ...OPEN, say: "The graph must stay in one part." };
      const others = model.ever.filter((_, row) => model.dynamics.start[row] === 0);
      const rising = model.sketch.nodes.flatMap(({ name }, i) => (model.ever[i].rises ? [name] : []));
      if (others.every((found) => found.never)) {
        const more = model.sketch.edges.length - start.edges.length;
        return more <= 5 ? { done: true, say: "Solved, and proved for all times: nobody rises above π." } : { ...OPEN, say: `Nobody overshoots, but with ${more} edges more; five suffice.` };
      }
      return { ...OPEN, say: rising.length && edgeChanges(model.sketch, start) ? `Still overshooting: ${rising.join(", ")}.` : "" };
    },
  },
];

/**
 * The labels that GDR gives a sketch.
 * @param {Sketch} sketch
 */
function labelsAt(sketch) {
  return labelsOf(sketch, overshootsOf(new Dynamics(sketch), sketch.tMin)).now;
}

/**
 * A path of numbered nodes.
 * @param {number} count
 * @param {string} more
 */
function path(count, more) {
  const nodes = Array.from({ length: count }, (_, i) => i + 1);
  const edges = nodes.slice(1).map((i) => `${i - 1} - ${i}`);
  const places = nodes.map((i) => `${i} @ ${Math.round(40 + (920 * (i - 0.5)) / count)} ${i % 2 ? 580 : 420}`);
  return [...edges, more, ...places].join("\n");
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(3));
}

/**
 * Whether two sketches have the same nodes, beliefs and marks.
 * @param {Sketch} one
 * @param {Sketch} other
 */
function sameInk(one, other) {
  const [first, second] = [one, other].map(({ nodes }) => JSON.stringify(nodes.map(({ name, beliefs, train }) => [name, beliefs, train])));
  return first === second;
}

/**
 * How many edges were added, removed or changed.
 * @param {Sketch} now
 * @param {Sketch} start
 */
function edgeChanges(now, start) {
  /** @type {(one: Sketch, other: Sketch) => number} */
  const missing = (one, other) => one.edges.filter((edge) => !other.edges.some((their) => clash(edge, their) && their.weight === edge.weight && their.arrow === edge.arrow)).length;
  const [added, removed] = [missing(now, start), missing(start, now)];
  const reweighed = now.edges.filter((edge) => start.edges.some((their) => clash(edge, their) && (their.weight !== edge.weight || their.arrow !== edge.arrow))).length;
  return added + removed - reweighed + (now.edges.some((edge) => edge.weight !== 1) ? 1 : 0);
}
