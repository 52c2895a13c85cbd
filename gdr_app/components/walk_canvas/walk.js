// A walk on a small graph, step by step: two versions side by side, and what they amount to.

import { element } from "#canvases/library/elements.js";
import { Player } from "#canvases/library/player.js";
import { viewing } from "#canvases/mounts/mounting.js";
import { arrange } from "./arrangement.js";
import { Chart } from "./chart.js";
import { Panel } from "./panel.js";

/** @import { Scene } from "./panel.js" */

const STEPS_PER_SECOND = 2;

class Walk {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {Panel[]} */
    this.panels = [];
    /** @type {Chart | null} */
    this.chart = null;
    this.content = "";
    this.grid = element("div", { className: "panels" });
    this.spoken = element("div", { className: "spoken", "aria-live": "polite" });
    this.player = new Player({
      rate: STEPS_PER_SECOND,
      label: "Step of the walk",
      rewind: true,
      show: (step, byHand) => this.show(step, byHand),
    });
    this.frame = element("div", { className: "frame", role: "group" }, this.grid, this.player.box, this.spoken);
    root.append(this.frame);
  }

  /** @param {Scene & { label: string }} data */
  update({ label, ...scene }) {
    const content = JSON.stringify(scene);
    this.frame.setAttribute("aria-label", label);
    if (content === this.content) return;
    this.content = content;
    this.player.pause();
    const arrangement = arrange(scene.places, scene.links);
    this.panels = scene.panels.map((version) => new Panel(scene, version, arrangement));
    this.chart = new Chart(scene.series, (step) => this.player.go(step));
    this.grid.replaceChildren(...this.panels.map((panel) => panel.figure), this.chart.figure);
    this.player.setLength(scene.panels[0].film.length);
    this.player.show(this.player.index);
  }

  /**
   * A step that somebody chose is read out.
   * @param {number} step
   * @param {boolean} byHand
   */
  show(step, byHand) {
    const texts = this.panels.map((panel) => panel.show(step));
    this.chart?.show(step);
    this.player.say(`step ${step} of ${this.player.last}`);
    this.frame.dataset.step = String(step);
    if (byHand) this.spoken.textContent = `Step ${step}. ${texts.join(". ")}`;
  }

  close() {
    this.player.pause();
    this.frame.remove();
  }
}

export default viewing(Walk, "none");
