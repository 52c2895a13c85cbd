// Numbers and names as people read them.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * Three digits.
 * @param {number} value
 */
export function inWords(value) {
  if (value === 0) return "0";
  return Math.abs(value) >= 1000 ? value.toExponential(2) : String(Number(value.toPrecision(3)));
}

/**
 * A whole number with its thousands set apart.
 * @param {number} count
 */
export function counted(count) {
  return count.toLocaleString("en");
}

/**
 * A power of ten, written out where that is short.
 * @param {number} exponent
 */
export function power(exponent) {
  if (exponent >= -3 && exponent <= 3) return String(Number((10 ** exponent).toPrecision(1)));
  const digits = [...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}

/**
 * The smallest of 1, 2, 5 times a power of ten that divides a span into at most `count` parts.
 * @param {number} span
 * @param {number} count
 */
export function niceStep(span, count) {
  const raw = span / count || 1;
  const size = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * size).find((step) => step >= raw) ?? 10 * size;
}

/**
 * A name cut to so many characters.
 * @param {string} text
 * @param {number} most
 */
export function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
export function clamped(value, least, most) {
  return Math.max(least, Math.min(most, value));
}
