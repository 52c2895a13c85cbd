"""Control, page and link show the same, whatever a visitor does in whatever order.

`python -m tools.walk --steps 2000` walks further.
"""

from __future__ import annotations

import time

import pytest

from tests.browser.tabs import ended, go_to
from tools.walk.sight import LOOK
from tools.walk.walks import STORIES, replay, walk


@pytest.mark.parametrize("story", list(STORIES))
def test_what_was_once_wrong(chromium, address, story):
    assert replay(chromium, address, STORIES[story]) is None


def test_the_knob_is_right_however_late_its_code_arrives(chromium, address):
    """A second run of the page, here by the owner's key, may come before the bar is drawn."""
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    tab = context.new_page()
    tab.goto(f"{address}/Train?dataset=karate&model=gcn&gcn-undirected-epochs=5")
    tab.get_by_role("button", name="Start").first.click()
    tab.wait_for_url("**run=**")
    context.route("**/BidiComponent*.js", lambda route: (time.sleep(2), route.continue_()))
    for page in ("Overshoot", "Relabel"):
        context.clear_cookies()  # else the key comes with the page, and there is no second run
        tab.goto(f"{address}/{page}?dataset=karate")
        tab.get_by_text("relabelled").first.wait_for()
    tab.locator(".track[role=slider][data-value]").wait_for()
    ended(tab)
    seen = tab.evaluate(LOOK)
    assert f"at t_min {seen['sliders']['t_min']}," in seen["line"]
    context.close()


def test_a_reload_brings_the_owner_along_and_asks_for_no_second_run(open_tab):
    """In the moment of Back, such a run would do away with what Back has restored."""
    tab = open_tab("/Train?dataset=karate")
    tab.get_by_role("heading", name="A network learns", level=1).wait_for()
    ended(tab)
    said: list[bytes | str] = []
    tab.on("websocket", lambda wire: wire.on("framesent", lambda frame: said.append(frame)))
    tab.reload()
    tab.get_by_role("heading", name="A network learns", level=1).wait_for()
    ended(tab)
    tab.wait_for_timeout(1500)
    assert said, "nothing was heard of the page"
    assert not any(b"kept" in frame for frame in said if isinstance(frame, bytes))


def test_after_back_a_page_that_was_left_does_not_come_again(open_tab):
    """What it still had to tell makes Streamlit draw it, and push its address."""
    tab = open_tab("/Dataset?dataset=karate")
    tab.get_by_role("heading", name="Karate club", level=1).wait_for()
    go_to(tab, "Train", "A network learns")
    tab.go_back()
    heading = tab.get_by_role("heading", name="Karate club", level=1)
    heading.wait_for()
    ended(tab)
    tab.evaluate("() => history.pushState(history.state, '', '/Train?dataset=karate')")
    tab.wait_for_timeout(500)
    ended(tab)
    heading.wait_for()
    assert tab.url.endswith("/Dataset?dataset=karate")


def test_a_walk_at_random_finds_no_disagreement(chromium, address):
    steps, trouble = walk(chromium, address, 120, seed=0)
    assert trouble is None, f"after {trouble.steps}: {trouble.found}"
    assert steps == 120
