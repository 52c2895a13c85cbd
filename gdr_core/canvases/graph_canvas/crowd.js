// So many nodes that a frame cannot draw them all: a picture of them, larger than the view, moves with
// the hand, and another is drawn in slices when it no longer serves or when the hand rests.

import { penOf } from "../library/canvas.js";
import { OVERSCAN, placed, serves } from "./edges.js";
import { stamp } from "./sprites.js";

/** @import { Shown } from "./edges.js" */
/** @import { NodeLayer } from "./nodes.js" */
/** @import { Scene } from "./scene.js" */

const BLOCK = 2000; // nodes between two looks at the clock
const SLICE = 6; // ms of a frame while the hand moves
const AT_REST = 14; // ms of a frame otherwise

/**
 * What a picture depends on beside the view.
 * @typedef {{ looks: Scene["looks"], hidden: Scene["hiddenNode"], shown: Shown }} Subject
 */

/** @typedef {Subject & { image: ImageData, pixels: Uint32Array, left: number }} Work */

export class Crowd {
  /** @param {NodeLayer} layer */
  constructor(layer) {
    this.layer = layer;
    /** @type {Subject | null} the picture that is seen */
    this.seen = null;
    /** @type {Work | null} the picture in the making */
    this.work = null;
  }

  forget() {
    this.seen = this.work = null;
  }

  /**
   * Whether there is more to draw.
   * @param {Scene} scene
   * @param {boolean} still
   */
  draw(scene, still) {
    const other = !isOf(this.seen, scene);
    if (other && !isOf(this.work, scene)) this.work = null;
    if (!this.work && (other || this.outdated(scene, still))) this.work = this.start(scene);
    if (this.work) this.advance(this.work, scene, other ? Infinity : still ? AT_REST : SLICE);
    this.place(scene);
    return this.work !== null || this.outdated(scene, still); // the hand may have moved on meanwhile
  }

  /**
   * @param {Scene} scene
   * @param {boolean} still
   */
  outdated({ camera }, still) {
    const shown = this.seen?.shown;
    if (!shown) return true;
    const { k, x, y } = camera.view;
    if (still) return shown.k !== k || Math.abs(shown.x - x) > 0.5 || Math.abs(shown.y - y) > 0.5;
    return !serves(shown, camera);
  }

  /**
   * @param {Scene} scene
   * @returns {Work}
   */
  start({ camera, geometry, looks, hiddenNode, ratio }) {
    const [marginX, marginY] = [Math.round(camera.width * OVERSCAN), Math.round(camera.height * OVERSCAN)];
    const [wide, high] = [camera.width + 2 * marginX, camera.height + 2 * marginY];
    const image = new ImageData(Math.round(wide * ratio), Math.round(high * ratio));
    const shown = { ...camera.view, marginX, marginY, wide, high };
    return { looks, hidden: hiddenNode, shown, image, pixels: new Uint32Array(image.data.buffer), left: geometry.nodes };
  }

  /**
   * Front to back, as many nodes as the time allows.
   * @param {Work} work
   * @param {Scene} scene
   * @param {number} milliseconds
   */
  advance(work, scene, milliseconds) {
    const until = performance.now() + milliseconds;
    while (work.left && performance.now() < until) this.block(work, scene, Math.max(0, work.left - BLOCK));
    if (!work.left) this.show(work);
  }

  /**
   * @param {Work} work
   * @param {Scene} scene
   * @param {number} stop
   */
  block(work, scene, stop) {
    const { looks, hidden, shown, pixels, image } = work;
    const { order, colours, marks } = looks;
    const { positions } = scene.geometry;
    const [k, left, top] = [shown.k * scene.ratio, (shown.x + shown.marginX) * scene.ratio, (shown.y + shown.marginY) * scene.ratio];
    for (let n = work.left - 1; n >= stop; n--) {
      const i = order[n];
      if (hidden && hidden[i]) continue;
      const x = Math.round(positions[2 * i] * k + left);
      const y = Math.round(top - positions[2 * i + 1] * k);
      if (x < -60 || y < -60 || x > image.width + 60 || y > image.height + 60) continue;
      stamp(this.layer.sprite(scene, marks ? marks[i] : 0, colours[i]), x, y, image.width, image.height, pixels);
    }
    work.left = stop;
  }

  /** @param {Work} work */
  show(work) {
    const { canvas } = this.layer;
    canvas.width = work.image.width;
    canvas.height = work.image.height;
    canvas.style.width = `${work.shown.wide}px`;
    canvas.style.height = `${work.shown.high}px`;
    penOf(canvas).putImageData(work.image, 0, 0);
    this.seen = work;
    this.work = null;
  }

  /** @param {Scene} scene */
  place({ camera }) {
    if (!this.seen) return;
    const { left, top, scale } = placed(this.seen.shown, camera.view);
    this.layer.canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
  }

  /**
   * As it is seen, for a picture of the whole.
   * @param {CanvasRenderingContext2D} pen
   * @param {Scene} scene
   */
  copy(pen, { camera, ratio }) {
    if (!this.seen) return;
    const { wide, high } = this.seen.shown;
    const { left, top, scale } = placed(this.seen.shown, camera.view);
    pen.drawImage(this.layer.canvas, left * ratio, top * ratio, wide * scale * ratio, high * scale * ratio);
  }
}

/**
 * Whether a picture is of these nodes as they look now, wherever the view is.
 * @param {Subject | null} picture
 * @param {Scene} scene
 */
function isOf(picture, { looks, hiddenNode }) {
  return picture !== null && picture.looks === looks && picture.hidden === hiddenNode;
}
