// Shares of mass over the steps of the walk, with a cursor at the step that the film shows.

import { drawn, element } from "#canvases/library/elements.js";
import { clamped } from "#canvases/library/numbers.js";
import { HEIGHT, WIDTH } from "./arrangement.js";

/** @typedef {{ name: string, values: number[] }} Series */

const AREA = { left: 40, right: WIDTH - 10, top: 12, bottom: HEIGHT - 34 };
const LOOKS = ["caught", "jumping", "all"]; // of the lines, in their order; walk.css knows them
const NAMED = ["solid:", "dashed:", "dotted:"]; // how they are drawn

/** @param {number} share */
const height = (share) => AREA.bottom - (AREA.bottom - AREA.top) * share;

export class Chart {
  /**
   * @param {Series[]} series
   * @param {(step: number) => void} go
   */
  constructor(series, go) {
    this.series = series;
    this.last = series[0].values.length - 1;
    this.picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", class: "chart" });
    this.picture.append(...this.axes());
    series.forEach(({ values }, k) => {
      const points = values.map((value, step) => `${this.x(step)},${height(value)}`).join(" ");
      this.picture.append(drawn("polyline", { class: `line ${LOOKS[k]}`, points }));
    });
    this.cursor = drawn("line", { class: "cursor", y1: AREA.top, y2: AREA.bottom });
    this.dots = series.map((_, k) => drawn("circle", { class: `dot ${LOOKS[k]}`, r: 4 }));
    this.picture.append(this.cursor, ...this.dots);
    this.picture.addEventListener("pointerdown", (event) => go(this.stepAt(event)));
    this.picture.addEventListener("pointermove", (event) => { if (event.buttons & 1) go(this.stepAt(event)); });
    this.values = series.map(() => element("b"));
    const entries = series.map(({ name }, k) => element("span", {}, keyOf(LOOKS[k]), `${name} `, this.values[k]));
    const key = element("div", { className: "lines-key" }, ...entries);
    this.figure = element("figure", { className: "panel" }, element("figcaption", { textContent: "Share of the mass" }), this.picture, key);
  }

  /** What a picture of the chart says above and below it. */
  lines() {
    return ["Share of the mass", ...this.series.map(({ name }, k) => `${NAMED[k]} ${name}: ${this.values[k].textContent}`)];
  }

  /** @param {number} step */
  x(step) {
    return AREA.left + ((AREA.right - AREA.left) * step) / Math.max(this.last, 1);
  }

  /** @param {PointerEvent} event */
  stepAt(event) {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.picture.getScreenCTM()?.inverse());
    return clamped(Math.round(((place.x - AREA.left) / (AREA.right - AREA.left)) * this.last), 0, this.last);
  }

  axes() {
    const rows = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      drawn("line", { class: "grid", x1: AREA.left, x2: AREA.right, y1: height(share), y2: height(share) }),
      drawn("text", { class: "tick side", x: AREA.left - 5, y: height(share) + 4 }, `${100 * share}%`),
    ]);
    const quarters = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * this.last));
    const ticks = quarters.map((step) => drawn("text", { class: "tick", x: this.x(step), y: AREA.bottom + 15 }, String(step)));
    return [...rows, ...ticks, drawn("text", { class: "tick", x: (AREA.left + AREA.right) / 2, y: HEIGHT - 4 }, "steps")];
  }

  /**
   * Moves the cursor.
   * @param {number} step
   */
  show(step) {
    const x = this.x(step);
    this.cursor.setAttribute("x1", String(x));
    this.cursor.setAttribute("x2", String(x));
    this.figure.dataset.cursor = String(step);
    this.series.forEach(({ values }, k) => {
      this.dots[k].setAttribute("cx", String(x));
      this.dots[k].setAttribute("cy", String(height(values[step])));
      this.values[k].textContent = `${(100 * values[step]).toFixed(1)}%`;
    });
  }
}

/** @param {string} look */
function keyOf(look) {
  return drawn("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" }, drawn("path", { class: `line ${look}`, d: "M1 4H27" }));
}
