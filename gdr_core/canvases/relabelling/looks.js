// How a graph looks at one t_min, and without a result.

import { detailsAt, labelsAt, outcomesAt } from "../t_min_bar/labels.js";

/** @import { Message } from "../graph_canvas/looks.js" */
/** @import { Block } from "./unpacking.js" */

/** @typedef {"outcome" | "class"} Colouring */

/**
 * How many nodes have each outcome: kept, fixed, broken, still wrong, not judged.
 * @param {Pick<Block, "course">} block
 * @param {number} index of t_min
 */
export function countsAt({ course }, index) {
  const counts = [0, 0, 0, 0, 0];
  for (const code of outcomesAt(course, index)) counts[code]++;
  return counts;
}

/**
 * What the graph canvas is told at one t_min.
 * @param {Block} block
 * @param {number} index of t_min
 * @param {Colouring} colouring
 * @param {number | null} selected
 * @returns {Message}
 */
export function resultLooks(block, index, colouring, selected) {
  const { head, course } = block;
  const byClass = colouring === "class";
  const judged = !course.truth.some((code) => code >= head.classes.length);
  const marks = outcomesAt(course, index);
  return {
    ...common(block, selected),
    colours: byClass ? labelsAt(course, index) : marks,
    classes: byClass ? head.classes : head.outcomes.slice(0, judged ? -1 : undefined),
    palette: byClass ? head.palette : head.outcomeColours,
    details: detailsAt(course, index),
    marks,
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
  const { head, course } = block;
  return {
    ...common(block, selected),
    colours: course.truth.map((code) => (code < head.classes.length ? code : 255)),
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
