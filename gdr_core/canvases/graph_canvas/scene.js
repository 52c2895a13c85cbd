// What all layers draw: a graph, its looks and the view of it; and the strokes they share.

import { paintShape } from "./sprites.js";

/** @import { Pen } from "../library/canvas.js" */
/** @import { Theme } from "../library/theme.js" */
/** @import { Camera } from "./camera.js" */
/** @import { Geometry } from "./geometry.js" */
/** @import { Looks } from "./looks.js" */

/**
 * radius  of a usual node, in pixels of the page
 * ratio   pixels of the screen for one of the page
 * @typedef {{
 *   geometry: Geometry, looks: Looks, camera: Camera, theme: Theme,
 *   hiddenNode: Uint8Array | null, radius: number, ratio: number,
 * }} Scene
 */

const MOST_ARROWS = 2000;

/**
 * @param {Pen} pen
 * @param {Scene} scene
 * @param {Iterable<number>} edges
 */
export function strokeEdges(pen, { geometry, camera, hiddenNode, radius }, edges) {
  const { ends, directed } = geometry;
  /** @type {[[number, number], [number, number]][]} */
  const arrows = [];
  pen.beginPath();
  for (const e of edges) {
    const i = ends[2 * e];
    const j = ends[2 * e + 1];
    if (hiddenNode && (hiddenNode[i] || hiddenNode[j])) continue;
    const from = camera.screen(geometry, i);
    const to = camera.screen(geometry, j);
    pen.moveTo(...from);
    pen.lineTo(...to);
    if (directed && arrows.length < MOST_ARROWS) arrows.push([from, to]);
  }
  pen.stroke();
  if (arrows.length) arrowHeads(pen, arrows, radius);
}

/**
 * @param {Pen} pen
 * @param {[[number, number], [number, number]][]} arrows
 * @param {number} radius
 */
function arrowHeads(pen, arrows, radius) {
  const gap = radius + 1;
  const size = Math.min(9, 3 + radius * 0.6);
  pen.beginPath();
  for (const [[x0, y0], [x1, y1]] of arrows) {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length < gap + size + 2) continue;
    const ux = (x1 - x0) / length;
    const uy = (y1 - y0) / length;
    const x = x1 - ux * gap;
    const y = y1 - uy * gap;
    pen.moveTo(x, y);
    pen.lineTo(x - ux * size - uy * size * 0.45, y - uy * size + ux * size * 0.45);
    pen.lineTo(x - ux * size + uy * size * 0.45, y - uy * size - ux * size * 0.45);
    pen.closePath();
  }
  pen.fill();
}

/**
 * One node by its outline: for a few of them, and for drawings.
 * @param {Pen} pen
 * @param {Scene} scene
 * @param {number} node
 */
export function paintNode(pen, { geometry, looks, camera, theme, hiddenNode, radius }, node) {
  if (hiddenNode?.[node]) return;
  const { shape, size, colour, opacity } = looks.styles[looks.mark(node)];
  pen.save();
  pen.translate(...camera.screen(geometry, node));
  paintShape(pen, { shape, radius: radius * size, colour: colour ?? looks.colourOf(looks.colours[node]), opacity, rim: theme.paper });
  pen.restore();
}
