// The view on a page of its own, with all data inside: it asks nothing of anybody.

import { bytesOf } from "../mounts/bytes.js";
import { unpackBlock } from "./unpacking.js";
import { RelabellingView, rootIn } from "./view.js";

/** @param {string} id */
const textOf = (id) => document.getElementById(id)?.textContent ?? "";

function start() {
  const host = document.getElementById("view");
  if (!host) return;
  const view = new RelabellingView(rootIn(host, textOf("view-sheet")));
  unpackBlock(bytesOf(textOf("view-data"))).then((block) => view.take(block));
}

export default start();
