// How Streamlit's calls become views: one for each place on the page, kept between calls.

import { goes, stands } from "../library/saving/page.js";

/** @import { Part } from "../library/saving/page.js" */

/**
 * What Streamlit calls a component with, and the text of the component's code.
 * @template Data
 * @typedef {{
 *   data: Data,
 *   code?: string,
 *   parentElement: HTMLElement,
 *   setTriggerValue: (name: string, value: unknown) => void,
 *   setStateValue: (name: string, value: unknown) => void,
 * }} Given
 */

/**
 * What a component answers with: how to end it.
 * @typedef {(given: Given<any>) => (() => void) | void} Mount
 */

/**
 * saved   what a page of its own is made of; without it, of the last message
 * @template Data
 * @typedef {{ update(data: Data, send: (value: any) => void): void, close(): void, saved?: (data: Data, code: string) => Part | null }} View
 */

/**
 * A view is made at the first call, told of every later one, and closed at the end.
 * @template Data
 * @param {{ new (root: HTMLElement): View<Data> }} Kind
 * @param {string} event the name under which Python hears what the view sends
 */
export function viewing(Kind, event) {
  /** @type {WeakMap<HTMLElement, View<Data>>} */
  const views = new WeakMap();
  /** @param {Given<Data>} given */
  return ({ data, parentElement, setTriggerValue, code = "" }) => {
    const view = views.get(parentElement) ?? new Kind(parentElement);
    views.set(parentElement, view);
    stands(parentElement, () => (view.saved ? view.saved(data, code) : { code, data }));
    view.update(data, (value) => setTriggerValue(event, value));
    return () => {
      goes(parentElement);
      view.close();
      views.delete(parentElement);
    };
  };
}
