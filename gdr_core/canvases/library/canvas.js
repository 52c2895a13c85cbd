// Canvases and pens: sharp on every screen, and the strokes that several drawings need.

/** @import { Theme } from "./theme.js" */

/** @typedef {"fillStyle" | "strokeStyle" | "lineWidth" | "globalAlpha" | "font" | "textAlign" | "textBaseline" | "lineJoin" | "lineCap"} Settings */
/** @typedef {"beginPath" | "moveTo" | "lineTo" | "closePath" | "arc" | "rect" | "roundRect"} Paths */
/** @typedef {"fill" | "stroke" | "fillRect" | "fillText" | "strokeText" | "save" | "restore" | "translate" | "rotate" | "scale" | "clip" | "setLineDash"} Acts */

/**
 * What a drawing function may ask of its pen: that of a canvas does it, and one that writes SVG
 * (`saving/vector.js`), so that both give the same picture.
 * @typedef {Pick<CanvasRenderingContext2D, Settings | Paths | Acts> & { measureText(text: string): { width: number } }} Pen
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function penOf(canvas, settings) {
  const pen = canvas.getContext("2d", settings);
  if (!pen) throw new Error("this browser cannot draw on a canvas");
  return pen;
}

/**
 * Give a canvas as many pixels as the screen has for it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {number} ratio pixels of the screen for one of the page
 */
export function sharpen(canvas, width, height, ratio) {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width === wide && canvas.height === high) return;
  canvas.width = wide;
  canvas.height = high;
}

/**
 * A cleared canvas and a pen that counts in pixels of the page.
 * @param {HTMLCanvasElement} canvas
 * @param {number} ratio
 */
export function cleanPen(canvas, ratio) {
  const pen = penOf(canvas);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

/**
 * A straight line.
 * @param {Pen} pen
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
export function rule(pen, from, to, alpha = 1) {
  pen.globalAlpha = alpha;
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
  pen.globalAlpha = 1;
}

/**
 * Text with a rim of paper, to be read on any ground.
 * @param {Pen} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {Theme} theme
 */
export function write(pen, text, x, y, theme) {
  pen.lineJoin = "round";
  pen.lineWidth = 4;
  pen.strokeStyle = theme.paper;
  pen.fillStyle = theme.ink;
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}
