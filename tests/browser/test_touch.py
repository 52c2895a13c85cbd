"""A finger on a screen that knows no hover: everything that a mouse points at can be tapped."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.browser.tabs import PLACES, TRACK, assert_healthy, ended, settled


@pytest.fixture
def phone(chromium, address, lead) -> Iterator[object]:
    """Relabel on a phone."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(60_000)
    tab = lead(context.new_page(), f"{address}/Relabel?dataset=karate&prior=uniform")
    settled(tab)
    yield tab
    context.close()


def test_a_finger_chooses_a_node_moves_t_min_and_saves(phone):
    from playwright.sync_api import expect

    assert phone.evaluate("matchMedia('(hover: none)').matches")
    assert_healthy(phone)
    track = phone.locator(TRACK)
    before = track.get_attribute("aria-valuenow")
    box = track.bounding_box()
    phone.touchscreen.tap(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    expect(track).not_to_have_attribute("aria-valuenow", before)
    ended(phone)

    stage = phone.locator(".stage[data-ready]").first
    stage.evaluate("stage => stage.scrollIntoView({block: 'center'})")
    phone.wait_for_timeout(300)
    places = stage.evaluate(PLACES)
    phone.touchscreen.tap(*places[len(places) // 2])
    expect(phone).to_have_url(re.compile("node="))
    ended(phone)

    phone.get_by_role("button", name="Save the graph").tap()
    with phone.expect_download() as waiting:
        phone.get_by_role("menuitem", name="Drawing (SVG)").tap()
    assert waiting.value.suggested_filename == "graph.svg"
    assert_healthy(phone)


def touched(hand, kind: str, *points: tuple[float, float]) -> None:
    """Fingers on the screen, as the browser itself reports them."""
    spots = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
    hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})


def spread_of(stage) -> float:
    """How far apart the outermost nodes are drawn, in pixels."""
    across = [x for x, _ in stage.evaluate(PLACES)]
    return max(across) - min(across)


def middle_of(stage) -> float:
    across = [x for x, _ in stage.evaluate(PLACES)]
    return sum(across) / len(across)


def test_two_fingers_zoom_a_graph_and_one_drags_it(phone):
    ended(phone)
    hand = phone.context.new_cdp_session(phone)
    stage = phone.locator(".stage[data-ready]").first
    stage.evaluate("stage => stage.scrollIntoView({block: 'center'})")
    phone.wait_for_timeout(300)
    box = stage.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    wide = spread_of(stage)
    touched(hand, "touchStart", (x - 80, y), (x + 80, y))
    for gap in (70, 60, 50, 40):
        touched(hand, "touchMove", (x - gap, y), (x + gap, y))
    touched(hand, "touchEnd")
    phone.wait_for_timeout(500)
    assert spread_of(stage) < 0.75 * wide, "two fingers that come together zoom out"
    before = middle_of(stage)
    touched(hand, "touchStart", (x - 60, y))
    for step in (-40, -20, 0, 20):
        touched(hand, "touchMove", (x + step, y))
    touched(hand, "touchEnd")
    phone.wait_for_timeout(500)
    assert 50 < middle_of(stage) - before < 110, "a finger takes the graph along"
    assert phone.evaluate("visualViewport.scale") == 1, "the page itself is not zoomed"


@pytest.mark.parametrize(
    ("path", "picture", "controls"),
    [
        ("/Train", ".st-key-training .stage", ".st-key-new-run"),
        ("/Compare?dataset=cora", ".st-key-study-figure svg", ".st-key-study-choice"),
        ("/Directed", ".st-key-walk-film .panels svg", ".st-key-walk-choice"),
    ],
)
def test_on_a_phone_the_picture_comes_before_the_controls(open_tab, path, picture, controls):
    def places(tab):
        tab.locator(picture).first.wait_for()
        ended(tab)
        seen = [tab.locator(name).first.bounding_box() for name in (picture, controls)]
        return [(box["y"], box["y"] + box["height"]) for box in seen]

    drawn, chosen = places(open_tab(path, width=390, height=844))
    assert drawn[1] <= 844  # all of it is seen without scrolling
    assert chosen[0] >= drawn[1]
    drawn, chosen = places(open_tab(path, width=1440, height=900))
    assert chosen[1] <= drawn[0]
