// Icons on a grid of 24 by 24, and the buttons that wear them.

import { drawn, element } from "./elements.js";

export const ICONS = {
  in: "M12 5v14M5 12h14",
  out: "M5 12h14",
  whole: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  start: "M5 5h3v14H5zM20 5v14L9 12z",
  back: "M16 5v14L6 12z",
  forward: "M8 5v14l10-7z",
};

/** @param {string} path */
export function icon(path) {
  return drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: path }));
}

/**
 * A button that shows an icon and says its name.
 * @param {string} name
 * @param {string} path
 * @param {() => void} act
 */
export function iconButton(name, path, act, className = "") {
  return element("button", { type: "button", title: name, "aria-label": name, onclick: act, className }, icon(path));
}

/**
 * Give a button another meaning.
 * @param {HTMLButtonElement} button
 * @param {string} name
 * @param {string} path
 */
export function dress(button, name, path) {
  button.title = name;
  button.setAttribute("aria-label", name);
  button.replaceChildren(icon(path));
}
