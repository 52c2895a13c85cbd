"""Journeys through Overshoot and Compare in a real browser."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.tabs import (
    AROUND,
    NODES_AROUND,
    SIDEBAR,
    assert_healthy,
    ended,
    stage_on,
)

CURVES = ".stage[role=slider][data-ready]"
OUTCOME = re.compile(r"t_min ([\d.e-]+)")
# Frames that the page really shows while the pointer moves; Python is not asked in between.
COUNT_FRAMES = """() => {
  window.frames_seen = [];
  const tick = (now) => {
    window.frames_seen.push(now);
    window.counting = requestAnimationFrame(tick);
  };
  window.counting = requestAnimationFrame(tick);
}"""
FRAMES = "() => { cancelAnimationFrame(window.counting); return window.frames_seen; }"


def settled(tab) -> None:
    tab.wait_for_selector(CURVES)
    tab.wait_for_selector(AROUND)
    ended(tab)


def outcome(tab) -> float:
    text = tab.locator(SIDEBAR).inner_text()
    return float(OUTCOME.search(text).group(1))


def test_dragging_t_min_runs_here_and_python_follows(open_tab, capsys):
    tab = open_tab("/Overshoot?dataset=cora")
    settled(tab)
    before = outcome(tab)
    stage = stage_on(tab, CURVES)
    box = stage.bounding_box()
    middle = box["y"] + box["height"] / 2
    tab.mouse.move(box["x"] + box["width"] * 0.6, middle)
    tab.mouse.down()
    tab.evaluate(COUNT_FRAMES)
    values = set()
    for step in range(60):
        tab.mouse.move(box["x"] + box["width"] * (0.6 - step / 200), middle)
        values.add(stage.get_attribute("aria-valuenow"))
    frames = tab.evaluate(FRAMES)
    tab.mouse.up()
    with capsys.disabled():  # reported, not asserted: it depends on the machine's other work
        rate = 1000 * (len(frames) - 1) / (frames[-1] - frames[0])
        print(f"\n{rate:.0f} frames a second while dragging t_min")
    assert len(values) > 20
    tab.wait_for_url(re.compile("t_min="))
    asked = float(re.search(r"t_min=([\d.e-]+)", tab.url).group(1))
    assert asked < before
    tab.wait_for_function(
        "text => document.querySelector('[data-testid=stSidebar]').innerText.includes(text)",
        arg=f"t_min {asked:.4g}",
    )
    tab.get_by_text(f"From t_min = {asked:.3g} to").wait_for()
    assert_healthy(tab)


def test_the_chart_is_the_first_thing_and_names_its_curves(open_tab):
    tab = open_tab("/Overshoot?dataset=cora", width=1440, height=900)
    settled(tab)
    stage = tab.locator(CURVES)
    assert stage.bounding_box()["y"] < 250
    names = tab.locator(".ends button")
    expect(names).to_have_count(7)
    winner = tab.locator(".ends .winner")
    expect(winner).to_have_text(tab.locator(".readout .winner").inner_text())
    places = sorted(name.bounding_box()["y"] for name in names.all())
    assert min(b - a for a, b in pairwise(places)) > 10
    winner.click()
    expect(winner).to_have_attribute("aria-pressed", "false")
    tab.get_by_role("radio", name="delta impulse").click()
    tab.wait_for_url("**mode=delta**")
    expect(tab.locator(".key button", has_text="source")).to_be_visible()
    assert tab.locator(CURVES).bounding_box()["y"] < 250


@pytest.mark.parametrize("width", [1280, 1440])
def test_no_legend_says_again_what_the_ends_of_the_curves_say(open_tab, width):
    tab = open_tab("/Overshoot?dataset=cora", width=width, height=900)
    settled(tab)
    expect(tab.locator(".ends button")).to_have_count(7)
    frame = tab.locator(".frame", has=tab.locator(".ends")).first
    expect(frame.locator(".ends button").first).to_be_visible()
    assert frame.locator(".key:not(.ends)").is_hidden()


def test_the_keyboard_moves_t_min_by_one_step(open_tab):
    tab = open_tab("/Overshoot?dataset=karate&prior=uniform&t_min=0.1")
    settled(tab)
    stage = stage_on(tab, CURVES)
    stage.focus()
    before = int(stage.get_attribute("aria-valuenow"))
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("ArrowLeft")
    assert int(stage.get_attribute("aria-valuenow")) == before - 2
    assert "relaxation times" in stage.get_attribute("aria-valuetext")
    tab.wait_for_function("() => !location.search.includes('t_min=0.1&')")
    settled(tab)
    assert outcome(tab) < 0.1
    assert int(stage.get_attribute("aria-valuenow")) == before - 2


def test_the_film_plays_pauses_and_steps(open_tab):
    tab = open_tab("/Overshoot?dataset=karate&prior=uniform&t_min=0.001")
    settled(tab)
    around = tab.locator(AROUND)
    index = lambda: int(around.get_attribute("data-index"))  # noqa: E731
    first = index()
    tab.get_by_role("button", name="One step on").click()
    assert index() == first + 1
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.wait_for_function(
        "first => [...document.querySelectorAll('*')].some(host => host.shadowRoot?.querySelector("
        "'.stage[data-index]')?.dataset.index > first + 5)",
        arg=first,
    )
    tab.get_by_role("button", name="Pause", exact=True).click()
    still = index()
    tab.wait_for_timeout(400)
    assert index() == still
    around.focus()
    tab.keyboard.press("ArrowLeft")
    assert index() == still - 1


def test_a_click_in_the_neighbourhood_goes_there(open_tab):
    tab = open_tab("/Overshoot?dataset=star&prior=uniform&node=0&hops=1&t_min=0.05")
    settled(tab)
    around = stage_on(tab, AROUND)
    tab.wait_for_timeout(300)
    places = around.evaluate(NODES_AROUND)
    assert places
    tab.mouse.click(*places[len(places) // 2])
    tab.wait_for_url(re.compile("node=[1-9]"))
    settled(tab)
    node = re.search(r"node=(\d+)", tab.url).group(1)
    tab.get_by_text(f"Node {node}", exact=False).first.wait_for()


def test_a_pale_curve_tells_whose_it_is(open_tab):
    tab = open_tab("/Overshoot?dataset=karate&prior=projection&overlay=its+neighbours&node=3")
    settled(tab)
    stage = stage_on(tab, CURVES)
    box = stage.bounding_box()
    tip = stage.locator(".tip .pale")
    for share in range(5, 95, 2):  # down the plot, until a pale curve is near
        tab.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * share / 100)
        if tip.count() and tip.first.is_visible():
            break
    assert tip.first.inner_text().startswith("Pale: ")


def test_both_graphs_of_compare_share_the_selection(open_tab):
    tab = open_tab("/Compare?dataset=karate&prior=uniform&compare=rules&node=3")
    tab.wait_for_selector(".stage[data-ready]")
    tab.locator(".spoken", has_text="Selected 3").nth(1).wait_for(state="attached")
    assert tab.locator(".spoken", has_text="Selected 3").count() == 2


def test_compare_opens_with_all_stored_priors_on_one_screen(open_tab):
    tab = open_tab("/Compare?dataset=cora", width=1440, height=900)
    figure = tab.locator("svg[aria-label^='Accuracy on validation nodes']")
    figure.wait_for()
    for prior in ("random-forest", "svm", "mlp", "gcn", "diff-gcn", "label-propagation"):
        assert prior in figure.get_attribute("aria-label")
    box = figure.bounding_box()
    assert box["y"] + box["height"] < 900
    tab.get_by_text("Node by node").first.wait_for()
