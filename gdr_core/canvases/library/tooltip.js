// A tooltip beside the pointer. What it says is for the eye; a table says it to screen readers.

import { element } from "./elements.js";

/** @import { Point } from "./pointer.js" */

export class Tooltip {
  constructor() {
    this.box = element("div", { className: "tip", hidden: true, "aria-hidden": "true" });
  }

  get hidden() {
    return this.box.hidden;
  }

  hide() {
    this.box.hidden = true;
  }

  /**
   * @param {string} title
   * @param {Node[]} rows
   */
  say(title, rows) {
    this.box.replaceChildren(element("strong", { textContent: title }), ...rows);
    this.box.hidden = false;
  }

  /**
   * A title and lines under it.
   * @param {string[]} lines
   */
  list([title, ...lines]) {
    this.say(title, lines.map((line) => element("span", { textContent: line })));
  }

  /**
   * To the right of a place, or to its left where there is no room.
   * @param {Point} place
   * @param {{ width: number, height: number }} room
   */
  place([x, y], { width, height }, gap = 16) {
    const { offsetWidth: wide, offsetHeight: high } = this.box;
    const left = x + gap + wide > width ? Math.max(4, x - wide - gap + 4) : x + gap;
    const top = Math.max(4, Math.min(height - high - 4, y + 12));
    this.box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}
