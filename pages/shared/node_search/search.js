// A combo box over the names of a graph's nodes. Matches are looked up here; at most a few dozen
// are shown, those that begin with what was typed first.

const SHOWN = 40;
let counter = 0;

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Names that occur more than once get their number, as in Python's `cached.node_labels`.
function labelsOf(geometry) {
  if (geometry.labels) return geometry.labels;
  const times = new Map();
  for (const name of geometry.names) times.set(name, (times.get(name) ?? 0) + 1);
  geometry.labels = geometry.names.map((name, node) => (times.get(name) > 1 ? `${name} (node ${node})` : name));
  return geometry.labels;
}

class Search {
  constructor(root) {
    const id = `gdr-search-${++counter}`;
    this.label = element("label", { htmlFor: id });
    this.input = element("input", { id, type: "text", autocomplete: "off", spellcheck: false });
    for (const [name, value] of Object.entries({ role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": `${id}-list` })) this.input.setAttribute(name, value);
    this.list = element("div", { id: `${id}-list`, className: "list", hidden: true });
    this.list.setAttribute("role", "listbox");
    this.clear = element("button", { type: "button", className: "clear", textContent: "×", hidden: true });
    this.clear.setAttribute("aria-label", "Choose no node");
    this.none = element("div", { className: "none", hidden: true });
    const status = element("div", {}, this.none); // announced by screen readers when it fills
    status.setAttribute("role", "status");
    root.append(element("div", { className: "search" }, this.label, this.input, this.clear, this.list, status));
    this.matches = [];
    this.active = -1;
    this.input.addEventListener("input", () => this.open());
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.input.addEventListener("blur", () => this.rest());
    this.clear.addEventListener("click", () => this.choose(-1));
  }

  update(data, send) {
    this.send = send;
    this.data = data;
    this.label.textContent = data.label;
    this.list.setAttribute("aria-label", data.label);
    this.input.placeholder = data.hint;
    this.geometry = null;
    window.gdrGeometry(data.geometry, (geometry) => {
      if (this.data !== data) return;
      this.geometry = geometry;
      if (!this.typing()) this.rest();
    });
  }

  typing() {
    return !this.list.hidden || !this.none.hidden;
  }

  // What the box shows when nobody types in it: the chosen node.
  rest() {
    const { selected } = this.data;
    this.close();
    this.input.value = selected === null || !this.geometry ? "" : labelsOf(this.geometry)[selected];
    this.clear.hidden = selected === null;
  }

  open() {
    if (!this.geometry) return;
    const typed = this.input.value.trim().toLowerCase();
    const labels = labelsOf(this.geometry);
    const begins = [];
    const contains = [];
    for (let node = 0; node < labels.length && begins.length < SHOWN; node++) {
      const at = labels[node].toLowerCase().indexOf(typed);
      if (at === 0) begins.push(node);
      else if (at > 0 && contains.length < SHOWN) contains.push(node);
    }
    begins.sort((a, b) => labels[a].length - labels[b].length || a - b);
    this.matches = [...begins, ...contains].slice(0, SHOWN);
    this.list.replaceChildren(...this.matches.map((node, place) => this.option(labels[node], place)));
    this.list.hidden = !this.matches.length;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.none.hidden = this.matches.length > 0;
    this.none.textContent = this.none.hidden ? "" : `No node’s name contains “${this.input.value.trim()}”.`;
    this.point(typed && this.matches.length ? 0 : -1);
  }

  option(text, place) {
    const made = element("div", { id: `${this.input.id}-${place}`, textContent: text });
    made.setAttribute("role", "option");
    made.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
    made.addEventListener("click", () => this.choose(this.matches[place]));
    return made;
  }

  point(place) {
    this.active = place;
    [...this.list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === place)));
    if (place < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", this.list.children[place].id);
      this.list.children[place].scrollIntoView({ block: "nearest" });
    }
  }

  press(event) {
    const last = this.matches.length - 1;
    const acts = {
      ArrowDown: () => (this.typing() ? this.point(Math.min(last, this.active + 1)) : this.open()),
      ArrowUp: () => this.point(Math.max(0, this.active - 1)),
      Escape: () => this.rest(),
      Enter: () => {
        if (!this.input.value.trim()) this.choose(-1);
        else if (this.typing() && this.active >= 0) this.choose(this.matches[this.active]);
      },
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  choose(node) {
    this.data = { ...this.data, selected: node < 0 ? null : node };
    this.rest();
    this.send(node);
  }

  close() {
    this.list.hidden = this.none.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}

const boxes = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  // The canvas that knows the names may be mounted after this box.
  window.gdrGeometryAwaited ??= [];
  window.gdrGeometry ??= (id, act) => window.gdrGeometryAwaited.push([id, act]);
  let box = boxes.get(parentElement);
  if (!box) {
    box = new Search(parentElement);
    boxes.set(parentElement, box);
  }
  box.update(data, (node) => setTriggerValue("chosen", node));
  return () => boxes.delete(parentElement);
}
