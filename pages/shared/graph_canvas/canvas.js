// A graph on three stacked canvases: edges below, nodes above them, hover and selection on top.
//
// Nodes are stamped into a pixel buffer from prepared sprites, which takes a few milliseconds for
// twenty thousand of them, so they are drawn anew in every frame. Edges of large graphs are
// counted per pixel and shown as a density; that takes longer, so it runs in slices between
// frames, and until it is done the last picture of the edges is moved and scaled along.

const EDGES_DRAWN_AS_LINES = 1500; // up to here edges are crisp strokes, redrawn in every frame
const OVERSCAN = 0.3; // how far the picture of the edges reaches beyond the view, on each side
const ZOOM_LIMITS = [0.5, 80];
const UNKNOWN = 255;
const REMEMBERED_GEOMETRIES = 6;
const REMEMBERED_DENSITIES = 6;
const LABELLED_AT_ONCE = 40;

// ---------------------------------------------------------------- geometry, kept for the session

const geometries = new Map();
const waiting = new Map();

function unpackGeometry(bytes) {
  const block = bytes.slice().buffer; // a copy that starts at offset 0: typed arrays need alignment
  const text = new TextDecoder();
  const headLength = new DataView(block).getUint32(0, true);
  const head = JSON.parse(text.decode(new Uint8Array(block, 4, headLength)));
  let offset = 4 + headLength;
  const positions = new Float32Array(block, offset, head.nodes * 2);
  offset += positions.byteLength;
  const Ends = head.wide ? Uint32Array : Uint16Array;
  const ends = new Ends(block, offset, head.edges * 2);
  offset += Math.ceil(ends.byteLength / 4) * 4;
  const names = JSON.parse(text.decode(new Uint8Array(block, offset)));
  return { ...head, positions, ends, names, ...frameOf(positions), ...neighboursOf(head, ends), grid: null };
}

function frameOf(positions) {
  const box = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  for (let i = 0; i < positions.length; i += 2) {
    if (positions[i] < box.left) box.left = positions[i];
    if (positions[i] > box.right) box.right = positions[i];
    if (positions[i + 1] < box.low) box.low = positions[i + 1];
    if (positions[i + 1] > box.high) box.high = positions[i + 1];
  }
  return { box };
}

// start[i] … start[i + 1] are the places in `edgeOf` of the edges that touch node i.
function neighboursOf(head, ends) {
  const start = new Uint32Array(head.nodes + 1);
  for (let i = 0; i < ends.length; i++) start[ends[i] + 1]++;
  for (let i = 0; i < head.nodes; i++) start[i + 1] += start[i];
  const next = start.slice(0, head.nodes);
  const edgeOf = new Uint32Array(ends.length);
  for (let i = 0; i < ends.length; i++) edgeOf[next[ends[i]]++] = i >> 1;
  return { start, edgeOf };
}

// Square cells of about two nodes each: looking up a node costs the same in every graph.
function gridOf(geometry) {
  const { positions, box, nodes } = geometry;
  const width = Math.max(box.right - box.left, 1e-9);
  const height = Math.max(box.high - box.low, 1e-9);
  const cell = Math.max(Math.sqrt((width * height * 2) / Math.max(nodes, 1)), Math.max(width, height) / 2000);
  const columns = Math.floor(width / cell) + 1;
  const rows = Math.floor(height / cell) + 1;
  const cellOf = (i) =>
    Math.floor((positions[2 * i + 1] - box.low) / cell) * columns + Math.floor((positions[2 * i] - box.left) / cell);
  const start = new Uint32Array(columns * rows + 1);
  for (let i = 0; i < nodes; i++) start[cellOf(i) + 1]++;
  for (let i = 0; i < columns * rows; i++) start[i + 1] += start[i];
  const next = start.slice(0, -1);
  const members = new Uint32Array(nodes);
  for (let i = 0; i < nodes; i++) members[next[cellOf(i)]++] = i;
  return { cell, columns, rows, start, members };
}

function remember(geometry) {
  geometries.delete(geometry.id);
  geometries.set(geometry.id, geometry);
  for (const id of geometries.keys()) {
    if (geometries.size <= REMEMBERED_GEOMETRIES) break;
    geometries.delete(id);
  }
  for (const resume of waiting.get(geometry.id) ?? []) resume();
  waiting.delete(geometry.id);
}

// Calls `act` with a geometry as soon as it is here.
function withGeometry(id, act) {
  const known = geometries.get(id);
  if (known) act(known);
  else waiting.set(id, [...(waiting.get(id) ?? []), () => act(geometries.get(id))]);
}

function idOf(bytes) {
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headLength))).id;
}

// ---------------------------------------------------------------- small tools

function decode(base64, Type) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new Type(bytes.buffer);
}

function rgbOf(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = "#888888";
  probe.fillStyle = colour;
  const found = probe.fillStyle; // the browser rewrites any colour as #rrggbb or rgba(…)
  if (found[0] === "#") return [1, 3, 5].map((at) => parseInt(found.slice(at, at + 2), 16));
  return found.match(/[\d.]+/g).slice(0, 3).map(Number);
}

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
  in: "M12 5v14M5 12h14",
  out: "M5 12h14",
  reset: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
};

// ---------------------------------------------------------------- sprites

const OUTLINES = {
  circle: (pen, r) => pen.arc(0, 0, r, 0, 2 * Math.PI),
  ring: (pen, r) => pen.arc(0, 0, r, 0, 2 * Math.PI),
  square: (pen, r) => pen.rect(-0.88 * r, -0.88 * r, 1.76 * r, 1.76 * r),
  diamond: (pen, r) => polygon(pen, [[0, -1.25 * r], [1.25 * r, 0], [0, 1.25 * r], [-1.25 * r, 0]]),
  triangle: (pen, r) => polygon(pen, [[0, -1.25 * r], [1.15 * r, 0.85 * r], [-1.15 * r, 0.85 * r]]),
};

function polygon(pen, corners) {
  corners.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
}

function paintShape(pen, { shape, radius, colour, opacity, rim }) {
  pen.globalAlpha = opacity;
  pen.beginPath();
  OUTLINES[shape](pen, shape === "ring" ? radius * 0.85 : radius);
  if (shape === "ring") {
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(1.5, radius * 0.5);
    pen.stroke();
    return;
  }
  pen.fillStyle = colour;
  pen.fill();
  if (radius > 2.5) {
    pen.strokeStyle = rim;
    pen.lineWidth = Math.min(1.5, radius * 0.2);
    pen.stroke();
  }
}

function makeSprite(look) {
  const half = Math.ceil(look.radius * 1.3) + 1;
  const size = 2 * half + 1;
  const canvas = element("canvas", { width: size, height: size });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.translate(half + 0.5, half + 0.5);
  paintShape(pen, look);
  const pixels = new Uint32Array(pen.getImageData(0, 0, size, size).data.buffer);
  const at = []; // only pixels that hold something, as (dx, dy, colour)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) if (pixels[y * size + x] >>> 24) at.push(x - half, y - half, pixels[y * size + x]);
  return { half, canvas, count: at.length / 3, dx: pick(at, 0), dy: pick(at, 1), rgba: pick(at, 2, Uint32Array), offsets: null, width: 0 };
}

function pick(triples, which, Type = Int32Array) {
  return Type.from({ length: triples.length / 3 }, (_, i) => triples[3 * i + which]);
}

// Source over destination, as 0xAABBGGRR. Two channels at a time where the ground is opaque: this
// runs tens of thousands of times a frame.
function blend(under, over) {
  const a = over >>> 24;
  const b = under >>> 24;
  if (a === 255 || b === 0) return over;
  const share = b === 255 ? a + 1 : Math.round((256 * a) / (a + (b * (255 - a)) / 255));
  const rest = 256 - share;
  const redBlue = (((over & 0xff00ff) * share + (under & 0xff00ff) * rest) >>> 8) & 0xff00ff;
  const green = (((over & 0xff00) * share + (under & 0xff00) * rest) >>> 8) & 0xff00;
  const alpha = b === 255 ? 255 : a + Math.round((b * (255 - a)) / 255);
  return ((alpha << 24) | redBlue | green) >>> 0;
}

// ---------------------------------------------------------------- edges as a density

// Counts, pixel by pixel, how many edges pass. Runs in slices so that frames keep coming.
class EdgeDensity {
  constructor(geometry, hiddenNode, view, width, height) {
    Object.assign(this, { geometry, hiddenNode, view, width, height, at: 0 });
    this.count = new Float32Array(width * (height + 1) + 1);
  }

  get done() {
    return this.at >= this.geometry.edges;
  }

  advance(milliseconds) {
    const until = performance.now() + milliseconds;
    const { ends, positions, edges } = this.geometry;
    const { k, x, y } = this.view;
    const hidden = this.hiddenNode;
    while (this.at < edges && performance.now() < until) {
      const stop = Math.min(this.at + 200, edges);
      for (let e = this.at; e < stop; e++) {
        const i = ends[2 * e];
        const j = ends[2 * e + 1];
        if (hidden && (hidden[i] || hidden[j])) continue;
        this.line(positions[2 * i] * k + x, y - positions[2 * i + 1] * k, positions[2 * j] * k + x, y - positions[2 * j + 1] * k);
      }
      this.at = stop;
    }
  }

  // One step along the longer axis, shared between the two nearest pixels of the other axis.
  line(x0, y0, x1, y1) {
    const right = this.width - 2;
    const bottom = this.height - 2;
    let from = 0;
    let to = 1;
    const dx = x1 - x0;
    const dy = y1 - y0;
    for (const [step, room] of [[-dx, x0], [dx, right - x0], [-dy, y0], [dy, bottom - y0]]) {
      if (step === 0) {
        if (room < 0) return;
      } else if (step < 0) {
        if (room / step > from) from = room / step;
      } else if (room / step < to) to = room / step;
    }
    if (from >= to) return;
    const count = this.count;
    const width = this.width;
    const steep = Math.abs(dy) > Math.abs(dx);
    const length = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * (to - from));
    const stepX = (dx * (to - from)) / (length || 1);
    const stepY = (dy * (to - from)) / (length || 1);
    let px = x0 + dx * from;
    let py = y0 + dy * from;
    for (let s = 0; s < length; s++) {
      const column = px | 0;
      const row = py | 0;
      const place = row * width + column;
      const share = steep ? px - column : py - row;
      count[place] += 1 - share;
      count[place + (steep ? 1 : width)] += share;
      px += stepX;
      py += stepY;
    }
  }

  // Many edges on one pixel saturate softly; the exposure follows the densest twentieth.
  picture(ink) {
    const { count, width, height } = this;
    const size = width * height;
    const seen = [];
    const stride = Math.max(1, Math.floor(size / 40000));
    for (let i = 0; i < size; i += stride) if (count[i] > 0.05) seen.push(count[i]);
    seen.sort((a, b) => a - b);
    const dense = seen.length ? seen[Math.floor(seen.length * 0.95)] : 1;
    const gain = Math.min(0.55, 1.6 / dense);
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colour = (ink[2] << 16) | (ink[1] << 8) | ink[0];
    const table = Uint8Array.from({ length: 1024 }, (_, i) => 140 * (1 - Math.exp((-i / 16) * gain)));
    for (let i = 0; i < size; i++) {
      const value = count[i];
      if (value > 0) pixels[i] = ((table[Math.min(1023, (value * 16) | 0)] << 24) | colour) >>> 0;
    }
    return image;
  }
}

// Two canvases of one size show the same edges, and so does a page that is opened again: the work
// is shared, also while it goes on.
const densities = new Map();

function densityOf(geometry, hiddenNode, view, width, height) {
  const id = [geometry.id, view.k, view.x, view.y, width, height].join(" ");
  const known = hiddenNode ? null : densities.get(id);
  const density = known ?? new EdgeDensity(geometry, hiddenNode, view, width, height);
  if (hiddenNode) return density;
  densities.delete(id);
  densities.set(id, density);
  if (densities.size > REMEMBERED_DENSITIES) densities.delete(densities.keys().next().value);
  return density;
}

// ---------------------------------------------------------------- the view

class GraphView {
  constructor(root) {
    this.view = { k: 1, x: 0, y: 0 };
    this.zoom = 1;
    this.hover = -1;
    this.selected = -1;
    this.hiddenClasses = new Set();
    this.sprites = [];
    this.pointers = new Map();
    this.lastMove = 0;
    this.build(root);
    this.listen();
  }

  build(root) {
    const button = (name, path, act) => {
      const made = element("button", { type: "button", title: name, onclick: act }, icon(path));
      made.setAttribute("aria-label", name);
      return made;
    };
    this.edgeCanvas = element("canvas", { className: "edges" });
    this.nodeCanvas = element("canvas", { className: "nodes" });
    this.overlayCanvas = element("canvas", { className: "overlay" });
    for (const canvas of [this.edgeCanvas, this.nodeCanvas, this.overlayCanvas]) canvas.setAttribute("aria-hidden", "true");
    this.nodePen = this.nodeCanvas.getContext("2d", { willReadFrequently: true });
    this.tip = element("div", { className: "tip", hidden: true });
    this.tip.setAttribute("aria-hidden", "true");
    this.spoken = element("div", { className: "spoken" });
    this.spoken.setAttribute("role", "status");
    const tools = element(
      "div",
      { className: "tools" },
      button("Zoom in", ICONS.in, () => this.zoomBy(1.5)),
      button("Zoom out", ICONS.out, () => this.zoomBy(1 / 1.5)),
      button("Show the whole graph", ICONS.reset, () => this.fit()),
      button("Save as picture", ICONS.save, () => this.save()),
    );
    this.stage = element("div", { className: "stage", tabIndex: 0 }, this.edgeCanvas, this.nodeCanvas, this.overlayCanvas, this.tip);
    this.stage.setAttribute("role", "application");
    const holder = element("div", { style: "position: relative" }, this.stage, tools);
    this.key = element("div", { className: "key" });
    this.key.setAttribute("role", "group");
    this.key.setAttribute("aria-label", "Classes shown");
    this.frame = element("div", { className: "frame" }, holder, this.key, this.spoken);
    root.append(this.frame);
  }

  listen() {
    const stage = this.stage;
    this.gone = new AbortController();
    const on = (target, names, act, options = {}) => {
      for (const name of names.split(" ")) target.addEventListener(name, act, { signal: this.gone.signal, ...options });
    };
    on(stage, "pointerdown", (event) => this.press(event));
    on(stage, "pointermove", (event) => this.move(event));
    on(stage, "pointerup pointercancel", (event) => this.release(event));
    on(stage, "pointerleave", () => this.setHover(-1));
    on(stage, "dblclick", (event) => this.zoomBy(2, ...this.place(event)));
    on(stage, "keydown", (event) => this.pressKey(event));
    // A wheel turn that began as a scroll of the page goes on scrolling over the canvas.
    let scrolledAt = 0;
    on(window, "wheel", (event) => { if (!event.composedPath().includes(stage)) scrolledAt = event.timeStamp; }, { passive: true });
    on(stage, "wheel", (event) => {
      if (event.timeStamp - scrolledAt < 250) { scrolledAt = event.timeStamp; return; }
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
      this.zoomBy(Math.exp(-Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey ? 0.01 : 0.0018)), ...this.place(event));
    }, { passive: false });
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(stage);
  }

  close() {
    this.gone.abort();
    this.watch.disconnect();
    cancelAnimationFrame(this.request);
    clearTimeout(this.settle);
  }

  // ------------------------------------------------------------ data from Python

  update(data, send) {
    this.send = send;
    this.wanted = data.geometry;
    const geometry = geometries.get(data.geometry);
    if (!geometry) {
      withGeometry(data.geometry, () => { if (this.wanted === data.geometry && !this.gone.signal.aborted) this.update(data, send); });
      return;
    }
    const fresh = this.geometry?.id !== geometry.id;
    this.geometry = geometry;
    this.data = data;
    this.colours = decode(data.colours, Uint8Array);
    this.marks = data.marks && decode(data.marks, Uint8Array);
    this.details = data.details.map((detail) => ({ ...detail, codes: decode(detail.codes, detail.wide ? Uint16Array : Uint8Array) }));
    this.styles = data.markStyles.length ? data.markStyles : [{ shape: "circle", size: 1, opacity: 1 }];
    this.stage.style.height = `clamp(320px, min(60vh, 90cqi), ${data.height}px)`;
    this.stage.setAttribute("aria-label", `${data.label} Arrow keys move the picture, plus and minus zoom, 0 shows all.`);
    this.readTheme();
    const scheme = JSON.stringify([data.classes, data.palette, data.unknownColour, data.markStyles]);
    if (scheme !== this.scheme) this.sprites = []; // sprites are kept by code, and codes mean others now
    if (fresh || (this.scheme && scheme !== this.scheme)) this.hiddenClasses.clear();
    this.scheme = scheme;
    if (fresh) {
      this.hover = -1;
      this.tip.hidden = true;
      this.edgePicture = null;
      this.edgeWork = null;
    }
    this.order = this.drawingOrder();
    this.hideNodes();
    this.buildKey();
    this.select(data.selected ?? -1, fresh);
    this.resize(fresh);
    if (fresh) this.fit();
    this.stage.dataset.ready = geometry.id;
  }

  readTheme() {
    const style = getComputedStyle(this.frame);
    const value = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
    const theme = {
      ink: value("--st-text-color", "#31333f"),
      paper: value("--st-background-color", "#ffffff"),
      accent: value("--st-primary-color", "#0072b2"),
      font: value("--st-font", "sans-serif"),
    };
    if (JSON.stringify(theme) === JSON.stringify(this.theme)) return;
    this.theme = theme;
    this.inkRgb = rgbOf(theme.ink);
    this.sprites = [];
    this.edgePicture = null;
    this.edgeWork = null;
  }

  drawingOrder() {
    const order = Uint32Array.from({ length: this.geometry.nodes }, (_, i) => i);
    return this.marks ? order.sort((a, b) => this.marks[a] - this.marks[b] || a - b) : order;
  }

  hideNodes() {
    const hidden = this.hiddenClasses;
    this.hiddenNode = hidden.size ? Uint8Array.from(this.colours, (code) => (hidden.has(code) ? 1 : 0)) : null;
  }

  className(code) {
    return code === UNKNOWN ? "unknown" : this.data.classes[code];
  }

  colourOf(code) {
    return code === UNKNOWN ? this.data.unknownColour : this.data.palette[code];
  }

  buildKey() {
    const counts = new Map(this.data.classes.map((_, code) => [code, 0]));
    for (const code of this.colours) counts.set(code, (counts.get(code) ?? 0) + 1);
    const classes = [...counts].map(([code, count]) => this.classButton(code, count));
    const marks = !this.marks ? [] : this.styles.map((style, code) => this.markEntry(style, code)).filter(Boolean);
    this.key.replaceChildren(...classes, ...marks);
  }

  classButton(code, count) {
    const colour = this.colourOf(code);
    const swatch = element("span", { className: "swatch", style: `background: ${colour}; border-color: ${colour}` });
    const number = element("span", { className: "number", textContent: count.toLocaleString("en") });
    const button = element("button", { type: "button", title: "Click to hide or show this class" }, swatch, this.className(code), number);
    button.setAttribute("aria-pressed", String(!this.hiddenClasses.has(code)));
    button.onclick = () => {
      if (!this.hiddenClasses.delete(code)) this.hiddenClasses.add(code);
      button.setAttribute("aria-pressed", String(!this.hiddenClasses.has(code)));
      this.hideNodes();
      this.edgeWork = null;
      this.staleEdges = true;
      this.draw();
    };
    return button;
  }

  markEntry(style, code) {
    let count = 0;
    for (const mark of this.marks) if (mark === code) count++;
    if (!count || !style.name) return null; // a mark without a name needs no entry
    const canvas = element("canvas", { width: 32, height: 32 });
    const pen = canvas.getContext("2d");
    pen.translate(16, 16);
    const colour = style.colour ?? this.theme.ink;
    paintShape(pen, { shape: style.shape, radius: 9, colour, opacity: style.opacity, rim: this.theme.paper });
    const number = element("span", { className: "number", textContent: count.toLocaleString("en") });
    return element("span", { className: "mark" }, canvas, style.name, number);
  }

  // ------------------------------------------------------------ view

  resize(force = false) {
    const width = this.stage.clientWidth;
    const height = this.stage.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    if (!width || !height || !this.geometry) return;
    if (!force && width === this.width && height === this.height && ratio === this.ratio) { this.draw(); return; }
    const before = this.width ? { width: this.width, height: this.height } : null;
    Object.assign(this, { width, height, ratio });
    for (const canvas of [this.nodeCanvas, this.overlayCanvas]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.image = this.nodePen.createImageData(this.nodeCanvas.width, this.nodeCanvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sprites = [];
    this.edgePicture = null;
    this.edgeWork = null;
    const fitted = this.fitted;
    this.fitted = this.fittingView();
    if (before && fitted && !force) {
      const grown = this.fitted.k / fitted.k;
      this.view.x = (this.view.x - before.width / 2) * grown + width / 2;
      this.view.y = (this.view.y - before.height / 2) * grown + height / 2;
      this.view.k *= grown;
    }
    this.draw();
  }

  fittingView() {
    const { box } = this.geometry;
    const margin = Math.max(14, Math.min(this.width, this.height) * 0.05);
    const wide = Math.max(box.right - box.left, 1e-9);
    const high = Math.max(box.high - box.low, 1e-9);
    const k = Math.min((this.width - 2 * margin) / wide, (this.height - 2 * margin) / high);
    return { k, x: this.width / 2 - (k * (box.left + box.right)) / 2, y: this.height / 2 + (k * (box.low + box.high)) / 2 };
  }

  fit() {
    if (!this.fitted) return;
    this.view = { ...this.fitted };
    this.moved();
  }

  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    if (!this.fitted) return;
    const [least, most] = ZOOM_LIMITS;
    const k = Math.min(this.fitted.k * most, Math.max(this.fitted.k * least, this.view.k * factor));
    const applied = k / this.view.k;
    this.view = { k, x: x - (x - this.view.x) * applied, y: y - (y - this.view.y) * applied };
    this.moved();
  }

  panBy(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.moved();
  }

  moved() {
    this.lastMove = performance.now();
    this.draw();
    clearTimeout(this.settle);
    this.settle = setTimeout(() => this.draw(), 120);
  }

  screen(node) {
    const { positions } = this.geometry;
    const { k, x, y } = this.view;
    return [positions[2 * node] * k + x, y - positions[2 * node + 1] * k];
  }

  // Bare nodes shrink with their number; zooming in lets them grow, more slowly than distances.
  radius() {
    const room = Math.sqrt((this.width * this.height) / Math.max(1, this.geometry.nodes));
    const base = Math.min(9, Math.max(1.4, 0.19 * room));
    return Math.min(13, base * Math.pow(Math.max(0.6, this.view.k / this.fitted.k), 0.45));
  }

  // ------------------------------------------------------------ drawing

  draw() {
    if (!this.request) this.request = requestAnimationFrame(() => { this.request = 0; this.frameNow(); });
  }

  frameNow() {
    if (!this.geometry || !this.width) return;
    const crisp = this.geometry.edges <= EDGES_DRAWN_AS_LINES;
    if (crisp) this.drawLines();
    else this.drawDensity();
    this.drawNodes();
    this.drawOverlay();
  }

  styleCode(node) {
    return this.marks ? this.marks[node] : 0;
  }

  sprite(mark, colourCode) {
    const id = mark * 256 + colourCode;
    let sprite = this.sprites[id];
    if (!sprite) {
      const style = this.styles[mark];
      sprite = makeSprite({
        shape: style.shape,
        radius: this.spriteRadius * style.size,
        colour: style.colour ?? this.colourOf(colourCode),
        opacity: style.opacity,
        rim: this.theme.paper,
      });
      this.sprites[id] = sprite;
    }
    return sprite;
  }

  drawNodes() {
    const radius = Math.round(this.radius() * this.ratio * 4) / 4;
    if (radius !== this.spriteRadius) { this.sprites = []; this.spriteRadius = radius; }
    const { pixels, order, colours, marks, hiddenNode } = this;
    const { positions } = this.geometry;
    const width = this.nodeCanvas.width;
    const height = this.nodeCanvas.height;
    const k = this.view.k * this.ratio;
    const left = Math.round(this.view.x * this.ratio); // the whole picture moves by whole pixels:
    const top = Math.round(this.view.y * this.ratio); // nodes keep their distances while it moves
    pixels.fill(0);
    for (let n = order.length - 1; n >= 0; n--) { // front to back: a covered pixel costs one look
      const i = order[n];
      if (hiddenNode && hiddenNode[i]) continue;
      const x = Math.round(positions[2 * i] * k) + left;
      const y = top - Math.round(positions[2 * i + 1] * k);
      if (x < -60 || y < -60 || x > width + 60 || y > height + 60) continue;
      this.stamp(this.sprite(marks ? marks[i] : 0, colours[i]), x, y, width, height, pixels);
    }
    this.nodePen.putImageData(this.image, 0, 0);
  }

  stamp(sprite, x, y, width, height, pixels) {
    const { half, count, dx, dy, rgba } = sprite;
    if (x >= half && y >= half && x < width - half && y < height - half) {
      if (sprite.width !== width) {
        sprite.offsets = dx.map((value, i) => dy[i] * width + value);
        sprite.width = width;
      }
      const offsets = sprite.offsets;
      const place = y * width + x;
      for (let p = 0; p < count; p++) {
        const at = place + offsets[p];
        const front = pixels[at];
        if (front < 0xff000000) pixels[at] = front === 0 ? rgba[p] : blend(rgba[p], front);
      }
      return;
    }
    for (let p = 0; p < count; p++) {
      const column = x + dx[p];
      const row = y + dy[p];
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const at = row * width + column;
      pixels[at] = pixels[at] === 0 ? rgba[p] : blend(rgba[p], pixels[at]);
    }
  }

  drawLines() {
    const canvas = this.edgeCanvas;
    const pen = canvas.getContext("2d");
    canvas.width = this.nodeCanvas.width;
    canvas.height = this.nodeCanvas.height;
    canvas.style.width = canvas.style.height = "100%";
    canvas.style.transform = "none";
    pen.scale(this.ratio, this.ratio);
    pen.strokeStyle = pen.fillStyle = this.theme.ink;
    pen.globalAlpha = this.geometry.edges > 400 ? 0.22 : 0.38;
    pen.lineWidth = this.geometry.edges > 400 ? 1 : 1.4;
    const all = Uint32Array.from({ length: this.geometry.edges }, (_, e) => e);
    this.strokeEdges(pen, all);
    this.edgePicture = null;
  }

  strokeEdges(pen, edges) {
    const { ends, directed } = this.geometry;
    const tips = [];
    pen.beginPath();
    for (const e of edges) {
      const i = ends[2 * e];
      const j = ends[2 * e + 1];
      if (this.hiddenNode && (this.hiddenNode[i] || this.hiddenNode[j])) continue;
      const from = this.screen(i);
      const to = this.screen(j);
      pen.moveTo(...from);
      pen.lineTo(...to);
      if (directed && tips.length < 2000) tips.push([from, to]);
    }
    pen.stroke();
    if (tips.length) this.arrowHeads(pen, tips);
  }

  arrowHeads(pen, tips) {
    const gap = this.radius() + 1;
    const size = Math.min(9, 3 + this.radius() * 0.6);
    pen.beginPath();
    for (const [[x0, y0], [x1, y1]] of tips) {
      const length = Math.hypot(x1 - x0, y1 - y0);
      if (length < gap + size + 2) continue;
      const ux = (x1 - x0) / length;
      const uy = (y1 - y0) / length;
      const x = x1 - ux * gap;
      const y = y1 - uy * gap;
      pen.moveTo(x, y);
      pen.lineTo(x - ux * size - uy * size * 0.45, y - uy * size + ux * size * 0.45);
      pen.lineTo(x - ux * size + uy * size * 0.45, y - uy * size - ux * size * 0.45);
      pen.closePath();
    }
    pen.fill();
  }

  drawDensity() {
    const still = performance.now() - this.lastMove > 100;
    if (!this.edgeWork && this.edgesOutdated(still)) this.startEdges();
    if (this.edgeWork) {
      this.edgeWork.advance(still ? 14 : 5);
      if (this.edgeWork.done) this.showEdges();
      else this.draw();
    }
    this.placeEdges();
  }

  edgesOutdated(still) {
    const shown = this.edgePicture;
    if (!shown || this.staleEdges) return true;
    const { k, x, y } = this.view;
    if (still) return shown.k !== k || Math.abs(shown.x - x) > 0.5 || Math.abs(shown.y - y) > 0.5;
    const scale = k / shown.k;
    const left = x - (shown.x + shown.marginX) * scale;
    const top = y - (shown.y + shown.marginY) * scale;
    const covered =
      left <= 0 && top <= 0 && left + shown.wide * scale >= this.width && top + shown.high * scale >= this.height;
    return !covered || scale > 1.8 || scale < 0.6;
  }

  startEdges() {
    const scale = Math.min(this.ratio, 1.5);
    const marginX = Math.round(this.width * OVERSCAN);
    const marginY = Math.round(this.height * OVERSCAN);
    const wide = this.width + 2 * marginX;
    const high = this.height + 2 * marginY;
    const { k, x, y } = this.view;
    const inner = { k: k * scale, x: (x + marginX) * scale, y: (y + marginY) * scale };
    this.edgeWork = densityOf(this.geometry, this.hiddenNode, inner, Math.round(wide * scale), Math.round(high * scale));
    this.edgeShown = { k, x, y, marginX, marginY, wide, high };
    this.staleEdges = false;
  }

  showEdges() {
    const work = this.edgeWork;
    const canvas = this.edgeCanvas;
    canvas.width = work.width;
    canvas.height = work.height;
    canvas.style.width = `${this.edgeShown.wide}px`;
    canvas.style.height = `${this.edgeShown.high}px`;
    canvas.getContext("2d").putImageData(work.picture(this.inkRgb), 0, 0);
    this.edgePicture = this.edgeShown;
    this.edgeWork = null;
    this.draw();
  }

  placeEdges() {
    const shown = this.edgePicture;
    this.edgeCanvas.style.visibility = shown ? "visible" : "hidden";
    if (!shown) return;
    const scale = this.view.k / shown.k;
    const x = this.view.x - (shown.x + shown.marginX) * scale;
    const y = this.view.y - (shown.y + shown.marginY) * scale;
    this.edgeCanvas.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  drawOverlay() {
    const pen = this.overlayCanvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.overlayCanvas.width, this.overlayCanvas.height);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.labelVisible(pen);
    for (const node of new Set([this.selected, this.hover])) if (node >= 0 && !this.hiddenNode?.[node]) this.highlight(pen, node);
  }

  highlight(pen, node) {
    const { start, edgeOf, ends } = this.geometry;
    const edges = edgeOf.subarray(start[node], start[node + 1]);
    pen.globalAlpha = edges.length > 200 ? 0.35 : 0.8;
    pen.strokeStyle = pen.fillStyle = this.theme.ink;
    pen.lineWidth = 1.2;
    this.strokeEdges(pen, edges);
    pen.globalAlpha = 1;
    for (const e of edges.subarray(0, 600)) this.paintNode(pen, ends[2 * e] === node ? ends[2 * e + 1] : ends[2 * e]);
    this.paintNode(pen, node);
    const [x, y] = this.screen(node);
    const reach = this.radius() * this.styles[this.styleCode(node)].size + 4;
    for (const [colour, width] of [[this.theme.paper, 5], [this.theme.ink, 2.5]]) {
      pen.beginPath();
      pen.arc(x, y, reach, 0, 2 * Math.PI);
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.stroke();
    }
    if (node === this.selected && node !== this.hover) this.label(pen, node, 600);
  }

  paintNode(pen, node) {
    if (this.hiddenNode?.[node]) return;
    const sprite = this.sprite(this.styleCode(node), this.colours[node]);
    const [x, y] = this.screen(node);
    const size = sprite.canvas.width / this.ratio;
    pen.drawImage(sprite.canvas, x - size / 2, y - size / 2, size, size);
  }

  labelVisible(pen) {
    const seen = [];
    for (let node = 0; node < this.geometry.nodes; node++) {
      if (this.hiddenNode?.[node]) continue;
      const [x, y] = this.screen(node);
      if (x > 0 && y > 0 && x < this.width && y < this.height) seen.push(node);
      if (seen.length > LABELLED_AT_ONCE) return;
    }
    for (const node of seen) if (node !== this.hover && node !== this.selected) this.label(pen, node, 400);
  }

  label(pen, node, weight) {
    const [x, y] = this.screen(node);
    const name = this.geometry.names[node];
    const text = name.length > 40 ? `${name.slice(0, 39)}…` : name;
    pen.font = `${weight} 12px ${this.theme.font}`;
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.lineWidth = 4;
    pen.globalAlpha = 1;
    pen.strokeStyle = this.theme.paper;
    pen.fillStyle = this.theme.ink;
    const away = this.radius() * this.styles[this.styleCode(node)].size + 7;
    const long = pen.measureText(text).width;
    const at = x + away + long > this.width && x - away - long > 0 ? x - away - long : x + away;
    pen.strokeText(text, at, y);
    pen.fillText(text, at, y);
  }

  // ------------------------------------------------------------ pointing

  place(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left - this.stage.clientLeft, event.clientY - box.top - this.stage.clientTop];
  }

  nodeAt(x, y) {
    const geometry = this.geometry;
    geometry.grid ??= gridOf(geometry);
    const { cell, columns, rows, start, members } = geometry.grid;
    const { k } = this.view;
    const worldX = (x - this.view.x) / k;
    const worldY = (this.view.y - y) / k;
    let reach = (this.radius() * Math.max(...this.styles.map((style) => style.size)) + 5) / k;
    const clamp = (value, most) => Math.max(0, Math.min(most, value));
    const column = (value) => clamp(Math.floor((value - geometry.box.left) / cell), columns - 1);
    const row = (value) => clamp(Math.floor((value - geometry.box.low) / cell), rows - 1);
    let found = -1;
    for (let r = row(worldY - reach); r <= row(worldY + reach); r++) {
      for (let c = column(worldX - reach); c <= column(worldX + reach); c++) {
        for (let m = start[r * columns + c]; m < start[r * columns + c + 1]; m++) {
          const node = members[m];
          if (this.hiddenNode?.[node]) continue;
          const away = Math.hypot(geometry.positions[2 * node] - worldX, geometry.positions[2 * node + 1] - worldY);
          if (away <= reach) { reach = away; found = node; }
        }
      }
    }
    return found;
  }

  press(event) {
    if (event.button !== 0 || !this.geometry) return;
    this.stage.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.place(event));
    if (this.pointers.size === 1) this.pressedAt = this.place(event);
    this.dragged = this.pointers.size > 1;
  }

  move(event) {
    if (!this.geometry) return;
    const here = this.place(event);
    if (!this.pointers.size) { this.setHover(this.nodeAt(...here), here); return; }
    if (!this.pointers.has(event.pointerId)) return;
    const before = [...this.pointers.values()].map((point) => [...point]);
    this.pointers.set(event.pointerId, here);
    const after = [...this.pointers.values()];
    if (!this.dragged && Math.hypot(here[0] - this.pressedAt[0], here[1] - this.pressedAt[1]) < 4) {
      this.pointers.set(event.pointerId, before[0]);
      return;
    }
    this.dragged = true;
    this.stage.classList.add("moving");
    this.setHover(-1);
    if (after.length === 1) this.panBy(after[0][0] - before[0][0], after[0][1] - before[0][1]);
    else this.pinch(before, after);
  }

  pinch([a0, b0], [a1, b1]) {
    const middle = ([ax, ay], [bx, by]) => [(ax + bx) / 2, (ay + by) / 2];
    const apart = ([ax, ay], [bx, by]) => Math.max(10, Math.hypot(ax - bx, ay - by));
    const [from, to] = [middle(a0, b0), middle(a1, b1)];
    this.panBy(to[0] - from[0], to[1] - from[1]);
    this.zoomBy(apart(a1, b1) / apart(a0, b0), ...to);
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (!this.pointers.size) this.stage.classList.remove("moving");
    if (this.dragged || event.type !== "pointerup") return;
    const node = this.nodeAt(...this.place(event));
    if (node < 0 || !this.data.clickable) return;
    this.select(node);
    this.draw();
    this.send(node);
  }

  select(node, quietly = false) {
    if (node === this.selected && !quietly) return;
    this.selected = node < this.geometry.nodes ? node : -1;
    if (this.selected < 0) { this.spoken.textContent = ""; return; }
    this.spoken.textContent = `Selected ${this.lines(node).join(", ")}`;
    if (this.width && !quietly) this.bringIntoView(node);
  }

  bringIntoView(node) {
    const [x, y] = this.screen(node);
    if (x > 20 && y > 20 && x < this.width - 20 && y < this.height - 20) return;
    this.panBy(this.width / 2 - x, this.height / 2 - y);
  }

  lines(node) {
    const { start } = this.geometry;
    const degree = start[node + 1] - start[node];
    const lines = [this.geometry.names[node], `class: ${this.className(this.colours[node])}`];
    for (const { label, names, codes } of this.details) if (names[codes[node]]) lines.push(`${label}: ${names[codes[node]]}`);
    lines.push(`${degree.toLocaleString("en")} ${this.geometry.directed ? "link" : "neighbour"}${degree === 1 ? "" : "s"}`);
    return lines;
  }

  setHover(node, place) {
    this.stage.classList.toggle("over-node", node >= 0 && this.data.clickable);
    if (node >= 0) this.placeTip(node, place);
    else this.tip.hidden = true;
    if (node === this.hover) return;
    this.hover = node;
    this.draw();
  }

  placeTip(node, [x, y]) {
    if (this.tip.hidden || node !== this.hover) {
      const [name, ...rest] = this.lines(node);
      this.tip.replaceChildren(element("strong", { textContent: name }), ...rest.map((line) => element("span", { textContent: line })));
      this.tip.hidden = false;
    }
    const { offsetWidth: wide, offsetHeight: high } = this.tip;
    const left = x + 16 + wide > this.width ? Math.max(4, x - wide - 12) : x + 16;
    const top = Math.max(4, Math.min(this.height - high - 4, y + 12));
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 160 : 48;
    const acts = {
      ArrowLeft: () => this.panBy(step, 0),
      ArrowRight: () => this.panBy(-step, 0),
      ArrowUp: () => this.panBy(0, step),
      ArrowDown: () => this.panBy(0, -step),
      "+": () => this.zoomBy(1.3),
      "=": () => this.zoomBy(1.3),
      "-": () => this.zoomBy(1 / 1.3),
      0: () => this.fit(),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  save() {
    const sheet = element("canvas", { width: this.nodeCanvas.width, height: this.nodeCanvas.height });
    const pen = sheet.getContext("2d");
    pen.fillStyle = this.theme.paper;
    pen.fillRect(0, 0, sheet.width, sheet.height);
    const shown = this.edgePicture;
    if (shown) {
      const scale = (this.view.k / shown.k) * this.ratio;
      const x = this.view.x * this.ratio - (shown.x + shown.marginX) * scale;
      const y = this.view.y * this.ratio - (shown.y + shown.marginY) * scale;
      pen.drawImage(this.edgeCanvas, x, y, shown.wide * scale, shown.high * scale);
    } else pen.drawImage(this.edgeCanvas, 0, 0);
    pen.drawImage(this.nodeCanvas, 0, 0);
    pen.drawImage(this.overlayCanvas, 0, 0);
    sheet.toBlob((blob) => {
      const address = URL.createObjectURL(blob);
      element("a", { href: address, download: "graph.png" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    });
  }
}

// ---------------------------------------------------------------- entry point

const views = new WeakMap();

function mount({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    if (!geometries.has(idOf(data))) remember(unpackGeometry(data));
    return () => {};
  }
  let view = views.get(parentElement);
  if (!view) {
    view = new GraphView(parentElement);
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
if (!window.gdrParts.graph_canvas) {
  window.gdrParts.graph_canvas = mount;
  window.gdrGeometry = withGeometry; // for search boxes over the same nodes
  for (const [id, act] of window.gdrGeometryAwaited ?? []) withGeometry(id, act);
}
window.dispatchEvent(new Event("gdr-part"));

export default (given) => window.gdrParts.graph_canvas(given);
