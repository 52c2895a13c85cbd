// The top layer: names, and the nodes that are pointed at or selected with all that touches them.

import { cleanPen, write } from "../library/canvas.js";
import { element } from "../library/elements.js";
import { shortened } from "../library/numbers.js";
import { lettersOf } from "../library/theme.js";
import { paintNode, strokeEdges } from "./scene.js";

/** @import { Pen } from "../library/canvas.js" */
/** @import { Scene } from "./scene.js" */

const LABELLED_AT_ONCE = 40;

export class Overlay {
  constructor() {
    this.canvas = element("canvas", { className: "overlay", "aria-hidden": "true" });
  }

  /**
   * @param {Scene} scene
   * @param {number} selected
   * @param {number} hover
   */
  draw(scene, selected, hover) {
    this.paint(cleanPen(this.canvas, scene.ratio), scene, selected, hover);
  }

  /**
   * @param {Pen} pen
   * @param {Scene} scene
   * @param {number} selected
   * @param {number} hover
   */
  paint(pen, scene, selected, hover) {
    this.labelVisible(pen, scene, [selected, hover]);
    for (const node of new Set([selected, hover])) {
      if (node < 0 || scene.hiddenNode?.[node]) continue;
      this.highlight(pen, scene, node);
      if (node !== hover) this.label(pen, scene, node, 600);
    }
  }

  /**
   * @param {Pen} pen
   * @param {Scene} scene
   * @param {number} node
   */
  highlight(pen, scene, node) {
    const { geometry, camera, looks, theme } = scene;
    const { start, edgeOf, ends } = geometry;
    const edges = edgeOf.subarray(start[node], start[node + 1]);
    pen.globalAlpha = edges.length > 200 ? 0.35 : 0.8;
    pen.strokeStyle = pen.fillStyle = theme.ink;
    pen.lineWidth = 1.2;
    strokeEdges(pen, scene, edges);
    pen.globalAlpha = 1;
    for (const e of edges.subarray(0, 600)) paintNode(pen, scene, ends[2 * e] === node ? ends[2 * e + 1] : ends[2 * e]);
    paintNode(pen, scene, node);
    const [x, y] = camera.screen(geometry, node);
    const reach = scene.radius * looks.size(node) + 4;
    /** @type {[string, number][]} */
    const strokes = [[theme.paper, 5], [theme.ink, 2.5]];
    for (const [colour, width] of strokes) {
      pen.beginPath();
      pen.arc(x, y, reach, 0, 2 * Math.PI);
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.stroke();
    }
  }

  /**
   * Names of all nodes that are seen, where these are few.
   * @param {Pen} pen
   * @param {Scene} scene
   * @param {number[]} except
   */
  labelVisible(pen, scene, except) {
    const { geometry, camera, hiddenNode } = scene;
    const seen = [];
    for (let node = 0; node < geometry.nodes; node++) {
      if (hiddenNode?.[node]) continue;
      const [x, y] = camera.screen(geometry, node);
      if (x > 0 && y > 0 && x < camera.width && y < camera.height) seen.push(node);
      if (seen.length > LABELLED_AT_ONCE) return;
    }
    for (const node of seen) if (!except.includes(node)) this.label(pen, scene, node, 400);
  }

  /**
   * @param {Pen} pen
   * @param {Scene} scene
   * @param {number} node
   * @param {number} weight of the font
   */
  label(pen, { geometry, camera, looks, theme, radius }, node, weight) {
    const [x, y] = camera.screen(geometry, node);
    const text = shortened(geometry.names[node], 40);
    pen.font = lettersOf(12, theme, weight);
    pen.textBaseline = "middle";
    pen.globalAlpha = 1;
    const away = radius * looks.size(node) + 7;
    const long = pen.measureText(text).width;
    const at = x + away + long > camera.width && x - away - long > 0 ? x - away - long : x + away;
    write(pen, text, at, y, theme);
  }
}
