// One node: a disc with a slice for each class, a ring while it is above π, a badge for its fate.

import { drawn } from "#canvases/library/elements.js";

/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { SketchNode } from "../sketch/sketch.js" */

/** @typedef {{ value: number, limit: number, above: boolean, overshot: boolean, never: boolean }} State */

/**
 * scale    the largest belief: a disc that holds it is filled with full colour
 * rim      the colour of its border: of its curve, or of its label
 * plain    whether it has no label yet
 * @typedef {{
 *   node: SketchNode, spot: Point, radius: number, states: State[], scale: number, colours: string[],
 *   rim: string, plain: boolean, focus: boolean, chosen: boolean, partner: boolean, value: boolean, badges: boolean,
 * }} Look
 */

/**
 * Writes an attribute only where it changes: a picture is drawn in every frame.
 * @param {Element} part
 * @param {string} name
 * @param {string | number} value
 */
function put(part, name, value) {
  const text = String(value);
  if (part.getAttribute(name) !== text) part.setAttribute(name, text);
}

/**
 * The same for what a style says.
 * @param {SVGElement} part
 * @param {"fill" | "stroke" | "display" | "opacity" | "fontSize"} name
 * @param {string} value
 */
function dress(part, name, value) {
  const key = `look${name}`;
  if (part.dataset[key] === value) return;
  part.dataset[key] = value;
  part.style[name] = value;
}

export class Disc {
  constructor() {
    this.ring = drawn("circle", { class: "above" });
    this.known = drawn("rect", { class: "known" });
    this.ground = drawn("circle", { class: "ground" });
    this.slices = drawn("g", { class: "slices" });
    this.rim = drawn("circle", { class: "rim" });
    this.name = drawn("text", { class: "name" });
    this.value = drawn("text", { class: "value" });
    this.badge = drawn("g", { class: "badge" });
    this.badgeLook = "";
    this.group = drawn("g", { class: "node" }, this.ring, this.known, this.ground, this.slices, this.rim, this.name, this.value, this.badge);
  }

  /** @param {Look} look */
  draw(look) {
    const { node, spot: [x, y], radius, states, focus, chosen, partner } = look;
    put(this.group, "transform", `translate(${x.toFixed(1)},${y.toFixed(1)})`);
    put(this.group, "class", `node${focus ? " focus" : ""}${chosen ? " chosen" : ""}${partner ? " partner" : ""}`);
    for (const circle of [this.ground, this.rim]) put(circle, "r", radius);
    dress(this.rim, "stroke", look.plain ? "" : look.rim);
    this.drawKnown(node.train, radius);
    this.drawRing(look);
    this.drawSlices(look);
    const inside = radius >= 16;
    if (this.name.textContent !== node.name) this.name.textContent = node.name;
    dress(this.name, "fontSize", `${node.name.length > 3 && inside ? Math.max(9, (radius * 3.1) / node.name.length) : Math.max(10, radius * 0.62)}px`);
    put(this.name, "y", inside ? 0 : -radius - 6);
    const said = look.value && (inside || focus) && states.length === 1 ? states[0].value.toFixed(3) : "";
    if (this.value.textContent !== said) this.value.textContent = said;
    put(this.value, "y", radius + 13);
    this.drawBadge(look);
  }

  /**
   * @param {boolean} train
   * @param {number} radius
   */
  drawKnown(train, radius) {
    const half = radius + 4;
    dress(this.known, "display", train ? "" : "none");
    if (!train) return;
    for (const [name, value] of Object.entries({ x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 6 })) put(this.known, name, value);
  }

  /** @param {Look} look */
  drawRing({ states, radius, colours }) {
    const excess = states.map(({ value, limit, above }) => (above ? value - limit : -1));
    const most = Math.max(...excess);
    dress(this.ring, "display", most > 0 ? "" : "none");
    dress(this.ring, "stroke", colours[Math.max(excess.indexOf(most), 0)]);
    put(this.ring, "r", radius + 5);
  }

  /** @param {Look} look */
  drawSlices({ states, radius, scale, colours }) {
    const total = states.reduce((sum, { value }) => sum + Math.max(value, 0), 0);
    while (this.slices.childElementCount > states.length) this.slices.lastElementChild?.remove();
    while (this.slices.childElementCount < states.length) this.slices.append(drawn("path", {}));
    let angle = 0;
    states.forEach(({ value }, k) => {
      const share = total > 0 ? Math.max(value, 0) / total : 0;
      const slice = /** @type {SVGPathElement} */ (this.slices.children[k]);
      put(slice, "d", sector(radius, angle, angle + share));
      dress(slice, "fill", colours[k]);
      angle += share;
    });
    dress(this.slices, "opacity", Math.min(1, Math.sqrt(total / scale)).toFixed(3));
  }

  /** @param {Look} look */
  drawBadge({ states, radius, colours, rim, badges }) {
    const risen = states.flatMap(({ overshot }, k) => (overshot ? [k] : []));
    const never = states.every((state) => state.never);
    const look = badges ? `${risen}|${never}|${radius}|${rim}|${colours[0]}` : "";
    if (look === this.badgeLook) return;
    this.badgeLook = look;
    this.badge.replaceChildren();
    if (!look) return;
    const [x, y] = [radius * 0.78 + 3, -radius * 0.78 - 3];
    risen.slice(0, 2).forEach((k, i) => {
      const colour = states.length > 1 ? colours[k] : rim;
      this.badge.append(drawn("path", { class: "risen", d: `M${x + 11 * i - 6},${y + 5}h12l-6,-11z`, style: `fill: ${colour}` }));
    });
    if (never) this.badge.append(drawn("circle", { class: "never", cx: x, cy: y, r: 5 }), drawn("path", { class: "never", d: `M${x - 3.5},${y + 3.5}l7,-7` }));
  }
}

/**
 * A slice of a disc between two shares of a turn, from the top, clockwise.
 * @param {number} radius
 * @param {number} from
 * @param {number} to
 */
function sector(radius, from, to) {
  if (to - from <= 0) return "";
  if (to - from > 0.9999) return `M0,${-radius}A${radius},${radius} 0 1 1 0,${radius}A${radius},${radius} 0 1 1 0,${-radius}Z`;
  const [a, b] = [from, to].map((share) => 2 * Math.PI * share);
  const large = to - from > 0.5 ? 1 : 0;
  return `M0,0L${radius * Math.sin(a)},${-radius * Math.cos(a)}A${radius},${radius} 0 ${large} 1 ${radius * Math.sin(b)},${-radius * Math.cos(b)}Z`;
}
