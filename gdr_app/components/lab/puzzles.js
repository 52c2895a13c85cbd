// The panel of challenges: what is asked, and whether what stands on the desk answers it.

import { element } from "#canvases/library/elements.js";
import { parse } from "../sketch/text.js";
import { CHALLENGES } from "./challenges.js";

/** @import { Sketch } from "../sketch/sketch.js" */
/** @import { Desk } from "./desk.js" */

export class Puzzles {
  /**
   * @param {Desk} desk
   * @param {(sketch: Sketch) => void} open
   */
  constructor(desk, open) {
    this.desk = desk;
    /** @type {number | null} */
    this.current = null;
    /** @type {Sketch | null} */
    this.start = null;
    this.solved = new Set();
    this.ask = element("p", { className: "ask" });
    this.verdict = element("p", { className: "verdict", role: "status" });
    this.buttons = CHALLENGES.map(({ title, start }, i) => element("button", { type: "button", textContent: title, onclick: () => {
      this.current = i;
      this.start = parse(start);
      open(this.start);
    } }));
    const again = element("button", { type: "button", className: "again", textContent: "Start again", onclick: () => { if (this.start) open(this.start); } });
    this.again = again;
    this.box = element("div", { className: "puzzles" }, element("div", { className: "list" }, ...this.buttons), this.ask, this.verdict, again);
  }

  draw() {
    const { current, start } = this;
    this.again.hidden = current === null;
    if (current === null || !start) {
      this.ask.textContent = "Choose a challenge: it puts its graph on the desk, and the lab checks what you make of it.";
      this.verdict.textContent = "";
      return;
    }
    const { ask, judge } = CHALLENGES[current];
    const { done, say } = judge(this.desk.model, start);
    if (done) this.solved.add(current);
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-pressed", String(i === current));
      button.dataset.solved = String(this.solved.has(i));
    });
    this.ask.textContent = ask;
    if (this.verdict.textContent !== say) this.verdict.textContent = say;
    this.verdict.className = done ? "verdict done" : "verdict";
  }
}
