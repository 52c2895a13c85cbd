"""So many nodes that a picture of them moves with the hand, and is drawn anew at rest."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

from gdr_core.canvases.page import view_page
from tests.browser.test_notebook import place_of
from tools.graph_frames import large_graph

# How opaque the picture of the nodes is at a place of the stage, and whether it was made for the
# view that is seen.
LOOK = """([x, y]) => {
  const root = document.getElementById("view").shadowRoot;
  const stage = root.querySelector(".stage");
  const canvas = root.querySelector("canvas.nodes");
  const box = stage.getBoundingClientRect();
  const margin = [0.3 * stage.clientWidth, 0.3 * stage.clientHeight].map(Math.round);
  const rests = canvas.style.transform === `translate(${-margin[0]}px, ${-margin[1]}px) scale(1)`;
  const at = [x - box.left - 1 + margin[0], y - box.top - 1 + margin[1]].map(Math.round);
  return rests && canvas.getContext("2d").getImageData(...at, 1, 1).data[3] > 0;
}"""


@pytest.fixture
def tab(chromium) -> Iterator[object]:
    context = chromium.new_context(viewport={"width": 1000, "height": 900})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def test_a_crowd_stands_where_its_nodes_are_after_a_drag(tab, lead, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = large_graph(30_000, 40_000)
    page = tmp_path / "graph.html"
    page.write_text(view_page(graph), encoding="utf-8")
    lead(tab, page.as_uri())
    stage = tab.locator(".stage[data-ready]")
    stage.wait_for()
    node = int(graph.layout[:, 0].argmax())  # at the rim: it stands alone
    x, y = place_of(stage, graph, node)
    tab.wait_for_function(LOOK, arg=[x, y])
    middle = stage.bounding_box()
    start = middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2
    tab.mouse.move(*start)
    tab.mouse.down()
    tab.mouse.move(start[0] - 90, start[1] + 30, steps=8)
    tab.mouse.up()
    tab.wait_for_function(LOOK, arg=[x - 90, y + 30])
    tab.mouse.move(x - 90, y + 30)
    tab.locator(".tip", has_text=graph.node_names[node]).wait_for()
