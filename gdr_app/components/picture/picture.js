// Parsed as XML, not as HTML: what is not well-formed SVG is not shown, and no script in it runs.

import { element } from "#canvases/library/elements.js";

/** @import { Given } from "#canvases/mounts/mounting.js" */

/** @param {Given<{ svg: string }>} given */
function mount({ parentElement, data }) {
  const picture = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
  if (picture.nodeName !== "svg") return;
  let host = parentElement.querySelector(".host");
  if (!host) {
    host = element("div", { className: "host" });
    parentElement.append(host);
  }
  host.replaceChildren(document.importNode(picture, true));
}

export default mount;
