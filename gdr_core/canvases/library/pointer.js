// Pointers, wheels and keys.

/** @typedef {[number, number]} Point */

/**
 * Where an event is, seen from the inner corner of an element.
 * @param {HTMLElement} stage
 * @param {MouseEvent} event
 * @returns {Point}
 */
export function spotOf(stage, event) {
  const box = stage.getBoundingClientRect();
  return [event.clientX - box.left - stage.clientLeft, event.clientY - box.top - stage.clientTop];
}

/**
 * Tells of each turn of the wheel over an element whether it belongs to a scroll of the page that
 * began elsewhere and must go on.
 * @param {HTMLElement} stage
 * @param {AbortSignal} signal
 * @returns {(event: WheelEvent) => boolean}
 */
export function scrollsPage(stage, signal) {
  let scrolledAt = -Infinity;
  window.addEventListener("wheel", (event) => {
    if (!event.composedPath().includes(stage)) scrolledAt = event.timeStamp;
  }, { passive: true, signal });
  return (event) => {
    if (event.timeStamp - scrolledAt >= 250) return false;
    scrolledAt = event.timeStamp;
    return true;
  };
}

/**
 * Does what a key stands for, and keeps it from the page; a shortcut of the browser stays its own.
 * @param {KeyboardEvent} event
 * @param {Record<string, () => void>} acts
 */
export function pressKey(event, acts) {
  if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
}

/**
 * The keys that zoom a picture, the same everywhere.
 * @param {(factor: number) => void} zoomBy
 * @param {() => void} showAll
 */
export function zoomKeys(zoomBy, showAll) {
  return { "+": () => zoomBy(1.3), "=": () => zoomBy(1.3), "-": () => zoomBy(1 / 1.3), 0: showAll };
}
