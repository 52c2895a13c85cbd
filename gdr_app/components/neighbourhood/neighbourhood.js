// A node's surroundings and the film of classes flowing through them.

import { followTime, tellTime } from "#canvases/library/clock.js";
import { element } from "#canvases/library/elements.js";
import { Life } from "#canvases/library/life.js";
import { inWords } from "#canvases/library/numbers.js";
import { Player } from "#canvases/library/player.js";
import { pressKey, scrollsPage, zoomKeys } from "#canvases/library/pointer.js";
import { legendHeight, paintLegend } from "#canvases/library/saving/legend.js";
import { SaveMenu } from "#canvases/library/saving/menu.js";
import { themeOf } from "#canvases/library/theme.js";
import { Tooltip } from "#canvases/library/tooltip.js";
import { twoMounts } from "#canvases/mounts/parts.js";
import { Board } from "./board.js";
import { coloursOf, keyEntries, signsOf } from "./colours.js";
import { Network } from "./network.js";
import { linesOf, scenes, unpackScene } from "./scene.js";

/** @import { Pen } from "#canvases/library/canvas.js" */
/** @import { Entry } from "#canvases/library/saving/legend.js" */
/** @import { Picture } from "#canvases/library/saving/pictures.js" */
/** @import { Message, Scene } from "./scene.js" */

const STEPS_PER_SECOND = 16;
const SECONDS = 8; // of a film that is saved
const SPEEDS = [0.25, 0.5, 1, 2, 4];
const BESIDE_NODE = 18; // pixels between the middle of a node and its tooltip

class Around {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {{ scene: Scene, message: Message } | null} */
    this.told = null;
    /** @param {number} node */
    this.send = (node) => {};
    /** @type {Network | Board | null} */
    this.network = null;
    this.player = new Player({
      rate: STEPS_PER_SECOND,
      speeds: SPEEDS,
      label: "Time of the neighbourhood",
      show: (index) => this.show(index),
    });
    this.tip = new Tooltip();
    this.stage = element("div", { className: "stage", tabIndex: 0, role: "application" }, this.tip.box);
    this.key = element("div", { className: "key" });
    this.frame = element("div", { className: "frame" }, element("div", { className: "holder" }, this.stage), this.player.box, this.key);
    root.append(this.frame);
    this.life = new Life();
    this.player.box.append(new SaveMenu(this.life, () => this.picture(), "neighbourhood").box);
    this.life.onResize(this.stage, () => this.network?.resized());
    this.listen(this.life.signal);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.stage.addEventListener("keydown", (event) => this.pressKey(event), { signal });
    window.addEventListener("gdr-vis-ready", () => this.arrange(), { signal });
    followTime("film", signal, (index) => this.follow(index));
    const past = scrollsPage(this.stage, signal);
    this.stage.addEventListener("wheel", (event) => { if (past(event)) event.stopPropagation(); }, { capture: true, signal });
  }

  close() {
    this.player.pause();
    this.life.end();
    this.network?.destroy();
  }

  // ------------------------------------------------------------ data from Python

  /**
   * @param {Scene} scene
   * @param {Message} message
   * @param {(node: number) => void} send
   */
  take(scene, message, send) {
    this.send = send;
    this.network ??= this.begin(message.alone === true);
    const other = this.told?.scene.id !== scene.id;
    const moved = this.told?.message.index !== message.index;
    this.told = { scene, message };
    this.stage.style.height = `${message.height}px`;
    this.stage.setAttribute("aria-label", `${message.label} Space plays and pauses, arrow keys step in time, plus and minus zoom, 0 shows all.`);
    this.player.setLength(scene.frames);
    if (other) this.player.pause();
    const index = other || (moved && !this.player.playing) ? message.index : this.player.index;
    this.arrange();
    this.show(index, true);
  }

  /**
   * @param {boolean} alone as on a saved page, which has no vis-network
   */
  begin(alone) {
    /** @type {import("./network.js").Hands} */
    const hands = { hover: (node) => this.setHover(node), click: (node) => this.choose(node) };
    const network = alone ? new Board(hands) : new Network(hands);
    this.stage.prepend(network.net);
    return network;
  }

  arrange() {
    if (!this.told || !this.network) return;
    const { scene } = this.told;
    const theme = themeOf(this.frame);
    const colours = coloursOf(scene, theme);
    this.key.replaceChildren(...keyEntries(scene, colours));
    if (this.network.arrange({ scene, theme, colours })) this.stage.dataset.ready = scene.id;
  }

  // ------------------------------------------------------------ pointing

  /** @param {number} node */
  choose(node) {
    if (this.told?.message.clickable && node !== 0) this.send(node);
  }

  /** @param {number} node */
  setHover(node) {
    if (!this.told || !this.network) return;
    const { scene, message } = this.told;
    this.network.point(node);
    this.stage.classList.toggle("over-node", node > 0 && message.clickable && !message.alone);
    if (node < 0) {
      this.tip.hide();
      return;
    }
    this.tip.list(linesOf(scene, this.player.index, node, message.details[node]));
    const { x, y } = this.network.spotOf(node);
    this.tip.place([x, y], { width: this.stage.clientWidth, height: this.stage.clientHeight }, BESIDE_NODE);
  }

  /** @param {KeyboardEvent} event */
  pressKey(event) {
    const { network } = this;
    if (!network) return;
    pressKey(event, {
      " ": () => this.player.toggle(),
      ArrowLeft: () => this.player.step(-1),
      ArrowRight: () => this.player.step(1),
      ...zoomKeys((factor) => network.zoomBy(factor), () => network.fit()),
    });
  }

  // ------------------------------------------------------------ time

  /** @param {number} index */
  show(index, quietly = false) {
    if (!this.told) return;
    this.player.put(index);
    const frame = this.player.index;
    this.player.say(`t·λ₂ = ${inWords(this.told.scene.times[frame])}`);
    this.stage.dataset.index = String(frame);
    this.network?.show(frame);
    if (!quietly) tellTime({ from: "film", index: frame });
  }

  /** @returns {Picture | null} what is seen now, and the film */
  picture() {
    const { told, network } = this;
    if (!told || !network || !this.stage.dataset.ready) return null;
    const { scene, message } = told;
    const { clientWidth: width, clientHeight: height } = this.stage;
    const theme = themeOf(this.frame);
    const signs = signsOf(scene, coloursOf(scene, theme), theme);
    /** @type {(frame: number) => Entry[]} */
    const entries = (frame) => [{ text: `t·λ₂ = ${inWords(scene.times[frame])}`, draw: null }, ...signs];
    /** @type {(pen: Pen, frame: number) => void} */
    const paint = (pen, frame) => {
      network.paintAll(pen, frame);
      paintLegend(pen, entries(frame), theme, width, height);
    };
    const now = this.player.index;
    return {
      name: "neighbourhood",
      title: message.label,
      width,
      height: height + legendHeight(entries(now), theme, width),
      theme,
      paint: (pen) => paint(pen, now),
      film: { name: "Film", frames: scene.frames, seconds: SECONDS, room: 20, paint },
    };
  }

  /** @param {number} index */
  follow(index) {
    this.player.pause();
    this.show(index, true);
  }
}

export default twoMounts({ name: "neighbourhood", wants: "scene", event: "selected", leans: true }, Around, scenes, unpackScene);
