"""Journeys through Prior and Relabel in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from gdr_core import datasets, priors
from gdr_core.datasets.hiding import hide_test
from gdr_core.gdr import reclassify
from gdr_core.gdr.predictions import predictions_csv
from gdr_core.laplacians import make_laplacian
from tests.browser.tabs import (
    AROUND,
    CANVAS,
    NODES_AROUND,
    PLACES,
    SIDEBAR,
    TRACK,
    assert_healthy,
    number_beside,
    settled,
)


def grip(tab, share: float) -> tuple[float, float]:
    """A point of the bar, that share of the way along it."""
    box = tab.locator(TRACK).bounding_box()
    return box["x"] + box["width"] * share, box["y"] + box["height"] / 2


def cora():
    hidden = hide_test(datasets.load_dataset("cora"))
    laplacian = make_laplacian("combinatorial", hidden.undirected)
    prior = priors.compute_prior("projection", hidden)
    return reclassify(laplacian, prior, hidden.labels, hidden.split)


def told_by(tab) -> int:
    """The place of the grid at which the bar says that it stands."""
    return int(tab.locator(TRACK).get_attribute("aria-valuenow"))


def test_while_the_hand_moves_the_browser_follows_and_when_it_rests_python_does(open_tab):
    tab = open_tab("/Relabel?dataset=cora&t_min=0.05")
    settled(tab)
    sidebar = tab.locator(SIDEBAR)
    expect(sidebar).to_contain_text("at t_min 0.05094")
    stage = tab.locator(CANVAS).first
    stage.focus()
    tab.keyboard.press("+")
    tab.wait_for_timeout(300)
    places, result = stage.evaluate(PLACES), cora()
    tab.mouse.move(*grip(tab, 0.5))
    tab.mouse.down()
    for share in (0.6, 0.7, 0.8):
        tab.mouse.move(*grip(tab, share), steps=3)
        counts = result.at(told_by(tab)).tally
        expect(number_beside(tab, "Relabelled")).to_have_text(f"{counts.relabelled:,}")
        expect(number_beside(tab, "Fixed")).to_have_text(f"{counts.fixed:,}")
        expect(tab.locator(".key button", has_text="broken")).to_contain_text(f"{counts.broken:,}")
    tab.mouse.up()
    now = told_by(tab)
    expect(sidebar).to_contain_text(f"at t_min {result.time_names[now]}")
    expect(sidebar).to_contain_text(f"{result.scan.relabelled[now]:,} nodes relabelled")
    tab.wait_for_url(f"**t_min={result.time_names[now]}**")
    settled(tab)
    assert told_by(tab) == now
    after = stage.evaluate(PLACES)
    assert min(x for x, _ in after) == pytest.approx(min(x for x, _ in places), abs=3)
    assert_healthy(tab)


def test_after_a_key_was_held_link_bar_and_page_agree(open_tab):
    tab = open_tab("/Relabel?dataset=karate&t_min=0.05")
    settled(tab)
    tab.locator(TRACK).focus()
    begun = told_by(tab)
    for _ in range(25):
        tab.keyboard.down("ArrowRight")  # without letting go: the key repeats
        tab.wait_for_timeout(30)
    tab.keyboard.up("ArrowRight")
    assert told_by(tab) == begun + 25
    name = tab.locator(TRACK).get_attribute("data-value")
    expect(tab.locator(SIDEBAR)).to_contain_text(f"at t_min {name}")
    tab.wait_for_url(f"**t_min={name}**")
    settled(tab)
    assert told_by(tab) == begun + 25
    assert_healthy(tab)


def test_play_sweeps_t_min_to_its_end_and_python_follows(open_tab):
    tab = open_tab("/Relabel?dataset=karate&t_min=0.5")
    settled(tab)
    last = int(tab.locator(TRACK).get_attribute("aria-valuemax"))
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.get_by_role("button", name="Pause", exact=True).wait_for()
    tab.wait_for_function(f"() => window.gdrTMin?.index === {last}")
    tab.get_by_role("button", name="Play", exact=True).wait_for()
    name = tab.locator(TRACK).get_attribute("data-value")
    expect(tab.locator(SIDEBAR)).to_contain_text(f"at t_min {name}")
    tab.get_by_role("button", name="Back to the chosen t_min").click()
    tab.wait_for_url(lambda url: "t_min" not in url)


def test_who_wants_less_motion_goes_from_mark_to_mark(open_tab):
    tab = open_tab("/")
    tab.emulate_media(reduced_motion="reduce")
    tab.goto(tab.url.partition("?")[0] + "Relabel?dataset=karate&t_min=0.02")
    settled(tab)
    tab.get_by_role("button", name="Go to the next mark", exact=True).click()
    tab.wait_for_function(
        "() => Math.abs(new URLSearchParams(location.search).get('t_min') - 0.1) < 0.01"
    )
    assert float(tab.locator(TRACK).get_attribute("data-value")) == pytest.approx(0.1, rel=0.05)


def test_the_bar_stays_while_the_page_is_scrolled_and_one_screen_holds_graph_and_card(open_tab):
    tab = open_tab("/Relabel?dataset=cora", width=1440, height=900)
    settled(tab)
    card = tab.locator(".st-key-why-card")
    curves = card.get_by_role("img", name="Belief in every class")
    expect(curves).to_be_in_viewport(ratio=1)
    stage, beside = tab.locator(CANVAS).first.bounding_box(), card.bounding_box()
    assert stage["height"] >= 400
    assert stage["y"] + stage["height"] <= 900
    assert beside["x"] >= stage["x"] + stage["width"]
    assert beside["y"] + beside["height"] <= 900
    tab.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 400)")
    tab.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 300")
    assert 0 <= tab.locator(TRACK).bounding_box()["y"] < 100


def test_a_click_in_the_graph_opens_the_card_and_one_around_it_the_next(open_tab):
    tab = open_tab("/Relabel?dataset=star&below=neighbourhood+of+this+node")
    settled(tab)
    stage = tab.locator(CANVAS).first
    stage.scroll_into_view_if_needed()
    places = stage.evaluate(PLACES)
    tab.mouse.click(*places[len(places) // 2])
    tab.wait_for_url(re.compile(r"node=\d+"))
    first = re.search(r"node=(\d+)", tab.url)[1]
    tab.get_by_text(f"Node {first} ·").wait_for()
    tab.get_by_role("img", name="Belief in every class").wait_for()
    settled(tab)
    around = tab.locator(AROUND)
    around.scroll_into_view_if_needed()
    tab.wait_for_timeout(300)
    near = around.evaluate(NODES_AROUND)
    tab.mouse.click(*near[len(near) // 2])
    tab.wait_for_url(lambda url: f"node={first}" not in url)
    second = re.search(r"node=(\d+)", tab.url)[1]
    tab.get_by_text(f"Node {second} ·").wait_for()
    assert_healthy(tab)


def test_a_row_of_the_ledger_opens_its_card(open_tab):
    tab = open_tab("/Relabel?dataset=karate&below=relabelled+nodes")
    settled(tab)
    grid = tab.locator("[data-testid=stDataFrame]").last
    grid.scroll_into_view_if_needed()
    tab.wait_for_timeout(300)
    box = grid.bounding_box()
    tab.mouse.click(box["x"] + 18, box["y"] + 52)
    tab.wait_for_url(re.compile(r"node="))
    name = parse_qs(urlsplit(tab.url).query)["node"][0]
    tab.get_by_text(f"Node {name} ·").wait_for()


def test_a_slow_prior_shows_progress_and_can_be_cancelled(open_tab):
    tab = open_tab("/Prior?dataset=cora&prior=planetoid&seed=1")
    tab.locator("[data-testid=stProgress]").wait_for()
    tab.get_by_role("button", name="Cancel").click()
    tab.get_by_text("Cancelled: Prior planetoid").wait_for()
    tab.get_by_role("combobox", name="Prior").click()
    tab.get_by_role("option", name="uniform", exact=True).click()
    tab.locator("[data-testid=stMetric]").first.wait_for()
    settled(tab)
    assert_healthy(tab)


def test_the_downloaded_predictions_are_those_of_the_library(open_tab):
    tab = open_tab("/Relabel?dataset=cora&t_min=0.02")
    settled(tab)
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Predictions as CSV").click()
    dataset = datasets.load_dataset("cora")
    laplacian = make_laplacian("combinatorial", dataset.undirected)
    prior = priors.compute_prior("projection", dataset)
    hidden = hide_test(dataset)
    result = reclassify(laplacian, prior, hidden.labels, hidden.split)
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert saved == predictions_csv(dataset, result.at_time(0.02))
    assert saved.count("\n") == dataset.nodes + 1


def test_a_search_that_finds_nothing_says_so(open_tab):
    tab = open_tab("/Dataset?dataset=karate")
    settled(tab)
    box = tab.get_by_role("combobox", name="Node")
    box.fill("nobody")
    said = tab.get_by_text("No node’s name contains “nobody”.")
    said.wait_for()
    assert said.bounding_box()["height"] > 10
    box.fill("34")
    tab.get_by_role("option", name="34 (Officer)").wait_for()
    assert not said.is_visible()


def test_on_a_phone_the_bar_leaves_room_for_the_graph(open_tab):
    tab = open_tab("/Relabel?dataset=karate", width=390)
    settled(tab)
    tab.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 500)")
    tab.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 400")
    bar, stage = tab.locator(TRACK).bounding_box(), tab.locator(CANVAS).first.bounding_box()
    assert bar["y"] + bar["height"] < 260
    assert stage["width"] > 300
    tab.mouse.click(*grip(tab, 0.3))
    tab.wait_for_url("**t_min=**")
    assert_healthy(tab)


@pytest.mark.parametrize("width", [1440, 1000, 390])
def test_the_buttons_along_a_list_stay_together(open_tab, width):
    tab = open_tab("/Overshoot?dataset=pubmed", width=width)
    settled(tab)
    places = [
        tab.get_by_role("button", name=name, exact=True).bounding_box()
        for name in ("Previous", "Next")
    ]
    assert places[0]["y"] == places[1]["y"]
