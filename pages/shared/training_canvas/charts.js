// Charts of training runs: every update redraws small canvases, which takes about a millisecond.

const MARGIN = { left: 50, right: 12, top: 10, bottom: 34 };
const HEAT = "0, 114, 178"; // the first class colour; more opaque is more accurate
const MOST_ROWS = 8; // lines named by the tooltip

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function stroke(colour, dash) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 28 10");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", "M1 5H27");
  line.setAttribute("stroke", colour || "currentColor");
  line.setAttribute("stroke-width", colour ? "4" : "2");
  line.setAttribute("stroke-dasharray", dash.join(" "));
  svg.append(line);
  return svg;
}

function steps(low, high, count) {
  const raw = (high - low) / count || 1;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((one) => one >= raw);
  const found = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + 1e-9 * step; value += step) found.push(Number(value.toPrecision(10)));
  return found;
}

function logSteps(low, high) {
  const found = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++)
    for (const digit of [1, 2, 5]) if (digit * 10 ** exponent >= low * 0.999 && digit * 10 ** exponent <= high * 1.001) found.push(digit * 10 ** exponent);
  return found;
}

const short = (value) => (Math.abs(value) >= 1e5 ? value.toExponential(1) : String(Number(value.toPrecision(3))));
const percent = (value) => `${(100 * value).toFixed(1)}%`;
const heatColour = (share) => `rgba(${HEAT}, ${0.05 + 0.85 * share * share})`;

class Panel {
  constructor() {
    this.canvas = element("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    this.tip = element("div", { className: "tip", hidden: true });
    this.tip.setAttribute("aria-hidden", "true");
    this.stage = element("div", { className: "stage" }, this.canvas, this.tip);
    this.stage.setAttribute("role", "img");
    this.title = element("div", { className: "title" });
    this.box = element("div", {}, this.title, this.stage);
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.stage);
    this.stage.addEventListener("pointermove", (event) => this.point(event));
    this.stage.addEventListener("pointerleave", () => { this.at = null; this.draw(); });
  }

  update(data) {
    this.data = data;
    this.stage.setAttribute("aria-label", data.alt);
    this.title.replaceChildren(data.title);
    if (data.heat) this.title.append(this.scale(data.heat));
    this.draw();
  }

  // Columns are shaded by their distance from their own best value: accuracy rises so much during
  // a run that one scale for all would hide what the rows say.
  scale(heat) {
    const worst = Math.max(...heat.values.at(-1).map((value) => Math.max(...heat.values.at(-1)) - value));
    this.span = Math.min(Math.max(worst, 0.02), 0.2);
    const ramp = [0, 0.25, 0.5, 0.75, 1].map(heatColour).join(", ");
    return element("span", { className: "scale" }, `${heat.title}: −${(100 * this.span).toFixed(1)}`, element("i", { style: `background: linear-gradient(to right, ${ramp})` }), "best");
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!this.data || !width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const style = getComputedStyle(this.stage);
    this.ink = style.getPropertyValue("--st-text-color").trim() || "#31333f";
    this.paper = style.getPropertyValue("--st-background-color").trim() || "#ffffff";
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = `11.5px ${style.getPropertyValue("--st-font").trim() || "sans-serif"}`;
    this.area = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
    if (this.data.kind === "lines") this.drawLines(pen);
    else this.drawBars(pen);
  }

  // ------------------------------------------------------------ lines

  drawLines(pen) {
    const { lines, heat, logarithmic, last } = this.data;
    const values = lines.flatMap((line) => line.y).concat(heat ? [heat.levels[0], heat.levels.at(-1)] : []).filter((value) => value !== null && (!logarithmic || value > 0));
    let [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : logarithmic ? [1, 10] : [0, 1];
    if (!logarithmic) {
      if (this.data.percent) { low = Math.max(0, Math.floor(low * 10) / 10); high = Math.min(1, Math.ceil(high * 10 + 1e-9) / 10); }
      const gap = 0.05 * (high - low) || 0.5;
      if (!this.data.percent) [low, high] = [Math.max(0, low - gap), high + gap];
    } else if (low === high) [low, high] = [low / 2, high * 2];
    const { left, right, top, bottom } = this.area;
    const lift = logarithmic ? Math.log : (value) => value;
    this.x = (epoch) => left + ((right - left) * (epoch - 1)) / Math.max(last - 1, 1);
    this.y = (value) => bottom - ((bottom - top) * (lift(value) - lift(low))) / (lift(high) - lift(low) || 1);
    if (heat) this.drawHeat(pen, heat);
    this.axes(pen, logarithmic ? logSteps(low, high) : steps(low, high, 5), steps(1, Math.max(last, 2), Math.min(6, (right - left) / 70)), "epoch");
    pen.save();
    pen.beginPath();
    pen.rect(left, top - 4, right - left + 4, bottom - top + 8);
    pen.clip();
    for (const line of [...lines].sort((a, b) => a.strong - b.strong)) this.drawLine(pen, line);
    pen.restore();
    this.tipLines(pen);
  }

  drawHeat(pen, heat) {
    const { right } = this.area;
    const ends = heat.epochs.slice(1).concat(this.reached());
    const half = Math.sqrt(heat.levels[1] / heat.levels[0]);
    heat.values.forEach((column, i) => {
      const best = Math.max(...column);
      const from = this.x(i ? heat.epochs[i] : 1);
      const to = Math.min(right, Math.max(this.x(ends[i]), from + 2));
      column.forEach((value, j) => {
        if (value === null) return;
        const [upper, lower] = [this.y(Math.min(heat.levels[j] * half, heat.levels.at(-1))), this.y(Math.max(heat.levels[j] / half, heat.levels[0]))];
        pen.fillStyle = heatColour(Math.max(0, 1 - (best - value) / this.span));
        pen.fillRect(from, upper, to - from + 0.5, lower - upper + 0.5);
      });
    });
  }

  reached() {
    return Math.max(1, ...this.data.lines.filter((line) => line.strong).map((line) => line.x.at(-1) ?? 1));
  }

  drawLine(pen, line) {
    pen.beginPath();
    line.x.forEach((epoch, i) => { if (line.y[i] !== null) pen.lineTo(this.x(epoch), this.y(line.y[i])); });
    pen.lineJoin = "round";
    if (!line.colour && this.data.heat) { // ink on a coloured ground needs a rim
      pen.strokeStyle = this.paper;
      pen.lineWidth = 6;
      pen.stroke();
    }
    pen.setLineDash(line.dash);
    pen.strokeStyle = line.colour || this.ink;
    pen.lineWidth = line.strong ? 2.4 : 1.2;
    pen.globalAlpha = line.strong ? 1 : 0.75;
    pen.stroke();
    pen.globalAlpha = 1;
    pen.setLineDash([]);
    const end = line.x.length - 1;
    if (line.strong && end >= 0 && line.y[end] !== null) {
      pen.beginPath();
      pen.arc(this.x(line.x[end]), this.y(line.y[end]), 3.2, 0, 2 * Math.PI);
      pen.fillStyle = line.colour || this.ink;
      pen.fill();
    }
  }

  axes(pen, ys, xs, name) {
    const { left, right, top, bottom } = this.area;
    pen.strokeStyle = pen.fillStyle = this.ink;
    pen.lineWidth = 1;
    const rule = (x0, y0, x1, y1, alpha) => {
      pen.globalAlpha = alpha;
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
      pen.stroke();
      pen.globalAlpha = 1;
    };
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const value of ys) {
      rule(left, this.y(value), right, this.y(value), 0.13);
      pen.fillText(this.data.percent ? `${Math.round(100 * value)}%` : short(value), left - 6, this.y(value));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const value of xs) pen.fillText(short(value), this.x(value), bottom + 4);
    pen.fillText(name, (left + right) / 2, bottom + 19);
    rule(left, bottom, right, bottom, 0.6);
  }

  // ------------------------------------------------------------ bars

  drawBars(pen) {
    const { edges, counts, colours, axis } = this.data;
    const totals = edges.slice(1).map((_, i) => counts.reduce((sum, row) => sum + row[i], 0));
    const most = Math.max(1, ...totals);
    const { left, right, top, bottom } = this.area;
    this.x = (value) => left + ((right - left) * (value - edges[0])) / (edges.at(-1) - edges[0]);
    this.y = (value) => bottom - ((bottom - top) * value) / (most * 1.05);
    this.axes(pen, steps(0, most, 4), steps(edges[0], edges.at(-1), 5), axis);
    totals.forEach((_, i) => {
      let base = 0;
      counts.forEach((row, k) => {
        pen.fillStyle = colours[k];
        pen.fillRect(this.x(edges[i]) + 0.5, this.y(base + row[i]), this.x(edges[i + 1]) - this.x(edges[i]) - 1, this.y(base) - this.y(base + row[i]));
        base += row[i];
      });
    });
    this.tipBars();
  }

  // ------------------------------------------------------------ reading

  point(event) {
    const box = this.stage.getBoundingClientRect();
    this.at = [event.clientX - box.left, event.clientY - box.top];
    this.draw();
  }

  tipLines(pen) {
    if (!this.at) { this.tip.hidden = true; return; }
    const { left, right, top, bottom } = this.area;
    const { last, lines, heat, percent: inPercent } = this.data;
    const epoch = Math.round(1 + ((this.at[0] - left) / (right - left)) * Math.max(last - 1, 1));
    const near = lines.flatMap((line) => {
      if (!line.x.length || epoch < line.x[0] || epoch > line.x.at(-1)) return [];
      const i = line.x.reduce((best, x, j) => (Math.abs(x - epoch) < Math.abs(line.x[best] - epoch) ? j : best), 0);
      return line.y[i] === null ? [] : [{ line, value: line.y[i] }];
    });
    const rows = near.slice(0, MOST_ROWS).map(({ line, value }) => row(line.colour || this.ink, line.name, inPercent ? percent(value) : short(value)));
    if (heat) rows.push(...this.heatRow(heat, epoch));
    if (!rows.length) { this.tip.hidden = true; return; }
    pen.strokeStyle = this.ink;
    pen.globalAlpha = 0.5;
    pen.beginPath();
    pen.moveTo(this.x(epoch), top);
    pen.lineTo(this.x(epoch), bottom);
    pen.stroke();
    pen.globalAlpha = 1;
    this.showTip(`epoch ${epoch.toLocaleString("en")}`, rows);
  }

  heatRow(heat, epoch) {
    const y = this.at[1];
    const column = heat.epochs.reduce((best, one, i) => (one <= epoch ? i : best), -1);
    if (column < 0 || epoch > this.reached()) return [];
    const level = heat.levels.reduce((best, one, j) => (Math.abs(this.y(one) - y) < Math.abs(this.y(heat.levels[best]) - y) ? j : best), 0);
    const value = heat.values[column][level];
    return value === null ? [] : [row(`rgb(${HEAT})`, `with t fixed at ${short(heat.levels[level])}`, percent(value))];
  }

  tipBars() {
    const { edges, counts, names, colours } = this.data;
    const i = this.at ? edges.findIndex((edge, j) => j + 1 < edges.length && this.at[0] >= this.x(edge) && this.at[0] < this.x(edges[j + 1])) : -1;
    if (i < 0) { this.tip.hidden = true; return; }
    const rows = names.flatMap((name, k) => (counts[k][i] ? [row(colours[k], name, counts[k][i].toLocaleString("en"))] : []));
    this.showTip(`${short(edges[i])} to ${short(edges[i + 1])}`, rows.slice(0, MOST_ROWS));
  }

  showTip(title, rows) {
    this.tip.replaceChildren(element("strong", { textContent: title }), ...rows);
    this.tip.hidden = false;
    const { offsetWidth: wide, offsetHeight: high } = this.tip;
    const [x, y] = this.at;
    const left = x + 16 + wide > this.stage.clientWidth ? Math.max(4, x - wide - 12) : x + 16;
    const top = Math.max(4, Math.min(this.stage.clientHeight - high - 4, y + 10));
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

function row(colour, name, value) {
  return element("span", { className: "row" }, element("span", { className: "swatch", style: `background: ${colour}` }), name, element("b", { textContent: value }));
}

class Charts {
  constructor(root) {
    this.panels = [];
    this.key = element("div", { className: "key" });
    this.grid = element("div", { className: "panels" });
    this.frame = element("div", { className: "frame" }, this.key, this.grid);
    root.append(this.frame);
  }

  update(data) {
    const shown = JSON.stringify([data.legend, data.styles]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.key.replaceChildren(...[...data.legend, ...data.styles].map(({ name, colour, dash }) => element("span", {}, stroke(colour, dash), name)));
    }
    while (this.panels.length < data.panels.length) {
      const panel = new Panel();
      this.panels.push(panel);
      this.grid.append(panel.box);
    }
    for (const panel of this.panels.splice(data.panels.length)) { panel.watch.disconnect(); panel.box.remove(); }
    this.panels.forEach((panel, i) => panel.update(data.panels[i]));
    this.frame.dataset.ready = String(Number(this.frame.dataset.ready || 0) + 1);
  }

  close() {
    for (const panel of this.panels) panel.watch.disconnect();
    this.frame.remove();
  }
}

const charts = new WeakMap();

export default function ({ data, parentElement }) {
  let made = charts.get(parentElement);
  if (!made) {
    made = new Charts(parentElement);
    charts.set(parentElement, made);
  }
  made.update(data);
  return () => {
    made.close();
    charts.delete(parentElement);
  };
}
