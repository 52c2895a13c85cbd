// A neighbourhood and its film, as they arrive.

import { bodyOf, headOf } from "#canvases/mounts/bytes.js";
import { Store } from "#canvases/mounts/store.js";

/**
 * codes      who leads at each node in each frame; NOBODY where nobody does
 * strengths  how clearly, 0 … 255
 * shape      a digest of places and links: as long as it stays, so does the network
 * legend     name and colour of each code
 * quiet      what it means that nobody leads, and the colour for it
 * @typedef {{
 *   id: string, shape: string, nodes: number, frames: number, rings: number,
 *   distances: number[], names: string[], squares: number[], square: string,
 *   legend: [string, string][], quiet: [string, string],
 *   times: Float32Array, places: Float32Array, links: Uint16Array, codes: Uint8Array, strengths: Uint8Array,
 * }} Scene
 */

/** @typedef {{ scene: string, details: string[], index: number, label: string, height: number, clickable: boolean, alone?: boolean }} Message alone: on a saved page */

export const NOBODY = 255;
const REMEMBERED = 6;

/** @type {Store<Scene>} */
export const scenes = new Store(REMEMBERED);

/**
 * @param {Uint8Array} bytes
 * @returns {Scene}
 */
export function unpackScene(bytes) {
  const { length, head } = headOf(bytes);
  const { take } = bodyOf(bytes, length);
  const times = take(Float32Array, head.times);
  const places = take(Float32Array, 2 * head.nodes);
  const links = take(Uint16Array, 2 * head.links);
  const codes = take(Uint8Array, head.times * head.nodes);
  const strengths = take(Uint8Array, head.times * head.nodes);
  return { ...head, frames: head.times, times, places, links, codes, strengths };
}

/**
 * What there is to say about a node in a frame, its name first.
 * @param {Scene} scene
 * @param {number} frame
 * @param {number} node
 * @param {string} detail
 */
export function linesOf({ names, distances, nodes, codes, legend, quiet }, frame, node, detail) {
  const code = codes[frame * nodes + node];
  const far = distances[node];
  return [
    names[node],
    ...(node ? [`${far} hop${far === 1 ? "" : "s"} from ${names[0]}`] : []),
    ...(detail ? [detail] : []),
    `now: ${code === NOBODY ? quiet[0] : legend[code][0]}`,
  ];
}
