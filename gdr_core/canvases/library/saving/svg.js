// Words of SVG: paths, fonts, places that were moved and turned, and texts that cannot end an element.

/** @typedef {[number, number, number, number, number, number]} Matrix (x, y) goes to (ax + cy + e, bx + dy + f) */

/**
 * A piece of a path: begin, line, arc or end. A whole circle stands for itself.
 * @typedef {{ kind: "M" | "L" | "O" | "Z", at: [number, number], radius?: number, from?: number, to?: number, whole?: boolean }} Piece
 */

/** @param {string} text */
export function escaped(text) {
  const known = text.replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD"); // XML has no others
  return known.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** @param {Record<string, string>} style */
export function attributes(style) {
  return Object.entries(style).map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
}

/**
 * @param {Matrix} matrix
 * @param {[number, number]} place
 * @returns {[number, number]}
 */
export function moved([a, b, c, d, e, f], [x, y]) {
  return [a * x + c * y + e, b * x + d * y + f];
}

/**
 * @param {Matrix} matrix
 * @param {number} angle
 * @returns {Matrix}
 */
export function turned([a, b, c, d, e, f], angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f];
}

/** A drawing goes where the page's own font is not: it is measured and written in one that is everywhere. */
export const FAMILY = "Helvetica, Arial, sans-serif";

/**
 * What a font of CSS says, as attributes; the family is ours.
 * @param {string} font e.g. "italic 600 12px Inter, sans-serif"
 */
export function fontOf(font) {
  const found = /^(?<before>.*?)(?<size>[\d.]+)px/.exec(font);
  if (!found?.groups) return { size: 10, "font-family": FAMILY };
  const { before, size } = found.groups;
  const weight = /\b(bold|[1-9]00)\b/.exec(before)?.[1];
  return {
    size: Number(size),
    "font-family": FAMILY,
    ...(weight && weight !== "400" ? { "font-weight": weight } : {}),
    ...(before.includes("italic") ? { "font-style": "italic" } : {}),
  };
}

/**
 * A path in the words of SVG; an arc begins with a line to its start, as on a canvas.
 * @param {Piece[]} pieces
 * @param {number} decimals
 */
export function pathText(pieces, decimals) {
  /** @type {(x: number, y: number) => string} */
  const spot = (x, y) => `${Number(x.toFixed(decimals))} ${Number(y.toFixed(decimals))}`;
  let begun = false;
  return pieces.map(({ kind, at: [x, y], radius = 0, from = 0, to = 0, whole }) => {
    if (kind === "Z") return "Z";
    if (kind !== "O") {
      begun = true;
      return `${kind}${spot(x, y)}`;
    }
    const start = spot(x + radius * Math.cos(from), y + radius * Math.sin(from));
    const end = spot(x + radius * Math.cos(to), y + radius * Math.sin(to));
    const opposite = spot(x - radius * Math.cos(from), y - radius * Math.sin(from));
    const size = spot(radius, radius);
    const turn = whole ? `A${size} 0 1 1 ${opposite}A${size} 0 1 1 ${start}Z` : `A${size} 0 ${to - from > Math.PI ? 1 : 0} 1 ${end}`;
    const lead = begun ? "L" : "M";
    begun = true;
    return `${lead}${start}${turn}`;
  }).join("");
}

/**
 * A drawing as a file of its own.
 * @param {{ width: number, height: number, title: string }} sheet
 * @param {string} elements
 */
export function fileOf({ width, height, title }, elements) {
  const [wide, high] = [width, height].map((one) => Number(one.toFixed(2)));
  const size = `width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n<title>${escaped(title)}</title>\n${elements}\n</svg>\n`;
}
