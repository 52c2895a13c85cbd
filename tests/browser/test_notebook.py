"""`dataset.view()` and `result.view(dataset)` in a real JupyterLab."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from gdr_core import Method, load_dataset
from tools.notebooks import notebook, running_lab

CELLS = (
    'from gdr_core import Method, load_dataset\nclub = load_dataset("karate")\nclub.view()',
    'result = Method.on(club, prior="uniform").run()\nshown = result.view(club)\nshown',
    'print("index", shown.t_min_index, "node", shown.node)',
    "shown.t_min_index = 0",
)


@pytest.fixture
def lab(chromium, lead, tmp_path) -> Iterator[object]:
    """A tab with the notebook open and the first two cells run."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is in requirements-dev.txt")
    pytest.importorskip("anywidget", reason="anywidget is in requirements-dev.txt")
    (tmp_path / "view.ipynb").write_text(notebook(*CELLS), encoding="utf-8")
    with running_lab(tmp_path) as address:
        context = chromium.new_context(viewport={"width": 1440, "height": 1800})
        context.set_default_timeout(90_000)
        tab = lead(context.new_page(), f"{address}/lab/tree/view.ipynb")
        tab.locator(".jp-Notebook .jp-CodeCell").first.click()
        tab.locator(
            '.jp-KernelStatus-success, .jp-Notebook-ExecutionIndicator[data-status="idle"]'
        ).first.wait_for()
        yield tab
        context.close()


def run_next(tab) -> None:
    tab.keyboard.press("Shift+Enter")


def spoken(result, index: int) -> str:
    """What the view says at one t_min, counted in Python."""
    tally = result.at(index).tally
    return f"{tally.relabelled:,} relabelled: {tally.fixed:,} fixed ◆, {tally.broken:,} broken ▲"


def test_the_views_answer_in_jupyterlab(lab):
    from playwright.sync_api import expect

    club = load_dataset("karate")
    result = Method.on(club, prior="uniform").run()
    run_next(lab)
    outputs = lab.locator(".jp-OutputArea-output")
    graph = outputs.first.locator(".stage[data-ready]")
    expect(graph).to_be_visible()
    expect(outputs.first.locator(".control")).to_be_hidden()

    run_next(lab)
    view = outputs.nth(1)
    expect(view.locator(".counts")).to_contain_text(spoken(result, result.chosen))
    slider = view.get_by_role("slider", name="t_min", exact=True)
    slider.fill("3")  # of the control: the labels are counted anew in the page
    expect(view.locator(".counts")).to_contain_text(spoken(result, 3))
    expect(view.locator(".time")).to_contain_text("t_min = ")

    node = place_of(view.locator(".stage[data-ready]").first, club, 8)
    lab.mouse.click(*node)  # the kernel answers with the curves of this node
    chart = view.locator(".curves-of-node .stage")
    expect(chart).to_have_attribute("aria-label", re.compile(f"node {club.node_names[8]} "))
    expect(chart).to_have_attribute("aria-valuenow", "3")
    chart.focus()
    lab.keyboard.press("End")  # the line of the chart moves the graph as well
    expect(view.locator(".counts")).to_contain_text(spoken(result, result.times.size - 1))

    lab.locator(".jp-CodeCell").nth(2).click()
    last = result.times.size - 1
    expect_state(lab, f"index {last} node 8")
    lab.locator(".jp-CodeCell").nth(3).click()
    run_next(lab)  # and Python moves it
    expect(view.locator(".counts")).to_contain_text(spoken(result, 0))


def expect_state(tab, words: str) -> None:
    """Print what the kernel knows until it has heard: it is told when the hand rests."""
    for _ in range(20):
        tab.keyboard.press("Control+Enter")
        tab.wait_for_timeout(500)
        if words in tab.locator(".jp-CodeCell").nth(2).inner_text():
            return
    raise AssertionError(tab.locator(".jp-CodeCell").nth(2).inner_text())


def place_of(stage, dataset, node: int) -> tuple[float, float]:
    """Where a node is drawn: the whole graph is fitted into the stage with a margin."""
    box = stage.evaluate("s => [s.clientWidth, s.clientHeight]")
    corner = stage.bounding_box()
    low, high = dataset.layout.min(axis=0), dataset.layout.max(axis=0)
    margin = max(14, min(box) * 0.05)
    scale = min((box[i] - 2 * margin) / (high[i] - low[i]) for i in (0, 1))
    x, y = (dataset.layout[node] - (low + high) / 2) * scale
    left, top = corner["x"] + 1 + box[0] / 2, corner["y"] + 1 + box[1] / 2
    return float(left + x), float(top - y)
