// A picture as a file: PNG as the screen has it, SVG from the same drawing, a film of many.

import { penOf } from "../canvas.js";
import { element } from "../elements.js";
import { fileOf } from "./svg.js";
import { VectorPen } from "./vector.js";

/** @import { Pen } from "../canvas.js" */
/** @import { Theme } from "../theme.js" */

/**
 * One frame after the other; `paint` counts in pixels of the page and has a ground of paper already.
 * A film is as large as the picture, with `room` below it. What takes a while, as a drawing in SVG
 * does, is made by `ready` before `paint` is called for the frame; `end` follows the last one.
 * @typedef {{
 *   name: string, frames: number, seconds: number, room?: number, paint: (pen: CanvasRenderingContext2D, frame: number) => void,
 *   ready?: (frame: number) => Promise<void>, end?: () => void,
 * }} Film
 */

/**
 * What can be saved.
 *
 * name      of the files, without their ending
 * title     what the drawing is of
 * paint     draws all of it, in pixels of the page
 * print     the same for a canvas only, where that is quicker or finer
 * elements  parts that are SVG on the page already
 * ratio     pixels of the picture for one of the page
 * decimals  of the drawing's numbers
 * tooLarge  why there is no drawing in SVG, where there is none
 * @typedef {{
 *   name: string, title: string, width: number, height: number, theme: Theme, paint: (pen: Pen) => void,
 *   print?: (pen: CanvasRenderingContext2D) => void, elements?: () => string, ratio?: number, decimals?: number, tooLarge?: string, film?: Film | null,
 * }} Picture
 */

/** Pixels for one of the page: a saved picture is printed larger than it is seen. */
export function fineRatio() {
  return Math.max(2, window.devicePixelRatio || 1);
}

/**
 * A sheet of paper with a pen that counts in pixels of the page.
 * @param {Picture} picture
 * @param {number} ratio
 */
export function sheetFor({ width, height, theme }, ratio) {
  const canvas = element("canvas", { width: 2 * Math.round((width * ratio) / 2), height: 2 * Math.round((height * ratio) / 2) });
  const pen = penOf(canvas);
  /** Nothing on it. */
  const clear = () => {
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.globalAlpha = 1;
    pen.setLineDash([]);
    pen.fillStyle = theme.paper;
    pen.fillRect(0, 0, width + 1, height + 1);
  };
  clear();
  return { canvas, pen, clear };
}

/**
 * @param {Picture} picture
 * @returns {Promise<Blob | null>}
 */
export function asPng(picture) {
  const { canvas, pen } = sheetFor(picture, picture.ratio ?? fineRatio());
  /** @returns {Promise<Blob | null>} */
  const blob = () => new Promise((done) => canvas.toBlob(done));
  if (picture.elements) return imageOf(asSvg(picture)).then((image) => pen.drawImage(image, 0, 0, picture.width, picture.height)).then(blob);
  (picture.print ?? picture.paint)(pen);
  return blob();
}

/**
 * @param {Blob} blob
 * @returns {Promise<HTMLImageElement>}
 */
export async function imageOf(blob) {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  await image.decode();
  URL.revokeObjectURL(image.src);
  return image;
}

/** @param {Picture} picture */
export function asSvg(picture) {
  const { width, height, theme, title, decimals, elements } = picture;
  const ground = `<rect width="${width}" height="${height}" fill="${theme.paper}"/>`;
  const parts = [ground, ...(elements ? [elements()] : []), drawnBy(picture.paint, decimals)];
  return new Blob([fileOf({ width, height, title }, parts.join("\n"))], { type: "image/svg+xml" });
}

/**
 * What a drawing function draws, as elements of SVG.
 * @param {(pen: Pen) => void} paint
 * @param {number} [decimals]
 */
function drawnBy(paint, decimals) {
  const ruler = penOf(element("canvas", { width: 1, height: 1 }));
  const pen = new VectorPen({
    decimals,
    measure: (text, font) => {
      ruler.font = font;
      return ruler.measureText(text).width;
    },
  });
  paint(pen);
  return pen.elements();
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function saveAs(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
