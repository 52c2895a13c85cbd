// The lab: a graph to draw, its exact course, and the arithmetic behind it, all in the page.

import { Chart } from "../diffusion_figure/chart.js";
import { coloursOf } from "../diffusion_figure/colours.js";
import { FRAMES, Model } from "../diffusion_figure/model.js";
import { pictureOf } from "../diffusion_figure/picture.js";
import { playerOf, tellPlayer } from "../diffusion_figure/playing.js";
import { Stage } from "../diffusion_figure/stage.js";
import { element } from "#canvases/library/elements.js";
import { Life } from "#canvases/library/life.js";
import { inWords } from "#canvases/library/numbers.js";
import { SaveMenu } from "#canvases/library/saving/menu.js";
import { themeOf } from "#canvases/library/theme.js";
import { viewing } from "#canvases/mounts/mounting.js";
import { decode, encode } from "../sketch/coding.js";
import { tidy } from "../sketch/sketch.js";
import { Arithmetic } from "./arithmetic.js";
import { emptySketch, noticeOf } from "./changes.js";
import { Desk } from "./desk.js";
import { Editor } from "./editor.js";
import { Inspector } from "./inspector.js";
import { keysPanel } from "./keys.js";
import { Puzzles } from "./puzzles.js";
import { Sharing } from "./sharing.js";
import { Toolbar } from "./toolbar.js";

/** @import { Change } from "../diffusion_figure/model.js" */
/** @import { Sketch } from "../sketch/sketch.js" */
/** @import { Exhibit } from "./toolbar.js" */

/** @typedef {{ graph: string, fault: string, gallery: Exhibit[], datasets: boolean }} LabData */
/** @typedef {{ event: "graph" | "dataset", code: string }} Told */

const LABEL = "Graph. Arrow keys choose a node; N adds one, E and Enter join two, 1 to 6 drop ink, T marks training, brackets choose an edge, plus and minus change its weight, D its direction, Delete removes, Shift with arrows moves, Space plays.";
const REST = 350; // milliseconds after the last change until the link says it

class Lab {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.life = new Life();
    this.frame = element("div", { className: "frame diffusion lab", role: "group", "aria-label": "Lab" });
    root.append(this.frame);
    /** texts of links that were sent from here: when they come back, nothing is new @type {Set<string>} */
    this.sent = new Set();
    /** @type {(told: Told) => void} */
    this.send = () => {};
    this.changes = { graph: true, time: true };
    this.last = "";
    /** what was wrong with the link, or with what was asked of Python */
    this.fault = "";
    /** what to look at in the graph that came from the gallery */
    this.about = "";
    this.tellLater = () => {};
  }

  /**
   * @param {LabData} data
   * @param {(told: Told) => void} send
   */
  update(data, send) {
    this.send = send;
    if (!this.desk) this.build(data);
    else if (data.graph && !this.sent.has(data.graph)) this.put(decode(data.graph));
    this.sent.add(data.graph);
    this.fault = data.fault;
    this.redraw?.();
  }

  /**
   * The graph as it is now, for a page of its own; no other page can be asked from there.
   * @param {LabData} data
   * @param {string} code
   */
  saved(data, code) {
    return { code, data: { ...data, fault: "", datasets: false, ...(this.desk ? { graph: encode(this.desk.sketch) } : {}) } };
  }

  /** @param {LabData} data */
  build(data) {
    this.gallery = data.gallery;
    if (!data.graph) this.about = data.gallery[0].about;
    const model = new Model(decode(data.graph || data.gallery[0].code));
    const desk = (this.desk = new Desk(model));
    this.stage = new Stage(model, this.life, { label: LABEL, values: true, badges: true });
    this.stage.box.dataset.tool = "move";
    this.player = playerOf(model, { controls: ["play", "speed", "axis"], stop: null, reached: () => this.tellLater() });
    const { signal } = this.life;
    const editor = new Editor(desk, this.stage, { signal, play: () => this.player?.toggle(), changed: () => this.redraw?.() });
    this.chart = new Chart(model, this.life, { curves: "all", drawn: null, scrub: (time) => { this.player?.pause(); model.setTime(time); } });
    this.toolbar = new Toolbar(desk, editor, data.gallery, (name) => this.open(name));
    this.inspector = new Inspector(desk, this.stage, editor);
    this.arithmetic = new Arithmetic(model);
    /** @param {Sketch} sketch */
    const put = (sketch) => { desk.change(sketch); if (this.stage) this.stage.edge = null; };
    this.sharing = new Sharing(desk, put, data.datasets ? () => this.send({ event: "dataset", code: encode(desk.sketch) }) : null);
    this.puzzles = new Puzzles(desk, (sketch) => { put(sketch); model.setTime(0); });
    this.arrange();
    const rest = this.life.rest(REST, () => this.tellNow());
    this.tellLater = () => rest.start();
    this.redraw = this.life.drawing(() => this.draw());
    model.listen((change) => this.heard(change));
    this.draw();
  }

  arrange() {
    const { stage, chart, toolbar, inspector, player, arithmetic } = this;
    if (!stage || !chart || !toolbar || !inspector || !player || !arithmetic || !this.puzzles || !this.sharing) return;
    const saving = new SaveMenu(this.life, () => pictureOf(stage, chart, themeOf(this.frame)), "figure");
    player.box.append(this.tMinSlider(), saving.box);
    this.story = element("p", { className: "story", role: "status" });
    const key = element("p", { className: "legend" }, mark("fill", "p(t)"), mark("ring", "above π now"), mark("risen", "has overshot"), mark("never", "never will: proved"), mark("known", "training"));
    this.frame.replaceChildren(
      toolbar.box,
      element("div", { className: "pictures" }, stage.box, chart.box),
      element("div", { className: "below" }, element("div", {}, inspector.box, key), this.story),
      player.box,
      element("div", { className: "panels" }, arithmetic.box, tabs({ Challenges: this.puzzles.box, "Text, link, file": this.sharing.box, Keys: keysPanel() }, () => this.sharing?.draw())),
    );
  }

  /** Only what happens from t_min on counts for Ω and for the label. */
  tMinSlider() {
    const slider = element("input", { type: "range", min: "0", max: String(FRAMES), step: "1", value: "0", "aria-label": "t_min" });
    slider.oninput = () => {
      const { desk } = this;
      if (desk) desk.drag({ ...desk.sketch, tMin: tidy(desk.model.timeAt(Number(slider.value) / FRAMES)) });
    };
    slider.onchange = () => this.desk?.drop();
    this.tMin = slider;
    this.tMinWords = element("span", { className: "number" });
    return element("label", { className: "t-min", title: "Only what happens from t_min on counts for Ω and for the labels" }, this.tMinWords, slider);
  }

  /** @param {string} name of the gallery */
  open(name) {
    const exhibit = this.gallery?.find((one) => one.name === name);
    this.about = exhibit?.about ?? "";
    if (exhibit) this.put(decode(exhibit.code));
    else if (name === "new") this.put(emptySketch());
  }

  /** @param {Sketch} sketch */
  put(sketch) {
    this.player?.pause();
    this.desk?.change(sketch);
    if (this.stage) this.stage.edge = null;
    this.desk?.model.choose(null);
  }

  /** @param {Change} change */
  heard(change) {
    if (change === "graph") {
      this.changes.graph = true;
      this.fault = "";
    }
    if (change !== "focus") this.changes.time = true;
    this.redraw?.();
    if (change !== "focus" && !this.player?.playing) this.tellLater();
  }

  draw() {
    const { desk, stage, chart, player, toolbar, inspector } = this;
    if (!desk || !stage || !chart || !player || !toolbar || !inspector) return;
    const { model } = desk;
    const theme = themeOf(this.frame); // before anything is written: afterwards the page computes all styles anew
    if (this.changes.graph) stage.draw(theme);
    else stage.paint(theme);
    chart.draw(theme);
    tellPlayer(player, model);
    this.arithmetic?.draw();
    if (this.changes.graph) this.puzzles?.draw();
    if (this.changes.graph || this.changes.time) this.sharing?.draw();
    toolbar.draw(coloursOf(theme));
    inspector.draw(this.fault || noticeOf(model.sketch, model.dynamics.parts));
    this.drawWords(model);
    this.changes = { graph: false, time: false };
    this.frame.dataset.time = String(model.sketch.time);
  }

  /** @param {Model} model */
  drawWords(model) {
    const { sketch, focus } = model;
    if (this.tMin && this.tMinWords) {
      if (!this.tMin.matches(":active")) this.tMin.value = String(Math.round(FRAMES * model.shareOf(sketch.tMin)));
      this.tMinWords.textContent = `t_min ${inWords(sketch.tMin)}`;
    }
    if (!this.story) return;
    const label = focus === null || sketch.classes < 2 ? null : model.labels.now[focus];
    const labelled = label === null ? "" : ` GDR: class ${label + 1}.`;
    const text = focus === null ? this.about || "Point at a node, a number or a term: the other two light up." : `Node ${sketch.nodes[focus].name} ${model.fate(focus)}.${labelled}`;
    if (this.story.textContent !== text) this.story.textContent = text;
  }

  tellNow() {
    if (!this.desk || this.desk.held || this.player?.playing) return;
    const code = encode(this.desk.sketch);
    if (this.sent.has(code) && code === this.last) return;
    this.sent.add(code);
    this.last = code;
    this.send({ event: "graph", code });
  }

  close() {
    this.player?.pause();
    this.life.end();
    this.frame.remove();
  }
}

/**
 * @param {string} look
 * @param {string} text
 */
function mark(look, text) {
  return element("span", { className: "entry" }, element("span", { className: `sign ${look}` }), text);
}

/**
 * @param {Record<string, HTMLElement>} panels
 * @param {() => void} shown called when another one is
 */
function tabs(panels, shown) {
  const names = Object.keys(panels);
  const buttons = names.map((name) => element("button", { type: "button", textContent: name, onclick: () => show(name) }));
  /** @param {string} name */
  const show = (name) => {
    names.forEach((other, i) => {
      panels[other].hidden = other !== name;
      buttons[i].setAttribute("aria-pressed", String(other === name));
    });
    shown();
  };
  show(names[0]);
  return element("section", { className: "side", "aria-label": "Challenges and exchange" }, element("div", { className: "segments", role: "group", "aria-label": "Panel" }, ...buttons), ...Object.values(panels));
}

export default viewing(Lab, "told");
