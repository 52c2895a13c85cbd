"""Home and a lesson in a real browser: press, click a node, draw a curve, on a phone too."""

from __future__ import annotations

import re

import pytest

from tests.browser.tabs import assert_accessible, assert_healthy, ended

expect = pytest.importorskip("playwright.sync_api", reason="needs requirements-dev.txt").expect
FIGURE = ".diffusion"


def node_of(tab, name: str):
    """The disc of a node in the first figure."""
    return tab.locator(FIGURE).first.locator(".node", has_text=re.compile(rf"^{name}\b|^{name}\d"))


def test_the_first_overshoot_takes_one_press_and_no_switch_of_page(open_tab):
    tab = open_tab("/")
    tab.emulate_media(reduced_motion="reduce")
    figure = tab.locator(FIGURE).first
    figure.locator(".node").first.wait_for()
    where = tab.url
    assert figure.locator(".badge .risen").count() == 0
    figure.get_by_role("button", name="Play").click()
    figure.locator(".badge .risen").first.wait_for()
    assert tab.url == where
    tab.get_by_role("link", name="Next: Two inks").click()
    tab.wait_for_url(re.compile("#two-inks$"))
    expect(tab.get_by_role("heading", name="Two inks, two classes")).to_be_in_viewport()


def test_ink_is_dropped_where_somebody_clicks_and_a_link_leads_to_a_step(open_tab):
    tab = open_tab("/#cora", width=390, height=844)
    tab.get_by_role("button", name="Another paper").wait_for()
    heading = tab.get_by_role("heading", name="The same on 2,708 papers")
    expect(heading).to_be_in_viewport()
    ended(tab)
    tab.evaluate(  # what is drawn late, above the heading, does not push it out of sight
        """() => document.querySelector('[data-testid=stMainBlockContainer]')
             .insertAdjacentHTML('afterbegin', '<div id="late" style="height: 1500px"></div>')"""
    )
    expect(heading).to_be_in_viewport()
    tab.evaluate("() => document.getElementById('late').remove()")
    expect(heading).to_be_in_viewport()
    tab.get_by_text("From a, b overshoots most").wait_for()
    node_of(tab, "f").locator(".ground").click(force=True)
    tab.get_by_text("From f, e overshoots most").wait_for()
    tab.wait_for_timeout(500)
    assert_healthy(tab)
    assert_accessible(tab)


def test_a_node_is_clicked_before_the_curves_are_seen(open_tab):
    tab = open_tab("/Lessons?lesson=2-overshoot")
    figure = tab.locator(FIGURE).first
    figure.locator(".node").first.wait_for()
    ended(tab)
    assert tab.get_by_role("button", name="Play").count() == 0
    node_of(tab, "c").locator(".ground").click(force=True)
    tab.get_by_text("Almost: c rises to 0.235").wait_for()
    assert tab.get_by_role("button", name="Play").count() == 0
    node_of(tab, "b").locator(".ground").click(force=True)
    tab.get_by_text("You answered b. Yes.").wait_for()
    tab.get_by_role("button", name="Play").wait_for()
    tab.get_by_text("Its overshoot height").wait_for()
    tab.get_by_role("button", name="Next").click()
    tab.wait_for_url(re.compile("step=2"))
    tab.get_by_role("heading", name="Who never does?").wait_for()
    tab.get_by_role("radio", name="No: it gives away what it gets.").wait_for()
    ended(tab)
    assert_accessible(tab)


def test_a_curve_is_drawn_on_a_phone(open_tab):
    tab = open_tab("/Lessons?lesson=1-heat", width=390, height=844)
    chart = tab.locator(f"{FIGURE} .stage.chart")
    chart.wait_for()
    ended(tab)
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    left, right = box["x"] + 46, box["x"] + box["width"] - 16
    low, middle = box["y"] + box["height"] - 36, box["y"] + box["height"] / 2
    tab.mouse.move(left, low)
    tab.mouse.down()
    tab.mouse.move(left + 60, middle + 6, steps=4)
    tab.mouse.move(right, middle + 2, steps=6)
    tab.mouse.up()
    tab.get_by_text("Your curve is kept").wait_for()
    tab.get_by_role("button", name="Check my answer").click()
    tab.get_by_text("Both nodes end at one half").wait_for()
    ended(tab)
    tab.wait_for_timeout(500)
    assert_healthy(tab)
    assert_accessible(tab)


def test_the_chart_of_cora_comes_with_the_answer_and_is_accessible(open_tab):
    tab = open_tab("/Lessons?lesson=4-t-min&step=4")
    tab.get_by_text("The chart is shown when you have answered").wait_for()
    ended(tab)
    assert tab.locator(".js-plotly-plot").count() == 0
    tab.get_by_text("Somewhere in between.", exact=True).click()
    tab.get_by_role("button", name="Check my answer").click()
    tab.locator(".js-plotly-plot").wait_for()
    tab.get_by_role("slider", name="t_min").wait_for()
    ended(tab)
    tab.emulate_media(color_scheme="dark")
    tab.wait_for_timeout(700)
    assert_healthy(tab)
    assert_accessible(tab)
