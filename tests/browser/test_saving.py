"""Every canvas as PNG and SVG, what moves as a film: files as a visitor gets them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gdr_core import load_dataset
from tests.browser.tabs import assert_accessible, ended, settled

SVG = "{http://www.w3.org/2000/svg}"
OUTSIDE = re.compile(
    r"(?:href|src)\s*=|url\((?!#)|<script|@import|https?://(?!www\.w3\.org/2000/svg)"
)
PLAYED = """async blob => {
  const film = document.createElement('video');
  film.muted = true;
  film.src = 'data:video/webm;base64,' + blob;
  document.body.append(film);
  await new Promise((done, failed) => { film.onloadeddata = done; film.onerror = failed; });
  const pixels = () => {
    const sheet = document.createElement('canvas');
    [sheet.width, sheet.height] = [film.videoWidth, film.videoHeight];
    sheet.getContext('2d').drawImage(film, 0, 0);
    return sheet.toDataURL();
  };
  const first = pixels();
  film.currentTime = 1e6;
  await new Promise(done => { film.onseeked = done; });
  const seconds = film.currentTime;
  return {width: film.videoWidth, height: film.videoHeight, seconds, same: pixels() === first};
}"""


@pytest.fixture
def fresh(chromium) -> Iterator[object]:
    """A tab that has nothing of the app and reaches nothing."""
    context = chromium.new_context(offline=True)
    yield context.new_page()
    context.close()


def saved(tab, what: str, entry: str) -> Path:
    """The file that an entry of a save menu gives."""
    tab.get_by_role("button", name=f"Save the {what}", exact=True).first.click()
    with tab.expect_download() as waiting:
        tab.get_by_role("menuitem", name=entry).first.click()
    return Path(waiting.value.path())


def drawing(path: Path) -> ElementTree.Element:
    """A drawing that is XML, has a size, and asks nothing of anybody."""
    text = path.read_text(encoding="utf-8")
    assert not OUTSIDE.search(text), OUTSIDE.search(text)
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    wide, high = (float(one) for one in root.attrib["viewBox"].split()[2:])
    assert (float(root.attrib["width"]), float(root.attrib["height"])) == (wide, high)
    assert wide > 100
    assert high > 50
    return root


def texts_of(root: ElementTree.Element) -> str:
    return " | ".join(text.text or "" for text in root.iter(f"{SVG}text"))


def shows_something(tab, path: Path) -> None:
    """Opened by itself it is drawn: pixels of more than one colour."""
    tab.goto(path.as_uri())
    assert tab.evaluate("document.documentElement.nodeName") == "svg"
    assert tab.evaluate("document.documentElement.getBBox().width") > 100


def test_a_graph_is_saved_as_picture_drawing_and_film(open_tab, fresh, tmp_path):
    tab = open_tab("/Relabel?dataset=cora&prior=projection")
    settled(tab)
    picture = saved(tab, "graph", "Picture (PNG)").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    file = tmp_path / "graph.svg"
    file.write_bytes(saved(tab, "graph", "Drawing (SVG)").read_bytes())
    root = drawing(file)
    cora = load_dataset("cora")
    shapes = [one for one in root.iter() if one.tag in (f"{SVG}circle", f"{SVG}path")]
    edges = max((one for one in shapes if one.tag == f"{SVG}path"), key=lambda p: len(p.get("d")))
    assert edges.get("d").count("M") == cora.undirected.nnz // 2
    marks = len(shapes) - 1 - len(re.findall(r" \d[\d,]* \|", texts_of(root) + " |"))
    assert marks == cora.labels.size, "one mark for each node, and one for each entry of the legend"
    assert "t_min" in texts_of(root)
    assert file.stat().st_size < 1_000_000
    shows_something(fresh, file)


def test_a_film_of_all_t_min_plays_in_another_browser(open_tab, fresh):
    import base64

    tab = open_tab("/Relabel?dataset=karate&prior=uniform")
    settled(tab)
    before = tab.locator(".track[role=slider]").get_attribute("aria-valuenow")
    tab.get_by_role("button", name="Save the graph").click()
    tab.get_by_role("menuitem", name="Film of all t_min").click()
    with tab.expect_download() as waiting:
        tab.get_by_text(re.compile("Recording… [1-9] s")).wait_for()
    film = Path(waiting.value.path()).read_bytes()
    assert waiting.value.suggested_filename == "graph.webm"
    assert film[:4] == b"\x1a\x45\xdf\xa3"
    told = fresh.evaluate(PLAYED, base64.b64encode(film).decode())
    assert told["width"] > 100
    assert told["height"] > 100
    assert told["seconds"] > 7
    assert not told["same"]
    assert tab.locator(".track[role=slider]").get_attribute("aria-valuenow") == before
    tab.get_by_text("Saved as graph.webm.").wait_for()


@pytest.mark.parametrize(
    ("path", "what"),
    [("/Lab", "figure"), ("/Directed?dataset=directed-cycle", "walk"), ("/Train", "chart")],
)
def test_other_films_move_and_leave_the_page_as_it_is(open_tab, fresh, path, what):
    import base64

    tab = open_tab(path)
    button = tab.get_by_role("button", name=f"Save the {what}", exact=True).first
    button.wait_for()
    ended(tab)
    sliders = tab.locator("input[type=range]")
    before = sliders.evaluate_all("all => all.map(one => one.value)")
    drawn = tab.locator(".stage.graph, figure.panel")
    parts = drawn.count()
    button.click()
    with tab.expect_download() as waiting:
        tab.get_by_role("menuitem", name=re.compile("^Film.*WebM")).click()
    told = fresh.evaluate(
        PLAYED, base64.b64encode(Path(waiting.value.path()).read_bytes()).decode()
    )
    assert told["seconds"] > 2
    assert not told["same"]
    assert sliders.evaluate_all("all => all.map(one => one.value)") == before
    assert drawn.count() == parts, "the copies that were filmed are gone"


def test_a_browser_that_cannot_record_says_so(open_tab, profile):
    tab = open_tab("/Relabel?dataset=karate&prior=uniform")
    settled(tab)
    tab.evaluate("delete window.MediaRecorder")
    tab.get_by_role("button", name="Save the graph").click()
    tab.get_by_role("menuitem", name="Film of all t_min").click()
    tab.get_by_text("This browser cannot record a film; PNG and SVG work.").wait_for()


@pytest.mark.parametrize(
    ("path", "what", "texts", "moves"),
    [
        ("/Relabel?dataset=karate&prior=uniform", "chart of accuracy", ["t_min", "%"], False),
        ("/Overshoot?dataset=karate&prior=uniform&node=9", "chart", ["t_min =", "Ω"], True),
        ("/Overshoot?dataset=karate&prior=uniform&node=9", "neighbourhood", ["t·λ₂ ="], True),
        ("/Lab", "figure", ["time t", "p(t)"], True),
        ("/Directed?dataset=directed-cycle", "walk", ["steps", "Share of the mass"], True),
        ("/Train", "chart", ["epoch"], True),
    ],
)
def test_every_other_canvas_is_saved_as_picture_and_drawing(
    open_tab, fresh, tmp_path, path, what, texts, moves
):
    tab = open_tab(path)
    tab.get_by_role("button", name=f"Save the {what}", exact=True).first.wait_for()
    ended(tab)
    assert saved(tab, what, "Picture (PNG)").read_bytes()[:4] == b"\x89PNG"
    file = tmp_path / "drawing.svg"
    file.write_bytes(saved(tab, what, "Drawing (SVG)").read_bytes())
    told = texts_of(drawing(file))
    assert all(text in told for text in texts), told
    shows_something(fresh, file)
    tab.get_by_role("button", name=f"Save the {what}", exact=True).first.click()
    assert (tab.get_by_role("menuitem").filter(has_text="WebM").count() == 1) == moves
    assert_accessible(tab)


def test_the_menu_is_worked_by_keys_alone(open_tab):
    from playwright.sync_api import expect

    tab = open_tab("/Relabel?dataset=karate&prior=uniform")
    settled(tab)
    button = tab.get_by_role("button", name="Save the graph")
    button.focus()
    tab.keyboard.press("Enter")
    entries = tab.get_by_role("menuitem")
    expect(entries.nth(0)).to_be_focused()
    tab.keyboard.press("ArrowDown")
    expect(entries.nth(1)).to_be_focused()
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("ArrowUp")
    expect(entries.nth(3)).to_be_focused()
    tab.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("menu")).to_have_count(0)
    with tab.expect_download():
        button.focus()
        tab.keyboard.press("Enter")
        tab.keyboard.press("End")
        tab.keyboard.press("ArrowUp")
        tab.keyboard.press("Enter")
    expect(button).to_be_focused()
