// The layer of nodes: drawn anew in every frame, a few milliseconds for twenty thousand of them. More
// are a crowd, see `crowd.js`.

import { penOf, sharpen } from "../library/canvas.js";
import { element } from "../library/elements.js";
import { Crowd } from "./crowd.js";
import { makeSprite, stamp } from "./sprites.js";

/** @import { Scene } from "./scene.js" */
/** @import { Sprite } from "./sprites.js" */

const MANY = 25000; // nodes; from here on they are a crowd

export class NodeLayer {
  constructor() {
    this.crowd = new Crowd(this);
    this.canvas = element("canvas", { className: "nodes", "aria-hidden": "true" });
    this.pen = penOf(this.canvas, { willReadFrequently: true });
    this.image = new ImageData(1, 1);
    this.pixels = new Uint32Array(this.image.data.buffer);
    /** @type {Sprite[]} by mark and colour */
    this.sprites = [];
    this.radius = 0;
  }

  /**
   * @param {number} width
   * @param {number} height
   * @param {number} ratio
   */
  resize(width, height, ratio) {
    this.crowd.forget();
    this.canvas.removeAttribute("style");
    sharpen(this.canvas, width, height, ratio);
    this.image = this.pen.createImageData(this.canvas.width, this.canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sprites = [];
  }

  /** Codes or colours mean others now. */
  forget() {
    this.sprites = [];
    this.crowd.forget();
  }

  /**
   * @param {Scene} scene
   * @param {number} mark
   * @param {number} code of the class
   */
  sprite({ looks, theme }, mark, code) {
    const known = this.sprites[mark * 256 + code];
    if (known) return known;
    const { shape, size, colour, opacity } = looks.styles[mark];
    const made = makeSprite({ shape, radius: this.radius * size, colour: colour ?? looks.colourOf(code), opacity, rim: theme.paper });
    this.sprites[mark * 256 + code] = made;
    return made;
  }

  /**
   * Whether there is more to draw.
   * @param {Scene} scene
   * @param {boolean} still nobody has moved the view for a moment
   */
  draw(scene, still) {
    const { ratio } = scene;
    const radius = Math.round(scene.radius * ratio * 4) / 4;
    if (radius !== this.radius) this.sprites = [];
    this.radius = radius;
    if (scene.geometry.nodes > MANY) return this.crowd.draw(scene, still);
    this.drawEvery(scene);
    return false;
  }

  /** @param {Scene} scene */
  drawEvery(scene) {
    const { camera, hiddenNode, ratio } = scene;
    const { order, colours, marks } = scene.looks;
    const { positions } = scene.geometry;
    const pixels = this.pixels;
    const { width, height } = this.canvas;
    const k = camera.view.k * ratio;
    const left = Math.round(camera.view.x * ratio); // the whole picture moves by whole pixels:
    const top = Math.round(camera.view.y * ratio); // nodes keep their distances while it moves
    pixels.fill(0);
    for (let n = order.length - 1; n >= 0; n--) { // front to back: a covered pixel costs one look
      const i = order[n];
      if (hiddenNode && hiddenNode[i]) continue;
      const x = Math.round(positions[2 * i] * k) + left;
      const y = top - Math.round(positions[2 * i + 1] * k);
      if (x < -60 || y < -60 || x > width + 60 || y > height + 60) continue;
      stamp(this.sprite(scene, marks ? marks[i] : 0, colours[i]), x, y, width, height, pixels);
    }
    this.pen.putImageData(this.image, 0, 0);
  }

  /**
   * As they are seen, for a picture of the whole.
   * @param {CanvasRenderingContext2D} pen
   * @param {Scene} scene
   */
  copy(pen, scene) {
    if (scene.geometry.nodes > MANY) this.crowd.copy(pen, scene);
    else pen.drawImage(this.canvas, 0, 0);
  }
}
