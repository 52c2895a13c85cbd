// Hands on a graph: drag to move, pinch or turn the wheel to zoom, click to choose, keys for all.

import { clamped } from "../library/numbers.js";
import { pressKey, scrollsPage, spotOf, zoomKeys } from "../library/pointer.js";

/** @import { Point } from "../library/pointer.js" */
/** @import { Camera } from "./camera.js" */

const CLICK_REACH = 4; // a press that moves by less is a click

/**
 * point  the pointer rests on a place, or has left (null)
 * click  somebody clicked a place
 * @typedef {{ point: (place: Point | null) => void, click: (place: Point) => void }} Hands
 */

export class Pointing {
  /**
   * @param {HTMLElement} stage
   * @param {Camera} camera
   * @param {Hands} hands
   * @param {AbortSignal} signal
   */
  constructor(stage, camera, hands, signal) {
    this.stage = stage;
    this.camera = camera;
    this.hands = hands;
    /** @type {Map<number, Point>} */
    this.pointers = new Map();
    /** @type {Point} */
    this.pressedAt = [0, 0];
    this.dragged = false;
    stage.addEventListener("pointerdown", (event) => this.press(event), { signal });
    stage.addEventListener("pointermove", (event) => this.move(event), { signal });
    stage.addEventListener("pointerup", (event) => this.release(event), { signal });
    stage.addEventListener("pointercancel", (event) => this.release(event), { signal });
    stage.addEventListener("pointerleave", () => hands.point(null), { signal });
    stage.addEventListener("dblclick", (event) => camera.zoomBy(2, ...spotOf(stage, event)), { signal });
    stage.addEventListener("keydown", (event) => this.pressKey(event), { signal });
    const past = scrollsPage(stage, signal);
    stage.addEventListener("wheel", (event) => { if (!past(event)) this.turn(event); }, { passive: false, signal });
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    this.stage.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, spotOf(this.stage, event));
    if (this.pointers.size === 1) this.pressedAt = spotOf(this.stage, event);
    this.dragged = this.pointers.size > 1;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const here = spotOf(this.stage, event);
    if (!this.pointers.size) this.hands.point(here);
    if (!this.pointers.has(event.pointerId)) return;
    if (!this.dragged && Math.hypot(here[0] - this.pressedAt[0], here[1] - this.pressedAt[1]) < CLICK_REACH) return;
    this.dragged = true;
    this.stage.classList.add("moving");
    this.hands.point(null);
    const before = [...this.pointers.values()];
    this.pointers.set(event.pointerId, here);
    const after = [...this.pointers.values()];
    if (after.length === 1) this.camera.panBy(after[0][0] - before[0][0], after[0][1] - before[0][1]);
    else this.pinch(before, after);
  }

  /**
   * @param {Point[]} before
   * @param {Point[]} after
   */
  pinch([a0, b0], [a1, b1]) {
    /** @type {(a: Point, b: Point) => Point} */
    const middle = ([ax, ay], [bx, by]) => [(ax + bx) / 2, (ay + by) / 2];
    /** @type {(a: Point, b: Point) => number} */
    const apart = ([ax, ay], [bx, by]) => Math.max(10, Math.hypot(ax - bx, ay - by));
    const [from, to] = [middle(a0, b0), middle(a1, b1)];
    this.camera.panBy(to[0] - from[0], to[1] - from[1]);
    this.camera.zoomBy(apart(a1, b1) / apart(a0, b0), ...to);
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (!this.pointers.size) this.stage.classList.remove("moving");
    if (!this.dragged && event.type === "pointerup") this.hands.click(spotOf(this.stage, event));
  }

  /** @param {WheelEvent} event */
  turn(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    const factor = Math.exp(-clamped(pixels, -240, 240) * (event.ctrlKey ? 0.01 : 0.0018));
    this.camera.zoomBy(factor, ...spotOf(this.stage, event));
  }

  /** @param {KeyboardEvent} event */
  pressKey(event) {
    const { camera } = this;
    const step = event.shiftKey ? 160 : 48;
    pressKey(event, {
      ArrowLeft: () => camera.panBy(step, 0),
      ArrowRight: () => camera.panBy(-step, 0),
      ArrowUp: () => camera.panBy(0, step),
      ArrowDown: () => camera.panBy(0, -step),
      ...zoomKeys((factor) => camera.zoomBy(factor), () => camera.fit()),
    });
  }
}
