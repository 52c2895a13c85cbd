// Colours of classes and of nodes; safe for the colour-blind, one set for each theme.

import { rgbOf } from "#canvases/library/theme.js";

/** @import { Sketch } from "../sketch/sketch.js" */
/** @import { Theme } from "#canvases/library/theme.js" */

const ON_LIGHT = ["#0072B2", "#D98200", "#009E73", "#B85C92", "#3C97CC", "#C04E00"];
const ON_DARK = ["#4AA8E0", "#F0A830", "#2BC79A", "#DD93BC", "#8CCBF0", "#F08040"];

/** whether a paper is dark, for each that was asked about: the answer takes a canvas @type {Map<string, boolean>} */
const known = new Map();

/** @param {Theme} theme */
function isDark({ paper }) {
  const found = known.get(paper) ?? rgbOf(paper).reduce((sum, part) => sum + part, 0) < 380;
  known.set(paper, found);
  return found;
}

/** @param {Theme} theme */
export function coloursOf(theme) {
  return isDark(theme) ? ON_DARK : ON_LIGHT;
}

/**
 * The colour of a curve: of its class, or with one class and few nodes of its node.
 * @param {string[]} colours
 * @param {Sketch} sketch
 * @param {number} node
 * @param {number} k
 */
export function curveColour(colours, { classes, nodes }, node, k) {
  return colours[(classes === 1 && nodes.length <= colours.length ? node : k) % colours.length];
}
