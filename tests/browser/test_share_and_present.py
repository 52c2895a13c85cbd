"""Sharing, the view for frames and the presenter's view, in a real browser."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest

from gdr_app.relabel.below import PARTS
from gdr_tools.bench.browser import running_app
from tests.browser.tabs import SIDEBAR, TRACK, assert_accessible, ended, settled

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


def letters(part: ElementTree.Element, size: float = 0) -> Iterator[tuple[str, float]]:
    """The texts of a drawing, each with the size of its letters."""
    size = float(part.get("font-size", str(size)).removesuffix("px"))
    if part.tag.endswith("text"):
        yield "".join(part.itertext()), size
    for inner in part:
        yield from letters(inner, size)


@pytest.mark.parametrize(
    ("path", "what", "text"),
    [
        ("/Relabel?dataset=karate&prior=uniform", "chart of accuracy", "%"),
        ("/Overshoot?dataset=karate&prior=uniform&node=9", "chart", "relaxation times, t"),
        ("/Overshoot?dataset=karate&prior=uniform&node=9", "neighbourhood", "(Officer)"),
        ("/Lab", "figure", "time t"),
        ("/Train", "chart", "epoch"),
    ],
)
def test_canvases_write_larger_for_a_presenter(open_tab, path, what, text):
    def size_in(view: str) -> float:
        tab = open_tab(f"{path}{'&' if '?' in path else '?'}view={view}", width=1440, height=900)
        button = tab.get_by_role("button", name=f"Save the {what}", exact=True).first
        button.wait_for()
        ended(tab)
        button.click()
        with tab.expect_download() as waiting:
            tab.get_by_role("menuitem", name="Drawing (SVG)").click()
        root = ElementTree.parse(Path(waiting.value.path())).getroot()
        return max(size for said, size in letters(root) if text in said)

    assert size_in("present") > 1.25 * size_in("page")


def test_charts_have_larger_letters_for_a_presenter(open_tab):
    tab = open_tab("/Dataset?dataset=karate&view=present", width=1440, height=900)
    number = tab.locator(".xtick text").first
    number.wait_for()
    assert number.evaluate("text => parseFloat(getComputedStyle(text).fontSize)") >= 16


def test_arrow_keys_open_every_part_of_relabel(open_tab):
    tab = open_tab(f"{RELABEL}&prior=uniform&view=present", width=1440, height=900)
    settled(tab)
    seen = set()
    for _ in range(12):
        if "/Relabel" not in tab.url:
            break
        seen |= set(tab.locator("[role=radio][aria-checked=true]").all_inner_texts())
        tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(700)
        ended(tab)
    assert seen >= set(PARTS), seen
    expect(tab).to_have_url(re.compile("/Compare"))


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_a_frame_plays_by_itself_unless_less_motion_is_wanted(
    chromium, address, lead, motion, moves
):
    context = chromium.new_context(reduced_motion=motion, viewport={"width": 900, "height": 600})
    context.set_default_timeout(60_000)
    plays = f"{address}{RELABEL}&prior=uniform&view=embed"
    tab = lead(context.new_page(), plays)
    settled(tab)
    still = tab.locator(TRACK).get_attribute("aria-valuenow")
    lead(tab, f"{plays}&autoplay=on")
    settled(tab)
    track = tab.locator(TRACK)
    if moves:
        expect(track).not_to_have_attribute("aria-valuenow", still)
    else:
        tab.wait_for_timeout(3000)
        expect(track).to_have_attribute("aria-valuenow", still)
    context.close()


def test_the_run_of_train_is_replayed_by_itself(open_tab):
    tab = open_tab("/Train?view=embed&autoplay=on", width=1280, height=800)
    expect(tab.get_by_role("button", name="Pause replay")).to_be_visible()


@contextmanager
def course_page() -> Iterator[tuple[str, list[str]]]:
    """Another site, with a page that shows the address in its list in a frame."""
    shown: list[str] = []

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            frame = f'<iframe src="{shown[0]}" width="900" height="600"></iframe>'
            self.wfile.write(f"<!doctype html><title>Course</title>{frame}".encode())

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", shown
        server.shutdown()


def test_only_a_listed_site_shows_the_app_in_a_frame(open_tab, environment, address):
    with course_page() as (site, shown):
        with running_app(environment={**environment, "GDR_FRAMES": site}) as listed:
            shown[:] = [f"{listed.address}{RELABEL}&view=embed"]
            tab = open_tab("/", server=site, width=1000, height=700)
            frame = tab.frame_locator("iframe")
            expect(frame.locator("h1")).to_have_text("Which nodes change their label")
            expect(frame.locator(TRACK)).to_be_visible()
        shown[:] = [f"{address}{RELABEL}&view=embed"]
        tab = open_tab("/", server=site)
        said: list[str] = []
        tab.goto("about:blank")
        tab.on("console", lambda message: said.append(message.text))
        tab.goto(site)
        tab.wait_for_timeout(3000)
        assert any("frame-ancestors" in text for text in said), said
        assert tab.frames[1].locator("h1").filter(has_text="Which nodes").count() == 0


def test_the_film_of_a_neighbourhood_is_calm_where_less_motion_is_wanted(chromium, address, lead):
    count = """stage => new Promise(done => {
      const seen = new Set();
      const look = setInterval(() => seen.add(stage.dataset.index), 20);
      setTimeout(() => { clearInterval(look); done(seen.size); }, 2500);
    })"""

    def stills(motion: str) -> int:
        context = chromium.new_context(reduced_motion=motion)
        context.set_default_timeout(60_000)
        path = "/Overshoot?dataset=karate&prior=uniform&node=9"
        tab = lead(context.new_page(), address + path)
        stage = tab.locator(".stage[role=application][data-index]").first
        stage.wait_for()
        ended(tab)
        stage.focus()
        tab.keyboard.press("Space")
        found = stage.evaluate(count)
        context.close()
        return found

    assert 2 <= stills("reduce") <= 5 < stills("no-preference")


@pytest.mark.parametrize("view", ["page", "present"])
def test_a_small_projector_shows_bar_and_graph_of_relabel(open_tab, view):
    tab = open_tab(f"{RELABEL}&prior=uniform&view={view}", width=800, height=600)
    settled(tab)
    seen = """part => {
      const {top, bottom, left, right} = part.getBoundingClientRect();
      const high = Math.min(bottom, innerHeight) - Math.max(top, 0);
      return high > 0 && right > left ? high : 0;
    }"""
    track = tab.locator(TRACK)
    assert track.evaluate(seen) == track.evaluate("part => part.getBoundingClientRect().height")
    assert tab.locator(".stage[data-ready]").first.evaluate(seen) > 100
