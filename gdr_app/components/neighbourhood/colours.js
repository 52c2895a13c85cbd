// The colours of a film: the stronger a class leads, the less its colour is mixed with paper.

import { element } from "#canvases/library/elements.js";
import { rgbOf } from "#canvases/library/theme.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Entry } from "#canvases/library/saving/legend.js" */
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

/**
 * The same legend as a part of a picture.
 * @param {Scene} scene
 * @param {Colours} colours
 * @param {Theme} theme
 * @returns {Entry[]}
 */
export function signsOf({ legend, quiet, codes, squares, square }, colours, theme) {
  const used = new Set(codes);
  /** @type {(text: string, colour: string, outline: (pen: Pen) => void) => Entry} */
  const filled = (text, colour, outline) => ({ text, draw: (pen) => { pen.beginPath(); outline(pen); pen.fillStyle = colour; pen.fill(); } });
  /** @param {Pen} pen */
  const disc = (pen) => pen.arc(0, 0, 5, 0, 2 * Math.PI);
  return [
    ...legend.flatMap(([name, colour], code) => (used.has(code) ? [filled(name, colour, disc)] : [])),
    filled(quiet[0], colours.quiet, disc),
    ...(squares.some(Boolean) ? [filled(square, theme.ink, (pen) => pen.rect(-5, -5, 10, 10))] : []),
  ];
}
