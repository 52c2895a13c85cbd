// The graph as one picture, its legend below: as it is seen, as a drawing in SVG, and as a film of t_min.

import { counted } from "../library/numbers.js";
import { legendHeight, paintLegend } from "../library/saving/legend.js";
import { rgbOf } from "../library/theme.js";
import { countsOf, countsOfMarks } from "./key.js";
import { Looks } from "./looks.js";
import { NodeLayer } from "./nodes.js";
import { paintNode, strokeEdges } from "./scene.js";
import { edgeShare, paintShape } from "./sprites.js";

/** @import { Pen } from "../library/canvas.js" */
/** @import { Entry } from "../library/saving/legend.js" */
/** @import { Film, Picture } from "../library/saving/pictures.js" */
/** @import { GraphView } from "./canvas.js" */
/** @import { Message } from "./looks.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Shape } from "./sprites.js" */

/**
 * Every t_min in turn: the one that is seen, what it is called and how the graph looks at it.
 * @typedef {{ frames: number, at: number, name: (index: number) => string, message: (index: number) => Message }} Sweeping
 */

const SECONDS = 8; // of a film
const MOST = 150_000; // nodes and edges of a drawing; programs that open SVG stop answering beyond

/**
 * @param {GraphView} view
 * @returns {Picture | null}
 */
export function pictureOf(view) {
  const { scene, selected, overlay } = view;
  if (!scene) return null;
  const sweeping = view.sweeping();
  const { width, height } = view.camera;
  const { geometry, looks, theme } = scene;
  const said = sweeping ? sweeping.name(sweeping.at) : "";
  const entries = entriesOf(scene, view.hiddenClasses, said);
  /** @param {Pen} pen */
  const legend = (pen) => paintLegend(pen, entries, theme, width, height);
  const many = geometry.nodes + geometry.edges;
  return {
    name: "graph",
    title: looks.data.label,
    width,
    height: height + legendHeight(entries, theme, width),
    theme,
    ratio: scene.ratio,
    decimals: geometry.nodes > 2000 ? 1 : 2,
    tooLarge: many > MOST ? `SVG is for up to ${counted(MOST)} nodes and edges, and this graph has ${counted(many)}. Save it as PNG.` : "",
    paint: (pen) => {
      drawGraph(pen, scene);
      overlay.paint(pen, scene, selected, -1);
      legend(pen);
    },
    print: (pen) => {
      inPixels(pen, scene.ratio, () => {
        view.edges.copy(pen, scene);
        view.nodes.copy(pen, scene);
      });
      overlay.paint(pen, scene, selected, -1);
      legend(pen);
    },
    film: sweeping && filmOf(view, scene, sweeping),
  };
}

/**
 * Nodes of other colours over the same edges; what the page shows stays as it is.
 * @param {GraphView} view
 * @param {Scene} scene
 * @param {Sweeping} sweeping
 * @returns {Film}
 */
function filmOf(view, scene, sweeping) {
  const layer = new NodeLayer();
  const { width, height } = view.camera;
  layer.resize(width, height, scene.ratio);
  return {
    name: "Film of all t_min",
    room: 20, // a row, in case that the legend grows
    frames: sweeping.frames,
    seconds: SECONDS,
    paint: (pen, frame) => {
      const looks = new Looks(sweeping.message(frame));
      const now = { ...scene, looks, hiddenNode: looks.hidden(view.hiddenClasses) };
      layer.draw(now, true);
      inPixels(pen, scene.ratio, () => {
        view.edges.copy(pen, now);
        layer.copy(pen, now);
      });
      view.overlay.paint(pen, now, view.selected, -1);
      paintLegend(pen, entriesOf(now, view.hiddenClasses, sweeping.name(frame)), now.theme, width, height);
    },
  };
}

/**
 * Layers are copied pixel by pixel.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} ratio of the layers
 * @param {() => void} act
 */
function inPixels(pen, ratio, act) {
  pen.save();
  pen.scale(1 / ratio, 1 / ratio);
  act();
  pen.restore();
}

/**
 * Edges in one path, nodes in one group for each look: a drawing of thousands stays usable.
 * @param {Pen} pen
 * @param {Scene} scene
 */
function drawGraph(pen, scene) {
  const { geometry, theme } = scene;
  const many = geometry.edges;
  pen.strokeStyle = pen.fillStyle = theme.ink;
  pen.globalAlpha = (many > 400 ? 0.22 : 0.38) * edgeShare(rgbOf(theme.ink));
  pen.lineWidth = many > 20000 ? 0.25 : many > 1500 ? 0.5 : many > 400 ? 1 : 1.4;
  strokeEdges(pen, scene, seenEdges(scene));
  pen.globalAlpha = 1;
  for (const node of byLook(scene)) paintNode(pen, scene, node);
}

/**
 * Edges that cross the view.
 * @param {Scene} scene
 */
function seenEdges({ geometry, camera }) {
  const found = [];
  for (let e = 0; e < geometry.edges; e++) {
    const [x, y] = camera.screen(geometry, geometry.ends[2 * e]);
    const [u, v] = camera.screen(geometry, geometry.ends[2 * e + 1]);
    if (Math.max(x, u) >= 0 && Math.min(x, u) <= camera.width && Math.max(y, v) >= 0 && Math.min(y, v) <= camera.height) found.push(e);
  }
  return found;
}

/**
 * Nodes in the view, those of one mark and colour together, higher marks later.
 * @param {Scene} scene
 */
function byLook({ geometry, camera, looks, hiddenNode, radius }) {
  const rim = radius * looks.largest + 2;
  const seen = [...looks.order].filter((node) => {
    const [x, y] = camera.screen(geometry, node);
    return !hiddenNode?.[node] && x > -rim && y > -rim && x < camera.width + rim && y < camera.height + rim;
  });
  return seen.sort((a, b) => looks.mark(a) - looks.mark(b) || looks.colours[a] - looks.colours[b]);
}

/**
 * What colours and marks mean, how many nodes have them, and the t_min that is seen.
 * @param {Scene} scene
 * @param {Set<number>} hidden classes
 * @param {string} said
 * @returns {Entry[]}
 */
function entriesOf({ looks, theme }, hidden, said) {
  /** @type {(shape: Shape, colour: string, opacity: number) => Entry["draw"]} */
  const sign = (shape, colour, opacity) => (pen) => paintShape(pen, { shape, radius: 5, colour, opacity, rim: theme.paper });
  const marks = [...countsOfMarks(looks)].map(([code, count]) => {
    const { name = "", shape, colour, opacity } = looks.styles[code];
    return { text: `${name} ${counted(count)}`, draw: sign(shape, colour ?? theme.ink, opacity) };
  });
  const told = new Set(marks.map(({ text }) => text)); // a colour and a mark may mean the same
  const classes = [...countsOf(looks)].filter(([code]) => !hidden.has(code)).map(([code, count]) =>
    ({ text: `${looks.className(code)} ${counted(count)}`, draw: sign("circle", looks.colourOf(code), 1) }));
  return [...(said ? [{ text: said, draw: null }] : []), ...classes.filter(({ text }) => !told.has(text)), ...marks];
}
