// A graph's places and edges, and the two indices over them: edges by node, nodes by place.

import { clamped } from "../library/numbers.js";
import { bodyOf, headOf } from "../mounts/bytes.js";
import { Store } from "../mounts/store.js";

/** @typedef {{ left: number, right: number, low: number, high: number }} Box */
/** @typedef {{ cell: number, columns: number, rows: number, start: Uint32Array, members: Uint32Array }} Grid */

/**
 * positions  x and y of each node, y upwards
 * ends       the two nodes of each edge
 * start      start[i] … start[i + 1] are the places in `edgeOf` of the edges that touch node i
 * grid       made when it is first needed
 * labels     names that occur once each, made by the search box
 * @typedef {{
 *   id: string, nodes: number, edges: number, directed: boolean, names: string[],
 *   positions: Float32Array, ends: Uint16Array | Uint32Array,
 *   box: Box, start: Uint32Array, edgeOf: Uint32Array, grid: Grid | null, labels?: string[],
 * }} Geometry
 */

/** @typedef {(id: string, act: (geometry: Geometry) => void) => void} GeometryCall */

const REMEMBERED = 6;

/** @type {Store<Geometry>} */
export const geometries = new Store(REMEMBERED);

/** Lets search boxes over the same nodes ask for geometries, and answers those that asked before. */
export function offerGeometries() {
  if (window.gdrParts?.graph_canvas) return; // another copy of this code does
  window.gdrGeometry = (id, act) => geometries.when(id, act);
  for (const [id, act] of window.gdrGeometryAwaited ?? []) geometries.when(id, act);
}

/**
 * @param {Uint8Array} bytes
 * @returns {Geometry}
 */
export function unpackGeometry(bytes) {
  const { length, head } = headOf(bytes);
  const body = bodyOf(bytes, length);
  const positions = body.take(Float32Array, head.nodes * 2);
  const ends = head.wide ? body.take(Uint32Array, head.edges * 2) : body.take(Uint16Array, head.edges * 2);
  body.align();
  const names = JSON.parse(new TextDecoder().decode(body.rest()));
  return { ...head, positions, ends, names, box: boxOf(positions), ...edgesByNode(head.nodes, ends), grid: null };
}

/** @param {Float32Array} positions */
export function boxOf(positions) {
  const box = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  for (let i = 0; i < positions.length; i += 2) {
    if (positions[i] < box.left) box.left = positions[i];
    if (positions[i] > box.right) box.right = positions[i];
    if (positions[i + 1] < box.low) box.low = positions[i + 1];
    if (positions[i + 1] > box.high) box.high = positions[i + 1];
  }
  return box;
}

/**
 * @param {number} nodes
 * @param {Uint16Array | Uint32Array} ends
 */
export function edgesByNode(nodes, ends) {
  const { start, members } = sortedByKey(nodes, ends.length, (i) => ends[i]);
  return { start, edgeOf: members.map((end) => end >> 1) };
}

// Numbers 0 … count - 1 sorted by their key; start[k] … start[k + 1] are the places of key k.
/** @type {(keys: number, count: number, keyOf: (i: number) => number) => { start: Uint32Array, members: Uint32Array }} */
function sortedByKey(keys, count, keyOf) {
  const start = new Uint32Array(keys + 1);
  for (let i = 0; i < count; i++) start[keyOf(i) + 1]++;
  for (let i = 0; i < keys; i++) start[i + 1] += start[i];
  const next = start.slice(0, keys);
  const members = new Uint32Array(count);
  for (let i = 0; i < count; i++) members[next[keyOf(i)]++] = i;
  return { start, members };
}

/**
 * Square cells of about two nodes each: looking up a node costs the same in every graph.
 * @param {Geometry} geometry
 * @returns {Grid}
 */
export function gridOf({ positions, box, nodes }) {
  const width = Math.max(box.right - box.left, 1e-9);
  const height = Math.max(box.high - box.low, 1e-9);
  const cell = Math.max(Math.sqrt((width * height * 2) / Math.max(nodes, 1)), Math.max(width, height) / 2000);
  const columns = Math.floor(width / cell) + 1;
  const rows = Math.floor(height / cell) + 1;
  /** @param {number} i */
  const cellOf = (i) =>
    Math.floor((positions[2 * i + 1] - box.low) / cell) * columns + Math.floor((positions[2 * i] - box.left) / cell);
  return { cell, columns, rows, ...sortedByKey(columns * rows, nodes, cellOf) };
}

/**
 * The node nearest to a place, or -1 where none that is shown lies within reach.
 * @param {Geometry} geometry
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 * @param {Uint8Array | null} hiddenNode
 */
export function nearestNode(geometry, x, y, reach, hiddenNode) {
  const { positions, box } = geometry;
  geometry.grid ??= gridOf(geometry);
  const { cell, columns, rows, start, members } = geometry.grid;
  /** @param {number} value */
  const column = (value) => clamped(Math.floor((value - box.left) / cell), 0, columns - 1);
  /** @param {number} value */
  const row = (value) => clamped(Math.floor((value - box.low) / cell), 0, rows - 1);
  const [left, right, top] = [column(x - reach), column(x + reach), row(y + reach)];
  let found = -1;
  for (let r = row(y - reach); r <= top; r++) {
    for (let m = start[r * columns + left]; m < start[r * columns + right + 1]; m++) {
      const node = members[m];
      if (hiddenNode?.[node]) continue;
      const away = Math.hypot(positions[2 * node] - x, positions[2 * node + 1] - y);
      if (away <= reach) {
        reach = away;
        found = node;
      }
    }
  }
  return found;
}
