// A part of the page as a page of its own, which opens without the net and answers to the hand:
// the code that draws it, its style, and what it was last told.

import { element } from "../elements.js";
import { rgbOf, themeOf } from "../theme.js";

/**
 * code   of the part: a function that gives what mounts it, as text
 * bytes  that come before the message, where there are some
 * wants  the field of the message that names these bytes
 * @typedef {{ code: string, data: any, bytes?: Uint8Array, wants?: string }} Part
 */

/** @typedef {{ root: HTMLElement, part: Part }} Standing */

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:";
const STYLE = "body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: var(--st-background-color); color: var(--st-text-color); } main { max-width: 75rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; } h1 { font-size: 1.1rem; margin: 0 0 0.75rem; } .part { margin-bottom: 0.75rem; }";
const NAMES = /--st-[\w-]+/g;

/**
 * All parts on this page, by the place that they have: every component has a copy of this code.
 * @returns {Map<HTMLElement, () => Part | null>}
 */
function places() {
  return (window.gdrPlaces ??= new Map());
}

/**
 * @param {HTMLElement} root
 * @param {() => Part | null} part as it is when it is saved
 */
export function stands(root, part) {
  places().set(root, part);
}

/** @param {HTMLElement} root */
export function goes(root) {
  places().delete(root);
}

/**
 * The parts of a saved page: the one that an element belongs to, below the bar of t_min that it follows.
 * @param {Node} inside
 * @returns {Standing[]} none where there can be no such page
 */
export function partsAround(inside) {
  const all = [...places()].flatMap(([root, part]) => { const found = part(); return found?.code ? [{ root, part: found }] : []; });
  const own = all.find(({ root }) => root.contains(inside));
  if (!own) return [];
  const { data, wants } = own.part;
  if (!data.sweep || wants === "sweep") return [own];
  const bar = all.find(({ part }) => part.wants === "sweep" && part.data.sweep === data.sweep);
  return bar ? [bar, own] : [];
}

/**
 * @param {Element} inside one of the parts, whose theme the page has
 * @param {string} title
 */
export function asPage(inside, title) {
  const parts = partsAround(inside);
  const theme = themeOf(inside);
  const dark = rgbOf(theme.paper).reduce((sum, one) => sum + one, 0) < 382;
  const sheets = parts.map(({ root }) => sheetOf(root));
  const names = new Set([...sheets, ...parts.map(({ part }) => part.code)].flatMap((text) => text.match(NAMES) ?? []));
  const style = getComputedStyle(inside);
  const values = [...names].map((name) => `${name}: ${style.getPropertyValue(name).trim() || "initial"};`).join(" ");
  const body = parts.map(({ part }, i) => [
    `<div class="part" id="part-${i}"></div>`,
    held(`style-${i}`, sheets[i]),
    held(`data-${i}`, JSON.stringify(part.data).replaceAll("<", "\\u003c")),
    held(`bytes-${i}`, part.bytes ? base64(part.bytes) : ""),
  ].join(""));
  const codes = parts.map(({ part }) => part.code.replaceAll("</", "<\\/")).join(",\n");
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>`,
    `<style>:root { color-scheme: ${dark ? "dark" : "light"}; ${escaped(values)} } ${STYLE}</style></head><body><main><h1>${escaped(title)}</h1>`,
    ...body,
    `</main><script type="module">${openAll}\nopenAll([${codes}]);</script></body></html>`,
  ].join("\n");
}

/**
 * What a saved page begins with; its text becomes a part of the page, so it needs nothing else.
 * @param {((...given: any[]) => any)[]} codes
 */
function openAll(codes) {
  codes.forEach((code, i) => {
    const text = (/** @type {string} */ id) => document.getElementById(`${id}-${i}`)?.textContent ?? "";
    const root = document.getElementById(`part-${i}`)?.attachShadow({ mode: "open" });
    const parentElement = document.createElement("div");
    const style = document.createElement("style");
    style.textContent = text("style");
    root?.append(style, parentElement);
    const given = { parentElement, code: String(code), setTriggerValue: () => {}, setStateValue: () => {} };
    const mount = code();
    if (text("bytes")) mount({ ...given, data: Uint8Array.from(atob(text("bytes")), (letter) => letter.charCodeAt(0)) });
    mount({ ...given, data: JSON.parse(text("data")) });
  });
}

/**
 * The style sheets of the root in which a part stands.
 * @param {HTMLElement} root
 */
function sheetOf(root) {
  const around = root.getRootNode();
  if (!(around instanceof ShadowRoot)) return "";
  const adopted = around.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText));
  return [...[...around.querySelectorAll("style")].map((one) => one.textContent ?? ""), ...adopted].join("\n");
}

/**
 * Text that a page holds without showing it.
 * @param {string} id
 * @param {string} text
 */
function held(id, text) {
  return `<script type="text/plain" id="${id}">${text.replaceAll("</", "<\\/")}</script>`;
}

/** @param {string} text */
function escaped(text) {
  return element("i", { textContent: text }).innerHTML.replaceAll('"', "&quot;");
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
