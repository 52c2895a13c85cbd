// One time for all views of a page: whoever moves it tells the others.

/** @typedef {{ from: "line" | "film", index: number }} TimeEvent */

/** @param {TimeEvent} detail */
export function tellTime(detail) {
  window.dispatchEvent(new CustomEvent("gdr-time", { detail }));
}

/**
 * Calls `act` with every time that another kind of view has moved to.
 * @param {TimeEvent["from"]} self
 * @param {AbortSignal} signal
 * @param {(index: number) => void} act
 */
export function followTime(self, signal, act) {
  window.addEventListener("gdr-time", ({ detail }) => { if (detail.from !== self) act(detail.index); }, { signal });
}
