// A neighbourhood drawn by vis-network: fixed places, and a film of colours that runs here.
//
// Nodes draw themselves from the film's current frame, so a new frame is one redraw: nothing is
// rebuilt, zoom stays. The network is made anew only when places or links change.

const NOBODY = 255;
const STEPS_PER_SECOND = 16;
const SPEEDS = [0.25, 0.5, 1, 2, 4];
const TIME_EVENT = "gdr-time";
const LABELLED = 36; // up to here nodes carry their names
const REMEMBERED = 6;

// ---------------------------------------------------------------- data, kept for the session

const known = new Map();
const waiting = new Map();

function headOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return { length, head: JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) };
}

function unpack(bytes) {
  const { length, head } = headOf(bytes);
  const block = bytes.slice(4 + length).buffer;
  let offset = 0;
  const take = (Type, count) => {
    const part = new Type(block, offset, count);
    offset += part.byteLength;
    return part;
  };
  const times = take(Float32Array, head.times);
  const places = take(Float32Array, 2 * head.nodes);
  const links = take(Uint16Array, 2 * head.links);
  const codes = take(Uint8Array, head.times * head.nodes);
  const strengths = take(Uint8Array, head.times * head.nodes);
  return { ...head, frames: head.times, times, places, links, codes, strengths };
}

function remember(scene) {
  known.delete(scene.id);
  known.set(scene.id, scene);
  for (const id of known.keys()) {
    if (known.size <= REMEMBERED) break;
    known.delete(id);
  }
  for (const resume of waiting.get(scene.id) ?? []) resume();
  waiting.delete(scene.id);
}

// ---------------------------------------------------------------- small tools

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

const ICONS = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M6 5h3v14H6zM20 5v14L9 12z",
  forward: "M15 5h3v14h-3zM4 5v14l11-7z",
};

function rgbOf(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = "#888888";
  probe.fillStyle = colour;
  const found = probe.fillStyle;
  if (found[0] === "#") return [1, 3, 5].map((at) => parseInt(found.slice(at, at + 2), 16));
  return found.match(/[\d.]+/g).slice(0, 3).map(Number);
}

function inWords(value) {
  return value === 0 ? "0" : String(Number(value.toPrecision(3)));
}

// ---------------------------------------------------------------- the view

class Around {
  constructor(root) {
    this.index = 0;
    this.hover = -1;
    this.speed = 1;
    this.playing = false;
    this.build(root);
    this.listen();
  }

  build(root) {
    this.net = element("div", { className: "net" });
    this.tip = element("div", { className: "tip", hidden: true });
    this.tip.setAttribute("aria-hidden", "true");
    this.stage = element("div", { className: "stage", tabIndex: 0 }, this.net, this.tip);
    this.stage.setAttribute("role", "application");
    this.key = element("div", { className: "key" });
    this.frame = element("div", { className: "frame" }, element("div", { className: "holder" }, this.stage), this.buildPlayer(), this.key);
    root.append(this.frame);
  }

  buildPlayer() {
    const button = (name, path, act, className = "") => {
      const made = element("button", { type: "button", title: name, onclick: act, className }, icon(path));
      made.setAttribute("aria-label", name);
      return made;
    };
    this.playButton = button("Play", ICONS.play, () => this.toggle(), "play");
    this.slider = element("input", { type: "range", min: 0, step: 1, oninput: () => { this.pause(); this.show(Number(this.slider.value)); } });
    this.slider.setAttribute("aria-label", "Time of the neighbourhood");
    this.time = element("span", { className: "time" });
    const speeds = element("select", { title: "Speed", onchange: () => { this.speed = Number(speeds.value); } });
    speeds.setAttribute("aria-label", "Speed");
    for (const speed of SPEEDS) speeds.append(element("option", { value: speed, textContent: `${speed}×`, selected: speed === 1 }));
    return element(
      "div",
      { className: "player" },
      button("One step back", ICONS.back, () => this.step(-1)),
      this.playButton,
      button("One step on", ICONS.forward, () => this.step(1)),
      this.slider,
      this.time,
      speeds,
    );
  }

  listen() {
    this.gone = new AbortController();
    const signal = this.gone.signal;
    this.stage.addEventListener("keydown", (event) => this.pressKey(event), { signal });
    window.addEventListener(TIME_EVENT, (event) => this.follow(event.detail), { signal });
    window.addEventListener("gdr-vis-ready", () => this.arrange(), { signal });
    // A wheel turn that began as a scroll of the page goes on scrolling over the picture.
    let scrolledAt = 0;
    window.addEventListener("wheel", (event) => { if (!event.composedPath().includes(this.stage)) scrolledAt = event.timeStamp; }, { passive: true, signal });
    this.stage.addEventListener("wheel", (event) => {
      if (event.timeStamp - scrolledAt >= 250) return;
      scrolledAt = event.timeStamp;
      event.stopPropagation();
    }, { capture: true, signal });
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(this.stage);
  }

  close() {
    this.pause();
    this.gone.abort();
    this.watch.disconnect();
    this.network?.destroy();
  }

  // ------------------------------------------------------------ data from Python

  update(message, send) {
    this.send = send;
    this.wanted = message.scene;
    const scene = known.get(message.scene);
    if (!scene) {
      const again = () => { if (this.wanted === message.scene && !this.gone.signal.aborted) this.update(message, send); };
      waiting.set(message.scene, [...(waiting.get(message.scene) ?? []), again]);
      return;
    }
    const other = this.scene?.id !== scene.id;
    const moved = this.message?.index !== message.index;
    this.scene = scene;
    this.message = message;
    this.stage.style.height = `${message.height}px`;
    this.stage.setAttribute("aria-label", `${message.label} Space plays and pauses, arrow keys step in time, plus and minus zoom, 0 shows all.`);
    this.slider.max = scene.frames - 1;
    this.readTheme();
    this.buildKey();
    if (other) this.pause();
    if (other || (moved && !this.playing)) this.index = Math.min(message.index, scene.frames - 1);
    this.arrange();
    this.show(this.index, true);
  }

  readTheme() {
    const style = getComputedStyle(this.frame);
    const value = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
    this.theme = {
      ink: value("--st-text-color", "#31333f"),
      paper: value("--st-background-color", "#ffffff"),
      font: value("--st-font", "sans-serif"),
    };
    const paper = rgbOf(this.theme.paper);
    const shades = (colour, from) => {
      const rgb = rgbOf(colour);
      return Array.from({ length: 256 }, (_, i) => {
        const share = from + (1 - from) * (i / 255);
        return `rgb(${rgb.map((part, c) => Math.round(paper[c] + (part - paper[c]) * share)).join(",")})`;
      });
    };
    this.shades = this.scene.legend.map(([, colour]) => shades(colour, 0.3));
    this.quiet = shades(this.scene.quiet[1], 0.35)[0];
  }

  buildKey() {
    const { legend, quiet, codes, squares, square } = this.scene;
    const used = new Set(codes);
    const entry = (className, colour, text) => element("span", {}, element("i", { className, style: colour ? `background: ${colour}` : "" }), text);
    const entries = legend.flatMap(([name, colour], code) => (used.has(code) ? [entry("", colour, name)] : []));
    entries.push(entry("", this.quiet, quiet[0]));
    if (squares.some(Boolean)) entries.push(entry("square", "", square));
    entries.push(entry("ring", "", "selected"));
    this.key.replaceChildren(...entries);
  }

  // ------------------------------------------------------------ vis-network

  arrange() {
    if (!window.vis?.Network || !this.scene) return;
    if (this.network && this.shape === this.scene.shape) { this.recolourEdges(); this.network.redraw(); return; }
    this.network?.destroy();
    this.shape = this.scene.shape;
    const { nodes, places, links } = this.scene;
    this.reach = 40 * Math.sqrt(nodes) + 50;
    const dots = Array.from({ length: nodes }, (_, id) => ({ id, x: places[2 * id] * this.reach, y: -places[2 * id + 1] * this.reach, shape: "custom" }));
    const lines = Array.from({ length: links.length / 2 }, (_, id) => ({ id, from: links[2 * id], to: links[2 * id + 1] }));
    this.network = new window.vis.Network(this.net, { nodes: dots, edges: lines }, {
      physics: false,
      layout: { improvedLayout: false },
      interaction: { hover: true, dragNodes: false, selectConnectedEdges: false, hoverConnectedEdges: false, keyboard: false },
      nodes: { ctxRenderer: (request) => this.paint(request) },
      edges: { smooth: false, width: 1.2, chosen: false, color: { color: this.theme.ink, opacity: 0.25, inherit: false } },
    });
    this.network.on("beforeDrawing", (pen) => this.drawRings(pen));
    this.network.on("hoverNode", ({ node }) => this.setHover(node));
    this.network.on("blurNode", () => this.setHover(-1));
    this.network.on("dragStart", () => this.setHover(-1));
    this.network.on("zoom", () => { this.zoomed = true; this.setHover(-1); });
    this.network.on("dragEnd", () => { this.zoomed = true; });
    this.network.on("click", ({ nodes: [node] }) => { this.network.unselectAll(); if (node !== undefined) this.choose(node); });
    this.net.querySelector("canvas")?.setAttribute("aria-hidden", "true");
    this.fit();
    this.stage.dataset.ready = this.scene.id;
  }

  recolourEdges() {
    this.network.setOptions({ edges: { color: { color: this.theme.ink, opacity: 0.25, inherit: false } } });
    this.stage.dataset.ready = this.scene.id;
  }

  resized() {
    if (this.network && !this.zoomed) this.fit();
  }

  fit() {
    const { places, rings, nodes } = this.scene;
    const box = rings ? [-1, 1, -1, 1] : [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; !rings && i < nodes; i++) {
      box[0] = Math.min(box[0], places[2 * i]);
      box[1] = Math.max(box[1], places[2 * i]);
      box[2] = Math.min(box[2], -places[2 * i + 1]);
      box[3] = Math.max(box[3], -places[2 * i + 1]);
    }
    const [left, right, top, bottom] = box.map((edge) => edge * this.reach);
    const room = 2 * 34; // for the nodes at the rim and their names
    const scale = Math.min(this.stage.clientWidth / (right - left + room), this.stage.clientHeight / (bottom - top + room), 1.6);
    this.zoomed = false;
    this.network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale });
  }

  drawRings(pen) {
    const { rings } = this.scene;
    if (!rings) return;
    pen.save();
    pen.strokeStyle = this.theme.ink;
    pen.globalAlpha = 0.15;
    pen.lineWidth = 1;
    pen.setLineDash([4, 6]);
    for (let ring = 1; ring <= rings; ring++) {
      pen.beginPath();
      pen.arc(0, 0, (this.reach * ring) / rings, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.restore();
  }

  // Called by vis-network for every node in every frame.
  paint({ ctx: pen, id, x, y }) {
    const { nodes, codes, strengths, squares } = this.scene;
    const at = this.index * nodes + id;
    const code = codes[at];
    const strength = code === NOBODY ? 0 : strengths[at];
    const radius = (id === 0 ? 13 : 9) * (0.8 + (0.45 * strength) / 255);
    return {
      drawNode: () => {
        pen.beginPath();
        if (squares[id]) pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        else pen.arc(x, y, radius, 0, 2 * Math.PI);
        pen.fillStyle = code === NOBODY ? this.quiet : this.shades[code][strength];
        pen.fill();
        pen.lineWidth = id === this.hover ? 2.5 : 1;
        pen.strokeStyle = this.theme.ink;
        pen.globalAlpha = id === this.hover ? 1 : 0.55;
        pen.stroke();
        pen.globalAlpha = 1;
        if (id === 0) this.ring(pen, x, y, radius + 5);
      },
      drawExternalLabel: () => this.label(pen, id, x, y + radius),
      nodeDimensions: { width: 2 * radius + 4, height: 2 * radius + 4 },
    };
  }

  ring(pen, x, y, radius) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.lineWidth = 3;
    pen.strokeStyle = this.theme.ink;
    pen.stroke();
  }

  label(pen, id, x, y) {
    if (this.scene.nodes > LABELLED && id !== 0) return;
    const name = this.scene.names[id];
    const text = name.length > 18 ? `${name.slice(0, 17)}…` : name;
    pen.font = `${id === 0 ? 600 : 400} 12px ${this.theme.font}`;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    pen.lineJoin = "round";
    pen.lineWidth = 4;
    pen.strokeStyle = this.theme.paper;
    pen.fillStyle = this.theme.ink;
    pen.strokeText(text, x, y + 6);
    pen.fillText(text, x, y + 6);
  }

  // ------------------------------------------------------------ pointing

  choose(node) {
    if (this.message.clickable && node !== 0) this.send(node);
  }

  setHover(node) {
    this.hover = node;
    this.stage.classList.toggle("over-node", node > 0 && this.message.clickable);
    if (node < 0) { this.tip.hidden = true; return; }
    const lines = this.lines(node);
    this.tip.replaceChildren(element("strong", { textContent: lines[0] }), ...lines.slice(1).map((line) => element("span", { textContent: line })));
    this.tip.hidden = false;
    const { x, y } = this.network.canvasToDOM(this.network.getPosition(node));
    const { offsetWidth: wide, offsetHeight: high } = this.tip;
    const left = x + 18 + wide > this.stage.clientWidth ? Math.max(4, x - wide - 18) : x + 18;
    const top = Math.max(4, Math.min(this.stage.clientHeight - high - 4, y + 10));
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  lines(node) {
    const { names, distances, nodes, codes, legend, quiet } = this.scene;
    const code = codes[this.index * nodes + node];
    const far = distances[node];
    const lines = [names[node]];
    if (node) lines.push(`${far} hop${far === 1 ? "" : "s"} from ${names[0]}`);
    if (this.message.details[node]) lines.push(this.message.details[node]);
    lines.push(`now: ${code === NOBODY ? quiet[0] : legend[code][0]}`);
    return lines;
  }

  // ------------------------------------------------------------ time

  show(index, quietly = false) {
    const last = this.scene.frames - 1;
    this.index = Math.max(0, Math.min(last, index));
    this.slider.value = this.index;
    const words = `t·λ₂ = ${inWords(this.scene.times[this.index])}`;
    this.time.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    this.stage.dataset.index = this.index;
    this.network?.redraw();
    if (!quietly) window.dispatchEvent(new CustomEvent(TIME_EVENT, { detail: { from: "film", index: this.index } }));
  }

  follow({ from, index }) {
    if (from === "film" || !this.scene) return;
    this.pause();
    this.show(index, true);
  }

  step(by) {
    this.pause();
    this.show(this.index + by);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.scene) return;
    if (this.index >= this.scene.frames - 1) this.show(0);
    this.playing = true;
    this.dress("Pause", ICONS.pause);
    let before = performance.now();
    let owed = 0;
    const tick = (now) => {
      if (!this.playing) return;
      owed += Math.min(now - before, 250) * STEPS_PER_SECOND * this.speed / 1000;
      before = now;
      const steps = Math.floor(owed);
      owed -= steps;
      if (steps) this.show(this.index + steps);
      if (this.index >= this.scene.frames - 1) this.pause();
      else this.request = requestAnimationFrame(tick);
    };
    this.request = requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    cancelAnimationFrame(this.request);
    this.dress("Play", ICONS.play);
  }

  dress(name, path) {
    this.playButton.title = name;
    this.playButton.setAttribute("aria-label", name);
    this.playButton.replaceChildren(icon(path));
  }

  pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.network) return;
    const zoom = (factor) => { this.zoomed = true; this.network.moveTo({ scale: this.network.getScale() * factor }); };
    const acts = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      "+": () => zoom(1.3),
      "=": () => zoom(1.3),
      "-": () => zoom(1 / 1.3),
      0: () => this.fit(),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}

// ---------------------------------------------------------------- entry point

const views = new WeakMap();

function mount({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    if (!known.has(headOf(data).head.id)) remember(unpack(data));
    return () => {};
  }
  let view = views.get(parentElement);
  if (!view) {
    view = new Around(parentElement);
    views.set(parentElement, view);
  }
  view.update(data, (node) => setTriggerValue("selected", node));
  return () => {
    view.close();
    views.delete(parentElement);
  };
}

// The first copy of this code serves the whole page: it holds what has arrived so far.
window.gdrParts ??= {};
window.gdrParts.neighbourhood ??= mount;
window.dispatchEvent(new Event("gdr-part"));

export default (given) => window.gdrParts.neighbourhood(given);
