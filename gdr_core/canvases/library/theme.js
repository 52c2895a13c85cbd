// The colours and the font of the page, as the chosen theme has them now.

/** @typedef {{ ink: string, paper: string, accent: string, font: string }} Theme */

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
  };
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
