"""Journeys through Prior and Relabel in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

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
    assert_healthy,
    settled,
    tile,
    wait_until_tile_differs,
)


def test_dragging_t_min_changes_counts_and_link_and_keeps_the_view(open_tab):
    tab = open_tab("/Relabel?dataset=cora&t_min=0.05")
    settled(tab)
    assert "at t_min 0.05094" in tab.locator(SIDEBAR).inner_text()
    stage = tab.locator(CANVAS).first
    stage.focus()
    tab.keyboard.press("+")
    tab.wait_for_timeout(300)
    places = stage.evaluate(PLACES)
    before = tile(tab, "Relabelled")
    slider = tab.locator("[data-testid=stMain]").get_by_role("slider").first
    slider.scroll_into_view_if_needed()
    box = slider.locator("xpath=../..").bounding_box()  # the knob that one sees
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 60, y, steps=5)
    tab.mouse.up()
    wait_until_tile_differs(tab, "Relabelled", before)
    settled(tab)
    tab.wait_for_url(lambda url: float(parse_qs(urlsplit(url).query)["t_min"][0]) > 0.06)
    now = tile(tab, "Relabelled")
    assert now != before
    assert f"{now} nodes" in tab.locator(SIDEBAR).inner_text()
    after = stage.evaluate(PLACES)
    assert min(x for x, _ in after) == pytest.approx(min(x for x, _ in places), abs=3)
    assert_healthy(tab)


def test_a_click_in_the_graph_opens_the_card_and_one_around_it_the_next(open_tab):
    tab = open_tab("/Relabel?dataset=star")
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
    tab = open_tab("/Relabel?dataset=karate")
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


def test_on_a_phone_no_toolbar_covers_the_legend(open_tab):
    tab = open_tab("/Relabel?dataset=karate", width=390)
    settled(tab)
    chart = tab.locator(".st-key-accuracy .js-plotly-plot")
    chart.hover()
    assert chart.locator(".legend").is_visible()
    assert not chart.locator(".modebar").is_visible()


@pytest.mark.parametrize("width", [1440, 1000, 390])
def test_the_buttons_along_a_list_stay_together(open_tab, width):
    tab = open_tab("/Overshoot?dataset=pubmed", width=width)
    settled(tab)
    places = [
        tab.get_by_role("button", name=name, exact=True).bounding_box()
        for name in ("Previous", "Next")
    ]
    assert places[0]["y"] == places[1]["y"]
