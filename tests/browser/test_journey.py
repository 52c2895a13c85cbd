"""From page to page, and from a link on a server that has just been started."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.tabs import SIDEBAR, assert_healthy, ended, go_to, settled
from tests.visiting import BACKWARD

PAGES = sorted(
    path.stem.split("_", 1)[1].replace("_", " ") for path in Path("pages").glob("[0-9]*_*.py")
)


def picked(tab, label: str) -> str:
    """What a select box of the sidebar shows."""
    return tab.locator(SIDEBAR).get_by_role("combobox", name=label, exact=True).input_value()


def test_from_home_through_all_pages(open_tab):
    tab = open_tab("/")
    settled(tab)
    links = tab.locator(SIDEBAR).get_by_role("link")
    names = [name.split("\n")[-1].strip() for name in links.all_inner_texts()]
    assert sorted(names[1:]) == PAGES
    for name in names:
        before = tab.get_by_role("heading", level=1).inner_text()
        tab.locator(SIDEBAR).get_by_role("link", name=name, exact=True).click()
        if name != "Home":
            tab.wait_for_function(
                "before => ![before, undefined].includes(document.querySelector('h1')?.innerText)",
                arg=before,
            )
        ended(tab)
        assert_healthy(tab)


def test_a_link_finds_its_state_on_a_fresh_server_and_takes_it_along(open_tab, fresh_address):
    query = BACKWARD
    link = "&".join(f"{key}={value}" for key, value in query.items())
    tab = open_tab(f"/Relabel?{link}", server=fresh_address)
    settled(tab)
    for page, title in ((None, None), ("Prior", "What the classifier believes")):
        if page:
            go_to(tab, page, title)
        tab.get_by_text("Node 35").first.wait_for()
        settled(tab)
        for key in ("dataset", "split", "prior", "laplacian", "direction"):
            assert picked(tab, key.capitalize()) == query[key]
        outcome = tab.locator(SIDEBAR).inner_text()
        assert float(re.search(r"at t_min ([\d.]+)", outcome)[1]) == pytest.approx(0.25, rel=0.05)
        tab.locator(SIDEBAR).get_by_text("Advanced", exact=True).click()
        tab.locator(SIDEBAR).get_by_role("combobox", name="Rule").wait_for()
        assert picked(tab, "Rule") == query["rule"]
        assert tab.get_by_role("combobox", name="Node").input_value() == "35"
        assert tab.locator("[data-testid=stAlert]").count() == 0
        said = {key: found[0] for key, found in parse_qs(urlsplit(tab.url).query).items()}
        assert said.pop("t_min") == re.search(r"at t_min ([\d.]+)", outcome)[1]
        assert said == {key: value for key, value in query.items() if key != "t_min"}
