"""What browser tests do and ask again and again: wait for rest, read tiles, look for faults."""

from __future__ import annotations

import pytest

CANVAS = ".stage[data-ready]"
AROUND = ".stage[role=application][data-index]"
TRACK = ".track[role=slider]"  # of the bar on which t_min is dragged
DROPZONE = "[data-testid=stFileUploaderDropzone]"  # Streamlit's own: a role and a tab stop at once
SIDEBAR = "[data-testid=stSidebar]"
_POINTS = """stage => {
  const canvas = stage.querySelector('%(canvas)s');
  const {width, height} = canvas;
  const pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const box = canvas.getBoundingClientRect();
  const found = [];
  for (let y = 0; y < height; y += %(step)d) for (let x = 0; x < width; x += %(step)d) {
    const [r, g, b, a] = pixels.subarray(4 * (y * width + x), 4 * (y * width + x) + 4);
    const away = Math.hypot(x - width / 2, y - height / 2);
    if (%(wanted)s)
      found.push([box.left + x * box.width / width, box.top + y * box.height / height]);
  }
  return found;
}"""
# Where the nodes of the canvas are on the screen: the only way to aim at one of them.
PLACES = _POINTS % {"canvas": ".nodes", "step": 1, "wanted": "a > 80"}
# Points of a neighbourhood that are coloured like a node and lie away from its centre.
NODES_AROUND = _POINTS % {
    "canvas": "canvas",
    "step": 2,
    "wanted": "away > width / 12 && a === 255 && Math.max(r, g, b) - Math.min(r, g, b) > 60",
}


def ended(tab) -> None:
    """The script has run to its end."""
    tab.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")


def settled(tab) -> None:
    """The script has run to its end and a graph is drawn."""
    tab.locator(CANVAS).first.wait_for()
    ended(tab)


def stage_on(tab, selector: str = CANVAS):
    """The first stage of a page that has come to rest, in view."""
    stage = tab.locator(selector).first
    stage.wait_for()
    ended(tab)
    stage.scroll_into_view_if_needed()
    return stage


def go_to(tab, page: str, title: str) -> None:
    """Follow a link of the sidebar and wait for the title of its page."""
    sidebar = tab.locator(SIDEBAR)
    sidebar.get_by_role("link", name=page, exact=True).click()
    tab.get_by_role("heading", name=title, level=1).wait_for()
    ended(tab)


def search_node(tab, name: str) -> None:
    """Choose a node by typing its name."""
    tab.get_by_role("combobox", name="Node").fill(name)
    tab.get_by_role("option", name=name, exact=True).click()


def number_beside(tab, name: str):
    """A number beside the bar of t_min, as a locator: it ticks while t_min moves."""
    return tab.locator(".entry", has_text=name).locator(".number")


def tile(tab, name: str) -> str:
    """The number of a tile."""
    metric = tab.locator("[data-testid=stMetric]", has_text=name).first
    return metric.locator("[data-testid=stMetricValue]").inner_text()


def assert_healthy(tab) -> None:
    """No error is shown and nothing sticks out at the side."""
    assert tab.locator("[data-testid=stException]").count() == 0
    main = tab.locator("[data-testid=stMain]")
    wide, seen = main.evaluate("main => [main.scrollWidth, main.clientWidth]")
    assert wide <= seen, f"the page scrolls sideways: {wide} > {seen}"


def assert_accessible(tab) -> None:
    """Axe finds nothing to complain about."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    violations = axe.run(tab, context={"exclude": [[DROPZONE]]}).response["violations"]
    assert not violations, [
        (v["id"], [node["target"] for node in v["nodes"]][:3]) for v in violations
    ]
