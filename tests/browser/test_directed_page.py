"""Journeys through Directed and Reproduce in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.tabs import assert_accessible, assert_healthy, ended, search_node

FILM = ".frame[data-step]"
RING = "/Directed?dataset=directed-ring"


def settled(tab) -> None:
    ended(tab)
    tab.wait_for_timeout(600)


def open_directed(open_tab, path: str = RING, **options):
    tab = open_tab(path, **options)
    tab.wait_for_selector(FILM)
    tab.wait_for_selector(".stage[data-ready]")
    settled(tab)
    return tab


def open_part(tab, name: str) -> None:
    tab.get_by_role("radio", name=name).click()


def open_reproduce(open_tab, path: str = "/Reproduce", **options):
    tab = open_tab(path, **options)
    tab.get_by_role("table", name="Table").wait_for()
    tab.get_by_text("Run this cell again").wait_for()
    settled(tab)
    return tab


def cursor(tab) -> int:
    """The step at which the cursor of the chart stands."""
    return int(tab.locator("figure[data-cursor]").get_attribute("data-cursor"))


def step(tab) -> int:
    return int(tab.locator(FILM).get_attribute("data-step"))


# ---------------------------------------------------------------- Directed


def test_the_walk_plays_pauses_and_steps(open_tab):
    tab = open_directed(open_tab)
    assert step(tab) == 0
    tab.get_by_role("button", name="One step on").click()
    assert step(tab) == 1
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.wait_for_function(
        "() => [...document.querySelectorAll('*')].some(host => host.shadowRoot?.querySelector("
        "'.frame[data-step]')?.dataset.step >= 4)"
    )
    tab.get_by_role("button", name="Pause", exact=True).click()
    still = step(tab)
    tab.wait_for_timeout(1200)
    assert step(tab) == still
    tab.get_by_role("button", name="One step back").click()
    assert step(tab) == still - 1
    assert cursor(tab) == still - 1
    tab.get_by_role("button", name="Back to the start").click()
    assert step(tab) == cursor(tab) == 0
    chart = tab.locator("svg.chart")
    box = chart.bounding_box()
    chart.click(position={"x": 0.5 * box["width"], "y": 0.5 * box["height"]})
    assert 12 < step(tab) == cursor(tab) < 24


def test_the_open_part_is_in_the_link_and_back_restores_it(open_tab):
    tab = open_directed(open_tab)
    open_part(tab, "what changes for one node")
    tab.wait_for_url(re.compile("part=what"))
    tab.get_by_text("λ₂ =").first.wait_for()
    expect(tab.locator(FILM)).to_have_count(0)
    open_part(tab, "the tables")
    tab.get_by_role("table", name="Table 4").wait_for()
    settled(tab)
    tab.go_back()
    tab.wait_for_url(re.compile("part=what"))
    tab.wait_for_selector(".js-plotly-plot")
    tab.reload()
    tab.wait_for_selector(".js-plotly-plot")
    tab.get_by_role("radio", name="what changes for one node", checked=True).wait_for()


def test_without_jumps_mass_piles_up_and_with_them_it_does_not(open_tab):
    tab = open_directed(open_tab)
    slider = tab.get_by_role("slider", name="Step of the walk")
    slider.focus()
    tab.keyboard.press("End")
    assert step(tab) == 40
    without, with_jumps = tab.locator(".sums").all_inner_texts()
    caught = [float(re.match(r"([\d.]+)%", text).group(1)) for text in (without, with_jumps)]
    assert caught[0] > 90
    assert caught[1] < 15
    spoken = tab.locator(".spoken", has_text="Step 40").inner_text()
    assert without in spoken


def test_mass_runs_out_where_it_is_lost(open_tab):
    tab = open_directed(open_tab, f"{RING}&dead-end=vanish&small=one-way+path")
    tab.get_by_role("slider", name="Step of the walk").focus()
    tab.keyboard.press("End")
    assert "100% lost" in tab.locator(".sums").first.inner_text()
    assert "nothing lost" in tab.locator(".sums").last.inner_text()


def test_a_node_is_selected_in_both_graphs_and_in_the_link(open_tab):
    tab = open_directed(open_tab, f"{RING}&node=3")
    assert tab.locator(".spoken", has_text="Selected 3").count() == 2
    search_node(tab, "7")
    tab.wait_for_url(re.compile("node=7"))
    expect(tab.locator(".spoken", has_text="Selected 7")).to_have_count(2)
    open_part(tab, "what changes for one node")
    tab.get_by_text("Node 7:").wait_for()


def test_an_undirected_graph_in_the_link_is_explained_and_links_stay_whole(open_tab):
    tab = open_directed(open_tab, "/Directed?dataset=karate&alpha=0.5")
    tab.get_by_text("has no directions").wait_for()
    assert "dataset=karate" not in tab.url
    assert "alpha=0.5" in tab.url
    tab.reload()
    tab.wait_for_selector(FILM)
    settled(tab)
    tab.get_by_text("α = 0.5: with teleportation").wait_for()


def test_a_number_opens_on_the_reproduce_page(open_tab):
    tab = open_tab(f"{RING}&rule=peak&part=the+tables")
    tab.get_by_role("table", name="Table 4").get_by_role("button").nth(1).click()
    tab.get_by_role("link", name="Open table 4: projection, forward").click()
    tab.get_by_role("heading", name="The paper's tables, computed again").wait_for()
    tab.get_by_text("Run this cell again").wait_for()
    settled(tab)
    assert re.search(r"cell=table.4", tab.url)
    assert "rule=peak" in tab.url
    card = tab.locator(".st-key-one-cell")
    card.get_by_text("Settings of this number").click()
    card.get_by_text("cora-directed, paper-directed split").wait_for()


# ---------------------------------------------------------------- Reproduce


TABLE_4 = "/Reproduce?cell=table+4:+projection,+undirected+paper-directed+split"
TABLE_3 = "/Reproduce?cell=table+3:+gcn,+citeseer"


def test_the_chosen_number_is_beside_the_table_or_below_it(open_tab):
    tab = open_reproduce(open_tab, width=1440, height=900)
    table = tab.get_by_role("table", name="Table 2: after GDR")
    table.get_by_role("button").nth(6).click()
    tab.wait_for_url(re.compile("cell="))
    run = tab.get_by_role("button", name="Run this cell again")
    left, right = table.bounding_box(), tab.locator(".st-key-one-cell").bounding_box()
    assert right["x"] >= left["x"] + left["width"]
    assert run.bounding_box()["y"] + run.bounding_box()["height"] < 900
    tab.set_viewport_size({"width": 820, "height": 1180})
    tab.wait_for_function(
        "() => document.querySelector('.st-key-one-cell').getBoundingClientRect().left < 400"
    )
    above, below = table.bounding_box(), tab.locator(".st-key-one-cell").bounding_box()
    assert below["y"] >= above["y"] + above["height"]


def test_a_number_tells_its_settings_and_is_chosen_by_a_click(open_tab):
    tab = open_reproduce(open_tab, TABLE_4)
    number = tab.get_by_role("table", name="Table 4").get_by_role("button").nth(1)
    number.hover()
    tip = tab.locator(".tip:visible")
    tip.wait_for()
    for word in ("rule", "t_min", "seeds", "time a seed", "versions"):
        assert word in tip.inner_text()
    assert_accessible(tab)
    number.click()
    tab.wait_for_url(re.compile("cell=table\\+?(%20)?4"))
    settled(tab)  # else the card is drawn again, closed, after it was opened
    card = tab.locator(".st-key-one-cell")
    card.get_by_text("Settings of this number").click()
    card.get_by_text("cora-directed, paper-directed split").wait_for()
    assert number.get_attribute("aria-pressed") == "true"


def test_the_keyboard_walks_through_a_table(open_tab):
    tab = open_reproduce(open_tab, TABLE_3)
    buttons = tab.get_by_role("table", name="Table 3").get_by_role("button")
    assert [buttons.nth(i).get_attribute("tabindex") for i in range(3)] == ["0", "-1", "-1"]
    buttons.first.focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowDown")
    tab.locator(".tip:visible", has_text="table 3: diff-gcn, cora").wait_for()
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile("diff-gcn"))


def test_a_cheap_cell_run_here_gives_the_stored_number(open_tab):
    tab = open_reproduce(open_tab, "/Reproduce?cell=table+2+GDR:+uniform,+cora&rule=peak")
    tab.get_by_role("button", name="Run this cell again").click()
    tab.get_by_text("The same number in the run").wait_for()
    settled(tab)
    assert_healthy(tab)
    assert_accessible(tab)


def test_a_long_run_can_be_cancelled(open_tab):
    tab = open_reproduce(
        open_tab, "/Reproduce?cell=table+5:+diff-gcn,+augmented+paper-directed+split"
    )
    tab.get_by_role("button", name="Run this cell again").click()
    tab.get_by_text(re.compile(r"augmented epoch \d+")).wait_for()
    tab.get_by_role("button", name="Cancel").click()
    tab.get_by_text("Cancelled. Nothing was stored.").wait_for()
    tab.get_by_role("button", name="Report as HTML").wait_for()
    tab.get_by_role("button", name="Run this cell again").wait_for()


def test_the_report_is_one_file(open_tab):
    tab = open_reproduce(open_tab)
    for kind in ("HTML", "Markdown"):
        with tab.expect_download() as waiting:
            tab.get_by_role("button", name=f"Report as {kind}").click()
        text = Path(waiting.value.path()).read_text(encoding="utf-8")
        for word in ("table 2 GDR: projection, cora", "Checksums", "data/cora.npz", "numpy"):
            assert word in text, kind
