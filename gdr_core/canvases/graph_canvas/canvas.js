// A graph on three stacked canvases: edges below, nodes above them, hover and selection on top.

import { sharpen } from "../library/canvas.js";
import { element } from "../library/elements.js";
import { ICONS, iconButton } from "../library/icons.js";
import { Life } from "../library/life.js";
import { SaveMenu } from "../library/saving/menu.js";
import { themeOf } from "../library/theme.js";
import { Tooltip } from "../library/tooltip.js";
import { Follower } from "../t_min_bar/following.js";
import { Camera } from "./camera.js";
import { EdgeLayer } from "./edges.js";
import { nearestNode } from "./geometry.js";
import { keyEntries, recount } from "./key.js";
import { Looks } from "./looks.js";
import { NodeLayer } from "./nodes.js";
import { Overlay } from "./overlay.js";
import { pictureOf } from "./picture.js";
import { Pointing } from "./pointing.js";

/** @import { Point } from "../library/pointer.js" */
/** @import { Geometry } from "./geometry.js" */
/** @import { Message } from "./looks.js" */
/** @import { Sweeping } from "./picture.js" */
/** @import { Scene } from "./scene.js" */

const REST = 100; // ms without a move after which the view stands still

export class GraphView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.hover = -1;
    this.selected = -1;
    /** @type {Set<number>} */
    this.hiddenClasses = new Set();
    /** @type {Scene | null} */
    this.scene = null;
    this.lastMove = 0;
    /** @param {number} node */
    this.send = (node) => {};
    this.life = new Life();
    this.draw = this.life.drawing(() => this.drawNow());
    this.settling = this.life.rest(REST + 20, this.draw);
    this.camera = new Camera(() => this.moved());
    this.edges = new EdgeLayer(this.draw);
    this.nodes = new NodeLayer();
    this.overlay = new Overlay();
    this.saving = new SaveMenu(this.life, () => pictureOf(this), "graph");
    this.tip = new Tooltip();
    this.spoken = element("div", { className: "spoken", role: "status" });
    this.key = element("div", { className: "key", role: "group", "aria-label": "Classes shown" });
    this.stage = element(
      "div",
      { className: "stage", tabIndex: 0, role: "application" },
      this.edges.canvas, this.nodes.canvas, this.overlay.canvas, this.tip.box,
    );
    const holder = element("div", { style: "position: relative" }, this.stage, this.tools());
    this.frame = element("div", { className: "frame" }, holder, this.key, this.spoken);
    root.append(this.frame);
    const hands = { point: this.point.bind(this), click: this.click.bind(this) };
    new Pointing(this.stage, this.camera, hands, this.life.signal);
    this.life.onResize(this.stage, () => this.resize());
    this.follower = new Follower(this.life, (message) => this.recolour(message));
    /** @type {() => Sweeping | null} every t_min in turn, for a film */
    this.sweeping = () => this.follower.sweeping();
  }

  tools() {
    return element(
      "div",
      { className: "tools" },
      iconButton("Zoom in", ICONS.in, () => this.camera.zoomBy(1.5)),
      iconButton("Zoom out", ICONS.out, () => this.camera.zoomBy(1 / 1.5)),
      iconButton("Show the whole graph", ICONS.whole, () => this.camera.fit()),
      this.saving.box,
    );
  }

  close() {
    this.life.end();
  }

  // ------------------------------------------------------------ data from Python

  /**
   * @param {Geometry} geometry
   * @param {Message} data
   * @param {(node: number) => void} send
   */
  take(geometry, data, send) {
    this.send = send;
    this.follower.take(data, (message) => this.show(geometry, message));
  }

  /**
   * @param {Geometry} geometry
   * @param {Message} data
   */
  show(geometry, data) {
    const before = this.scene;
    const looks = new Looks(data);
    const fresh = before?.geometry.id !== geometry.id;
    this.stage.style.height = data.fills ? `clamp(320px, min(100vh - ${data.fills}px, 120cqi), ${data.height}px)` : `clamp(320px, min(60vh, 90cqi), ${data.height}px)`;
    this.stage.setAttribute("aria-label", `${data.label} Arrow keys move the picture, plus and minus zoom, 0 shows all.`);
    const theme = themeOf(this.frame);
    const sameTheme = before && JSON.stringify(theme) === JSON.stringify(before.theme);
    const sameScheme = before?.looks.scheme === looks.scheme;
    if (!sameTheme || !sameScheme) this.nodes.forget();
    if (!sameTheme || fresh) this.edges.forget();
    if (fresh || !sameScheme) this.hiddenClasses.clear();
    if (fresh) {
      this.hover = -1;
      this.tip.hide();
    }
    const hiddenNode = looks.hidden(this.hiddenClasses);
    this.scene = { geometry, looks, theme, hiddenNode, camera: this.camera, radius: 0, ratio: before?.ratio ?? 0 };
    this.key.replaceChildren(...keyEntries(looks, this.hiddenClasses, theme, () => this.hide()));
    this.select(data.selected ?? -1, fresh);
    this.resize(fresh);
    this.draw();
    this.stage.dataset.ready = geometry.id;
  }

  /**
   * The hand moves t_min: other colours and marks, all else as it was.
   * @param {Message} data
   */
  recolour(data) {
    if (!this.scene) return;
    this.scene.looks = new Looks(data);
    recount(this.key, this.scene.looks);
    if (this.hiddenClasses.size) this.hide();
    this.drawNow();
  }

  /** Classes were hidden or shown. */
  hide() {
    if (!this.scene) return;
    this.scene.hiddenNode = this.scene.looks.hidden(this.hiddenClasses);
    this.edges.renew();
    this.draw();
  }

  // ------------------------------------------------------------ drawing

  resize(fresh = false) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const ratio = window.devicePixelRatio || 1;
    if (!width || !height || !this.scene) return;
    const same = width === this.camera.width && height === this.camera.height && ratio === this.scene.ratio;
    if (!fresh && same) return;
    this.scene.ratio = ratio;
    this.nodes.resize(width, height, ratio);
    sharpen(this.overlay.canvas, width, height, ratio);
    this.edges.forget();
    this.camera.resize(this.scene.geometry, width, height, fresh);
    this.draw();
  }

  moved() {
    this.lastMove = performance.now();
    this.draw();
    this.settling.start();
  }

  drawNow() {
    const { scene } = this;
    if (!scene || !this.camera.width) return;
    scene.radius = this.camera.radius(scene.geometry.nodes);
    const still = performance.now() - this.lastMove > REST;
    this.edges.draw(scene, still);
    if (this.nodes.draw(scene, still)) this.draw();
    this.overlay.draw(scene, this.selected, this.hover);
  }

  // ------------------------------------------------------------ pointing

  /** @param {Point} place */
  nodeAt([x, y]) {
    if (!this.scene) return -1;
    const { geometry, looks, hiddenNode } = this.scene;
    const there = this.camera.plane(x, y);
    const reach = (this.camera.radius(geometry.nodes) * looks.largest + 5) / this.camera.view.k;
    return nearestNode(geometry, there.x, there.y, reach, hiddenNode);
  }

  /** @param {Point} place */
  click(place) {
    const node = this.nodeAt(place);
    if (node < 0 || !this.scene?.looks.data.clickable) return;
    this.select(node);
    this.draw();
    this.send(node);
  }

  /** @param {number} node */
  select(node, quietly = false) {
    if (!this.scene || (node === this.selected && !quietly)) return;
    const { geometry, looks } = this.scene;
    this.selected = node < geometry.nodes ? node : -1;
    this.spoken.textContent = this.selected < 0 ? "" : `Selected ${looks.lines(geometry, node).join(", ")}`;
    if (this.selected >= 0 && this.camera.width && !quietly) this.camera.bringIntoView(this.camera.screen(geometry, node));
  }

  /** @param {Point | null} place where the pointer rests */
  point(place) {
    const node = place ? this.nodeAt(place) : -1;
    this.stage.classList.toggle("over-node", node >= 0 && !!this.scene?.looks.data.clickable);
    if (!place || node < 0 || !this.scene) this.tip.hide();
    else {
      if (this.tip.hidden || node !== this.hover) this.tip.list(this.scene.looks.lines(this.scene.geometry, node));
      this.tip.place(place, this.camera);
    }
    if (node === this.hover) return;
    this.hover = node;
    this.draw();
  }
}
