// Runs the bytes of vis-network once for the page; `window.vis` is then there for everybody.

/** @import { Given } from "#canvases/mounts/mounting.js" */

/** @param {Given<Uint8Array>} given */
function mount({ data }) {
  if (!window.vis?.Network) new Function(new TextDecoder().decode(data)).call(window);
  window.dispatchEvent(new Event("gdr-vis-ready"));
  return () => {};
}

export default mount;
