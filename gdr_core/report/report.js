"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const canvas = document.getElementById("graph"), ink = canvas.getContext("2d");
  const note = document.getElementById("node"), legend = document.getElementById("legend");
  const view = { zoom: 1, x: 0, y: 0 };
  let when = "after", dragged = null;
  const colour = (k) => (k < 0 ? "#999999" : data.colours[k % data.colours.length]);
  const name = (k) => (k < 0 ? "not known" : data.classes[k]);
  const scale = () => 0.46 * Math.min(canvas.width, canvas.height) * view.zoom;
  const place = (i) => [
    canvas.width / 2 + scale() * data.x[i] + view.x,
    canvas.height / 2 - scale() * data.y[i] + view.y,
  ];

  function draw() {
    ink.clearRect(0, 0, canvas.width, canvas.height);
    ink.strokeStyle = "rgba(128,128,128,0.35)";
    ink.beginPath();
    for (let e = 0; e < data.edges.length; e += 2) {
      ink.moveTo(...place(data.edges[e]));
      ink.lineTo(...place(data.edges[e + 1]));
    }
    ink.stroke();
    for (let i = 0; i < data.x.length; i++) {
      const [x, y] = place(i), moved = data.before[i] !== data.after[i];
      ink.fillStyle = colour(data[when][i]);
      ink.beginPath();
      ink.arc(x, y, moved ? 7 : 4, 0, 2 * Math.PI);
      ink.fill();
      if (moved) {
        ink.strokeStyle = getComputedStyle(document.body).color;
        ink.lineWidth = 2;
        ink.stroke();
        ink.lineWidth = 1;
      }
    }
  }

  function pointer(event) {
    const box = canvas.getBoundingClientRect();
    return [
      ((event.clientX - box.left) * canvas.width) / box.width,
      ((event.clientY - box.top) * canvas.height) / box.height,
    ];
  }

  function tell(event) {
    const [px, py] = pointer(event);
    let best = -1, nearest = 225;
    for (let i = 0; i < data.x.length; i++) {
      const [x, y] = place(i), d = (x - px) ** 2 + (y - py) ** 2;
      if (d < nearest) [best, nearest] = [i, d];
    }
    if (best >= 0) {
      note.textContent =
        `${data.names[best]} — before: ${name(data.before[best])}, ` +
        `after: ${name(data.after[best])}, true class: ${name(data.true[best])}`;
    }
  }

  canvas.addEventListener("pointerdown", (event) => {
    dragged = pointer(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => { dragged = null; });
  canvas.addEventListener("pointermove", (event) => {
    if (!dragged) return tell(event);
    const [x, y] = pointer(event);
    view.x += x - dragged[0];
    view.y += y - dragged[1];
    dragged = [x, y];
    draw();
  });
  function zoom(factor) {
    view.zoom = Math.min(50, Math.max(0.2, view.zoom * factor));
    draw();
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.2 : 1 / 1.2);
    if (!(event.key in steps)) return;
    event.preventDefault();
    view.x += steps[event.key][0];
    view.y += steps[event.key][1];
    draw();
  });
  for (const input of document.querySelectorAll("input[name=when]")) {
    input.addEventListener("change", () => { when = input.value; draw(); });
  }
  data.classes.forEach((text, k) => {
    const item = document.createElement("li"), dot = document.createElement("i");
    dot.style.background = colour(k);
    item.append(dot, text);
    legend.append(item);
  });
  draw();
})();
