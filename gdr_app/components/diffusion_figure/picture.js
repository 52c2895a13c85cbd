// Graph and chart of a figure as one picture, side by side or one above the other as on the page.

import { inlined } from "#canvases/library/saving/inlined.js";

/** @import { Picture } from "#canvases/library/saving/pictures.js" */
/** @import { Theme } from "#canvases/library/theme.js" */
/** @import { Chart } from "./chart.js" */
/** @import { Stage } from "./stage.js" */

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
  return {
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
}
