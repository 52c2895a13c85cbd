"""A page saved from Relabel: opened from disk, in a fresh browser, with no network at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gdr_core import Method, load_dataset
from gdr_core.datasets.hiding import hide_test
from tests.browser.tabs import assert_accessible, ended
from tests.browser.test_notebook import place_of


@pytest.fixture
def offline(chromium) -> Iterator[object]:
    """A tab that reaches nothing but files."""
    context = chromium.new_context(offline=True, viewport={"width": 1200, "height": 1000})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def counts(result, index: int) -> str:
    """The counts of one t_min, in the words of the page; test classes are hidden."""
    found = result.at(index).tally
    told = f"{found.fixed} fixed ◆, {found.broken} broken ▲, {found.still_wrong} still wrong ■"
    unjudged = f", {found.not_judged} not judged ○" if found.not_judged else ""
    return f"{found.relabelled} relabelled: {told}{unjudged}"


def test_a_page_saved_from_relabel_answers_offline(open_tab, offline, lead, tmp_path):
    from playwright.sync_api import expect

    tab = open_tab("/Relabel?dataset=karate&prior=uniform&node=9")
    button = tab.get_by_role("button", name="Graph as HTML")
    button.wait_for()
    ended(tab)
    with tab.expect_download() as waiting:
        button.click()
    saved = tmp_path / "graph.html"
    saved.write_bytes(Path(waiting.value.path()).read_bytes())

    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    lead(offline, saved.as_uri())
    club = hide_test(load_dataset("karate"))
    result = Method.on(club, prior="uniform").run()
    expect(offline.locator(".counts")).to_have_text(counts(result, result.chosen))
    stage = offline.locator(".stage[data-ready]").first
    offline.mouse.move(*place_of(stage, club, 0))
    tip = offline.locator(".tip").first
    expect(tip).to_contain_text(club.node_names[0])
    expect(tip).to_contain_text("GDR: ")
    offline.get_by_role("slider", name="t_min", exact=True).fill("2")
    expect(offline.locator(".counts")).to_have_text(counts(result, 2))
    chart = offline.locator(".curves-of-node .stage")
    expect(chart).to_have_attribute("aria-valuenow", "2")
    chart.focus()
    offline.keyboard.press("End")
    expect(offline.locator(".counts")).to_have_text(counts(result, result.times.size - 1))
    assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []
    assert_accessible(offline)


def page_of(tab, what: str, tmp_path: Path) -> Path:
    """The page that the menu of a canvas gives."""
    tab.get_by_role("button", name=f"Save the {what}", exact=True).first.click()
    with tab.expect_download() as waiting:
        tab.get_by_role("menuitem", name="Interactive page (HTML)").click()
    saved = tmp_path / waiting.value.suggested_filename
    saved.write_bytes(Path(waiting.value.path()).read_bytes())
    assert saved.suffix == ".html"
    return saved


def opened(offline, lead, saved: Path) -> list[str]:
    """Open a saved page; what it asks of anybody else, as it grows."""
    asked: list[str] = []
    offline.on(
        "request",
        lambda one: asked.append(one.url) if not one.url.startswith(("file:", "blob:")) else None,
    )
    lead(offline, saved.as_uri())
    return asked


@pytest.mark.parametrize(
    "path",
    ["/Dataset?dataset=karate", "/Prior?dataset=karate", "/Overshoot?dataset=karate&part=graph"],
)
def test_the_menu_of_every_graph_gives_a_page_that_answers_offline(
    open_tab, offline, lead, tmp_path, path
):
    from playwright.sync_api import expect

    tab = open_tab(path)
    tab.get_by_role("button", name="Save the graph").first.wait_for()
    ended(tab)
    asked = opened(offline, lead, page_of(tab, "graph", tmp_path))
    club = load_dataset("karate")
    stage = offline.locator(".stage[data-ready]").first
    offline.mouse.move(*place_of(stage, club, 0))
    expect(offline.locator(".tip").first).to_contain_text(club.node_names[0])
    assert asked == []
    assert_accessible(offline)


def test_the_menu_of_relabel_gives_a_page_with_its_bar(open_tab, offline, lead, tmp_path):
    from playwright.sync_api import expect

    tab = open_tab("/Relabel?dataset=karate&prior=uniform")
    tab.get_by_role("button", name="Save the graph").wait_for()
    ended(tab)
    asked = opened(offline, lead, page_of(tab, "graph", tmp_path))
    club = hide_test(load_dataset("karate"))
    result = Method.on("karate", prior="uniform").run()
    track = offline.locator(".track[role=slider]")
    track.focus()
    for key, index in (("Home", 0), ("End", result.times.size - 1)):
        offline.keyboard.press(key)
        fixed = hidden_tally(club, index).fixed
        expect(offline.locator(".entry", has_text="fixed").locator(".number").first).to_have_text(
            str(fixed)
        )
    stage = offline.locator(".stage[data-ready]").first
    offline.mouse.move(*place_of(stage, club, 0))
    expect(offline.locator(".tip").last).to_contain_text("GDR: ")
    assert asked == []
    assert_accessible(offline)


def hidden_tally(club, index: int):
    """The counts of one t_min while test classes are hidden."""
    return Method.on(club, prior="uniform").run().at(index).tally


@pytest.mark.parametrize(
    ("path", "what", "slider"),
    [
        ("/", "figure", "Time"),
        ("/Lab", "figure", "Time"),
        ("/Directed?dataset=directed-cycle", "walk", "Step of the walk"),
    ],
)
def test_a_page_saved_from_a_figure_plays_offline(
    open_tab, offline, lead, tmp_path, path, what, slider
):
    from playwright.sync_api import expect

    tab = open_tab(path)
    tab.get_by_role("button", name=f"Save the {what}", exact=True).first.wait_for()
    ended(tab)
    asked = opened(offline, lead, page_of(tab, what, tmp_path))
    time = offline.get_by_role("slider", name=slider, exact=True).first
    before = time.get_attribute("aria-valuetext")
    offline.get_by_role("button", name="One step on").first.click()
    expect(time).not_to_have_attribute("aria-valuetext", before)
    assert asked == []


def test_curves_are_saved_as_a_page_with_their_moment(open_tab, offline, lead, tmp_path):
    from playwright.sync_api import expect

    tab = open_tab("/Overshoot?dataset=karate&prior=uniform&node=9")
    tab.get_by_role("button", name="Save the chart", exact=True).first.wait_for()
    ended(tab)
    asked = opened(offline, lead, page_of(tab, "chart", tmp_path))
    stage = offline.locator(".stage").first
    stage.focus()
    offline.keyboard.press("Home")
    expect(stage).to_have_attribute("aria-valuenow", "0")
    offline.keyboard.press("ArrowRight")
    expect(stage).to_have_attribute("aria-valuenow", "1")
    assert asked == []


def test_a_neighbourhood_is_saved_as_a_small_page_that_draws_itself(
    open_tab, offline, lead, tmp_path
):
    from playwright.sync_api import expect

    tab = open_tab("/Overshoot?dataset=karate&prior=uniform&node=9&hops=1")
    tab.get_by_role("button", name="Save the neighbourhood", exact=True).wait_for()
    ended(tab)
    saved = page_of(tab, "neighbourhood", tmp_path)
    assert saved.stat().st_size < 150_000  # vis-network alone has 470 kB
    asked = opened(offline, lead, saved)
    stage = offline.locator(".stage[data-ready]")
    box = stage.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tip = offline.locator(".tip")
    offline.mouse.move(*middle)  # where the node itself is
    expect(tip).to_contain_text("9")
    expect(tip).to_contain_text("now: ")
    offline.mouse.move(box["x"] + 3, box["y"] + 3)
    expect(tip).to_be_hidden()
    before = stage.get_attribute("data-index")
    offline.get_by_role("button", name="One step on").click()
    expect(stage).not_to_have_attribute("data-index", before)
    offline.mouse.move(*middle)
    offline.mouse.down()
    offline.mouse.move(middle[0] + 90, middle[1], steps=4)
    offline.mouse.up()
    offline.mouse.move(middle[0], middle[1] + 1)
    expect(tip).to_be_hidden()  # the node has moved with the hand
    offline.mouse.move(middle[0] + 90, middle[1])
    expect(tip).to_contain_text("now: ")
    assert asked == []
    assert_accessible(offline)
