"""The lab: a graph built by mouse and by keys, its course read from the table, its link sent on."""

from __future__ import annotations

from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
from scipy.linalg import expm

from gdr_core.sketches import decode
from tests.browser.tabs import assert_accessible, assert_healthy, ended

expect = pytest.importorskip("playwright.sync_api", reason="needs requirements-dev.txt").expect
STAGE = ".lab .stage.graph"
TAIL = np.array([[2, -1, -1, 0], [-1, 2, -1, 0], [-1, -1, 3, -1], [0, 0, -1, 1]], dtype=float)


@pytest.fixture
def lab(open_tab):
    """open_lab(path) gives a tab with the lab in it."""

    def open_lab(path: str = "/Lab", width: int = 1440, height: int = 900):
        tab = open_tab(path, width=width, height=height)
        tab.locator(STAGE).wait_for()
        ended(tab)
        return tab

    return open_lab


def graph_of(tab):
    """The graph that the address says, once it says one."""
    tab.wait_for_function("() => new URL(location.href).searchParams.has('graph')")
    tab.wait_for_timeout(700)
    ended(tab)
    return decode(parse_qs(urlparse(tab.url).query)["graph"][0])


def beliefs(tab) -> dict[str, float]:
    """p(t) of every node as the table says it."""
    rows = tab.locator(".numbers tbody tr").all()
    texts = [row.locator("th, td").all_inner_texts() for row in rows]
    return {cells[0]: float(cells[2]) for cells in texts}


def empty(tab) -> None:
    tab.get_by_label("Graph to begin with").select_option("new")
    expect(tab.locator(f"{STAGE} .node")).to_have_count(0)


def play_for_a_moment(tab) -> float:
    """Press Play, then Pause; the time at which it stopped."""
    tab.get_by_role("button", name="Play").click()
    tab.wait_for_function(
        "() => Number(document.querySelector('.stApp') && [...document.querySelectorAll('*')]"
        ".flatMap(e => e.shadowRoot ? [...e.shadowRoot.querySelectorAll('.lab')] : [])"
        "[0].dataset.time) > 0.2"
    )
    tab.get_by_role("button", name="Pause").click()
    tab.wait_for_timeout(100)
    return float(tab.locator(".lab").get_attribute("data-time"))


def assert_course(tab, order: str) -> None:
    """The table says e^{−tL} of a drop on the first node, to six digits."""
    time = play_for_a_moment(tab)
    wanted = expm(-time * TAIL)[:, 0]
    told = beliefs(tab)
    assert list(told) == list(order)
    assert np.abs(np.array(list(told.values())) - wanted).max() < 1e-6
    sketch = graph_of(tab)
    assert sketch.time == time
    assert sketch.beliefs == ((1.0,), (0.0,), (0.0,), (0.0,))
    ends = {frozenset((edge.source, edge.target)) for edge in sketch.edges}
    assert ends == {frozenset(pair) for pair in ((0, 1), (0, 2), (1, 2), (2, 3))}


def test_a_triangle_with_a_tail_by_mouse_and_its_link_in_another_browser(lab, chromium, address):
    tab = lab()
    empty(tab)
    box = tab.locator(STAGE).bounding_box()
    places = {
        name: (box["x"] + x * box["width"], box["y"] + y * box["height"])
        for name, (x, y) in {"a": (0.2, 0.25), "b": (0.2, 0.75), "c": (0.5, 0.5)}.items()
    }
    tab.get_by_role("button", name="Node", exact=True).click()
    for place in places.values():
        tab.mouse.click(*place)
    tab.get_by_role("button", name="Edge", exact=True).click()
    open_space = (box["x"] + 0.8 * box["width"], box["y"] + 0.5 * box["height"])
    for start, end in (("a", "b"), ("b", "c"), ("c", "a"), ("c", None)):
        tab.mouse.move(*places[start])
        tab.mouse.down()
        tab.mouse.move(*(places[end] if end else open_space), steps=4)
        tab.mouse.up()
    tab.get_by_role("button", name="Ink", exact=True).click()
    tab.mouse.click(*places["a"])
    assert_course(tab, "abcd")

    sketch, link = graph_of(tab), tab.url
    other = chromium.new_context(viewport={"width": 1280, "height": 800})
    try:
        second = other.new_page()
        second.goto(link)
        second.locator(f"{STAGE} .node").nth(3).wait_for()
        expect(second.locator(f"{STAGE} .node .name")).to_have_text(list(sketch.names))
        assert float(second.locator(".lab").get_attribute("data-time")) == sketch.time
        assert beliefs(second) == beliefs(tab)
    finally:
        other.close()

    tab.get_by_role("button", name="Undo").click()
    expect(tab.locator(".numbers tbody td").first).to_have_text("0")
    tab.get_by_role("button", name="Redo").click()
    expect(tab.locator(".numbers tbody td").first).to_have_text("1")


def test_a_triangle_with_a_tail_by_keys_alone(lab):
    tab = lab()
    gallery = tab.get_by_label("Graph to begin with")
    gallery.focus()
    tab.keyboard.press("End")  # the empty page is the last choice
    stage = tab.locator(STAGE)
    stage.focus()
    expect(tab.locator(f"{STAGE} .node")).to_have_count(0)
    for key in "nnnn":
        tab.keyboard.press(key)
    for start, end in ((0, 1), (1, 2), (2, 0), (2, 3)):
        _choose_by_key(tab, start)
        tab.keyboard.press("e")
        _choose_by_key(tab, end)
        tab.keyboard.press("Enter")
    _choose_by_key(tab, 0)
    tab.keyboard.press("1")
    tab.keyboard.press("Control+z")
    expect(tab.locator(".numbers tbody td").first).to_have_text("0")
    tab.keyboard.press("Control+y")
    assert_course(tab, "abcd")


def _choose_by_key(tab, node: int) -> None:
    """Step through the nodes in their order until this one is chosen."""
    for _ in range(5):
        if tab.locator(STAGE).get_attribute("data-chosen") == "abcd"[node]:
            return
        tab.keyboard.press(".")
    raise AssertionError(f"node {node} cannot be chosen by keys")


# As a paste does it, all at once; typing ten thousand lines takes a browser minutes.
PASTE = """(box, text) => {
  box.focus();
  box.value = text;
  box.dispatchEvent(new Event('input', {bubbles: true}));
}"""
BAD = {
    "hello world my friends": "Line 1",
    "a - b -3": "not allowed",
    "a - b heavy": "not a number",
    "\n".join(f"n{i} - n{i + 1}" for i in range(10_000)): "characters",
    "a - b\na: 1\na: 1": "two nodes",
    "a": "two nodes or more",
    "a\nb": "no edge",
    "a - b\nc - d": "2 parts",
}


def test_bad_text_bad_fields_and_a_damaged_link_leave_the_last_good_graph(lab):
    tab = lab("/Lab?graph=1.AAAAdamaged")
    expect(tab.locator(".inspector .fault")).to_contain_text("cannot be read")
    tab.get_by_role("button", name="Text, link, file").click()
    text = tab.get_by_label("The graph as text")
    text.fill("a - b 2\nb - c\na: 1")
    expect(tab.locator(f"{STAGE} .node")).to_have_count(3)
    for bad, words in BAD.items():
        text.evaluate(PASTE, bad)
        expect(tab.locator(".sharing .fault"), bad[:40]).to_contain_text(words)
        expect(tab.locator(f"{STAGE} .node .name")).to_have_text(["a", "b", "c"])
    text.fill("a - b 2\nb - c\na: 1")
    expect(tab.locator(".sharing .fault")).to_have_text("")
    tab.locator(STAGE).focus()
    tab.keyboard.press("]")
    weight = tab.get_by_label("Weight of the edge", exact=True)
    for bad in ("-1", "0", "heavy", ""):
        weight.fill(bad)
        weight.press("Enter")
        expect(tab.locator(".inspector .fault")).to_contain_text("is no weight")
        assert graph_of(tab).edges[0].weight == 2
    tab.locator(STAGE).focus()
    tab.keyboard.press(".")
    name = tab.get_by_label("Name of the node")
    name.fill("b")
    name.press("Enter")
    expect(tab.locator(".inspector .fault")).to_contain_text("Two nodes have the name")


def test_a_challenge_is_checked_and_pointing_lights_up_the_others(lab):
    tab = lab()
    tab.locator(".numbers tbody tr").nth(3).hover()
    nodes = tab.locator(f"{STAGE} .node")
    expect(nodes.nth(3)).to_contain_class("focus")
    expect(tab.locator(".story")).to_contain_text("never rises above π")
    tab.get_by_label("Matrix e⁻ᵗᴸ").locator("tbody tr").nth(1).locator("td").nth(2).hover()
    expect(nodes.nth(1)).to_contain_class("focus")
    expect(nodes.nth(2)).to_contain_class("partner")
    expect(tab.locator(".term.lit")).to_have_count(1)
    tab.get_by_role("button", name="Make node 4 overshoot late").click()
    expect(tab.locator(".verdict")).to_contain_text("never rises above π")
    tab.locator(STAGE).focus()
    for _ in range(4):
        tab.keyboard.press("]")
    for _ in range(14):
        tab.keyboard.press("-")
    expect(tab.locator(".verdict")).to_contain_text("Solved")


def test_a_graph_of_the_lab_is_a_dataset_on_other_pages(lab):
    tab = lab()
    tab.get_by_role("button", name="Text, link, file").click()
    tab.get_by_role("button", name="As a dataset").click()
    expect(tab.locator(".inspector .fault")).to_contain_text("training nodes of two classes")
    tab.get_by_label("Graph to begin with").select_option("cliques")
    tab.get_by_role("button", name="As a dataset").click()
    tab.locator(".stage[data-ready]").first.wait_for()
    ended(tab)
    assert urlparse(tab.url).path == "/Dataset"
    expect(tab.locator("[data-testid=stMetric]", has_text="Nodes").first).to_contain_text("8")
    assert_healthy(tab)


@pytest.mark.parametrize("width", [1440, 390])
def test_all_on_one_screen_accessible_and_still(lab, chromium, address, width):
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, reduced_motion="reduce", color_scheme="dark"
    )
    try:
        tab = context.new_page()
        tab.goto(address + "/Lab")
        tab.locator(f"{STAGE} .node").first.wait_for()
        ended(tab)
        assert_healthy(tab)
        assert_accessible(tab)
        if width == 1440:
            bottom = tab.locator(".panels").bounding_box()
            assert bottom["y"] + bottom["height"] <= 900
        tab.get_by_role("button", name="Play").click()
        tab.wait_for_timeout(1500)
        tab.get_by_role("button", name="Pause").click()
        sketch = graph_of(tab)
        assert sketch.time > 0, "with less motion it still plays, still by still"
    finally:
        context.close()
