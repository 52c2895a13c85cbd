"""What every page owes every visitor: nothing for axe to find, no scrolling sideways."""

from __future__ import annotations

import pytest

from tests.browser.tabs import TRACK, assert_accessible, assert_healthy, ended

GRAPH = ".stage[data-ready]"
CURVES = ".stage[role=slider][data-ready]"
CHART = ".js-plotly-plot"
VIEWS = {
    "/": (GRAPH, ".diffusion .node", CURVES),
    "/Lessons": ("text=Heat between two nodes", "text=Lessons of your own"),
    "/Lessons?lesson=5-label&step=2": (GRAPH,),
    "/Lab": (".lab .stage.graph .node",),
    "/Dataset": (GRAPH, CHART),
    "/Dataset?dataset=karate": (GRAPH, CHART),
    "/Prior?node=35": (GRAPH, CHART),
    "/Overshoot": (CURVES, GRAPH),
    "/Overshoot?dataset=karate&prior=uniform&mode=delta+impulse": (CURVES, GRAPH),
    "/Relabel?node=35&test=shown": (GRAPH, TRACK),
    "/Relabel?dataset=karate&below=accuracy": (GRAPH, TRACK, CHART),
    "/Compare": (GRAPH, CHART),
    "/Compare?dataset=karate&prior=uniform&compare=rules&node=3": (GRAPH, CHART),
    "/Train": (GRAPH, "text=Epoch shown"),
    "/Train?dataset=karate": ("text=Press Start",),
    "/Directed?dataset=directed-ring": (".frame[data-step]", GRAPH),
    "/Directed?dataset=directed-ring&part=the+tables": ("text=Table 5",),
    "/Directed?dataset=cora-directed&part=what+changes+for+one+node": (CHART,),
    "/Reproduce": (CHART, "text=Run this cell again", "text=Table 6: beyond the paper"),
    "/Structure?dataset=karate": (CHART,),
    "/Structure?dataset=sbm&aspect=alignment": (CHART, "text=of randomised versions"),
    "/Structure?dataset=karate&aspect=influence": (CHART, GRAPH, "text=pairs overshoot"),
    "/Structure?dataset=cora&aspect=influence": (GRAPH, "text=above its long-run value"),
    "/Structure?dataset=karate&aspect=smoothing": (CHART, "text=best accuracy"),
    "/Structure?dataset=karate&aspect=communities": (CHART, GRAPH, "text=there are"),
    "/Your_data": ("text=Your data",),
    "/Prior?dataset=karate&view=embed": (GRAPH,),
    "/Structure?dataset=karate&aspect=influence&view=present": (CHART, GRAPH),
}
BACKGROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"


@pytest.mark.parametrize("path", VIEWS)
def test_light_dark_and_narrow(open_tab, path):
    tab = open_tab(path)
    for drawn in VIEWS[path]:
        tab.locator(drawn).first.wait_for()
    in_background = tab.get_by_text("Computing in the background")
    in_background.wait_for(state="detached", timeout=300_000)
    ended(tab)
    tab.wait_for_timeout(500)
    assert_healthy(tab)
    assert_accessible(tab)

    light = tab.evaluate(BACKGROUND)
    tab.emulate_media(color_scheme="dark")
    tab.wait_for_function(f"light => ({BACKGROUND})() !== light", arg=light)
    tab.set_viewport_size({"width": 820, "height": 1180})
    tab.wait_for_timeout(700)
    assert_healthy(tab)
    assert_accessible(tab)


# Where the title stands in the page's main part, at every frame in which it is there.
WATCH_TITLE = """
window.titlePlaces = new Set();
(function look() {
  const main = document.querySelector('[data-testid=stMain]');
  const title = main && main.querySelector('h1');
  if (title) {
    const [inner, outer] = [title, main].map((it) => it.getBoundingClientRect());
    window.titlePlaces.add(`${Math.round(inner.x - outer.x)}, ${Math.round(inner.y - outer.y)}`);
  }
  requestAnimationFrame(look);
})();
"""


@pytest.mark.parametrize("path", ["/Dataset?dataset=karate", "/Relabel?dataset=karate", "/Train"])
def test_a_cold_page_does_not_jump(chromium, address, path):
    """In a browser that has no code of the page yet: what comes later moves nothing above it."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    try:
        context.add_init_script(WATCH_TITLE)
        tab = context.new_page()
        tab.goto(address + path, wait_until="commit")
        tab.locator("[data-testid=stMain] h1").wait_for(timeout=60_000)
        ended(tab)
        tab.wait_for_timeout(500)
        places = tab.evaluate("[...window.titlePlaces]")
        assert len(places) == 1, f"the title stood at {places}"
    finally:
        context.close()


# By how much what stands in the main part moved up or down; see "layout instability" of the W3C.
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const moved = sources.filter(({ node, previousRect: before, currentRect: after }) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return element?.closest("[data-testid=stMain]") && before.height && after.height
        && Math.abs(before.y - after.y) > 1;
    });
    if (moved.length) window.shifts.push(value);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT = 0.1  # of a whole visit; what is called good


@pytest.mark.parametrize("mode", ["one node", "delta impulse"])
@pytest.mark.parametrize("server", ["address", "fresh_address"], ids=["warm server", "cold server"])
def test_below_the_title_of_overshoot_a_cold_page_keeps_room_for_what_comes(
    chromium, request, server, mode
):
    """The browser is cold: controls and canvases come late and stand where they should."""
    place = f"{request.getfixturevalue(server)}/Overshoot?mode={mode}"
    if server == "address":  # which has its numbers once somebody has been there
        _shifts_of(chromium, place)
    shifts = _shifts_of(chromium, place)
    assert sum(shifts) <= MOST_SHIFT, f"the page moved by {shifts}"


def _shifts_of(chromium, place: str) -> list[float]:
    """How far a page moves, opened by a browser without any code of it."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    try:
        context.add_init_script(WATCH_SHIFTS)
        tab = context.new_page()
        tab.goto(place, wait_until="commit")
        for drawn in (CURVES, GRAPH):
            tab.locator(drawn).first.wait_for(timeout=60_000)
        ended(tab)
        tab.wait_for_timeout(500)
        return tab.evaluate("window.shifts")
    finally:
        context.close()


def test_a_link_reaches_the_server_at_the_first_try(chromium, address):
    context = chromium.new_context()
    try:
        tab, asked = context.new_page(), []
        tab.on("response", lambda answer: asked.append((answer.status, answer.url)))
        tab.goto(address + "/Relabel?dataset=karate", wait_until="commit")
        tab.locator("[data-testid=stMain] h1").wait_for(timeout=60_000)
        ended(tab)
        health = [url for _, url in asked if url.endswith("/_stcore/health")]
        assert health == [address + "/_stcore/health"]
        assert not [(status, url) for status, url in asked if status >= 400]
    finally:
        context.close()
