// How Streamlit's calls become views: one for each place on the page, kept between calls.

/**
 * What Streamlit calls a component with.
 * @template Data
 * @typedef {{
 *   data: Data,
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
 * @template Data
 * @typedef {{ update(data: Data, send: (value: any) => void): void, close(): void }} View
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
  return ({ data, parentElement, setTriggerValue }) => {
    const view = views.get(parentElement) ?? new Kind(parentElement);
    views.set(parentElement, view);
    view.update(data, (value) => setTriggerValue(event, value));
    return () => {
      view.close();
      views.delete(parentElement);
    };
  };
}
