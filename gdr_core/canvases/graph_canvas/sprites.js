// Nodes as small prepared pictures, stamped into a pixel buffer.

import { penOf } from "../library/canvas.js";
import { element } from "../library/elements.js";

/** @import { Pen } from "../library/canvas.js" */

/** @typedef {"circle" | "ring" | "square" | "diamond" | "triangle"} Shape */
/** @typedef {{ shape: Shape, radius: number, colour: string, opacity: number, rim: string }} Look */

/**
 * Only pixels that hold something, as distances from the middle and colours.
 * @typedef {{
 *   half: number, canvas: HTMLCanvasElement, count: number, dx: Int32Array, dy: Int32Array,
 *   rgba: Uint32Array, offsets: Int32Array, width: number,
 * }} Sprite
 */

/** @type {Record<Shape, (pen: Pen, r: number) => void>} */
const OUTLINES = {
  circle: (pen, r) => pen.arc(0, 0, r, 0, 2 * Math.PI),
  ring: (pen, r) => pen.arc(0, 0, r, 0, 2 * Math.PI),
  square: (pen, r) => pen.rect(-0.88 * r, -0.88 * r, 1.76 * r, 1.76 * r),
  diamond: (pen, r) => polygon(pen, [[0, -1.25 * r], [1.25 * r, 0], [0, 1.25 * r], [-1.25 * r, 0]]),
  triangle: (pen, r) => polygon(pen, [[0, -1.25 * r], [1.15 * r, 0.85 * r], [-1.15 * r, 0.85 * r]]),
};

/**
 * @param {Pen} pen
 * @param {[number, number][]} corners
 */
function polygon(pen, corners) {
  corners.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
}

/**
 * @param {Pen} pen
 * @param {Look} look
 */
export function paintShape(pen, { shape, radius, colour, opacity, rim }) {
  pen.globalAlpha = opacity;
  pen.beginPath();
  OUTLINES[shape](pen, shape === "ring" ? radius * 0.85 : radius);
  if (shape === "ring") {
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(1.5, radius * 0.5);
    pen.stroke();
    return;
  }
  pen.fillStyle = colour;
  pen.fill();
  if (radius > 2.5) {
    pen.strokeStyle = rim;
    pen.lineWidth = Math.min(1.5, radius * 0.2);
    pen.stroke();
  }
}

/**
 * @param {Look} look
 * @returns {Sprite}
 */
export function makeSprite(look) {
  const half = Math.ceil(look.radius * 1.3) + 1;
  const size = 2 * half + 1;
  const canvas = element("canvas", { width: size, height: size });
  const pen = penOf(canvas, { willReadFrequently: true });
  pen.translate(half + 0.5, half + 0.5);
  paintShape(pen, look);
  const pixels = new Uint32Array(pen.getImageData(0, 0, size, size).data.buffer);
  const at = [...pixels.keys()].filter((place) => pixels[place] >>> 24);
  return {
    half,
    canvas,
    count: at.length,
    dx: Int32Array.from(at, (place) => (place % size) - half),
    dy: Int32Array.from(at, (place) => Math.floor(place / size) - half),
    rgba: Uint32Array.from(at, (place) => pixels[place]),
    offsets: new Int32Array(0),
    width: 0,
  };
}

/**
 * Source over destination, as 0xAABBGGRR. Two channels at a time where the ground is opaque: this
 * runs tens of thousands of times a frame.
 * @param {number} under
 * @param {number} over
 */
export function blend(under, over) {
  const a = over >>> 24;
  const b = under >>> 24;
  if (a === 255 || b === 0) return over;
  const share = b === 255 ? a + 1 : Math.round((256 * a) / (a + (b * (255 - a)) / 255));
  const rest = 256 - share;
  const redBlue = (((over & 0xff00ff) * share + (under & 0xff00ff) * rest) >>> 8) & 0xff00ff;
  const green = (((over & 0xff00) * share + (under & 0xff00) * rest) >>> 8) & 0xff00;
  const alpha = b === 255 ? 255 : a + Math.round((b * (255 - a)) / 255);
  return ((alpha << 24) | redBlue | green) >>> 0;
}

/**
 * Put a sprite behind what is in the buffer already.
 * @param {Sprite} sprite
 * @param {number} x
 * @param {number} y
 * @param {number} width of the buffer
 * @param {number} height
 * @param {Uint32Array} pixels
 */
export function stamp(sprite, x, y, width, height, pixels) {
  const { half, count, dx, dy, rgba } = sprite;
  if (x >= half && y >= half && x < width - half && y < height - half) {
    if (sprite.width !== width) {
      sprite.offsets = dx.map((value, i) => dy[i] * width + value);
      sprite.width = width;
    }
    const offsets = sprite.offsets;
    const place = y * width + x;
    for (let p = 0; p < count; p++) {
      const at = place + offsets[p];
      const front = pixels[at];
      if (front < 0xff000000) pixels[at] = front === 0 ? rgba[p] : blend(rgba[p], front);
    }
    return;
  }
  for (let p = 0; p < count; p++) {
    const column = x + dx[p];
    const row = y + dy[p];
    if (column < 0 || row < 0 || column >= width || row >= height) continue;
    const at = row * width + column;
    pixels[at] = pixels[at] === 0 ? rgba[p] : blend(rgba[p], pixels[at]);
  }
}

/**
 * How much of their usual opacity edges have: light ones on a dark ground would drown the nodes.
 * @param {number[]} ink red, green and blue
 */
export function edgeShare(ink) {
  return ink[0] + ink[1] + ink[2] > 382 ? 0.55 : 1;
}
