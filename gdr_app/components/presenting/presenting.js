// Share and present: the link on the clipboard, scenes by arrow keys, a black screen, a QR code.

import { element } from "#canvases/library/elements.js";
import { autoplay } from "./autoplay.js";
import { step } from "./scenes.js";

/** @import { Given } from "#canvases/mounts/mounting.js" */

/** @typedef {{ view: string, autoplay: boolean, own: boolean, code: string, address: string }} Showing */
/** @typedef {(wish: "code" | "present" | "leave") => void} Wish */

const BUSY = 'input, textarea, select, [contenteditable="true"], [role="slider"], [role="application"], [role="tab"], [role="combobox"], [role="listbox"], [role="radiogroup"], [role="grid"]';
const COPIED = "Link copied.";
const WITHOUT_DATA = " Your own data are not in the link.";

/**
 * The buttons of a page that is shown as usual.
 * @param {Showing} showing
 * @param {Wish} wish
 */
function shareRow({ own }, wish) {
  const said = element("span", { role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      said.replaceChildren(COPIED + (own ? WITHOUT_DATA : ""));
    } catch { // a browser that does not let us: the link, ready to be copied by hand
      const field = element("input", { type: "text", readOnly: true, value: location.href, "aria-label": "Link of this view" });
      said.replaceChildren(field);
      field.select();
    }
  };
  return element(
    "div",
    { className: "share" },
    element("button", { type: "button", textContent: "Share", title: "Copy the link of this view", onclick: copy }),
    element("button", { type: "button", textContent: "Present", title: "Large type, no sidebar, arrow keys step through scenes", onclick: () => wish("present") }),
    said,
  );
}

/**
 * What a presenter sees beside the page: keys, and the QR code where it was asked for.
 * @param {Showing} showing
 * @param {Wish} wish
 */
function desk({ code, address }, wish) {
  const look = "position: fixed; z-index: 999990; right: 0.75rem; bottom: 0.5rem; display: flex; gap: 0.6rem; align-items: center; padding: 0.3rem 0.6rem; font-size: 0.75rem; border-radius: 0.5rem; background: Canvas; color: CanvasText; border: 1px solid GrayText";
  const keys = element("span", { textContent: "← → scenes · B black · Q code" });
  const leave = element("button", { type: "button", textContent: "Leave", onclick: () => wish("leave") });
  const box = element("aside", { className: "gdr-desk", style: look, "aria-label": "Presenter" }, keys, leave);
  if (!code) return box;
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(code)}`;
  const sheet = "position: absolute; right: 0; bottom: 2.4rem; width: min(20rem, 60vmin); padding: 1rem; background: #ffffff; border-radius: 0.5rem";
  box.prepend(element("img", { className: "gdr-code", src: picture, style: sheet, alt: `QR code of ${address}` }));
  return box;
}

/** @param {AbortSignal} signal */
function blankScreen(signal) {
  const sheet = element("aside", { className: "gdr-blank", hidden: true, "aria-label": "The screen is black; press B", style: "position: fixed; inset: 0; z-index: 999991; background: #000000" });
  document.body.append(sheet);
  signal.addEventListener("abort", () => sheet.remove());
  return sheet;
}

/**
 * @param {Wish} wish
 * @param {AbortSignal} signal
 * @param {HTMLElement} box
 */
function listen(wish, signal, box) {
  const blank = blankScreen(signal);
  const code = () => box.querySelector(".gdr-code");
  /** @type {Record<string, () => void>} */
  const acts = {
    ArrowRight: () => step(1),
    PageDown: () => step(1),
    ArrowLeft: () => step(-1),
    PageUp: () => step(-1),
    b: () => { blank.hidden = !blank.hidden; },
    q: () => { if (code()) code()?.remove(); else wish("code"); },
    Escape: () => { blank.hidden = true; code()?.remove(); },
  };
  window.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    if (event.ctrlKey || event.metaKey || event.altKey || (target instanceof Element && target.closest(BUSY))) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!Object.hasOwn(acts, key)) return;
    event.preventDefault();
    acts[key]();
  }, { signal });
  const shown = location.href; // a code is true for the address that it was made for
  const watch = setInterval(() => { if (location.href !== shown) code()?.remove(); }, 300);
  signal.addEventListener("abort", () => clearInterval(watch));
}

/** @type {WeakMap<HTMLElement, AbortController>} what the last call for a place has begun */
const lives = new WeakMap();

/** @param {Given<Showing>} given */
function mount({ data, parentElement, setTriggerValue }) {
  lives.get(parentElement)?.abort();
  const life = new AbortController();
  lives.set(parentElement, life);
  /** @type {Wish} */
  const wish = (what) => setTriggerValue("wish", what);
  parentElement.querySelector(".share")?.remove();
  if (data.view === "page") parentElement.append(shareRow(data, wish));
  if (data.view === "present") {
    const box = desk(data, wish);
    document.body.append(box);
    life.signal.addEventListener("abort", () => box.remove());
    listen(wish, life.signal, box);
  }
  if (data.autoplay) autoplay(life.signal);
  return () => life.abort();
}

export default mount;
