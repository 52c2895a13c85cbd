// Graph and chart of a figure as one picture, side by side or one above the other as on the page.

import { element } from "#canvases/library/elements.js";
import { Life } from "#canvases/library/life.js";
import { inWords } from "#canvases/library/numbers.js";
import { inlined } from "#canvases/library/saving/inlined.js";
import { paintLegend } from "#canvases/library/saving/legend.js";
import { asSvg, imageOf } from "#canvases/library/saving/pictures.js";
import { Chart } from "./chart.js";
import { FRAMES, Model } from "./model.js";
import { Stage } from "./stage.js";

/** @import { Film, Picture } from "#canvases/library/saving/pictures.js" */
/** @import { Theme } from "#canvases/library/theme.js" */

const SECONDS = 8; // of a film that is saved
const ASIDE = "position: absolute; width: 0; height: 0; overflow: hidden; visibility: hidden";

/**
 * @param {Stage} stage
 * @param {Chart | null} chart
 * @param {Theme} theme
 * @returns {Picture}
 */
export function pictureOf(stage, chart, theme) {
  const boxes = [stage.box, ...(chart ? [chart.box] : [])].map((box) => box.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [first, second] = boxes.map((box) => ({ x: box.left - left, y: box.top - top, width: box.width, height: box.height }));
  const time = `t = ${Number(stage.model.sketch.time.toPrecision(3))}`;
  /** @type {Picture} */
  const picture = {
    name: "diffusion",
    title: `${stage.box.getAttribute("aria-label")}, ${time}`,
    width: Math.max(...boxes.map((box) => box.right)) - left,
    height: Math.max(...boxes.map((box) => box.bottom)) - top,
    theme,
    elements: () => inlined(stage.svg, first),
    paint: (pen) => {
      if (!chart) return;
      pen.save();
      pen.translate(second.x, second.y);
      chart.paint(pen, theme);
      pen.restore();
    },
  };
  return { ...picture, film: filmOf(stage, chart, picture, [first, second]) };
}

/**
 * All times of the axis, drawn by copies: what the page shows stays as it is.
 * @param {Stage} stage
 * @param {Chart | null} chart
 * @param {Picture} picture
 * @param {{ x: number, y: number, width: number, height: number }[]} boxes of graph and chart
 * @returns {Film}
 */
function filmOf(stage, chart, picture, [first, second]) {
  const { theme, width, height } = picture;
  const life = new Life();
  const model = copyOf(stage.model);
  const twin = new Stage(model, life, { label: "", values: stage.values, badges: stage.badges });
  const curves = chart && new Chart(model, life, chart.options);
  const aside = element("div", { style: ASIDE, "aria-hidden": "true", inert: true }, twin.box);
  Object.assign(twin.size, stage.size);
  if (curves && chart) Object.assign(curves.size, chart.size);
  /** @type {CanvasImageSource | null} */
  let image = null;
  return {
    name: "Film",
    frames: FRAMES + 1,
    seconds: SECONDS,
    room: 24,
    ready: async (frame) => {
      if (!aside.isConnected) stage.box.after(aside); // what has no place on the page has no style
      model.setTime(model.timeAt(frame / FRAMES));
      twin.draw(theme);
      image = await imageOf(asSvg({ ...picture, elements: () => inlined(twin.svg, first), paint: () => {} }));
    },
    paint: (pen) => {
      if (image) pen.drawImage(image, 0, 0, width, height);
      pen.save();
      if (curves) pen.translate(second.x, second.y);
      curves?.paint(pen, theme);
      pen.restore();
      paintLegend(pen, [{ text: `t = ${inWords(model.sketch.time)}`, draw: null }], theme, width, height);
    },
    end: () => {
      life.end();
      aside.remove();
    },
  };
}

/**
 * The same graph, axes and chosen node.
 * @param {Model} model
 */
function copyOf(model) {
  const copy = new Model(model.sketch);
  copy.near = model.near;
  copy.setLog(model.log);
  copy.choose(model.chosen);
  return copy;
}
