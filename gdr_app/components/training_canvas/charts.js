// Charts of training runs: every update redraws small canvases, which takes about a millisecond.

import { cleanPen, rule, sharpen } from "#canvases/library/canvas.js";
import { drawn, element } from "#canvases/library/elements.js";
import { swatch } from "#canvases/library/legend.js";
import { Life } from "#canvases/library/life.js";
import { counted } from "#canvases/library/numbers.js";
import { spotOf } from "#canvases/library/pointer.js";
import { legendHeight, paintLegend } from "#canvases/library/saving/legend.js";
import { SaveMenu } from "#canvases/library/saving/menu.js";
import { lettersOf, themeOf } from "#canvases/library/theme.js";
import { Tooltip } from "#canvases/library/tooltip.js";
import { viewing } from "#canvases/mounts/mounting.js";
import { drawBars } from "./bars.js";
import { drawLines, heatColour, heatSpan } from "./lines.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Entry as LegendEntry } from "#canvases/library/saving/legend.js" */
/** @import { Film, Picture } from "#canvases/library/saving/pictures.js" */
/** @import { Point } from "#canvases/library/pointer.js" */
/** @import { BarsPanel } from "./bars.js" */
/** @import { Heat, LinesPanel } from "./lines.js" */

/** @typedef {{ colour: string, name: string, value: string }} Row */
/** @typedef {{ title: string, rows: Row[] }} Reading */
/** @typedef {{ name: string, colour: string, dash: number[] }} Entry */
/** @typedef {{ panels: (LinesPanel | BarsPanel)[], legend: Entry[], styles: Entry[] }} Message */

const SECONDS = 8; // of a film that is saved
const MARGIN = { left: 50, right: 12, top: 10, bottom: 34 };

class Panel {
  constructor() {
    /** @type {LinesPanel | BarsPanel | null} */
    this.data = null;
    /** @type {Point | null} */
    this.at = null;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.tip = new Tooltip();
    this.stage = element("div", { className: "stage", role: "img" }, this.canvas, this.tip.box);
    this.title = element("div", { className: "title" });
    this.life = new Life();
    this.saving = new SaveMenu(this.life, () => this.picture(), "chart");
    this.box = element("div", {}, element("div", { className: "top" }, this.title, this.saving.box), this.stage);
    this.life.onResize(this.stage, () => this.draw());
    this.stage.addEventListener("pointermove", (event) => this.point(spotOf(this.stage, event)));
    this.stage.addEventListener("pointerleave", () => this.point(null));
  }

  /** @param {LinesPanel | BarsPanel} data */
  update(data) {
    this.data = data;
    this.stage.setAttribute("aria-label", data.alt);
    this.title.replaceChildren(data.title, ...(data.kind === "lines" && data.heat ? [heatScale(data.heat)] : []));
    this.draw();
  }

  close() {
    this.life.end();
    this.box.remove();
  }

  /** @param {Point | null} at */
  point(at) {
    this.at = at;
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!this.data || !width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    sharpen(this.canvas, width, height, ratio);
    const read = this.paint(cleanPen(this.canvas, ratio), this.data, this.at);
    if (!read || !this.at) {
      this.tip.hide();
      return;
    }
    this.tip.say(read.title, read.rows.map(rowOf));
    this.tip.place(this.at, { width, height });
  }

  /**
   * @param {Pen} pen
   * @param {LinesPanel | BarsPanel} data
   * @param {Point | null} at
   */
  paint(pen, data, at) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const theme = themeOf(this.stage);
    const { ink, paper, text } = theme;
    pen.font = lettersOf(11.5, theme);
    const area = { left: MARGIN.left * text, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom * text };
    const sheet = { pen, area, ink, paper, text };
    return data.kind === "lines" ? drawLines(sheet, data, at) : drawBars(sheet, data, at);
  }

  /** @returns {Picture | null} the chart under its title */
  picture() {
    const { data } = this;
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!data || !width) return null;
    const theme = themeOf(this.stage);
    const entries = this.entries(data, theme.ink);
    return {
      name: "chart",
      title: data.alt,
      width,
      height: height + legendHeight(entries, theme, width),
      theme,
      paint: (pen) => {
        this.paint(pen, data, null);
        paintLegend(pen, entries, theme, width, height);
      },
      film: data.kind === "lines" && data.last > 1 ? this.film(data, entries) : null,
    };
  }

  /**
   * The epochs one after the other, as the replay shows them.
   * @param {LinesPanel} data
   * @param {LegendEntry[]} entries
   * @returns {Film}
   */
  film(data, entries) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const theme = themeOf(this.stage);
    return {
      name: "Film of the epochs",
      frames: data.last,
      seconds: SECONDS,
      room: 20,
      paint: (pen, frame) => {
        this.paint(pen, { ...data, cursor: frame + 1 }, null);
        paintLegend(pen, [{ text: `epoch ${counted(frame + 1)}`, draw: null }, ...entries], theme, width, height);
      },
    };
  }

  /**
   * The title, and what the lines or bars are.
   * @param {LinesPanel | BarsPanel} data
   * @param {string} ink
   * @returns {LegendEntry[]}
   */
  entries(data, ink) {
    const shown = data.kind === "lines" ? data.lines : data.names.map((name, i) => ({ name, colour: data.colours[i], dash: [], strong: true }));
    const signs = shown.filter((one) => one.strong).map(({ name, colour, dash }) => ({ text: name, draw: (/** @type {Pen} */ pen) => stroke(pen, colour || ink, dash) }));
    return [{ text: data.title, draw: null }, ...signs];
  }
}

/**
 * @param {Pen} pen
 * @param {string} colour
 * @param {number[]} dash
 */
function stroke(pen, colour, dash) {
  pen.strokeStyle = colour;
  pen.lineWidth = 3;
  pen.setLineDash(dash);
  rule(pen, [-6, 0], [8, 0]);
  pen.setLineDash([]);
}

/** @param {Row} row */
function rowOf({ colour, name, value }) {
  return element("span", { className: "row" }, swatch(colour), name, element("span", { className: "value", textContent: value }));
}

/** @param {Heat} heat */
function heatScale(heat) {
  const ramp = [0, 0.25, 0.5, 0.75, 1].map(heatColour).join(", ");
  const strip = element("i", { style: `background: linear-gradient(to right, ${ramp})` });
  return element("span", { className: "scale" }, `${heat.title}: −${(100 * heatSpan(heat)).toFixed(1)}`, strip, "best");
}

/** @param {Entry} entry */
function keyEntry({ name, colour, dash }) {
  const stroke = { d: "M1 5H27", stroke: colour || "currentColor", "stroke-width": colour ? 4 : 2, "stroke-dasharray": dash.join(" ") };
  return element("span", {}, drawn("svg", { viewBox: "0 0 28 10", "aria-hidden": "true" }, drawn("path", stroke)), name);
}

class Charts {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {Panel[]} */
    this.panels = [];
    this.shown = "";
    this.key = element("div", { className: "key" });
    this.grid = element("div", { className: "panels" });
    this.frame = element("div", { className: "frame" }, this.key, this.grid);
    root.append(this.frame);
  }

  /** @param {Message} data */
  update(data) {
    const shown = JSON.stringify([data.legend, data.styles]);
    if (shown !== this.shown) this.key.replaceChildren(...[...data.legend, ...data.styles].map(keyEntry));
    this.shown = shown;
    while (this.panels.length < data.panels.length) {
      const panel = new Panel();
      this.panels.push(panel);
      this.grid.append(panel.box);
    }
    for (const panel of this.panels.splice(data.panels.length)) panel.close();
    this.panels.forEach((panel, i) => panel.update(data.panels[i]));
    this.frame.dataset.ready = String(Number(this.frame.dataset.ready || 0) + 1);
  }

  close() {
    for (const panel of this.panels) panel.close();
    this.frame.remove();
  }
}

export default viewing(Charts, "none");
