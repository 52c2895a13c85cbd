// What happens to nodes at a t_min, against plain words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { countsAt, datasetLooks, resultLooks } from "../../gdr_core/canvases/relabelling/looks.js";
import { outcomesAt, turned } from "../../gdr_core/canvases/t_min_bar/labels.js";

const CLASSES = ["a", "b", "c"];
const OUTCOMES = ["kept", "fixed", "broken", "still wrong", "not judged"];

/** Every triple of prior, label and truth; truth 3 is unknown, 4 hidden. Two t_min: the label, then the prior. */
function allTriples() {
  const triples = [];
  for (let before = 0; before < 3; before++) for (let after = 0; after < 3; after++) for (let truth = 0; truth < 5; truth++) triples.push([before, after, truth]);
  return {
    triples,
    head: { classes: CLASSES, times: [0, 1], outcomes: OUTCOMES, truthNames: [...CLASSES, "unknown", "hidden"], palette: ["#1", "#2", "#3"], outcomeColours: ["#4"], marks: [], namedMarks: [], height: 1, name: "g", unknownColour: "#0" },
    geometry: { id: "g", nodes: triples.length },
    course: {
      nodes: triples.length, classes: CLASSES, truths: [...CLASSES, "unknown", "hidden"],
      prior: Uint8Array.from(triples, ([before]) => before),
      truth: Uint8Array.from(triples, ([, , truth]) => truth),
      labels: turned(Uint8Array.from(triples.flatMap(([before, after]) => [after, before])), 2),
    },
  };
}

/** The words, as a person would say them. */
function inWords([before, after, truth]) {
  const known = truth < 3;
  if (before === after) return "kept";
  if (!known) return "not judged";
  if (after === truth) return "fixed";
  return before === truth ? "broken" : "still wrong";
}

test("outcomes are what a person would say, and are counted", () => {
  const block = allTriples();
  const counts = countsAt(block, 0);
  assert.deepEqual([...outcomesAt(block.course, 0)].map((code) => OUTCOMES[code]), block.triples.map(inWords));
  OUTCOMES.forEach((word, code) => assert.equal(counts[code], block.triples.map(inWords).filter((one) => one === word).length));
  assert.deepEqual(countsAt(block, 1), [block.triples.length, 0, 0, 0, 0]);
});

test("every colour has a name, and a graph that is judged has no entry for the unjudged", () => {
  const block = allTriples();
  for (const colouring of ["outcome", "class"]) {
    const looks = resultLooks(block, 0, colouring, null);
    assert.ok(looks.colours.every((code) => code < looks.classes.length));
  }
  const judged = { ...block, course: { ...block.course, truth: block.course.truth.map((code) => code % 3) } };
  assert.deepEqual(resultLooks(judged, 0, "outcome", null).classes, OUTCOMES.slice(0, -1));
  assert.deepEqual([...datasetLooks(block, null).colours.slice(0, 5)], [0, 1, 2, 255, 255]);
});
