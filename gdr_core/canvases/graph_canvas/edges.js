// The layer of edges. Few are crisp strokes, drawn in every frame. Many are shown as a density;
// counting takes longer, so it runs in slices between frames, and until it is done the last
// picture of the edges is moved and scaled along.

import { penOf } from "../library/canvas.js";
import { element } from "../library/elements.js";
import { rgbOf } from "../library/theme.js";
import { densityOf } from "./density.js";
import { strokeEdges } from "./scene.js";
import { edgeShare } from "./sprites.js";

/** @import { EdgeDensity } from "./density.js" */
/** @import { Scene } from "./scene.js" */

/**
 * The view for which a picture of the edges was made, its size and how far it reaches beyond.
 * @typedef {{
 *   k: number, x: number, y: number, marginX: number, marginY: number, wide: number, high: number,
 * }} Shown
 */

const DRAWN_AS_LINES = 1500; // up to here edges are strokes
export const OVERSCAN = 0.3; // how far the picture of the edges reaches beyond the view, on each side

export class EdgeLayer {
  /** @param {() => void} again asks for another frame */
  constructor(again) {
    this.again = again;
    this.canvas = element("canvas", { className: "edges", "aria-hidden": "true" });
    /** @type {Shown | null} the picture that is seen */
    this.shown = null;
    /** @type {{ density: EdgeDensity, shown: Shown } | null} the picture in the making */
    this.work = null;
    this.stale = false;
  }

  /** The picture is of no use any more. */
  forget() {
    this.shown = null;
    this.work = null;
  }

  /** The picture is out of date, and seen until another is there. */
  renew() {
    this.work = null;
    this.stale = true;
  }

  /**
   * @param {Scene} scene
   * @param {boolean} still nobody has moved the view for a moment
   */
  draw(scene, still) {
    if (scene.geometry.edges <= DRAWN_AS_LINES) this.drawLines(scene);
    else this.drawDensity(scene, still);
  }

  /** @param {Scene} scene */
  drawLines(scene) {
    const { geometry, camera, theme, ratio } = scene;
    const { canvas } = this;
    canvas.width = Math.round(camera.width * ratio);
    canvas.height = Math.round(camera.height * ratio);
    canvas.style.width = canvas.style.height = "100%";
    canvas.style.transform = "none";
    const pen = penOf(canvas);
    pen.scale(ratio, ratio);
    pen.strokeStyle = pen.fillStyle = theme.ink;
    pen.globalAlpha = (geometry.edges > 400 ? 0.22 : 0.38) * edgeShare(rgbOf(theme.ink));
    pen.lineWidth = geometry.edges > 400 ? 1 : 1.4;
    strokeEdges(pen, scene, Uint32Array.from({ length: geometry.edges }, (_, e) => e));
    this.shown = null;
  }

  /**
   * @param {Scene} scene
   * @param {boolean} still
   */
  drawDensity(scene, still) {
    const work = this.work ?? (this.outdated(scene, still) ? this.start(scene) : null);
    if (work) {
      work.density.advance(still ? 14 : 5);
      if (work.density.done) this.show(scene, work);
      if (this.work || this.outdated(scene, still)) this.again(); // the hand may have moved on meanwhile
    }
    this.place(scene);
  }

  /**
   * @param {Scene} scene
   * @param {boolean} still
   */
  outdated({ camera }, still) {
    const { shown } = this;
    if (!shown || this.stale) return true;
    const { k, x, y } = camera.view;
    if (still) return shown.k !== k || Math.abs(shown.x - x) > 0.5 || Math.abs(shown.y - y) > 0.5;
    return !serves(shown, camera);
  }

  /** @param {Scene} scene */
  start({ geometry, camera, hiddenNode, ratio }) {
    const scale = Math.min(ratio, 1.5);
    const marginX = Math.round(camera.width * OVERSCAN);
    const marginY = Math.round(camera.height * OVERSCAN);
    const wide = camera.width + 2 * marginX;
    const high = camera.height + 2 * marginY;
    const { k, x, y } = camera.view;
    const inner = { k: k * scale, x: (x + marginX) * scale, y: (y + marginY) * scale };
    const density = densityOf(geometry, hiddenNode, inner, Math.round(wide * scale), Math.round(high * scale));
    this.stale = false;
    this.work = { density, shown: { k, x, y, marginX, marginY, wide, high } };
    return this.work;
  }

  /**
   * @param {Scene} scene
   * @param {{ density: EdgeDensity, shown: Shown }} work
   */
  show({ theme }, { density, shown }) {
    const { canvas } = this;
    canvas.width = density.width;
    canvas.height = density.height;
    canvas.style.width = `${shown.wide}px`;
    canvas.style.height = `${shown.high}px`;
    penOf(canvas).putImageData(density.picture(rgbOf(theme.ink)), 0, 0);
    this.shown = shown;
    this.work = null;
  }

  /** @param {Scene} scene */
  place({ camera }) {
    this.canvas.style.visibility = this.shown ? "visible" : "hidden";
    if (!this.shown) return;
    const { left, top, scale } = placed(this.shown, camera.view);
    this.canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
  }

  /**
   * As they are seen, for a picture of the whole.
   * @param {CanvasRenderingContext2D} pen
   * @param {Scene} scene
   */
  copy(pen, { camera, ratio }) {
    if (!this.shown) {
      pen.drawImage(this.canvas, 0, 0);
      return;
    }
    const { left, top, scale } = placed(this.shown, camera.view);
    const { wide, high } = this.shown;
    pen.drawImage(this.canvas, left * ratio, top * ratio, wide * scale * ratio, high * scale * ratio);
  }
}

/**
 * Whether a picture still fills the view and is about as fine as it should be.
 * @param {Shown} shown
 * @param {import("./camera.js").Camera} camera
 */
export function serves(shown, camera) {
  const { left, top, scale } = placed(shown, camera.view);
  const covered =
    left <= 0 && top <= 0 && left + shown.wide * scale >= camera.width && top + shown.high * scale >= camera.height;
  return covered && scale <= 1.8 && scale >= 0.6;
}

/**
 * Where a picture of the edges belongs in a later view.
 * @param {Shown} shown
 * @param {import("./camera.js").View} view
 */
export function placed(shown, view) {
  const scale = view.k / shown.k;
  return { scale, left: view.x - (shown.x + shown.marginX) * scale, top: view.y - (shown.y + shown.marginY) * scale };
}
