"""How fast the lab repaints while a weight is dragged: frames a second, measured in the page.

    python -m tools.lab_frames [--seconds 4] [--graph grid]

The app and Chromium are started here. An edge of a graph of the gallery (thirty nodes) is dragged
up and down with the mouse. In the page every call of a pointer move or an animation frame is
timed: `answer` is a new Laplacian, its eigenvectors, curves and proofs; `repaint` draws graph,
chart and tables. Together they must stay below 16.7 ms for 60 frames a second.
"""

from __future__ import annotations

import argparse
import json
import statistics
from itertools import pairwise
from typing import Any

from gdr_tools.bench.browser import chromium, running_app

PROBE = """
window.probe = { answer: [], repaint: [], frames: [], on: false };
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (name, act, ...rest) {
  if (name !== "pointermove") return listen.call(this, name, act, ...rest);
  return listen.call(this, name, (event) => {
    const start = performance.now();
    act(event);
    const spent = performance.now() - start;
    if (window.probe.on && spent > 0.3) window.probe.answer.push(spent);
  }, ...rest);
};
const request = window.requestAnimationFrame;
window.frameOf = request.bind(window);
window.requestAnimationFrame = (act) => request((time) => {
  const start = performance.now();
  act(time);
  const spent = performance.now() - start;
  if (!window.probe.on || spent < 0.3) return;
  window.probe.repaint.push(spent);
  window.probe.frames.push(time);
});
"""
# The moves are made in the page, one for each frame: a driver outside is slower than a hand.
DRAG = """async (stage, [x, y, seconds]) => {
  const end = performance.now() + 1000 * seconds;
  window.probe.on = true;
  for (let step = 0; performance.now() < end; step++) {
    await new Promise((done) => window.frameOf(done));
    const place = { clientX: x, clientY: y - 8 - 60 * Math.abs((step % 60) / 30 - 1) };
    stage.dispatchEvent(new PointerEvent("pointermove", { buttons: 1, ...place }));
  }
  window.probe.on = false;
}"""
STAGE = ".lab .stage.graph"


def measure(tab: Any, seconds: float, graph: str) -> dict[str, float]:
    """Drag the first edge up and down for so many seconds; what the page has measured."""
    tab.get_by_label("Graph to begin with").select_option(graph)
    nodes = tab.locator(f"{STAGE} .node .ground")
    first, second = nodes.nth(0).bounding_box(), nodes.nth(1).bounding_box()
    x = (first["x"] + second["x"] + first["width"]) / 2
    y = first["y"] + first["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x, y - 8)
    tab.locator(STAGE).evaluate(DRAG, [x, y, seconds])
    tab.mouse.up()
    return _summary(json.loads(tab.evaluate("JSON.stringify(window.probe)")))


def _summary(probe: dict[str, list[float]]) -> dict[str, float]:
    gaps = [after - before for before, after in pairwise(probe["frames"])]
    found = {"repaints": float(len(probe["frames"]))}
    for name, values in (("answer", probe["answer"]), ("repaint", probe["repaint"])):
        quick, middle = statistics.quantiles(values, n=10)[0], statistics.median(values)
        found |= {f"{name}, median ms": middle, f"{name}, quickest tenth below ms": quick}
    middle = statistics.median(gaps)
    slow = statistics.quantiles(gaps, n=20)[-1]
    return found | {
        "from frame to frame, median ms": middle,
        "from frame to frame, 95% below ms": slow,
        "frames a second, median": 1000 / middle,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Frames a second while a weight is dragged")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--graph", default="grid", help="name in the gallery")
    options = parser.parse_args()
    with running_app() as app, chromium() as browser:
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        tab.add_init_script(PROBE)
        tab.goto(f"{app.address}/Lab")
        tab.locator(f"{STAGE} .node").first.wait_for()
        for name, value in measure(tab, options.seconds, options.graph).items():
            print(f"{name:36} {value:8.2f}")


if __name__ == "__main__":
    main()
