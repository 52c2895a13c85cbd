// Which part of the plane is seen: pan, zoom, and where a node stands on the screen.

import { clamped } from "../library/numbers.js";

/** @import { Geometry } from "./geometry.js" */

/**
 * A place (u, v) of the plane is seen at (k u + x, y - k v).
 * @typedef {{ k: number, x: number, y: number }} View
 */

const ZOOM_LIMITS = [0.5, 80];

export class Camera {
  /** @param {() => void} moved called after each change of the view */
  constructor(moved) {
    /** @type {View} */
    this.view = { k: 1, x: 0, y: 0 };
    /** @type {View | null} */
    this.fitted = null;
    this.width = 0;
    this.height = 0;
    this.moved = moved;
  }

  /**
   * The middle of the picture stays in the middle, and the zoom with respect to the whole; another
   * graph is seen as a whole.
   * @param {Pick<Geometry, "box">} geometry
   * @param {number} width
   * @param {number} height
   * @param {boolean} fresh the graph is another one
   */
  resize(geometry, width, height, fresh) {
    const { width: wide, height: high, fitted } = this;
    this.width = width;
    this.height = height;
    this.fitted = fittingView(geometry.box, width, height);
    if (!wide || !fitted || fresh) {
      this.view = { ...this.fitted }; // nobody has moved it: there is nothing to wait for
      return;
    }
    const { k, x, y } = this.view;
    const grown = this.fitted.k / fitted.k;
    this.view = { k: k * grown, x: (x - wide / 2) * grown + width / 2, y: (y - high / 2) * grown + height / 2 };
  }

  fit() {
    if (!this.fitted) return;
    this.view = { ...this.fitted };
    this.moved();
  }

  /**
   * Zoom so that one place of the screen stays where it is.
   * @param {number} factor
   */
  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    if (!this.fitted) return;
    const [least, most] = ZOOM_LIMITS;
    const k = clamped(this.view.k * factor, this.fitted.k * least, this.fitted.k * most);
    const applied = k / this.view.k;
    this.view = { k, x: x - (x - this.view.x) * applied, y: y - (y - this.view.y) * applied };
    this.moved();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  panBy(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.moved();
  }

  /** @param {[number, number]} place */
  bringIntoView([x, y]) {
    if (x > 20 && y > 20 && x < this.width - 20 && y < this.height - 20) return;
    this.panBy(this.width / 2 - x, this.height / 2 - y);
  }

  /**
   * @param {Geometry} geometry
   * @param {number} node
   * @returns {[number, number]}
   */
  screen({ positions }, node) {
    const { k, x, y } = this.view;
    return [positions[2 * node] * k + x, y - positions[2 * node + 1] * k];
  }

  /**
   * The place of the plane that is seen at a place of the screen.
   * @param {number} x
   * @param {number} y
   */
  plane(x, y) {
    return { x: (x - this.view.x) / this.view.k, y: (this.view.y - y) / this.view.k };
  }

  /**
   * Bare nodes shrink with their number; zooming in lets them grow, more slowly than distances.
   * @param {number} nodes
   */
  radius(nodes) {
    const room = Math.sqrt((this.width * this.height) / Math.max(1, nodes));
    const base = clamped(0.19 * room, 1.4, 9);
    const zoom = this.fitted ? this.view.k / this.fitted.k : 1;
    return Math.min(13, base * Math.pow(Math.max(0.6, zoom), 0.45));
  }
}

/**
 * The view that shows all of a box, with a margin.
 * @param {import("./geometry.js").Box} box
 * @param {number} width
 * @param {number} height
 * @returns {View}
 */
export function fittingView(box, width, height) {
  const margin = Math.max(14, Math.min(width, height) * 0.05);
  const wide = Math.max(box.right - box.left, 1e-9);
  const high = Math.max(box.high - box.low, 1e-9);
  const k = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
  return { k, x: width / 2 - (k * (box.left + box.right)) / 2, y: height / 2 + (k * (box.low + box.high)) / 2 };
}
