// The room that a stage has on the page.

/** @typedef {{ width: number, height: number }} Size */

/**
 * The size of a box, kept up to date: asking the page for it in every frame would make the page lay
 * everything out again.
 * @param {HTMLElement} box
 * @param {{ onResize: (stage: Element, act: () => void) => void }} life
 * @param {() => void} draw  called when the size has changed
 * @returns {Size}
 */
export function roomOf(box, life, draw) {
  const size = { width: 0, height: 0 };
  life.onResize(box, () => {
    size.width = box.clientWidth;
    size.height = box.clientHeight;
    draw();
  });
  return size;
}
