// What happens to every node at one t_min, and how that looks.

/** @import { Message } from "../graph_canvas/looks.js" */
/** @import { Block } from "./unpacking.js" */

/** @typedef {{ predicted: Uint8Array, outcomes: Uint8Array, counts: number[] }} Labels */
/** @typedef {"outcome" | "class"} Colouring */

/**
 * Outcomes are codes: 0 kept its label, 1 fixed, 2 broken, 3 still wrong, 4 not judged.
 * @param {Pick<Block, "head" | "truth" | "prior" | "labels">} block
 * @param {number} index of t_min
 * @returns {Labels}
 */
export function labelsAt({ head, truth, prior, labels }, index) {
  const nodes = truth.length;
  const times = head.times.length;
  const predicted = new Uint8Array(nodes);
  const outcomes = new Uint8Array(nodes);
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < nodes; i++) {
    predicted[i] = labels[i * times + index];
    outcomes[i] = outcome(prior[i], predicted[i], truth[i], head.classes.length);
    counts[outcomes[i]]++;
  }
  return { predicted, outcomes, counts };
}

/**
 * @param {number} before
 * @param {number} after
 * @param {number} truth a class, or more where it is not known
 * @param {number} classes
 */
function outcome(before, after, truth, classes) {
  if (before === after) return 0;
  if (after === truth) return 1;
  if (before === truth) return 2;
  return truth < classes ? 3 : 4;
}

/**
 * What the graph canvas is told at one t_min.
 * @param {Block} block
 * @param {Labels} now
 * @param {Colouring} colouring
 * @param {number | null} selected
 * @returns {Message}
 */
export function resultLooks(block, now, colouring, selected) {
  const { head, truth, prior } = block;
  const byClass = colouring === "class";
  const judged = !truth.some((code) => code >= head.classes.length);
  return {
    ...common(block, selected),
    colours: byClass ? now.predicted : now.outcomes,
    classes: byClass ? head.classes : head.outcomes.slice(0, judged ? -1 : undefined),
    palette: byClass ? head.palette : head.outcomeColours,
    details: [
      { label: "true class", names: head.truthNames, wide: false, codes: truth },
      { label: "prior", names: head.classes, wide: false, codes: prior },
      { label: "GDR", names: head.classes, wide: false, codes: now.predicted },
    ],
    marks: now.outcomes,
    markStyles: byClass ? head.namedMarks : head.marks,
    label: `${head.name}: ${block.geometry.nodes} nodes, relabelled ones marked.`,
  };
}

/**
 * What the graph canvas is told where there is no result: classes as they are known.
 * @param {Block} block
 * @param {number | null} selected
 * @returns {Message}
 */
export function datasetLooks(block, selected) {
  const { head, truth } = block;
  return {
    ...common(block, selected),
    colours: truth.map((code) => (code < head.classes.length ? code : 255)),
    classes: head.classes,
    palette: head.palette,
    details: [],
    marks: null,
    markStyles: [],
    label: `${head.name}: ${block.geometry.nodes} nodes, coloured by class.`,
  };
}

/**
 * @param {Block} block
 * @param {number | null} selected
 */
function common({ head, geometry }, selected) {
  return { geometry: geometry.id, unknownColour: head.unknownColour, selected, clickable: true, height: head.height };
}
