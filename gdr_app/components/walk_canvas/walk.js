// A walk on a small graph, step by step: two versions side by side, and what they amount to.

import { element } from "#canvases/library/elements.js";
import { Life } from "#canvases/library/life.js";
import { Player } from "#canvases/library/player.js";
import { inlined } from "#canvases/library/saving/inlined.js";
import { paintLegend } from "#canvases/library/saving/legend.js";
import { SaveMenu } from "#canvases/library/saving/menu.js";
import { asSvg, imageOf } from "#canvases/library/saving/pictures.js";
import { themeOf } from "#canvases/library/theme.js";
import { viewing } from "#canvases/mounts/mounting.js";
import { arrange } from "./arrangement.js";
import { Chart } from "./chart.js";
import { Panel } from "./panel.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Film, Picture } from "#canvases/library/saving/pictures.js" */
/** @import { Theme } from "#canvases/library/theme.js" */
/** @import { Scene } from "./panel.js" */

const STEPS_PER_SECOND = 2;
const LONGEST = 12; // seconds of a film that is saved
const ASIDE = "position: absolute; width: 0; height: 0; overflow: hidden; visibility: hidden";

class Walk {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {Panel[]} */
    this.panels = [];
    /** @type {Chart | null} */
    this.chart = null;
    /** @type {Scene | null} */
    this.scene = null;
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
    const places = figures.map(({ picture }) => {
      const { left, top, width, height } = picture.getBoundingClientRect();
      return { x: left - grid.left, y: top - grid.top, width, height };
    });
    /** @type {(all: (Panel | Chart)[]) => string} */
    const elements = (all) => all.map(({ picture }, i) => inlined(picture, places[i])).join("\n");
    /** @type {(pen: Pen, all: (Panel | Chart)[]) => void} */
    const paint = (pen, all) => boxes.forEach((box, i) => write(pen, theme, all[i].lines(), box.left - grid.left + 12, box.top - grid.top, box.height));
    /** @type {Picture} */
    const picture = {
      name: "walk",
      title: `${this.frame.getAttribute("aria-label")}, step ${this.player.index}`,
      width: grid.width,
      height: grid.height,
      theme,
      elements: () => elements(figures),
      paint: (pen) => paint(pen, figures),
    };
    return { ...picture, film: this.film(picture, elements, paint) };
  }

  /**
   * All steps, drawn by copies: what the page shows stays as it is.
   * @param {Picture} picture
   * @param {(all: (Panel | Chart)[]) => string} elements
   * @param {(pen: Pen, all: (Panel | Chart)[]) => void} paint
   * @returns {Film | null}
   */
  film(picture, elements, paint) {
    if (!this.scene) return null;
    const { figures: copies } = figuresOf(this.scene, () => {});
    const aside = element("div", { style: ASIDE, "aria-hidden": "true", inert: true }, ...copies.map(({ figure }) => figure));
    const frames = this.player.last + 1;
    /** @type {CanvasImageSource | null} */
    let image = null;
    return {
      name: "Film",
      frames,
      seconds: Math.min(LONGEST, Math.ceil(frames / STEPS_PER_SECOND)),
      room: 24,
      ready: async (step) => {
        if (!aside.isConnected) this.grid.after(aside); // what has no place on the page has no style
        for (const one of copies) one.show(step);
        image = await imageOf(asSvg({ ...picture, elements: () => elements(copies), paint: () => {} }));
      },
      paint: (pen, step) => {
        if (image) pen.drawImage(image, 0, 0, picture.width, picture.height);
        paint(pen, copies);
        paintLegend(pen, [{ text: `step ${step} of ${frames - 1}`, draw: null }], picture.theme, picture.width, picture.height);
      },
      end: () => aside.remove(),
    };
  }

  /** @param {Scene & { label: string }} data */
  update({ label, ...scene }) {
    const content = JSON.stringify(scene);
    this.frame.setAttribute("aria-label", label);
    if (content === this.content) return;
    this.content = content;
    this.player.pause();
    this.scene = scene;
    const { panels, chart, figures } = figuresOf(scene, (step) => this.player.go(step));
    this.panels = panels;
    this.chart = chart;
    this.grid.replaceChildren(...figures.map(({ figure }) => figure));
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
 * Every version of the walk, and the chart of what they amount to.
 * @param {Scene} scene
 * @param {(step: number) => void} go
 */
function figuresOf(scene, go) {
  const arrangement = arrange(scene.places, scene.links);
  const panels = scene.panels.map((version) => new Panel(scene, version, arrangement));
  const chart = new Chart(scene.series, go);
  return { panels, chart, figures: [...panels, chart] };
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
