"""Sharing, the view for frames and the presenter's view, in a real browser."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.tabs import SIDEBAR, assert_accessible, ended

RELABEL = "/Relabel?dataset=karate"
expect = pytest.importorskip("playwright.sync_api", reason="needs requirements-dev.txt").expect


def test_share_copies_the_address(open_tab, profile):
    profile.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = open_tab(RELABEL)
    tab.get_by_role("button", name="Share").click()
    expect(tab.get_by_text("Link copied.")).to_be_visible()
    assert tab.evaluate("navigator.clipboard.readText()") == tab.url


def test_a_view_for_frames_has_no_sidebar_and_hides_what_it_should(open_tab):
    tab = open_tab(f"{RELABEL}&view=embed&hide=title&hide=nonsense", width=700, height=500)
    expect(tab.get_by_text("nonsense")).to_be_visible()  # it is said what cannot be hidden
    expect(tab.locator(SIDEBAR)).to_be_hidden()
    expect(tab.get_by_role("heading", name="Which nodes change their label")).to_be_hidden()
    expect(tab).to_have_url(re.compile(r"view=embed&hide=title$"))
    ended(tab)
    assert_accessible(tab)
    seen = set()
    for _ in range(60):  # the keyboard comes through the page and out of it again
        tab.keyboard.press("Tab")
        seen.add(tab.evaluate("document.activeElement.tagName"))
        if "BODY" in seen and len(seen) > 2:
            break
    assert "BODY" in seen, "the keyboard is caught"


def test_an_unknown_view_is_ignored_with_a_notice(open_tab):
    tab = open_tab(f"{RELABEL}&view=sideways")
    expect(tab.get_by_text("sideways")).to_be_visible()
    expect(tab.locator(SIDEBAR)).to_be_visible()
    expect(tab).to_have_url(re.compile(r"\?dataset=karate$"))


def test_the_presenter_steps_blanks_shows_a_code_and_leaves(open_tab):
    tab = open_tab(f"{RELABEL}&view=present", width=800, height=600)
    expect(tab.get_by_role("complementary", name="Presenter")).to_be_visible()
    expect(tab.locator(SIDEBAR)).to_be_hidden()
    ended(tab)
    assert_accessible(tab)
    tab.keyboard.press("b")
    expect(tab.locator(".gdr-blank")).to_be_visible()
    tab.keyboard.press("b")
    expect(tab.locator(".gdr-blank")).to_be_hidden()
    tab.keyboard.press("q")
    code = tab.get_by_role("img", name="QR code of")
    expect(code).to_be_visible()
    said = urlsplit(code.get_attribute("alt").removeprefix("QR code of "))
    assert (said.path, parse_qs(said.query)) == (
        "/Relabel",
        {"dataset": ["karate"], "view": ["present"]},
    )
    tab.keyboard.press("q")
    expect(code).to_have_count(0)
    for _ in range(30):  # scene after scene, and on to the next page
        if "/Relabel" not in tab.url:
            break
        tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(300)
    expect(tab).to_have_url(re.compile(r"/Compare\?.*view=present"))
    tab.get_by_role("button", name="Leave").click()
    expect(tab.locator(SIDEBAR)).to_be_visible()
