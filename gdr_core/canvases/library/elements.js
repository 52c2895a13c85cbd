// Elements of the page, made and filled in one call.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @typedef {Partial<Omit<HTMLElementTagNameMap[K], "style">>
 *   & { style?: string, role?: string } & { [name: `aria-${string}`]: string }} Properties
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with properties, `role` and `aria-…` as attributes, and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Properties<K>} [properties]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name === "role" || name.startsWith("aria-")) made.setAttribute(name, String(value));
    else Reflect.set(made, name, value);
  }
  made.append(...children);
  return made;
}

/**
 * An element of a drawing in SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
