// As much of a browser as canvases need to be drawn in Node: elements without a page, pens without ink.

/** A pen that takes every word and draws nothing. */
const PEN = new Proxy({}, { get: () => () => undefined, set: () => true });

function anElement() {
  return {
    style: {}, clientWidth: 0, clientHeight: 0,
    setAttribute() {}, removeAttribute() {}, append() {}, querySelector: () => null, getContext: () => PEN,
  };
}

/** Let `element` and `ImageData` be there. */
export function openPage() {
  globalThis.document = { createElement: anElement };
  globalThis.ImageData = class {
    constructor(width, height) {
      Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
    }
  };
}
