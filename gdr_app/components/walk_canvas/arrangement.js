// Places of the nodes in the picture, and of their labels.

/** @import { Point } from "#canvases/library/pointer.js" */

/** @typedef {{ points: Point[], radius: number, labels: Point[] }} Arrangement */

export const WIDTH = 360;
export const HEIGHT = 290;
const MARGIN = 52;

/**
 * @param {Point[]} places
 * @param {[number, number][]} links
 * @returns {Arrangement}
 */
export function arrange(places, links) {
  const points = fitted(places);
  const apart = points.flatMap(([x, y], i) => points.slice(0, i).map(([u, v]) => Math.hypot(x - u, y - v)));
  const radius = Math.min(26, 0.4 * Math.min(...apart)); // the largest disc that keeps neighbours apart
  return { points, radius, labels: points.map((_, i) => labelPlace(points, radius, links, i)) };
}

/**
 * @param {Point[]} places
 * @returns {Point[]}
 */
function fitted(places) {
  const xs = places.map(([x]) => x);
  const ys = places.map(([, y]) => y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((WIDTH - 2 * MARGIN) / Math.max(right - left, 1e-9), (HEIGHT - 2 * MARGIN) / Math.max(high - low, 1e-9));
  return places.map(([x, y]) => [
    WIDTH / 2 + scale * (x - (left + right) / 2),
    HEIGHT / 2 - scale * (y - (low + high) / 2),
  ]);
}

/**
 * The direction, of eight, in which a node's label is farthest from nodes and arrows.
 * @param {Point[]} points
 * @param {number} radius
 * @param {[number, number][]} links
 * @param {number} node
 * @returns {Point}
 */
function labelPlace(points, radius, links, node) {
  const [x, y] = points[node];
  /** @type {Point} */
  let best = [x, y + radius + 15];
  let clearest = -1;
  for (let k = 0; k < 8; k++) {
    const angle = (k * Math.PI) / 4;
    /** @type {Point} */
    const place = [x + Math.cos(angle) * (radius + 20), y - Math.sin(angle) * (radius + 15)];
    const inside = place[0] > 22 && place[0] < WIDTH - 22 && place[1] > 14 && place[1] < HEIGHT - 14;
    const clear = Math.min(
      ...links.map(([a, b]) => distanceTo(place, points[a], points[b])),
      ...points.map((point, j) => (node === j ? Infinity : Math.hypot(place[0] - point[0], place[1] - point[1]) - radius)),
    );
    if (inside && clear > clearest) [clearest, best] = [clear, place];
  }
  return best;
}

/**
 * How far a place is from a segment.
 * @param {Point} place
 * @param {Point} from
 * @param {Point} to
 */
export function distanceTo([x, y], [x0, y0], [x1, y1]) {
  const square = (x1 - x0) ** 2 + (y1 - y0) ** 2;
  const along = Math.max(0, Math.min(1, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / square));
  return Math.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0));
}
