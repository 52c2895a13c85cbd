"""Journeys through Home and the Dataset page in a real browser."""

from __future__ import annotations

import re

import pytest

from tests.browser.tabs import (
    CANVAS,
    PLACES,
    assert_healthy,
    search_node,
    settled,
    stage_on,
)


def choose_dataset(tab, name: str) -> None:
    before = tab.get_attribute(CANVAS, "data-ready")
    box = tab.get_by_role("combobox", name="Dataset")
    box.click()
    box.fill(name)  # the list draws only the options in sight
    tab.get_by_role("option", name=name, exact=True).click()
    tab.wait_for_selector(f".stage[data-ready]:not([data-ready='{before}'])")
    settled(tab)


def test_from_home_to_another_dataset(open_tab):
    tab = open_tab("/")
    settled(tab)
    tab.locator("[data-testid=stSidebar]").get_by_role("link", name="Dataset").click()
    tab.wait_for_selector("[data-testid=stMetric]")
    settled(tab)
    assert tab.get_by_text("2,708", exact=True).count() == 1
    choose_dataset(tab, "karate")
    tab.get_by_role("heading", name="Karate club").wait_for()
    assert "dataset=karate" in tab.url
    tab.wait_for_selector(".js-plotly-plot")
    assert_healthy(tab)


def test_hover_reads_a_node_and_click_keeps_it(open_tab):
    tab = open_tab("/Dataset?dataset=star")
    stage = stage_on(tab)
    places = stage.evaluate(PLACES)
    tab.mouse.move(*places[len(places) // 2])
    tip = tab.locator(".tip")
    tip.wait_for(state="visible")
    name = tip.locator("strong").inner_text()
    assert re.search(r"class: (Majority|Minority)", tip.inner_text())
    tab.mouse.click(*places[len(places) // 2])
    tab.get_by_text(f"Node {name}", exact=False).first.wait_for()
    tab.wait_for_url(re.compile(f"node={re.escape(name)}(&|$)"))
    assert_healthy(tab)


def test_recolouring_and_selecting_keep_the_view(open_tab):
    tab = open_tab("/Dataset?dataset=karate")
    stage = stage_on(tab)
    stage.focus()
    for key in ("+", "+", "ArrowLeft"):
        tab.keyboard.press(key)
    tab.wait_for_timeout(300)
    before = stage.evaluate(PLACES)
    search_node(tab, "3")
    tab.get_by_text("Node 3").wait_for()
    settled(tab)
    after = stage.evaluate(PLACES)
    assert len(after) == len(before)
    assert after[0] == pytest.approx(before[0], abs=1)


def test_a_class_can_be_hidden(open_tab):
    tab = open_tab("/Dataset?dataset=karate")
    settled(tab)
    stage = tab.locator(CANVAS)
    shown = len(stage.evaluate(PLACES))
    tab.get_by_role("button", name="Officer").click()
    tab.wait_for_timeout(300)
    assert 0 < len(stage.evaluate(PLACES)) < shown


def test_the_geometry_travels_once(open_tab):
    tab = open_tab("/")
    received: list[int] = []
    tab.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))),
    )
    tab.goto(tab.url.split("?")[0].rstrip("/") + "/Dataset?dataset=pubmed")
    settled(tab)
    tab.wait_for_selector(".js-plotly-plot")
    first = sum(received)
    received.clear()
    search_node(tab, "4242")
    tab.get_by_text("Node 4242").wait_for()
    settled(tab)
    assert first > 400_000
    assert sum(received) < first / 4


def test_a_link_opens_the_same_view_and_an_unknown_name_says_so(open_tab):
    tab = open_tab("/Dataset?dataset=sbm&sbm-homophily=0.35&node=7")
    settled(tab)
    tab.get_by_text("Node 7").wait_for()
    assert "0.35" in tab.locator("[data-testid=stSidebar]").inner_text()
    tab = open_tab("/Dataset?dataset=atlantis")
    settled(tab)
    tab.get_by_text("atlantis").wait_for()
    tab.get_by_role("heading", name="Cora").wait_for()
    assert_healthy(tab)
