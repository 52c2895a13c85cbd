// Names at the ends of the curves, at the right of the chart: buttons that hide and show a curve.

import { element } from "../library/elements.js";
import { toggle } from "../library/legend.js";
import { clamped } from "../library/numbers.js";
import { MARGIN } from "./plot.js";

/** @import { Curves } from "./curves.js" */
/** @import { Plot } from "./plot.js" */

const NARROW = 420; // pixels of a chart that is too narrow for names beside it
const WIDEST = 190;
const HIGH = 20; // pixels from one name to the next

/**
 * How much room the names need at the right; none where a legend below says them.
 * @param {Curves} data
 * @param {number} width of the chart
 */
export function roomFor({ single, legend, groups }, width) {
  if (single || width < NARROW) return 0;
  const longest = Math.max(...groups.map((group) => legend[group].name.length));
  return clamped(longest * 7 + 36, 70, WIDEST);
}

/**
 * Places as close as possible to the wanted ones, in their order and a distance apart.
 * @param {number[]} wanted
 * @param {number} apart
 * @param {number} least
 * @param {number} most
 */
export function spread(wanted, apart, least, most) {
  const order = [...wanted.keys()].sort((a, b) => wanted[a] - wanted[b]);
  const found = wanted.map((place) => clamped(place, least, most));
  for (let i = 1; i < order.length; i++) found[order[i]] = Math.max(found[order[i]], found[order[i - 1]] + apart);
  const over = found[order[order.length - 1]] - most;
  if (over > 0) found[order[order.length - 1]] -= over;
  for (let i = order.length - 2; i >= 0; i--) found[order[i]] = Math.min(found[order[i]], found[order[i + 1]] - apart);
  return found;
}

export class EndNames {
  /**
   * @param {Set<number>} hidden groups
   * @param {() => void} changed
   */
  constructor(hidden, changed) {
    this.hidden = hidden;
    this.changed = changed;
    this.box = element("div", { className: "ends key", role: "group", "aria-label": "Curves shown" });
    /** @type {Map<number, HTMLElement>} by group */
    this.buttons = new Map();
  }

  /**
   * Each name beside the end of its curve.
   * @param {Plot} plot
   */
  place(plot) {
    const { data, right, yAt, height } = plot;
    this.box.hidden = right === plot.width - MARGIN.right;
    if (this.box.hidden) return;
    const curves = data.curves.filter((curve) => curve.main);
    const ends = curves.map(({ line }) => yAt(line[line.length - 1]));
    const places = spread(ends, HIGH, MARGIN.top + 6, height - MARGIN.bottom - 4);
    this.buttons = new Map(curves.map(({ group }, i) => [group, this.button(data, group, right + 6, places[i])]));
    this.box.replaceChildren(...this.buttons.values());
  }

  /**
   * @param {Curves} data
   * @param {number} code
   * @param {number} x
   * @param {number} y
   */
  button({ legend }, code, x, y) {
    const { name, colour } = legend[code];
    const words = element("span", { className: "name", textContent: name });
    const made = toggle({ code, colour, hidden: this.hidden, title: `${name}: click to hide or show`, changed: this.changed }, words);
    made.style.left = `${x}px`;
    made.style.right = "4px";
    made.style.top = `${y}px`;
    return made;
  }

  /** @param {number} group that wins */
  emphasise(group) {
    for (const [code, button] of this.buttons) button.classList.toggle("winner", code === group);
  }
}
