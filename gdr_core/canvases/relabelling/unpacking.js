// The block that Python packs: the graph, and the labels of all t_min, node by node.

import { unpackGeometry } from "../graph_canvas/geometry.js";
import { bodyOf, headOf } from "../mounts/bytes.js";
import { turned } from "../t_min_bar/labels.js";
import { unpackCurves } from "../trajectory_canvas/curves.js";

/** @import { Geometry } from "../graph_canvas/geometry.js" */
/** @import { MarkStyle } from "../graph_canvas/looks.js" */
/** @import { Course } from "../t_min_bar/labels.js" */
/** @import { Curves } from "../trajectory_canvas/curves.js" */

/**
 * times       every t_min in relaxation times; none where there is no result
 * index       where the control stands first
 * truthNames  the classes, then `unknown` and `hidden`
 * all         nodes of the graph, of which some may not be drawn
 * @typedef {{
 *   name: string, classes: string[], palette: string[], truthNames: string[], unknownColour: string,
 *   outcomes: string[], outcomeColours: string[], marks: MarkStyle[], namedMarks: MarkStyle[],
 *   node: number | null, height: number, all: number, times: number[], index: number, sizes: number[],
 * }} Head
 */

/** @typedef {{ head: Head, geometry: Geometry, course: Course, curves: Curves | null }} Block */

/**
 * @param {Uint8Array} bytes compressed
 * @returns {Promise<Block>}
 */
export function unpackBlock(bytes) {
  const plain = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).arrayBuffer().then((block) => blockOf(new Uint8Array(block)));
}

/**
 * @param {Uint8Array} bytes
 * @returns {Block}
 */
export function blockOf(bytes) {
  const { length, head } = headOf(bytes);
  const body = bodyOf(bytes, length);
  /** @param {number} at */
  const block = (at) => {
    const part = body.take(Uint8Array, head.sizes[at] ?? 0);
    body.align();
    return part;
  };
  const geometry = unpackGeometry(block(0));
  const [truth, prior, labels, curves] = [block(1), block(2), block(3), block(4)];
  const { classes, truthNames: truths, times } = head;
  const course = { nodes: truth.length, classes, truths, prior, truth, labels: turned(labels, times.length) };
  return { head, geometry, course, curves: curves.length ? unpackCurves(curves) : null };
}
