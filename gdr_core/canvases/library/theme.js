// The colours and the font of the page, as the chosen theme has them now.

/**
 * text  how much larger than usual letters are on this page, as for a presenter
 * @typedef {{ ink: string, paper: string, accent: string, font: string, text: number }} Theme
 */

const USUAL = 16; // pixels of the page's own letters, in most browsers
const LARGEST = 1.5; // beyond, axes would have no room for their numbers

/**
 * @param {Element} inside an element of the component
 * @returns {Theme}
 */
export function themeOf(inside) {
  const style = getComputedStyle(inside);
  /** @type {(name: string, fallback: string) => string} */
  const value = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  return {
    ink: value("--st-text-color", "#31333f"),
    paper: value("--st-background-color", "#ffffff"),
    accent: value("--st-primary-color", "#0072b2"),
    font: value("--st-font", "sans-serif"),
    text: textScale(),
  };
}

/** How many times larger than usual the letters of the page are: canvases write as large. */
function textScale() {
  const root = parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL;
  return Math.min(LARGEST, Math.max(1, root / USUAL));
}

/**
 * The font of a canvas for letters that are usually so many pixels high.
 * @param {number} size
 * @param {Pick<Theme, "font" | "text">} theme
 * @param {string | number} [style] e.g. its weight
 */
export function lettersOf(size, { font, text }, style = "") {
  return `${style} ${Number((size * text).toFixed(2))}px ${font}`.trim();
}

/**
 * Red, green and blue of any colour that CSS knows.
 * @param {string} colour
 */
export function rgbOf(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  if (!probe) return [136, 136, 136];
  probe.fillStyle = "#888888";
  probe.fillStyle = colour;
  const found = String(probe.fillStyle); // the browser rewrites any colour as #rrggbb or rgba(…)
  if (found[0] === "#") return [1, 3, 5].map((at) => parseInt(found.slice(at, at + 2), 16));
  return (found.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}
