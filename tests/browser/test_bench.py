"""The benchmark's clock in a real page."""

from __future__ import annotations

from gdr_tools.bench.app import visible_places
from gdr_tools.bench.browser import App, frame_rate, open_tab, rest, timed

PATH = "/Relabel?dataset=path&t_min=0.02&node=0"


def test_keys_and_clicks_are_timed_in_the_page(chromium, address):
    tab = open_tab(chromium, App(address, None, 0.0, 0.0), PATH)
    tab.locator(".stage[data-ready]").first.wait_for()
    rest(tab)
    tab.locator("[data-testid=stMain]").get_by_role("slider").first.focus()
    key = timed(tab, lambda: tab.keyboard.press("ArrowRight"))
    assert key.reached is None
    assert 0 < key.settled < 60_000
    stage = tab.locator(".stage[data-ready]").first
    stage.scroll_into_view_if_needed()
    rest(tab)
    place = max(visible_places(stage))  # the other end of the path
    click = timed(tab, lambda: tab.mouse.click(*place), "card")
    assert 0 < click.reached <= click.settled
    assert 0 < frame_rate(tab, lambda: tab.wait_for_timeout(500)) < 250
    tab.context.close()
