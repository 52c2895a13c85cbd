// One version of the walk: each node is a disc whose area is its mass. A handful of nodes, so
// plain SVG does; a step only changes radii and numbers, and the style sheet moves them smoothly.

import { drawn, element } from "#canvases/library/elements.js";
import { HEIGHT, WIDTH } from "./arrangement.js";

/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { Arrangement } from "./arrangement.js" */
/** @import { Series } from "./chart.js" */

/** @typedef {{ title: string, film: number[][] }} Version */

/**
 * links  as the walk goes; traps: nodes one cannot get away from
 * @typedef {{
 *   names: string[], places: Point[], links: [number, number][], deadEnds: number[], traps: number[],
 *   panels: Version[], series: Series[],
 * }} Scene
 */

/** @param {number} share */
export function percent(share) {
  const value = 100 * share;
  return `${value >= 9.95 || value === 0 ? value.toFixed(0) : value.toFixed(1)}%`;
}

export class Panel {
  /**
   * @param {Scene} scene
   * @param {Version} version
   * @param {Arrangement} arrangement
   */
  constructor(scene, { title, film }, { points, radius, labels }) {
    this.title = title;
    this.film = film;
    this.traps = new Set(scene.traps);
    this.radius = radius;
    this.picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
    for (const [i, j] of scene.links) this.picture.append(...this.arrow(points[i], points[j], scene.deadEnds.includes(j)));
    this.nodes = points.map((point, i) => this.node(point, labels[i], scene.names[i], this.traps.has(i), scene.deadEnds.includes(i)));
    this.free = element("span", { className: "free" });
    this.caught = element("span", { className: "caught" });
    this.bar = element("div", { className: "bar" }, this.caught, this.free);
    this.sums = element("p", { className: "sums" });
    this.figure = element("figure", { className: "panel" }, element("figcaption", { textContent: title }), this.picture, this.bar, this.sums);
  }

  /**
   * From rim to rim; the rim of a square is farther away towards its corners.
   * @param {Point} from
   * @param {Point} to
   * @param {boolean} intoSquare
   */
  arrow([x0, y0], [x1, y1], intoSquare) {
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
    const gap = this.radius + 2;
    const reach = intoSquare ? gap / Math.max(Math.abs(ux), Math.abs(uy)) : gap;
    const [x, y] = [x1 - ux * reach, y1 - uy * reach];
    const size = 7;
    const line = drawn("line", { class: "link", x1: x0 + ux * gap, y1: y0 + uy * gap, x2: x - ux * size, y2: y - uy * size });
    const corners = [[x, y], [x - ux * size - uy * 3.5, y - uy * size + ux * 3.5], [x - ux * size + uy * 3.5, y - uy * size - ux * 3.5]];
    return [line, drawn("path", { class: "arrowhead", d: `M${corners.map((corner) => corner.join(",")).join("L")}Z` })];
  }

  /**
   * A dead end is drawn as a square: shape tells it, not colour alone.
   * @param {Point} place
   * @param {Point} labelPlace
   * @param {string} name
   * @param {boolean} trap
   * @param {boolean} deadEnd
   */
  node([x, y], [labelX, labelY], name, trap, deadEnd) {
    const r = this.radius;
    const outline = deadEnd
      ? drawn("rect", { class: "outline", x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 3 })
      : drawn("circle", { class: "outline", cx: x, cy: y, r });
    const mass = drawn("circle", { class: "mass", cx: x, cy: y, r: 0 });
    const label = drawn("text", { class: "name", x: labelX, y: labelY - 2 }, name);
    const share = drawn("text", { class: "share", x: labelX, y: labelY + 11 });
    this.picture.append(drawn("g", { class: trap ? "node trap" : "node" }, outline, mass, label, share));
    return { mass, share };
  }

  /** What a picture of the panel says above and below it. */
  lines() {
    return [this.title, this.sums.textContent ?? ""];
  }

  /**
   * Draws a step and says what it shows.
   * @param {number} step
   */
  show(step) {
    const masses = this.film[step];
    masses.forEach((mass, i) => {
      this.nodes[i].mass.style.setProperty("r", `${this.radius * Math.sqrt(mass)}px`);
      this.nodes[i].share.textContent = percent(mass);
    });
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    const caught = masses.reduce((sum, mass, i) => sum + (this.traps.has(i) ? mass : 0), 0);
    this.free.style.width = `${100 * (total - caught)}%`;
    this.caught.style.width = `${100 * caught}%`;
    const lost = Math.abs(1 - total) < 5e-5 ? "nothing lost" : `${percent(1 - total)} lost`;
    this.sums.textContent = `${percent(caught)} where no way leads out, ${percent(total - caught)} elsewhere, ${lost}`;
    return `${this.title}: ${this.sums.textContent}`;
  }
}
