// Curves over a logarithmic time axis with one line that can be dragged.
//
// Two canvases: axes and curves below, drawn when they change; the line and all that follows it
// (shading, peaks, hover) above, drawn in every frame. A window event keeps the neighbourhood on
// the same page at the same time.

const WAIT = 200; // ms of rest before Python hears where the line is
const MARGIN = { left: 54, right: 16, top: 14, bottom: 42 };
const ZERO_GAP = 30; // pixels between time 0, which has no logarithm, and the first time after it
const FLOOR = 1e-3; // lowest value of a logarithmic vertical axis
const TIME_EVENT = "gdr-time";
const REMEMBERED = 6;
const REACH = 12; // pixels within which a pale curve is pointed at

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
  const times = new Float32Array(block, 0, head.times);
  const levels = new Float32Array(block, 4 * head.times, head.curves);
  const ends = new Float32Array(block, 4 * (head.times + head.curves), head.curves);
  const values = new Float32Array(block, 4 * (head.times + 2 * head.curves), head.curves * head.times);
  const floats = 4 * (head.times + 2 * head.curves + values.length);
  const peaks = new Uint16Array(block, floats, head.peaked * head.moves);
  const labels = head.labelled ? new Uint8Array(block, floats + 2 * peaks.length) : null;
  let marked = 0;
  const curves = Array.from({ length: head.curves }, (_, i) => {
    const line = values.subarray(i * head.times, (i + 1) * head.times);
    const own = head.owners[i] === 0 && marked < head.peaked ? peaks.subarray(marked * head.moves, ++marked * head.moves) : null;
    return { line, level: levels[i], end: ends[i], group: head.groups[i], owner: head.owners[i], main: head.single || head.owners[i] === 0, peaks: own };
  });
  return { ...head, times, curves, labels };
}

function remember(data) {
  known.delete(data.id);
  known.set(data.id, data);
  for (const id of known.keys()) {
    if (known.size <= REMEMBERED) break;
    known.delete(id);
  }
  for (const resume of waiting.get(data.id) ?? []) resume();
  waiting.delete(data.id);
}

// ---------------------------------------------------------------- small tools

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function swatch(colour) {
  return element("span", { className: "swatch", style: `background: ${colour}; border-color: ${colour}` });
}

function inWords(value) {
  if (value === 0) return "0";
  return Math.abs(value) >= 1000 ? value.toExponential(2) : String(Number(value.toPrecision(3)));
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
function power(exponent) {
  if (exponent >= -3 && exponent <= 3) return String(Number((10 ** exponent).toPrecision(1)));
  return "10" + (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((digit) => RAISED[digit]).join("");
}

function niceSteps(most) {
  const raw = most / 5;
  const size = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * size).find((step) => step >= raw);
}

// ---------------------------------------------------------------- the chart

class Chart {
  constructor(root) {
    this.hidden = new Set();
    this.index = 0;
    this.cursor = -1; // a time shown by another component on the page
    this.hover = null;
    this.build(root);
    this.listen();
  }

  build(root) {
    this.lower = element("canvas", { className: "curves" });
    this.upper = element("canvas", { className: "overlay" });
    for (const canvas of [this.lower, this.upper]) canvas.setAttribute("aria-hidden", "true");
    this.tip = element("div", { className: "tip", hidden: true });
    this.tip.setAttribute("aria-hidden", "true");
    this.stage = element("div", { className: "stage", tabIndex: 0 }, this.lower, this.upper, this.tip);
    this.stage.setAttribute("role", "slider");
    this.readout = element("div", { className: "readout" });
    this.readout.setAttribute("aria-hidden", "true"); // the slider says the same
    this.key = element("div", { className: "key" });
    this.key.setAttribute("role", "group");
    this.key.setAttribute("aria-label", "Curves shown");
    this.frame = element("div", { className: "frame" }, this.readout, this.stage, this.key);
    root.append(this.frame);
  }

  listen() {
    this.gone = new AbortController();
    const on = (target, names, act) => {
      for (const name of names.split(" ")) target.addEventListener(name, act, { signal: this.gone.signal });
    };
    on(this.stage, "pointerdown", (event) => this.press(event));
    on(this.stage, "pointermove", (event) => this.move(event));
    on(this.stage, "pointerup pointercancel", () => { this.dragging = false; });
    on(this.stage, "pointerleave", () => this.leave());
    on(this.stage, "keydown", (event) => this.pressKey(event));
    on(window, TIME_EVENT, (event) => this.follow(event.detail));
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.stage);
  }

  close() {
    this.gone.abort();
    this.watch.disconnect();
    cancelAnimationFrame(this.request);
    clearTimeout(this.pending);
  }

  // ------------------------------------------------------------ data from Python

  update(message, send) {
    this.send = send;
    this.wanted = message.curves;
    const data = known.get(message.curves);
    if (!data) {
      const again = () => { if (this.wanted === message.curves && !this.gone.signal.aborted) this.update(message, send); };
      waiting.set(message.curves, [...(waiting.get(message.curves) ?? []), again]);
      return;
    }
    if (this.data && JSON.stringify(this.data.legend) !== JSON.stringify(data.legend)) this.hidden.clear();
    this.data = data;
    this.message = message;
    if (!this.dragging && !this.pending) this.index = message.index;
    this.cursor = -1;
    this.leave();
    this.stage.style.height = `${message.height}px`;
    this.stage.setAttribute("aria-valuemin", "0");
    this.stage.setAttribute("aria-valuemax", String(data.moves - 1));
    this.stage.setAttribute("aria-label", `${data.handle}. ${message.label}`);
    this.buildKey();
    this.tell();
    this.resize(true);
    this.stage.dataset.ready = data.id;
  }

  readTheme() {
    const style = getComputedStyle(this.frame);
    const value = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
    this.theme = {
      ink: value("--st-text-color", "#31333f"),
      paper: value("--st-background-color", "#ffffff"),
      accent: value("--st-primary-color", "#0072b2"),
      font: value("--st-font", "sans-serif"),
    };
  }

  buildKey() {
    const used = new Set(this.data.groups);
    const buttons = this.data.legend.flatMap((group, code) => {
      if (!used.has(code)) return [];
      const button = element("button", { type: "button", title: "Click to hide or show" }, swatch(group.colour), group.name);
      button.setAttribute("aria-pressed", String(!this.hidden.has(code)));
      button.onclick = () => {
        if (!this.hidden.delete(code)) this.hidden.add(code);
        button.setAttribute("aria-pressed", String(!this.hidden.has(code)));
        this.drawLower();
        this.draw();
      };
      return [button];
    });
    this.key.replaceChildren(...buttons);
  }

  shown() {
    return this.data.curves.filter((curve) => !this.hidden.has(curve.group));
  }

  // ------------------------------------------------------------ places

  resize(force = false) {
    const width = this.stage.clientWidth;
    const height = this.stage.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    if (!width || !height || !this.data) return;
    if (!force && width === this.width && height === this.height && ratio === this.ratio) return;
    Object.assign(this, { width, height, ratio });
    for (const canvas of [this.lower, this.upper]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.readTheme();
    this.place();
    this.drawLower();
    this.drawUpper();
  }

  place() {
    const { times, curves, logarithmic } = this.data;
    const left = MARGIN.left + (times[0] === 0 ? ZERO_GAP : 0);
    const start = times[0] === 0 ? times[1] : times[0];
    const span = Math.log(times[times.length - 1] / start) || 1;
    const wide = this.width - MARGIN.right - left;
    this.xAt = (time) => (time <= 0 ? MARGIN.left : left + (wide * Math.log(time / start)) / span);
    this.xs = Float32Array.from(times, (time) => this.xAt(time));
    let most = 0;
    let least = Infinity;
    for (const curve of curves) {
      for (const value of [...curve.line, curve.level, curve.end]) {
        if (value > most) most = value;
        if (value < least) least = value;
      }
    }
    this.most = most || 1;
    this.least = least > 0.35 * most ? Math.max(0, least - 0.15 * (most - least)) : 0; // 0 unless that hides all
    const high = this.height - MARGIN.top - MARGIN.bottom;
    const bottom = this.height - MARGIN.bottom;
    if (logarithmic) {
      const top = Math.log(Math.max(this.most, 10) * 1.3);
      const low = Math.log(FLOOR);
      this.yAt = (value) => bottom - (high * (Math.log(Math.max(value, FLOOR)) - low)) / (top - low);
    } else {
      const top = this.most + 0.06 * (this.most - this.least);
      this.yAt = (value) => bottom - (high * (Math.max(value, this.least) - this.least)) / (top - this.least || 1);
    }
  }

  indexAt(x) {
    let best = 0;
    for (let i = 1; i < this.xs.length; i++) if (Math.abs(this.xs[i] - x) < Math.abs(this.xs[best] - x)) best = i;
    return best;
  }

  // The last time at which t_min can stand: the end of the time window.
  edge() {
    return this.xs[this.data.moves - 1];
  }

  // ------------------------------------------------------------ drawing

  pen(canvas) {
    const pen = canvas.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = `12px ${this.theme.font}`;
    pen.lineJoin = "round";
    return pen;
  }

  drawLower() {
    const pen = this.pen(this.lower);
    this.drawAxes(pen);
    const shown = this.shown();
    this.drawLevels(pen, shown);
    for (const curve of shown) if (!curve.main) this.drawCurve(pen, curve, 1, 0.35);
    for (const curve of shown) if (curve.main) this.drawCurve(pen, curve, this.data.single ? 1.3 : 2.4, this.data.single && curve.owner !== 0 ? 0.75 : 1);
  }

  drawAxes(pen) {
    const { times } = this.data;
    const bottom = this.height - MARGIN.bottom;
    const right = this.width - MARGIN.right;
    const rule = (x0, y0, x1, y1, alpha) => {
      pen.globalAlpha = alpha;
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
      pen.stroke();
      pen.globalAlpha = 1;
    };
    pen.strokeStyle = pen.fillStyle = this.theme.ink;
    pen.lineWidth = 1;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    if (times[0] === 0) {
      rule(this.xs[0], MARGIN.top, this.xs[0], bottom, 0.12);
      pen.fillText("0", this.xs[0], bottom + 6);
      const gap = (this.xs[0] + this.xs[1]) / 2; // the axis is broken between 0 and the rest
      for (const dx of [-2, 2]) rule(gap + dx - 2, bottom + 4, gap + dx + 2, bottom - 4, 0.8);
    }
    const first = times[0] === 0 ? times[1] : times[0];
    const from = Math.ceil(Math.log10(first) - 1e-6);
    const to = Math.floor(Math.log10(times[times.length - 1]) + 1e-6);
    const every = Math.max(1, Math.ceil((to - from + 1) / (this.width / 70)));
    for (let exponent = from; exponent <= to; exponent += every) {
      const x = this.xAt(10 ** exponent);
      rule(x, MARGIN.top, x, bottom, 0.12);
      pen.fillText(power(exponent), x, bottom + 6);
    }
    pen.fillText("time in relaxation times, t·λ₂", (MARGIN.left + right) / 2, bottom + 24);
    this.drawValues(pen, rule, right);
    rule(MARGIN.left, bottom, right, bottom, 0.6);
  }

  drawValues(pen, rule, right) {
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    if (this.data.logarithmic) {
      for (let exponent = -3; 10 ** exponent <= this.most * 1.3 || exponent <= 1; exponent++) {
        const y = this.yAt(10 ** exponent);
        rule(MARGIN.left, y, right, y, 0.12);
        pen.fillText(power(exponent), MARGIN.left - 8, y);
      }
    } else {
      const step = niceSteps(this.most - this.least || 1);
      for (let value = Math.ceil(this.least / step) * step; value <= this.most + 0.06 * (this.most - this.least); value += step) {
        rule(MARGIN.left, this.yAt(value), right, this.yAt(value), 0.12);
        pen.fillText(String(Number(value.toFixed(6))), MARGIN.left - 8, this.yAt(value));
      }
    }
    pen.save();
    pen.translate(13, (MARGIN.top + this.height - MARGIN.bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(this.data.quantity, 0, 0);
    pen.restore();
  }

  drawLevels(pen, shown) {
    pen.setLineDash([5, 5]);
    pen.lineWidth = 1.4;
    const drawn = new Set();
    for (const curve of shown) {
      const colour = this.data.single ? this.theme.ink : this.data.legend[curve.group].colour;
      const place = `${colour} ${this.yAt(curve.level).toFixed(1)}`;
      if (!curve.main || drawn.has(place)) continue;
      drawn.add(place);
      pen.strokeStyle = colour;
      pen.beginPath();
      pen.moveTo(MARGIN.left, this.yAt(curve.level));
      pen.lineTo(this.width - MARGIN.right, this.yAt(curve.level));
      pen.stroke();
    }
    this.drawEnds(pen, shown);
    pen.setLineDash([]);
    if (this.data.moves < this.data.times.length) this.drawEdge(pen);
    const late = this.data.lateFrom;
    if (late && late < this.data.times[this.data.times.length - 1]) this.drawLate(pen, this.xAt(late));
  }

  // Where a curve ends, dotted at the right, if that is not the level it is compared with.
  drawEnds(pen, shown) {
    const right = this.width - MARGIN.right;
    const from = right - 0.22 * (right - MARGIN.left);
    pen.setLineDash([1.5, 4]);
    pen.lineWidth = 2;
    for (const curve of shown) {
      if (!curve.main || Math.abs(this.yAt(curve.end) - this.yAt(curve.level)) < 2) continue;
      pen.strokeStyle = this.data.legend[curve.group].colour;
      pen.beginPath();
      pen.moveTo(from, this.yAt(curve.end));
      pen.lineTo(right, this.yAt(curve.end));
      pen.stroke();
    }
  }

  // The end of the time window: what follows is shown, but does not count.
  drawEdge(pen) {
    const x = this.edge();
    const right = this.width - MARGIN.right;
    const bottom = this.height - MARGIN.bottom;
    pen.fillStyle = pen.strokeStyle = this.theme.ink;
    pen.globalAlpha = 0.06;
    pen.fillRect(x, MARGIN.top, right - x, bottom - MARGIN.top);
    pen.globalAlpha = 0.5;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, MARGIN.top);
    pen.lineTo(x, bottom);
    pen.stroke();
    pen.globalAlpha = 1;
    const text = right - x > 120 ? "after the window" : "after";
    if (right - x < pen.measureText(text).width + 6) return;
    pen.textAlign = "left";
    pen.textBaseline = "bottom";
    pen.fillText(text, x + 4, bottom - 4);
  }

  drawLate(pen, x) {
    pen.strokeStyle = pen.fillStyle = this.theme.ink;
    pen.setLineDash([2, 3]);
    pen.beginPath();
    pen.moveTo(x, MARGIN.top);
    pen.lineTo(x, this.height - MARGIN.bottom);
    pen.stroke();
    pen.setLineDash([]);
    const fits = x + 110 < this.width;
    pen.textAlign = fits ? "left" : "right";
    pen.textBaseline = "top";
    pen.fillText(fits ? "a peak here is late →" : "late →", x + (fits ? 5 : -5), MARGIN.top);
  }

  drawCurve(pen, curve, width, alpha) {
    pen.strokeStyle = this.data.legend[curve.group].colour;
    pen.globalAlpha = alpha;
    pen.lineWidth = width;
    pen.beginPath();
    let begun = false; // on a logarithmic axis a curve begins where it rises above the floor
    for (let i = 0; i < this.xs.length; i++) {
      if (!begun && this.data.logarithmic && curve.line[i] < FLOOR) continue;
      const y = this.yAt(curve.line[i]);
      if (begun) pen.lineTo(this.xs[i], y);
      else pen.moveTo(this.xs[i], y);
      begun = true;
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  draw() {
    if (!this.request) this.request = requestAnimationFrame(() => { this.request = 0; this.drawUpper(); });
  }

  drawUpper() {
    if (!this.width) return;
    const pen = this.pen(this.upper);
    if (!this.data.single) {
      const shown = this.shown().filter((curve) => curve.main);
      for (const curve of shown) this.shade(pen, curve);
      for (const curve of shown) this.markPeak(pen, curve);
    }
    if (this.cursor >= 0 && this.cursor !== this.index) this.drawCursor(pen);
    this.drawHandle(pen);
    if (this.hover) this.drawHover(pen);
  }

  // The part beyond t_min that lies above the level.
  shade(pen, curve) {
    const base = this.yAt(curve.level);
    pen.fillStyle = this.data.legend[curve.group].colour;
    pen.globalAlpha = 0.22;
    pen.beginPath();
    pen.moveTo(this.xs[this.index], base);
    for (let i = this.index; i < this.data.moves; i++) pen.lineTo(this.xs[i], Math.min(base, this.yAt(curve.line[i])));
    pen.lineTo(this.edge(), base);
    pen.closePath();
    pen.fill();
    pen.globalAlpha = 1;
  }

  markPeak(pen, curve) {
    if (!curve.peaks) return;
    const at = curve.peaks[this.index];
    const excess = curve.line[at] - curve.level;
    const wins = this.data.labels && this.data.labels[this.index] === curve.group;
    const [x, y] = [this.xs[at], this.yAt(curve.line[at])];
    pen.beginPath();
    pen.arc(x, y, wins ? 6 : 4, 0, 2 * Math.PI);
    pen.lineWidth = 2;
    pen.strokeStyle = excess > 0 ? this.theme.paper : this.data.legend[curve.group].colour;
    pen.fillStyle = excess > 0 ? this.data.legend[curve.group].colour : this.theme.paper;
    pen.fill();
    pen.stroke();
    if (!wins || excess <= 0) return;
    const text = `Ω = ${inWords(excess)}`;
    pen.font = `600 12px ${this.theme.font}`;
    const room = pen.measureText(text).width + 14;
    const leftwards = x + room > this.width - MARGIN.right;
    pen.textAlign = leftwards ? "right" : "left";
    pen.textBaseline = "middle";
    this.write(pen, text, x + (leftwards ? -10 : 10), Math.max(y, MARGIN.top + 8));
  }

  write(pen, text, x, y) {
    pen.lineWidth = 4;
    pen.strokeStyle = this.theme.paper;
    pen.fillStyle = this.theme.ink;
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }

  drawCursor(pen) {
    pen.strokeStyle = this.theme.ink;
    pen.globalAlpha = 0.7;
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo(this.xs[this.cursor], MARGIN.top);
    pen.lineTo(this.xs[this.cursor], this.height - MARGIN.bottom);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  drawHandle(pen) {
    const x = this.xs[this.index];
    const bottom = this.height - MARGIN.bottom;
    pen.strokeStyle = pen.fillStyle = this.theme.accent;
    pen.lineWidth = 2.5;
    pen.beginPath();
    pen.moveTo(x, MARGIN.top - 4);
    pen.lineTo(x, bottom);
    pen.stroke();
    const middle = (MARGIN.top + bottom) / 2;
    pen.beginPath();
    pen.roundRect(x - 6, middle - 15, 12, 30, 5);
    pen.fill();
    pen.strokeStyle = this.theme.paper;
    pen.lineWidth = 1.2;
    for (const dx of [-2, 2]) {
      pen.beginPath();
      pen.moveTo(x + dx, middle - 7);
      pen.lineTo(x + dx, middle + 7);
      pen.stroke();
    }
  }

  drawHover(pen) {
    for (const { curve, at } of this.hover.points) {
      pen.beginPath();
      pen.arc(this.xs[at], this.yAt(curve.line[at]), 3, 0, 2 * Math.PI);
      pen.fillStyle = this.data.legend[curve.group].colour;
      pen.fill();
    }
    if (this.data.single && this.hover.points.length) this.drawCurve(pen, this.hover.points[0].curve, 3, 1);
    if (this.hover.pale.length) this.drawCurve(pen, this.hover.pale[0], 2, 1);
  }

  // ------------------------------------------------------------ pointing and keys

  spot(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left - this.stage.clientLeft, event.clientY - box.top - this.stage.clientTop];
  }

  press(event) {
    if (event.button !== 0 || !this.data) return;
    this.stage.setPointerCapture(event.pointerId);
    this.dragging = true;
    this.leave();
    this.moveTo(this.indexAt(this.spot(event)[0]));
  }

  move(event) {
    if (!this.data || !this.xs) return;
    const [x, y] = this.spot(event);
    if (this.dragging) this.moveTo(this.indexAt(x));
    else this.readAt(x, y);
  }

  pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.data) return;
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -1e9, End: 1e9 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    this.moveTo(this.index + steps[event.key]);
  }

  moveTo(index) {
    const next = Math.max(0, Math.min(this.data.moves - 1, index));
    if (next === this.index) return;
    this.index = next;
    this.cursor = -1;
    this.tell();
    this.draw();
    window.dispatchEvent(new CustomEvent(TIME_EVENT, { detail: { from: "line", index: next } }));
    clearTimeout(this.pending);
    this.pending = setTimeout(() => { this.pending = 0; if (this.message.listens) this.send(this.index); }, WAIT);
  }

  follow({ from, index }) {
    if (from === "line" || !this.data || index >= this.data.times.length) return;
    this.cursor = index;
    this.draw();
  }

  tell() {
    const { times, handle, labels, legend } = this.data;
    const number = element("span", { className: "number", textContent: inWords(times[this.index]) });
    const parts = [element("span", {}, `${handle} = `, number)];
    let spoken = `${inWords(times[this.index])} relaxation times`;
    if (labels) {
      const winner = legend[labels[this.index]];
      parts.push("→", element("span", { className: "winner", textContent: winner.name, style: `border-color: ${winner.colour}` }));
      spoken += `, label ${winner.name}`;
    }
    this.readout.replaceChildren(...parts);
    this.stage.setAttribute("aria-valuenow", String(this.index));
    this.stage.setAttribute("aria-valuetext", spoken);
  }

  // ------------------------------------------------------------ reading values

  readAt(x, y) {
    const at = this.indexAt(x);
    const main = this.shown().filter((curve) => curve.main);
    const away = (curve) => Math.abs(this.yAt(curve.line[at]) - y);
    const read = this.data.single ? main.sort((a, b) => away(a) - away(b)).slice(0, 1) : main.sort((a, b) => b.line[at] - a.line[at]);
    if (!read.length || x < MARGIN.left - 10) { this.leave(); return; }
    const pale = this.paleAt(at, y);
    this.hover = { points: read.map((curve) => ({ curve, at })), pale };
    const title = element("strong", { textContent: `t·λ₂ = ${inWords(this.data.times[at])}` });
    const rows = this.data.single ? this.nodeRows(read[0], at) : read.map((curve) => this.classRow(curve, at));
    this.tip.replaceChildren(title, ...rows, ...this.paleRows(pale, at));
    this.tip.hidden = false;
    const { offsetWidth: wide, offsetHeight: high } = this.tip;
    const left = x + 18 + wide > this.width ? Math.max(4, x - wide - 14) : x + 18;
    const top = Math.max(4, Math.min(this.height - high - 4, y + 12));
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    this.draw();
  }

  // The pale curve that is pointed at, if any, then those that lie on top of it.
  paleAt(at, y) {
    const away = (curve) => Math.abs(this.yAt(curve.line[at]) - y);
    const near = this.shown().filter((curve) => !curve.main && away(curve) <= REACH).sort((a, b) => away(a) - away(b));
    return near.filter((curve) => away(curve) - away(near[0]) < 1);
  }

  paleRows(pale, at) {
    if (!pale.length) return [];
    const others = new Set(pale.map((curve) => curve.owner)).size - 1;
    const more = others ? ` and ${others} more` : "";
    return [element("strong", { className: "pale", textContent: `Pale: ${this.data.names[pale[0].owner]}${more}` }), this.classRow(pale[0], at)];
  }

  classRow(curve, at) {
    const { name, colour } = this.data.legend[curve.group];
    const above = curve.line[at] - curve.level;
    const text = `${curve.line[at].toFixed(3)} (${above < 0 ? "−" : "+"}${Math.abs(above).toFixed(3)})`;
    return element("span", { className: "row" }, swatch(colour), name, element("span", { className: "value", textContent: text }));
  }

  nodeRows(curve, at) {
    const { name, colour } = this.data.legend[curve.group];
    return [
      element("span", { className: "row" }, swatch(colour), `${this.data.names[curve.owner]}: ${name}`),
      element("span", { className: "row", textContent: `${inWords(curve.line[at])} times its stationary value` }),
    ];
  }

  leave() {
    this.tip.hidden = true;
    if (!this.hover) return;
    this.hover = null;
    this.draw();
  }
}

// ---------------------------------------------------------------- entry point

const charts = new WeakMap();

function mount({ data, parentElement, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    if (!known.has(headOf(data).head.id)) remember(unpack(data));
    return () => {};
  }
  let chart = charts.get(parentElement);
  if (!chart) {
    chart = new Chart(parentElement);
    charts.set(parentElement, chart);
  }
  chart.update(data, (index) => setTriggerValue("moved", index));
  return () => {
    chart.close();
    charts.delete(parentElement);
  };
}

// The first copy of this code serves the whole page: it holds what has arrived so far.
window.gdrParts ??= {};
window.gdrParts.trajectory_canvas ??= mount;
window.dispatchEvent(new Event("gdr-part"));

export default (given) => window.gdrParts.trajectory_canvas(given);
