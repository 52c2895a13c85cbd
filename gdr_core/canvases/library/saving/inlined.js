// A drawing that is SVG on the page already, as elements that need no style sheet.

const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity"];
const LETTERS = ["font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "paint-order"];
/** @type {Record<string, string>} what is so anyway */
const USUAL = { "fill-opacity": "1", "stroke-opacity": "1", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", opacity: "1", "font-weight": "400", "font-style": "normal", "text-anchor": "start", "dominant-baseline": "auto", "paint-order": "normal" };
const NEEDLESS = /^(class|style|role|aria-.*|data-.*)$/;

/**
 * The drawing inside of a box of a picture.
 * @param {SVGSVGElement} svg
 * @param {{ x: number, y: number, width: number, height: number }} box
 */
export function inlined(svg, { x, y, width, height }) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const [ours, theirs] = [svg, copy].map((root) => [...root.querySelectorAll("*")]);
  ours.forEach((one, i) => dress(theirs[i], getComputedStyle(one)));
  for (const one of theirs) if (one.hasAttribute("data-gone")) one.remove();
  copy.removeAttribute("class");
  copy.removeAttribute("style");
  copy.removeAttribute("aria-hidden");
  for (const [name, value] of Object.entries({ x, y, width, height })) copy.setAttribute(name, String(Number(value.toFixed(2))));
  return new XMLSerializer().serializeToString(copy);
}

/**
 * @param {Element} copy
 * @param {CSSStyleDeclaration} style of what it is a copy of
 */
function dress(copy, style) {
  for (const { name } of [...copy.attributes]) if (NEEDLESS.test(name)) copy.removeAttribute(name);
  if (style.display === "none") copy.setAttribute("data-gone", "");
  if (copy.tagName === "g") {
    if (style.opacity !== "1") copy.setAttribute("opacity", style.opacity);
    return;
  }
  if (copy.tagName === "circle" && style.getPropertyValue("r")) copy.setAttribute("r", style.getPropertyValue("r").replace("px", ""));
  const names = copy.tagName === "text" ? [...LOOKS, ...LETTERS] : LOOKS;
  for (const name of names) {
    const value = style.getPropertyValue(name);
    if (value && value !== USUAL[name]) copy.setAttribute(name, value);
  }
}
