// The colours of a film: the stronger a class leads, the less its colour is mixed with paper.

import { element } from "#canvases/library/elements.js";
import { rgbOf } from "#canvases/library/theme.js";

/** @import { Theme } from "#canvases/library/theme.js" */
/** @import { Scene } from "./scene.js" */

/** @typedef {{ shades: string[][], quiet: string }} Colours */

/**
 * @param {Scene} scene
 * @param {Theme} theme
 * @returns {Colours}
 */
export function coloursOf(scene, theme) {
  const paper = rgbOf(theme.paper);
  /** @type {(colour: string, from: number) => string[]} */
  const shades = (colour, from) => {
    const rgb = rgbOf(colour);
    return Array.from({ length: 256 }, (_, i) => {
      const share = from + (1 - from) * (i / 255);
      return `rgb(${rgb.map((part, c) => Math.round(paper[c] + (part - paper[c]) * share)).join(",")})`;
    });
  };
  return { shades: scene.legend.map(([, colour]) => shades(colour, 0.3)), quiet: shades(scene.quiet[1], 0.35)[0] };
}

/**
 * The legend: the classes that lead anywhere, and what the shapes mean.
 * @param {Scene} scene
 * @param {Colours} colours
 */
export function keyEntries({ legend, quiet, codes, squares, square }, colours) {
  const used = new Set(codes);
  /** @type {(className: string, colour: string, text: string) => HTMLElement} */
  const entry = (className, colour, text) =>
    element("span", {}, element("i", { className, style: colour ? `background: ${colour}` : "" }), text);
  return [
    ...legend.flatMap(([name, colour], code) => (used.has(code) ? [entry("", colour, name)] : [])),
    entry("", colours.quiet, quiet[0]),
    ...(squares.some(Boolean) ? [entry("square", "", square)] : []),
    entry("ring", "", "selected"),
  ];
}
