"""Steps in a browser, in up to two tabs, each followed by a look."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tools.walk.learning import Learning
from tools.walk.model import Model, read_query, spell
from tools.walk.sight import CHOSEN, LOOK, quarrel
from tools.walk.tab import Step, Tab, press
from tools.walk.tables import (
    AUTO,
    DIRECTED,
    EXPLORERS,
    LONGEST_LOOK,
    NUMBERED,
    PATIENCE,
    SHOWN,
    TABS,
    VIEWS,
    WITH_NODE,
    WITH_SWITCH,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

TRACK = ".track[role=slider]"  # of the bar on which t_min is dragged
# What can be done where a page has no sidebar; the rest begins there.
ALONE = {"open", "reload", "back", "forward", "other", "leave"} | {
    *("draw", "ink", "wait", "own", "paper", "follow", "turn", "tab")
}


class Walker(Learning):
    """Takes steps in one browser, in up to two tabs."""

    def __init__(self, browser: Browser, address: str, *, patience: float = 5.0) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(1000 * PATIENCE)  # a walk may be stopped for minutes
        self.address, self.patience = address, patience
        self.tabs: list[Tab] = []
        self.active = 0

    @property
    def tab(self) -> Tab:
        """The tab that is looked at."""
        return self.tabs[self.active]

    def close(self) -> None:
        """End the browser's session."""
        self.context.close()

    def begin(self, page: str, link: dict[str, str]) -> list[str]:
        """A new tab."""
        self.tabs.append(Tab(self.context.new_page(), Model()))
        self.active = len(self.tabs) - 1
        return self.take(("open", page, spell(link))) or []

    def take(self, step: Step) -> list[str] | None:
        """Do it, wait for agreement; what still differs at rest, None if it cannot be done now."""
        kind, *rest = step
        if kind == "other":
            if len(self.tabs) < 2:
                return self.begin(rest[0], read_query(rest[1]))
            self.active = 1 - self.active
            return self.agree()
        if kind not in ALONE and self.tabs and self.tab.model.value("view") != VIEWS[0]:
            return None
        act: Callable[..., bool] = getattr(self, f"do_{kind}")
        return self.agree() if act(*rest) else None

    def agree(self) -> list[str]:
        """Wait for agreement; what differs once the page has been at rest for a while."""
        waited, resting, calm = 0.0, 0.0, 0  # seconds, in all and at rest; looks in agreement
        found, last = ["nothing was seen"], time.monotonic()
        while waited < PATIENCE and resting < self.patience:
            seen = self.look()
            before, found = found, list(quarrel(self.tab.model, seen))
            incomplete = any("None" in text and text.startswith("control") for text in found)
            # A process that is stopped for a while is not waiting: nor did the server answer then.
            passed, last = min(time.monotonic() - last, LONGEST_LOOK), time.monotonic()
            waited, resting = waited + passed, resting + passed
            if seen["running"] or found != before or incomplete:  # its code is still on the way
                resting = 0.0
            calm = calm + 1 if not found and not seen["running"] else 0
            if calm == 2:
                self.adopt(seen)
                return []
            self.tab.page.wait_for_timeout(60)
        return found

    def look(self) -> dict[str, Any]:
        """Everything that is compared, at one moment."""
        for _ in range(40):
            try:
                return self.tab.page.evaluate(LOOK)
            except Exception as error:  # the page is being replaced by another
                if "context" not in str(error) and "navigation" not in str(error):
                    raise
                self.tab.page.wait_for_timeout(50)
        raise TimeoutError("the page cannot be looked at")

    def adopt(self, seen: dict[str, Any]) -> None:
        """A link may name a time between two points of the grid: the page takes the nearer."""
        model = self.tab.model
        if model.page not in EXPLORERS:
            return
        used = seen["line"].split(" at t_min ")[1].split(",")[0]
        if model.get("t_min") is None:
            CHOSEN.setdefault(model.method, used)
        else:
            model.put("t_min", used)
            model.slide()

    # Each step says whether it could be done.

    def do_open(self, page: str, query: str) -> bool:
        """Type an address."""
        path = "" if page == "Home" else page.replace(" ", "_")
        self.tab.model.open(page, read_query(query))
        address = f"{self.address}/{path}" + (f"?{query}" if query else "")
        self.tab.page.goto(address, wait_until="commit")
        return True

    def do_reload(self) -> bool:
        """Reload."""
        model = self.tab.model
        model.load(model.page, model.link)
        model.slide()
        self.tab.page.reload(wait_until="commit")
        return True

    def do_page(self, page: str) -> bool:
        """Follow a link of the sidebar."""
        model = self.tab.model
        if page == model.page or (page == "Directed" and model.dataset not in DIRECTED):
            return False  # that page puts other graphs aside
        model.page = page
        model.draw()
        model.push()
        sidebar = self.tab.page.locator("[data-testid=stSidebar]")
        sidebar.get_by_role("link", name=page, exact=True).click()
        return True

    def do_choose(self, label: str, value: str) -> bool:
        """Choose in a select box."""
        model = self.tab.model
        if (name := model.box(label)) is None:
            return False
        if value == model.value(name) or not model.valid(name, value):
            return False
        if label in ("Rule", "Stationary state") and model.page in EXPLORERS:
            self._open_advanced()
        self._pick(label, AUTO[value] if name == "auto" else value)
        if name == "lesson":
            model.put("step", None)
        model.choose(name, value)
        return True

    def do_tab(self, value: str) -> bool:
        """Choose one of the page's tabs."""
        model = self.tab.model
        name = TABS.get(model.page)
        if name is None or not model.valid(name, value) or value == model.value(name):
            return False
        self.tab.page.locator(".stButtonGroup").get_by_role(
            "radio", name=value, exact=True
        ).first.click()
        model.choose(name, value)
        return True

    def do_line(self, key: str, times: str) -> bool:
        """Keys on the line of t_min on the Overshoot page."""
        model = self.tab.model
        if model.page != "Overshoot" or model.value("mode") != "one node":
            return False
        line = self.tab.page.locator('.stage[role=slider][aria-label^="t_min."]').first
        press(line, key, times)
        return self._moved((line.get_attribute("aria-valuetext") or "").split(" ")[0])

    def do_seed(self, value: str) -> bool:
        """Type a seed."""
        model = self.tab.model
        shown = "seed" in SHOWN[model.page] and model.applies("seed") and model.page != "Train"
        if not shown or value == model.value("seed"):
            return False
        field = self.tab.page.locator(".stNumberInput input[aria-label=Seed]")
        field.fill(value)
        field.press("Enter")
        model.choose("seed", value)
        return True

    def do_t_min(self, key: str, times: str) -> bool:
        """Keys on the bar of the Relabel page."""
        model = self.tab.model
        if model.page != "Relabel":
            return False
        track = self.tab.page.locator(TRACK)
        press(track, key, times)
        return self._moved(track.get_attribute("data-value") or "")

    def do_click_t_min(self, share: str) -> bool:
        """A click somewhere on the bar."""
        if self.tab.model.page != "Relabel":
            return False
        track = self.tab.page.locator(TRACK)
        track.scroll_into_view_if_needed()
        box = track.bounding_box()
        if box is None:
            return False
        middle = box["y"] + box["height"] / 2
        self.tab.page.mouse.click(box["x"] + float(share) * box["width"], middle)
        return self._moved(track.get_attribute("data-value") or "")

    def _moved(self, value: str) -> bool:
        before = self.tab.model.get("t_min") or CHOSEN.get(self.tab.model.method)
        if value == before:
            return True
        self.tab.model.put("t_min", value)
        self.tab.model.slide()
        return True

    def do_chosen(self) -> bool:
        """The button that goes back to the chosen t_min."""
        model = self.tab.model
        if model.page != "Relabel" or model.get("t_min") is None:
            return False
        button = self.tab.page.get_by_role("button", name="Back to the chosen t_min")
        if button.is_disabled():
            return False
        button.click()
        model.put("t_min", None)
        model.slide()
        return True

    def do_shape(self, key: str) -> bool:
        """The slider of the block model's homophily."""
        model = self.tab.model
        if model.dataset != "sbm" or "dataset" not in SHOWN[model.page]:
            return False
        knob = self.tab.page.locator('.stSidebar .stSlider input[aria-label="Homophily"]')
        knob.focus()
        knob.press(key)
        value = f"{float(knob.get_attribute('aria-valuetext') or 0):.12g}"
        model.put("sbm-homophily", value)
        model.slide()
        return True

    def do_node(self, name: str) -> bool:
        """Search a node, or choose none."""
        model = self.tab.model
        if model.page not in WITH_NODE or model.dataset not in NUMBERED:
            return False
        if (name or None) == model.get("node"):
            return False
        box = self.tab.page.get_by_role("combobox", name="Node", exact=True).first
        if name:
            self._find(box, name)
        else:
            self.tab.page.get_by_role("button", name="Choose no node").first.click()
        model.choose("node", name or None)
        return True

    def do_test(self) -> bool:
        """Turn the switch."""
        model = self.tab.model
        if model.page not in WITH_SWITCH:
            return False
        self.tab.page.locator(".stCheckbox label", has_text="Reveal test").first.click()
        model.choose("test", None if model.get("test") else "shown")
        return True

    def do_back(self) -> bool:
        """Back."""
        return self._go(-1)

    def do_forward(self) -> bool:
        """Forward."""
        return self._go(1)

    def _go(self, by: int) -> bool:
        model = self.tab.model
        if not 0 <= model.place + by < len(model.entries):
            return False
        model.go(by)
        self.tab.page.evaluate(f"() => {{ history.go({by}); }}")
        return True

    def _open_advanced(self) -> None:
        closed = self.tab.page.locator(
            ".stSidebar details:not([open]) summary", has_text="Advanced"
        )
        if closed.count():
            closed.first.click()

    def _pick(self, label: str, value: str) -> None:
        """A box holds what is typed until one leaves it: then it says whether it took the choice.

        It does not where it is drawn anew while the list is being clicked, as anybody would see.
        """
        boxes = f'.stSelectbox input[role=combobox][aria-label="{label}"]'
        box = self.tab.page.locator(boxes).first
        for _ in range(5):
            self._find(box, value)
            box.evaluate("box => box.blur()")
            self.tab.page.wait_for_timeout(50)
            if box.input_value() == value:
                return
        raise TimeoutError(f"“{label}” does not take “{value}”")

    def _find(self, box: Locator, value: str) -> None:
        """The list closes where the page is drawn anew under it: then it is opened again."""
        self.tab.page.bring_to_front()  # of several tabs only the one in front has the focus
        option = self.tab.page.get_by_role("option", name=value, exact=True)
        for _ in range(5):
            try:
                box.click()
                box.fill(value)
                return option.click(timeout=2_000)
            except PlaywrightTimeout:
                box.press("Escape")
        raise TimeoutError(f"“{value}” cannot be chosen")
