"""How fast a large graph follows the hand: frames a second, measured in the page.

    python -m tools.graph_frames [--nodes 100000] [--edges 500000] [--seconds 4]

A graph of communities is drawn on the graph canvas, in a page of its own in Chromium without a
graphics card, and dragged in circles, one move for each frame. `drawing` is the time that a frame
takes in the page's scripts; `from frame to frame` is what a visitor sees.
"""

from __future__ import annotations

import argparse
import json
import statistics
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from gdr_core import Dataset
from gdr_core.canvases.page import view_page
from gdr_tools.bench.browser import chromium

_COMMUNITIES = 60
PROBE = """
window.probe = { drawing: [], frames: [], on: false };
const request = window.requestAnimationFrame;
window.frameOf = request.bind(window);
window.requestAnimationFrame = (act) => request((time) => {
  const start = performance.now();
  act(time);
  if (!window.probe.on) return;
  window.probe.drawing.push(performance.now() - start);
  window.probe.frames.push(time);
});
"""
DRAG = """async (stage, seconds) => {
  const box = stage.getBoundingClientRect();
  const at = (step) => ({
    clientX: box.left + box.width / 2 + 220 * Math.cos(step / 20),
    clientY: box.top + box.height / 2 + 120 * Math.sin(step / 20),
    pointerId: 1, button: 0, buttons: 1, bubbles: true,
  });
  stage.setPointerCapture = () => {};
  stage.dispatchEvent(new PointerEvent("pointerdown", at(0)));
  const end = performance.now() + 1000 * seconds;
  window.probe.on = true;
  for (let step = 1; performance.now() < end; step++) {
    await new Promise((done) => window.frameOf(done));
    stage.dispatchEvent(new PointerEvent("pointermove", at(step)));
  }
  window.probe.on = false;
  stage.dispatchEvent(new PointerEvent("pointerup", at(0)));
}"""


def large_graph(nodes: int, edges: int, seed: int = 0) -> Dataset:
    """Communities side by side; four of five edges stay inside of theirs."""
    generator = np.random.default_rng(seed)
    member = generator.integers(_COMMUNITIES, size=nodes)
    order = np.argsort(member, kind="stable")
    first = np.searchsorted(member[order], np.arange(_COMMUNITIES + 1))
    source = generator.integers(nodes, size=edges)
    low, high = first[member[source]], first[member[source] + 1]
    near = order[(low + generator.random(edges) * (high - low)).astype(int)]
    target = np.where(generator.random(edges) < 0.8, near, generator.integers(nodes, size=edges))
    kept = source != target
    made = Dataset.from_edges(np.stack([source, target], axis=1)[kept])
    centres = generator.normal(size=(_COMMUNITIES, 2))
    places = centres[generator.permutation(_COMMUNITIES)][member[: made.nodes]]
    places = places + 0.18 * generator.normal(size=(made.nodes, 2))
    object.__setattr__(made, "layout", (places / 3).astype(np.float32))
    return made


def measure(tab: Any, seconds: float) -> dict[str, float]:
    """Drag for so many seconds; what the page has measured."""
    tab.locator(".stage[data-ready]").wait_for(timeout=120_000)
    tab.wait_for_timeout(6000)  # until the edges are drawn
    tab.locator(".stage").first.evaluate(DRAG, seconds)
    probe = json.loads(tab.evaluate("JSON.stringify(window.probe)"))
    gaps = [after - before for before, after in pairwise(probe["frames"])]
    return {
        "frames": float(len(probe["frames"])),
        "drawing, median ms": statistics.median(probe["drawing"]),
        "from frame to frame, median ms": statistics.median(gaps),
        "from frame to frame, 95% below ms": statistics.quantiles(gaps, n=20)[-1],
        "frames a second, mean": 1000 * len(gaps) / (probe["frames"][-1] - probe["frames"][0]),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Frames a second while a large graph is dragged")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=500_000)
    parser.add_argument("--seconds", type=float, default=4.0)
    asked = parser.parse_args()
    graph = large_graph(asked.nodes, asked.edges)
    print(f"{graph.nodes:,} nodes, {graph.edges:,} edges")
    with TemporaryDirectory() as folder, chromium() as browser:
        page = Path(folder) / "graph.html"
        page.write_text(view_page(graph), encoding="utf-8")
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        tab.add_init_script(PROBE)
        tab.goto(page.as_uri())
        for name, value in measure(tab, asked.seconds).items():
            print(f"{name:40s} {value:8.1f}")


if __name__ == "__main__":
    main()
