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
