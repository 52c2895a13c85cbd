// Edges of a large graph, counted pixel by pixel and shown as a density.

import { edgeShare } from "./sprites.js";

/** @import { View } from "./camera.js" */
/** @import { Geometry } from "./geometry.js" */

const REMEMBERED = 6;

/** Counts, pixel by pixel, how many edges pass. Runs in slices so that frames keep coming. */
export class EdgeDensity {
  /**
   * @param {Geometry} geometry
   * @param {Uint8Array | null} hiddenNode
   * @param {View} view
   * @param {number} width
   * @param {number} height
   */
  constructor(geometry, hiddenNode, view, width, height) {
    this.geometry = geometry;
    this.hiddenNode = hiddenNode;
    this.view = view;
    this.width = width;
    this.height = height;
    this.at = 0;
    this.count = new Float32Array(width * (height + 1) + 1);
  }

  get done() {
    return this.at >= this.geometry.edges;
  }

  /** @param {number} milliseconds */
  advance(milliseconds) {
    const until = performance.now() + milliseconds;
    const { ends, positions, edges } = this.geometry;
    const { k, x, y } = this.view;
    const hidden = this.hiddenNode;
    while (this.at < edges && performance.now() < until) {
      const stop = Math.min(this.at + 200, edges);
      for (let e = this.at; e < stop; e++) {
        const i = ends[2 * e];
        const j = ends[2 * e + 1];
        if (hidden && (hidden[i] || hidden[j])) continue;
        this.line(positions[2 * i] * k + x, y - positions[2 * i + 1] * k, positions[2 * j] * k + x, y - positions[2 * j + 1] * k);
      }
      this.at = stop;
    }
  }

  /**
   * One step along the longer axis, shared between the two nearest pixels of the other axis.
   * @param {number} x0
   * @param {number} y0
   * @param {number} x1
   * @param {number} y1
   */
  line(x0, y0, x1, y1) {
    const right = this.width - 2;
    const bottom = this.height - 2;
    let from = 0;
    let to = 1;
    const dx = x1 - x0;
    const dy = y1 - y0;
    for (const [step, room] of [[-dx, x0], [dx, right - x0], [-dy, y0], [dy, bottom - y0]]) {
      if (step === 0) {
        if (room < 0) return;
      } else if (step < 0) {
        if (room / step > from) from = room / step;
      } else if (room / step < to) to = room / step;
    }
    if (from >= to) return;
    const count = this.count;
    const width = this.width;
    const steep = Math.abs(dy) > Math.abs(dx);
    const length = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * (to - from));
    const stepX = (dx * (to - from)) / (length || 1);
    const stepY = (dy * (to - from)) / (length || 1);
    let px = x0 + dx * from;
    let py = y0 + dy * from;
    for (let s = 0; s < length; s++) {
      const column = px | 0;
      const row = py | 0;
      const place = row * width + column;
      const share = steep ? px - column : py - row;
      count[place] += 1 - share;
      count[place + (steep ? 1 : width)] += share;
      px += stepX;
      py += stepY;
    }
  }

  /**
   * Many edges on one pixel saturate softly; the exposure follows the densest twentieth.
   * @param {number[]} ink red, green and blue
   */
  picture(ink) {
    const { count, width, height } = this;
    const size = width * height;
    const seen = [];
    const stride = Math.max(1, Math.floor(size / 40000));
    for (let i = 0; i < size; i += stride) if (count[i] > 0.05) seen.push(count[i]);
    seen.sort((a, b) => a - b);
    const dense = seen.length ? seen[Math.floor(seen.length * 0.95)] : 1;
    const gain = Math.min(0.55, 1.6 / dense);
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colour = (ink[2] << 16) | (ink[1] << 8) | ink[0];
    const table = Uint8Array.from({ length: 1024 }, (_, i) => 140 * edgeShare(ink) * (1 - Math.exp((-i / 16) * gain)));
    for (let i = 0; i < size; i++) {
      const value = count[i];
      if (value > 0) pixels[i] = ((table[Math.min(1023, (value * 16) | 0)] << 24) | colour) >>> 0;
    }
    return image;
  }
}

/** @type {Map<string, EdgeDensity>} */
const densities = new Map();

/**
 * Two canvases of one size show the same edges, and so does a page that is opened again: the work
 * is shared, also while it goes on.
 * @param {Geometry} geometry
 * @param {Uint8Array | null} hiddenNode
 * @param {View} view
 * @param {number} width
 * @param {number} height
 */
export function densityOf(geometry, hiddenNode, view, width, height) {
  const id = [geometry.id, view.k, view.x, view.y, width, height].join(" ");
  const known = hiddenNode ? null : densities.get(id);
  const density = known ?? new EdgeDensity(geometry, hiddenNode, view, width, height);
  if (hiddenNode) return density;
  densities.delete(id);
  densities.set(id, density);
  for (const oldest of densities.keys()) {
    if (densities.size <= REMEMBERED) break;
    densities.delete(oldest);
  }
  return density;
}
