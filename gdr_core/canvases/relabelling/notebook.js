// The view in a notebook: the kernel answers a click with the curves of that node.

import { unpackCurves } from "../trajectory_canvas/curves.js";
import { unpackBlock } from "./unpacking.js";
import { RelabellingView, rootIn } from "./view.js";

/**
 * What anywidget gives: the state that Python and the page share.
 * @typedef {{
 *   get: (name: string) => any, set: (name: string, value: any) => void, save_changes: () => void,
 *   on: (event: string, act: () => void) => void, off: (event: string, act: () => void) => void,
 * }} Model
 */

const REST = 150; // ms without a move after which the kernel hears of t_min

/** @param {DataView} view */
const bytesIn = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** @param {{ model: Model, el: HTMLElement }} given */
async function render({ model, el }) {
  let timer = 0;
  /** @type {(name: string, value: number) => void} */
  const share = (name, value) => {
    if (model.get(name) === value) return;
    model.set(name, value);
    model.save_changes();
  };
  const view = new RelabellingView(rootIn(el, model.get("sheet")), {
    chose: (node) => share("node", node),
    moved: (index) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => share("t_min_index", index), REST);
    },
  });
  const follow = () => {
    if (model.get("t_min_index") !== view.player.index) view.player.go(model.get("t_min_index"));
  };
  const draw = () => {
    const bytes = bytesIn(model.get("curves"));
    view.draw(bytes.length ? unpackCurves(bytes) : null);
  };
  const mark = () => view.mark(model.get("node") < 0 ? null : model.get("node"));
  view.take(await unpackBlock(bytesIn(model.get("data"))));
  mark();
  draw();
  model.on("change:curves", draw);
  model.on("change:t_min_index", follow);
  model.on("change:node", mark);
  return () => {
    clearTimeout(timer);
    model.off("change:curves", draw);
    model.off("change:t_min_index", follow);
    model.off("change:node", mark);
    view.close();
  };
}

export default { render };
