// One edge: a line as thick as its weight, with a head if it is an arrow.

import { drawn } from "#canvases/library/elements.js";

/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { SketchEdge } from "../sketch/sketch.js" */

const BEND = 16; // pixels that two arrows between the same nodes keep apart

/**
 * How thick a line is drawn.
 * @param {number} weight
 */
export function thicknessOf(weight) {
  return Math.max(1.2, Math.min(11, 0.8 + 1.8 * Math.sqrt(weight)));
}

export class Link {
  constructor() {
    this.path = drawn("path", { class: "line" });
    this.head = drawn("path", { class: "head" });
    this.label = drawn("text", { class: "weight" });
    this.group = drawn("g", { class: "link" }, this.path, this.head, this.label);
    this.look = "";
    /** @type {[Point, Point, Point]} */
    this.points = [[0, 0], [0, 0], [0, 0]];
  }

  /**
   * @param {SketchEdge} edge
   * @param {Point} start
   * @param {Point} end
   * @param {number} radius of the nodes
   * @param {boolean} twin whether an arrow leads back
   */
  draw(edge, start, end, radius, twin) {
    const look = `${edge.from} ${edge.to} ${edge.weight} ${edge.arrow} ${start} ${end} ${radius} ${twin}`;
    if (look === this.look) return;
    this.look = look;
    const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
    const [ux, uy] = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
    const bend = edge.arrow && twin ? BEND : 0;
    /** @type {Point} */
    const middle = [(start[0] + end[0]) / 2 - uy * bend, (start[1] + end[1]) / 2 + ux * bend];
    this.points = [start, middle, end];
    const thick = thicknessOf(edge.weight);
    const size = 6 + 1.6 * thick;
    const gap = radius + 7;
    const tip = [end[0] - ux * gap, end[1] - uy * gap];
    const stop = edge.arrow ? [tip[0] - ux * size, tip[1] - uy * size] : end;
    const via = [2 * middle[0] - (start[0] + end[0]) / 2, 2 * middle[1] - (start[1] + end[1]) / 2];
    this.path.setAttribute("d", `M${start}Q${via} ${stop}`);
    this.path.style.strokeWidth = String(thick);
    const wide = size * 0.5;
    this.head.setAttribute("d", edge.arrow ? `M${tip}L${[stop[0] - uy * wide, stop[1] + ux * wide]}L${[stop[0] + uy * wide, stop[1] - ux * wide]}Z` : "");
    this.label.textContent = edge.weight === 1 ? "" : String(Number(edge.weight.toPrecision(3)));
    this.label.setAttribute("x", String(middle[0] - uy * 11));
    this.label.setAttribute("y", String(middle[1] + ux * 11));
  }

  /** @param {boolean} chosen */
  mark(chosen) {
    const look = chosen ? "link chosen" : "link";
    if (this.group.getAttribute("class") !== look) this.group.setAttribute("class", look);
  }

  /**
   * Whether a spot is so many pixels from the line.
   * @param {Point} spot
   * @param {number} reach
   */
  near(spot, reach) {
    const [start, middle, end] = this.points;
    return Math.min(distance(spot, start, middle), distance(spot, middle, end)) <= reach;
  }
}

/**
 * From a spot to a piece of a line.
 * @param {Point} spot
 * @param {Point} from
 * @param {Point} to
 */
function distance(spot, from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const along = ((spot[0] - from[0]) * dx + (spot[1] - from[1]) * dy) / (dx * dx + dy * dy || 1);
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(spot[0] - from[0] - share * dx, spot[1] - from[1] - share * dy);
}
