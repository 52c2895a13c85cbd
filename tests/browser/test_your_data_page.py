"""Own data in a real browser: bring, correct, open, use, save, and reopen in another browser."""

from __future__ import annotations

import pytest

from gdr_app.your_data.examples import EDGES, PROBABILITIES, example_files
from tests.browser.conftest import PATIENCE
from tests.browser.tabs import (
    SIDEBAR,
    assert_accessible,
    assert_healthy,
    ended,
    go_to,
    settled,
    tile,
)

TooLate = pytest.importorskip(
    "playwright.sync_api", reason="needs requirements-dev.txt"
).TimeoutError

PAGE = "/Your_data"
OPEN = "Open this dataset"
EXPLORERS = {
    "Dataset": "club-edges",
    "Overshoot": "Beliefs over time",
    "Relabel": "Which nodes change their label",
}


@pytest.fixture
def files(tmp_path) -> dict[str, str]:
    """Where the example files lie; in the probabilities ids are called by an odd name."""
    paths = {}
    for name, content in example_files().items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        paths[name] = str(tmp_path / name)
    return paths


def drop(tab, *paths: str) -> None:
    tab.locator("input[type=file]").first.set_input_files(list(paths))


def choose(tab, label: str, option: str, place: int = 0) -> None:
    """Choose in a select box by its label; a list that the page's redrawing closes is opened again,
    as a visitor would."""
    for patience in (4_000, 4_000, PATIENCE):
        tab.get_by_role("combobox", name=label).nth(place).click()
        try:
            tab.get_by_role("option", name=option, exact=True).click(timeout=patience)
            break
        except TooLate:
            tab.keyboard.press("Escape")
    ended(tab)


def press(tab, name: str) -> None:
    tab.get_by_role("button", name=name).click()


def saved_by(tab, name: str):
    """The path of what a button saves."""
    with tab.expect_download() as caught:
        tab.get_by_role("button", name=name).click()
    return caught.value.path()


def test_a_pasted_edge_list_becomes_a_graph(open_tab):
    tab = open_tab(PAGE, width=390, height=800)
    box = tab.get_by_role("textbox", name="Edge list")
    box.fill("ann,bob\nbob,cyd\ncyd,ann\ncyd,cyd\n")
    press(tab, "Read it")
    tab.get_by_text("1 edge from a node to itself (line 4)").wait_for()
    assert tile(tab, "Edges") == "3"
    assert_healthy(tab)
    press(tab, OPEN)
    tab.get_by_text("is open: 3 nodes, 3 edges").wait_for()


def test_the_whole_journey_with_own_data(open_tab, chromium, address, lead, files, tmp_path):
    tab = open_tab(PAGE)
    drop(tab, files[EDGES], files[PROBABILITIES])
    tab.get_by_text("1 id of 35 not in the graph").wait_for()
    ended(tab)
    assert_accessible(tab)
    choose(tab, "Weight", "– none –")  # a wrong guess: how often they met is no weight here
    choose(tab, "What is done about: unknown id", "these nodes are added, without edges")
    for _ in range(200):  # the files are read again by a worker
        if tile(tab, "Nodes") == "35":
            break
        tab.wait_for_timeout(100)
    assert tile(tab, "Nodes") == "35"
    press(tab, OPEN)
    tab.get_by_text("is open: 35 nodes, 78 edges").wait_for()
    for page, title in EXPLORERS.items():
        go_to(tab, page, title)
        settled(tab)
        assert_healthy(tab)
        assert "member" not in tab.url
    predictions = saved_by(tab, "Predictions as CSV").read_text(encoding="utf-8")
    assert predictions.count("\n") == 36
    assert "member 34" in predictions
    report = saved_by(tab, "Report as HTML").read_text(encoding="utf-8")
    assert "relabelled" in report
    assert 'id="view-data"' in report
    go_to(tab, "Your data", "Your data")
    press(tab, "as a project file")
    project = tmp_path / "club.gdr.zip"
    project.write_bytes(saved_by(tab, "Download the project").read_bytes())

    other = chromium.new_context(color_scheme="dark")
    other.set_default_timeout(PATIENCE)
    try:
        stranger = lead(other.new_page(), tab.url.replace("Your_data", "Relabel"))
        stranger.goto(f"{address}/Relabel?dataset={_key(tab)}", wait_until="commit")
        stranger.get_by_text("which are not in the link").wait_for()
        assert "club-edges" not in stranger.locator("body").inner_text()
        stranger.get_by_role("link", name="Open your data").click()
        drop(stranger, str(project))
        press(stranger, "Reopen it")
        stranger.get_by_text("is open: 35 nodes, 78 edges").wait_for()
        go_to(stranger, "Relabel", EXPLORERS["Relabel"])
        settled(stranger)
        again = saved_by(stranger, "Predictions as CSV").read_text(encoding="utf-8")
        assert again == predictions
    finally:
        other.close()


def test_a_network_trains_on_own_data_and_becomes_their_prior(open_tab, files):
    tab = open_tab(PAGE)
    drop(tab, *files.values())
    press(tab, OPEN)
    tab.get_by_text("is open: 34 nodes").wait_for()
    go_to(tab, "Train", "A network learns")
    tab.get_by_text("of each node a network reads its class probabilities").wait_for()
    choose(tab, "Model", "gcn")
    press(tab, "Start")
    tab.get_by_role("button", name="Use as prior").click()
    tab.get_by_text("is now the prior of every page").wait_for()
    go_to(tab, "Relabel", EXPLORERS["Relabel"])
    settled(tab)
    assert "gcn 1" in tab.locator(SIDEBAR).inner_text()
    assert_healthy(tab)


def _key(tab) -> str:
    """What the data are called in links."""
    return tab.evaluate(
        "() => new URL(document.querySelector('main a[href*=dataset], "
        "[data-testid=stMain] a[href*=dataset]').href).searchParams.get('dataset')"
    )
