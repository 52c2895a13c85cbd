// A table whose numbers are buttons. One of them takes part in the tab order; arrows move on.

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function heads(columns) {
  const rows = [];
  if (columns.some(({ group }) => group)) {
    const top = element("tr", {}, element("td"));
    for (let i = 0; i < columns.length; ) {
      let wide = 1;
      while (columns[i + wide]?.group === columns[i].group) wide++;
      top.append(element("th", { scope: "colgroup", colSpan: wide, className: "group", textContent: columns[i].group }));
      i += wide;
    }
    rows.push(top);
  }
  const names = columns.map(({ name }) => element("th", { scope: "col", textContent: name }));
  rows.push(element("tr", {}, element("td"), ...names));
  return element("thead", {}, ...rows);
}

function arrow(difference) {
  if (difference.startsWith("+")) return "▲ ";
  return difference.startsWith("−") ? "▼ " : "";
}

class Board {
  constructor(root) {
    this.box = element("div", { className: "box" });
    this.tip = element("div", { className: "tip", hidden: true });
    this.tip.setAttribute("aria-hidden", "true");
    this.frame = element("div", { className: "frame" }, this.box, this.tip);
    this.frame.addEventListener("keydown", (event) => this.press(event));
    root.append(this.frame);
  }

  update(data, send) {
    this.send = send;
    const { chosen, ...rest } = data;
    const content = JSON.stringify(rest);
    if (content !== this.content) {
      this.content = content;
      this.hide();
      this.draw(data);
    }
    this.mark(chosen);
  }

  draw({ title, columns, rows }) {
    this.buttons = rows.map(({ name: row, numbers }) => numbers.map((number, i) => this.number(number, row, columns[i])));
    const body = rows.map(({ name }, r) => {
      const cells = this.buttons[r].map((button) => {
        const cell = element("td", {}, button);
        cell.style.background = button.number.shade;
        return cell;
      });
      return element("tr", {}, element("th", { scope: "row", textContent: name }), ...cells);
    });
    const table = element("table", {}, heads(columns), element("tbody", {}, ...body));
    table.setAttribute("aria-label", title);
    table.classList.toggle("narrow", columns.length > 4);
    this.box.replaceChildren(table);
    this.buttons[0][0].tabIndex = 0;
  }

  number(number, row, { group, name }) {
    const { ours, paper, printed, difference, missing } = number;
    const button = element(
      "button",
      { type: "button", tabIndex: -1, className: missing ? "missing" : "", number },
      element("div", { className: "ours", textContent: ours }),
      element(
        "div",
        { className: "beside" },
        element("span", { className: "word", textContent: printed ? "paper " : "" }),
        `${printed ? paper : "not in paper"}${difference ? ` ${arrow(difference)}${difference}` : ""}`,
      ),
    );
    const where = [row, name, group].filter(Boolean).join(", ");
    button.setAttribute("aria-label", `${where}: ours ${ours}, paper ${paper}${difference ? `, difference ${difference}` : ""}`);
    button.onmouseenter = button.onfocus = () => this.show(button);
    button.onmouseleave = button.onblur = () => this.hide();
    button.onclick = () => { this.hide(); this.send(number.name); };
    return button;
  }

  mark(chosen) {
    for (const button of this.buttons.flat()) button.setAttribute("aria-pressed", String(button.number.name === chosen));
  }

  show(button) {
    const { name, details } = button.number;
    const list = element("dl", {}, ...details.flatMap(([key, text]) => [element("dt", { textContent: key }), element("dd", { textContent: text })]));
    this.tip.replaceChildren(element("strong", { textContent: name }), list);
    this.tip.hidden = false;
    const place = button.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.tip;
    const below = place.bottom + 6 + high < window.innerHeight;
    this.tip.style.left = `${Math.max(8, Math.min(window.innerWidth - wide - 8, place.left))}px`;
    this.tip.style.top = `${below ? place.bottom + 6 : Math.max(8, place.top - high - 6)}px`;
  }

  hide() {
    this.tip.hidden = true;
  }

  press(event) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (event.key === "Escape") this.hide();
    const step = steps[event.key];
    if (!step) return;
    const row = this.buttons.findIndex((line) => line.includes(event.target));
    if (row < 0) return;
    const next = this.buttons[row + step[0]]?.[this.buttons[row].indexOf(event.target) + step[1]];
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

const boards = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let board = boards.get(parentElement);
  if (!board) {
    board = new Board(parentElement);
    boards.set(parentElement, board);
  }
  board.update(data, (name) => {
    setTriggerValue("chosen", name);
    const card = document.querySelector(".st-key-one-cell");
    card?.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  });
  return () => {
    board.frame.remove();
    boards.delete(parentElement);
  };
}
