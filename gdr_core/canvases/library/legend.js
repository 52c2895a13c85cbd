// Entries of a legend; some of them are buttons that hide and show what they name.

import { element } from "./elements.js";

/** @param {string} colour */
export function swatch(colour) {
  return element("span", { className: "swatch", style: `background: ${colour}; border-color: ${colour}` });
}

/**
 * @param {{ code: number, colour: string, hidden: Set<number>, title: string, changed: () => void }} what
 * @param {(Node | string)[]} words
 */
export function toggle({ code, colour, hidden, title, changed }, ...words) {
  const button = element("button", { type: "button", title }, swatch(colour), ...words);
  const tell = () => button.setAttribute("aria-pressed", String(!hidden.has(code)));
  button.onclick = () => {
    if (!hidden.delete(code)) hidden.add(code);
    tell();
    changed();
  };
  tell();
  return button;
}
