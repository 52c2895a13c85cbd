// A walk on a small graph, step by step: two versions side by side, and what they amount to.

import { element } from "#canvases/library/elements.js";
import { Life } from "#canvases/library/life.js";
import { Player } from "#canvases/library/player.js";
import { inlined } from "#canvases/library/saving/inlined.js";
import { SaveMenu } from "#canvases/library/saving/menu.js";
import { themeOf } from "#canvases/library/theme.js";
import { viewing } from "#canvases/mounts/mounting.js";
import { arrange } from "./arrangement.js";
import { Chart } from "./chart.js";
import { Panel } from "./panel.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Picture } from "#canvases/library/saving/pictures.js" */
/** @import { Theme } from "#canvases/library/theme.js" */
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
    this.life = new Life();
    this.player.box.append(new SaveMenu(this.life, () => this.picture(), "walk").box);
  }

  /** @returns {Picture | null} both versions and the chart, as they stand on the page */
  picture() {
    const figures = [...this.panels, ...(this.chart ? [this.chart] : [])];
    if (!figures.length) return null;
    const [grid, theme] = [this.grid.getBoundingClientRect(), themeOf(this.frame)];
    const boxes = figures.map(({ figure }) => figure.getBoundingClientRect());
    return {
      name: "walk",
      title: `${this.frame.getAttribute("aria-label")}, step ${this.player.index}`,
      width: grid.width,
      height: grid.height,
      theme,
      elements: () => figures.map(({ picture }) => {
        const { left, top, width, height } = picture.getBoundingClientRect();
        return inlined(picture, { x: left - grid.left, y: top - grid.top, width, height });
      }).join("\n"),
      paint: (pen) => boxes.forEach((box, i) => write(pen, theme, figures[i].lines(), box.left - grid.left + 12, box.top - grid.top, box.height)),
    };
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
    this.life.end();
    this.player.pause();
    this.frame.remove();
  }
}

/**
 * A title above a picture and what it amounts to below.
 * @param {Pen} pen
 * @param {Theme} theme
 * @param {string[]} lines
 * @param {number} x
 * @param {number} y
 * @param {number} height
 */
function write(pen, theme, [title, ...below], x, y, height) {
  pen.fillStyle = theme.ink;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.font = `600 14px ${theme.font}`;
  pen.fillText(title, x, y + 18);
  pen.font = `12px ${theme.font}`;
  below.forEach((line, i) => pen.fillText(line, x, y + height - 12 - 16 * (below.length - 1 - i)));
}

export default viewing(Walk, "none");
