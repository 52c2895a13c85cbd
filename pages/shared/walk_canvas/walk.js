// A walk on a small graph: each node is a disc whose area is its mass. A handful of nodes, so
// plain SVG does; a step only changes radii and numbers, and the style sheet moves them smoothly.

const SVG = "http://www.w3.org/2000/svg";
const STEPS_PER_SECOND = 2;
const WIDTH = 360;
const HEIGHT = 290;
const MARGIN = 52;
const ICONS = {
  Play: "M7 4v16l13-8z",
  Pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  "Back to the start": "M5 5h3v14H5zM20 5v14L9 12z",
  "One step back": "M16 5v14L6 12z",
  "One step on": "M8 5v14l10-7z",
};

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function icon(name) {
  return drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: ICONS[name] }));
}

function percent(share) {
  const value = 100 * share;
  return `${value >= 9.95 || value === 0 ? value.toFixed(0) : value.toFixed(1)}%`;
}

// Places of the nodes in the picture, and the largest disc that keeps neighbours apart.
function arrange(places) {
  const xs = places.map(([x]) => x);
  const ys = places.map(([, y]) => y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((WIDTH - 2 * MARGIN) / Math.max(right - left, 1e-9), (HEIGHT - 2 * MARGIN) / Math.max(high - low, 1e-9));
  const points = places.map(([x, y]) => [
    WIDTH / 2 + scale * (x - (left + right) / 2),
    HEIGHT / 2 - scale * (y - (low + high) / 2),
  ]);
  let nearest = Infinity;
  points.forEach(([x, y], i) => points.slice(0, i).forEach(([u, v]) => (nearest = Math.min(nearest, Math.hypot(x - u, y - v)))));
  return { points, radius: Math.min(26, 0.4 * nearest) };
}

// For each node the direction, of eight, in which its label is farthest from nodes and arrows.
function labelPlaces({ points, radius }, links) {
  const toSegment = ([x, y], [x0, y0], [x1, y1]) => {
    const square = (x1 - x0) ** 2 + (y1 - y0) ** 2;
    const along = Math.max(0, Math.min(1, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / square));
    return Math.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0));
  };
  return points.map(([x, y], i) => {
    let best = { clear: -1 };
    for (let k = 0; k < 8; k++) {
      const angle = (k * Math.PI) / 4;
      const place = [x + Math.cos(angle) * (radius + 20), y - Math.sin(angle) * (radius + 15)];
      const inside = place[0] > 22 && place[0] < WIDTH - 22 && place[1] > 14 && place[1] < HEIGHT - 14;
      const clear = Math.min(
        ...links.map(([a, b]) => toSegment(place, points[a], points[b])),
        ...points.map((point, j) => (i === j ? Infinity : Math.hypot(place[0] - point[0], place[1] - point[1]) - radius)),
      );
      if (inside && clear > best.clear) best = { clear, place };
    }
    return best.place ?? [x, y + radius + 15];
  });
}

class Panel {
  constructor(scene, { title, film }, { points, radius, labels }) {
    this.film = film;
    this.traps = new Set(scene.traps);
    this.radius = radius;
    this.picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
    for (const [i, j] of scene.links) this.picture.append(...this.arrow(points[i], points[j], scene.deadEnds.includes(j)));
    this.nodes = points.map((point, i) => this.node(point, labels[i], scene.names[i], this.traps.has(i), scene.deadEnds.includes(i)));
    this.free = element("span", { className: "free" });
    this.caught = element("span", { className: "caught" });
    this.bar = element("div", { className: "bar" }, this.caught, this.free);
    this.sums = element("p", { className: "sums" });
    this.figure = element("figure", { className: "panel" }, element("figcaption", { textContent: title }), this.picture, this.bar, this.sums);
  }

  // From rim to rim; the rim of a square is farther away towards its corners.
  arrow([x0, y0], [x1, y1], intoSquare) {
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
    const gap = this.radius + 2;
    const reach = intoSquare ? gap / Math.max(Math.abs(ux), Math.abs(uy)) : gap;
    const [x, y] = [x1 - ux * reach, y1 - uy * reach];
    const size = 7;
    const line = drawn("line", { class: "link", x1: x0 + ux * gap, y1: y0 + uy * gap, x2: x - ux * size, y2: y - uy * size });
    const corners = [[x, y], [x - ux * size - uy * 3.5, y - uy * size + ux * 3.5], [x - ux * size + uy * 3.5, y - uy * size - ux * 3.5]];
    return [line, drawn("path", { class: "tip", d: `M${corners.map((corner) => corner.join(",")).join("L")}Z` })];
  }

  // A dead end is drawn as a square: shape tells it, not colour alone.
  node([x, y], [labelX, labelY], name, trap, deadEnd) {
    const r = this.radius;
    const outline = deadEnd
      ? drawn("rect", { class: "outline", x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 3 })
      : drawn("circle", { class: "outline", cx: x, cy: y, r });
    const mass = drawn("circle", { class: "mass", cx: x, cy: y, r: 0 });
    const label = drawn("text", { class: "name", x: labelX, y: labelY - 2 });
    const share = drawn("text", { class: "share", x: labelX, y: labelY + 11 });
    label.textContent = name;
    this.picture.append(drawn("g", { class: trap ? "node trap" : "node" }, outline, mass, label, share));
    return { mass, share };
  }

  show(step) {
    const masses = this.film[step];
    masses.forEach((mass, i) => {
      this.nodes[i].mass.style.r = `${this.radius * Math.sqrt(mass)}px`;
      this.nodes[i].share.textContent = percent(mass);
    });
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    const caught = masses.reduce((sum, mass, i) => sum + (this.traps.has(i) ? mass : 0), 0);
    this.free.style.width = `${100 * (total - caught)}%`;
    this.caught.style.width = `${100 * caught}%`;
    const lost = Math.abs(1 - total) < 5e-5 ? "nothing lost" : `${percent(1 - total)} lost`;
    this.sums.textContent = `${percent(caught)} where no way leads out, ${percent(total - caught)} elsewhere, ${lost}`;
    return `${this.figure.querySelector("figcaption").textContent}: ${this.sums.textContent}`;
  }
}

class Film {
  constructor(root) {
    this.step = 0;
    this.timer = null;
    this.panels = [];
    this.grid = element("div", { className: "panels" });
    this.spoken = element("div", { className: "spoken" });
    this.spoken.setAttribute("aria-live", "polite");
    this.frame = element("div", { className: "frame" }, this.grid, this.player(), this.spoken);
    this.frame.setAttribute("role", "group");
    root.append(this.frame);
  }

  player() {
    const button = (name, act, className = "") => {
      const made = element("button", { type: "button", title: name, onclick: act, className }, icon(name));
      made.setAttribute("aria-label", name);
      return made;
    };
    this.playButton = button("Play", () => this.toggle(), "play");
    this.slider = element("input", { type: "range", min: 0, step: 1, oninput: () => this.go(Number(this.slider.value)) });
    this.slider.setAttribute("aria-label", "Step of the walk");
    this.counter = element("output");
    return element(
      "div",
      { className: "player" },
      button("Back to the start", () => this.go(0)),
      button("One step back", () => this.go(this.step - 1)),
      this.playButton,
      button("One step on", () => this.go(this.step + 1)),
      this.slider,
      this.counter,
    );
  }

  update(data) {
    const { label, ...scene } = data;
    const content = JSON.stringify(scene);
    this.frame.setAttribute("aria-label", label);
    if (content === this.content) return;
    this.content = content;
    this.pause();
    const arrangement = arrange(scene.places);
    arrangement.labels = labelPlaces(arrangement, scene.links);
    this.panels = scene.panels.map((panel) => new Panel(scene, panel, arrangement));
    this.grid.replaceChildren(...this.panels.map((panel) => panel.figure));
    this.last = scene.panels[0].film.length - 1;
    this.slider.max = this.last;
    this.show(Math.min(this.step, this.last));
  }

  show(step) {
    this.step = Math.max(0, Math.min(this.last, step));
    const texts = this.panels.map((panel) => panel.show(this.step));
    this.slider.value = this.step;
    this.counter.textContent = `step ${this.step} of ${this.last}`;
    this.frame.dataset.step = this.step;
    return texts.join(". ");
  }

  // By hand: the film stops, and the numbers are read out.
  go(step) {
    this.pause();
    const text = this.show(step);
    this.spoken.textContent = `Step ${this.step}. ${text}`;
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.step === this.last) this.show(0);
    this.name("Pause");
    this.timer = setInterval(() => {
      this.show(this.step + 1);
      if (this.step === this.last) this.pause();
    }, 1000 / STEPS_PER_SECOND);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.name("Play");
  }

  name(name) {
    this.playButton.replaceChildren(icon(name));
    this.playButton.title = name;
    this.playButton.setAttribute("aria-label", name);
  }
}

const films = new WeakMap();

export default function ({ data, parentElement }) {
  let film = films.get(parentElement);
  if (!film) {
    film = new Film(parentElement);
    films.set(parentElement, film);
  }
  film.update(data);
  return () => {
    film.pause();
    film.frame.remove();
    films.delete(parentElement);
  };
}
