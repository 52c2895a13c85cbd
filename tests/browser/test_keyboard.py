"""Relabel and Overshoot without a mouse: Tab, arrows, Enter, Escape; the focus is always seen."""

from __future__ import annotations

import re

from tests.browser.tabs import AROUND, ended, settled

MOST = 140  # presses of Tab; whoever needs more is caught
# What has the focus, inside of components as well, and whether that is seen: an outline or a shadow
# around it or what it stands in, on the screen.
FOCUSED = """() => {
  let one = document.activeElement;
  while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  const ringed = element => {
    const {outlineStyle, outlineWidth, boxShadow} = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
  };
  const around = [one, one.parentElement, one.closest('.stDataFrame')].filter(Boolean);
  const {left, right, top, bottom} = one.getBoundingClientRect();
  const host = one.getRootNode().host ?? one;
  const name = one.getAttribute('aria-label') || one.labels?.[0]?.textContent || one.innerText;
  return {
    tag: one.tagName,
    name: (name ?? '').trim(),
    inSidebar: host.closest('[data-testid=stSidebar]') !== null,
    seen: around.some(ringed) && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
  };
}"""


class Keys:
    """A visitor with a keyboard alone, who is lost where the focus cannot be seen."""

    def __init__(self, tab) -> None:
        self.tab = tab
        self.lost: list[str] = []
        self.nameless: list[str] = []

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)

    def step(self, key: str = "Tab") -> dict:
        """One press, and what has the focus after it."""
        self.press(key)
        one = self.tab.evaluate(FOCUSED)
        if one["tag"] != "BODY" and not one["seen"]:
            self.lost.append(f"{one['tag']} {one['name'][:40]}")
        if not one["name"] and one["tag"] != "CANVAS":  # a table's cells are told by its grid
            self.nameless.append(one["tag"])
        return one

    def go_to(self, name: str, *, in_sidebar: bool = False) -> None:
        """Tab, round the page if need be, until something of this name has the focus."""
        passed = []
        for _ in range(MOST):
            one = self.step()
            passed.append(one["name"][:30])
            if one["inSidebar"] == in_sidebar and re.search(name, one["name"]):
                return
        raise AssertionError(f"{name!r} cannot be reached; passed: {passed}")


def test_relabel_and_overshoot_by_keyboard_alone(open_tab):
    from playwright.sync_api import expect

    tab = open_tab("/Relabel?dataset=karate&prior=uniform")
    settled(tab)
    keys = Keys(tab)

    bar = tab.get_by_role("slider", name="t_min, in relaxation times")
    before = int(bar.get_attribute("aria-valuenow"))
    keys.go_to("^t_min, in relaxation times")
    keys.press("ArrowRight", "ArrowRight")
    expect(bar).to_have_attribute("aria-valuenow", str(before + 2))
    keys.press("Home")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    ended(tab)
    keys.press(" ")  # plays
    expect(bar).not_to_have_attribute("aria-valuenow", "0")
    keys.press("Home", "ArrowRight")  # a hand on the bar stops it
    expect(bar).to_have_attribute("aria-valuenow", "1")
    ended(tab)

    keys.go_to("^GDR class|^what happened")  # how the graph is coloured
    keys.press("ArrowRight", " ")
    expect(tab).to_have_url(re.compile("colours="))
    ended(tab)

    keys.go_to("^Save the graph")
    keys.press("Enter", "ArrowDown", "Escape")
    expect(tab.get_by_role("button", name="Save the graph")).to_be_focused()

    keys.go_to("^Node$")  # its card says why it has its label
    keys.press("Control+a", "9", "Enter")
    expect(tab).to_have_url(re.compile(r"node=9\b"))
    expect(tab.get_by_text(re.compile(r"^Node 9 ·"))).to_be_visible()
    ended(tab)

    keys.go_to("^from prior class")  # the tabs below
    keys.press("ArrowRight", " ")
    expect(tab).to_have_url(re.compile("below=relabelled"))
    ended(tab)

    keys.go_to("Overshoot$", in_sidebar=True)
    keys.press("Enter")
    tab.get_by_role("heading", name="Beliefs over time", level=1).wait_for()
    line = tab.get_by_role("slider", name="t_min. Beliefs in every class")
    line.wait_for()
    ended(tab)
    expect(tab).to_have_url(re.compile(r"node=9\b"))
    keys.go_to("^t_min. Beliefs")
    keys.press("End")
    last = int(line.get_attribute("aria-valuemax"))
    expect(line).to_have_attribute("aria-valuenow", str(last))
    keys.press("ArrowLeft")
    expect(line).to_have_attribute("aria-valuenow", str(last - 1))
    ended(tab)

    film = tab.locator(AROUND)
    keys.go_to("^Neighbourhood of node 9")
    at = int(film.get_attribute("data-index"))
    keys.press("ArrowLeft")
    expect(film).to_have_attribute("data-index", str(at - 1))
    assert not keys.lost, keys.lost


def test_the_keyboard_goes_through_both_pages_and_out_again(open_tab):
    for page in ("Relabel", "Overshoot"):
        tab = open_tab(f"/{page}?dataset=karate&prior=uniform&node=9")
        settled(tab)
        keys = Keys(tab)
        forth = []
        while (one := keys.step())["tag"] != "BODY":
            forth.append(one["name"])
            assert len(forth) < MOST, f"caught: {forth[-10:]}"
        back: list[str] = []
        while not (one := keys.step("Shift+Tab"))["name"].startswith("Skip to main"):
            back.append(one["name"])
            assert len(back) < MOST, f"caught on the way back: {back}"
        assert len(forth) > 30
        assert len(back) > 30
        assert keys.nameless == [], "what has the focus has a name"
        assert not keys.lost, keys.lost
