"""Steps on the pages that teach, Home, Lab and Lessons, and into the view of a presenter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tools.walk.model import read_query
from tools.walk.tab import Tab, press
from tools.walk.tables import ALL_LESSONS, DRAWN, GRAPHS, HIDEABLE, MANY, STEPS, VIEWS

if TYPE_CHECKING:
    from playwright.sync_api import Locator

FIGURE = ".diffusion"
OWN = '.stTextInput input[aria-label^="Your graph"]'
LEADS = {  # links of Home into the middle of other pages, which keep what the links do not name
    "Go on drawing in the Lab": "Lab",
    "Why? Open it on the page Relabel": "Relabel",
}


class Learning:
    """Steps, each of which says whether it could be done."""

    @property
    def tab(self) -> Tab:
        """The tab that is looked at."""
        raise NotImplementedError

    def do_ink(self, node: str) -> bool:
        """Drop the ink on another node, on Home."""
        model = self.tab.model
        if model.page != "Home" or node == model.value("ink"):
            return False
        name = re.compile(rf"^{node}\b|^{node}\d")
        figure = self.tab.page.locator(FIGURE).first
        figure.locator(".node", has_text=name).locator(".ground").click(force=True)
        model.choose("ink", node)
        return True

    def do_wait(self, key: str, times: str) -> bool:
        """Keys on the slider of t_min on Home."""
        model = self.tab.model
        if model.page != "Home":
            return False
        knob = self.tab.page.locator('.stMain .stSlider input[aria-label="t_min"]')
        press(knob, key, times)
        value = f"{float(knob.get_attribute('aria-valuetext') or 0):.12g}"
        if value != model.value("wait"):
            model.put("wait", value)
            model.slide()
        return True

    def do_paper(self) -> bool:
        """Another paper, on Home: which one is next is learned from the first time."""
        model = self.tab.model
        if model.page != "Home":
            return False
        before = self._paper()
        self.tab.page.get_by_role("button", name="Another paper").click()
        for _ in range(200):
            if (now := self._paper()) != before:
                break
            self.tab.page.wait_for_timeout(50)
        else:
            raise TimeoutError("there is no other paper")
        if NEXT.setdefault(before, now) != now:
            raise AssertionError(f"after {before} comes {now}, and came {NEXT[before]}")
        if model.get("paper") is None:
            FIRST.setdefault("paper", before)
        model.choose("paper", now)
        return True

    def _paper(self) -> str:
        link = self._lead("Why? Open it on the page Relabel")
        return read_query(urlsplit(link.get_attribute("href") or "").query).get("node", "")

    def do_own(self, text: str) -> bool:
        """Type a graph, on Home."""
        model = self.tab.model
        if model.page != "Home" or text == model.value("own") or text not in DRAWN:
            return False
        field = self.tab.page.locator(OWN)
        field.fill(text)
        field.press("Enter")
        model.choose("own", text)
        return True

    def do_follow(self, label: str) -> bool:
        """A link of Home that says what the page should show."""
        model = self.tab.model
        if model.page != "Home":
            return False
        lead = self._lead(label)
        said = read_query(urlsplit(lead.get_attribute("href") or "").query)
        model.page = LEADS[label]
        for name, value in said.items():  # in the order of the link: the method before its t_min
            if name != "t_min":
                model.put(name, value)
        if "t_min" in said:
            model.put("t_min", said["t_min"])
        model.push()
        lead.click()
        return True

    def _lead(self, label: str) -> Locator:
        return self.tab.page.locator(".stPageLink a", has_text=label).first

    def do_draw(self, name: str) -> bool:
        """Take a graph of the gallery, in the Lab."""
        model = self.tab.model
        if model.page != "Lab" or name not in GRAPHS:
            return False
        before = self.tab.page.url
        self.tab.page.get_by_label("Graph to begin with").select_option(name)
        for _ in range(100):  # the lab tells its graph when the hand has rested
            said = read_query(urlsplit(self.tab.page.url).query).get("graph")
            if said and (self.tab.page.url != before or said == CODES.get(name)):
                break
            self.tab.page.wait_for_timeout(50)
        else:
            raise TimeoutError(f"the link does not tell of “{name}”")
        if CODES.setdefault(name, said) != said:
            raise AssertionError(f"“{name}” is {said}, and was {CODES[name]}")
        NODES_OF[said] = GRAPHS[name]
        model.put("graph", said)
        model.slide()
        return True

    def do_turn(self, way: str) -> bool:
        """To the next step of a lesson, to the one before, or to the list of all."""
        model = self.tab.model
        lesson, step = model.value("lesson"), str(model.value("step"))
        if model.page != "Lessons" or lesson == ALL_LESSONS:
            return False
        there = STEPS.index(step) + {"Next": 1, "Back": -1, "All lessons": 0}[way]
        if there not in range(len(STEPS)):
            return False
        self.tab.page.get_by_role("button", name=way, exact=True).click()
        if way == "All lessons":
            model.put("lesson", None)
            model.choose("step", None)
        else:
            model.choose("step", STEPS[there])
        return True

    def do_hide(self, part: str) -> bool:
        """What a lesson leaves away."""
        model = self.tab.model
        if model.page != "Lessons" or part not in HIDEABLE:
            return False
        closed = self.tab.page.locator(".stSidebar details:not([open]) summary", has_text="Hide")
        if closed.count():
            closed.first.click()
        self.tab.page.locator(".stSidebar .stButtonGroup button", has_text=part).first.click()
        now = {each for each in (model.get("hide") or "").split(MANY) if each} ^ {part}
        model.choose("hide", MANY.join(sorted(now)) or None)
        return True

    def do_present(self) -> bool:
        """Large type and no sidebar."""
        self.tab.page.get_by_role("button", name="Present", exact=True).click()
        self.tab.model.choose("view", VIEWS[2])
        return True

    def do_leave(self) -> bool:
        """Back to the page as usual."""
        model = self.tab.model
        if model.value("view") != VIEWS[2]:
            return False
        self.tab.page.get_by_role("button", name="Leave", exact=True).click()
        model.put("hide-parts", None)
        model.choose("view", None)
        return True


NEXT: dict[str, str] = {}  # the paper that comes after another, as first seen
FIRST: dict[str, str] = {}  # what is shown where nothing was chosen, as first seen
CODES: dict[str, str] = {}  # the link's text for a graph of the gallery, as first seen
NODES_OF: dict[str, int] = {}  # how many nodes such a text stands for
WAYS = ("Next", "Next", "Back", "All lessons")
