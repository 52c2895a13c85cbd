"""Walks through the app at random and compares control, page and link after every step.

    python -m tools.walk --steps 2000 --seed 0
    python -m tools.walk --steps 300 --root ../before --keep-going     # another checkout

The walker knows what should hold from a model of its own (`Model`), which shares no code with the
app: what a visitor has chosen, what the browser's history holds, and what each page shows of it.
After each step it waits until the page agrees with the model; a page that comes to rest without
agreeing is a disagreement. Steps that led to one are replayed with parts left out, until none can be
spared.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from gdr_tools.bench.browser import FLAGS, ROOT, browser_path, running_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Step = tuple[str, ...]

# ---------------------------------------------------------------- the model

SPLITS: Final = {
    "cora": ("public", "paper-directed", "random"),
    "sbm": ("random",),
    "digits": ("random",),
}
SMALL: Final = ("karate", "star", "ring", "path", "sbm", "digits", "directed-ring")
DATASETS: Final = ("cora", *SMALL)
DIRECTED: Final = ("directed-ring",)
UNSEEDED: Final = ("cora", "digits")
PRIORS: Final = ("projection", "uniform", "label-propagation")
RULES: Final = ("overshoot", "peak", "reference")
PLAIN: Final = ("combinatorial", "symmetric", "random-walk", "max-entropy")
ARROWED: Final = ("directed", "directed-normalized", "directed-random-walk")
EXPLORERS: Final = ("Prior", "Overshoot", "Relabel", "Compare")
PAGES: Final = ("Home", "Dataset", *EXPLORERS, "Train", "Reproduce")
GRAPH: Final = ("dataset", "split", "seed", "sbm-homophily")
METHOD: Final = ("prior", "laplacian", "direction", "rule")
SHOWN: Final = {
    "Home": GRAPH,
    "Dataset": (*GRAPH, "node"),
    "Train": (*GRAPH, "test"),
    "Reproduce": ("rule",),
    **dict.fromkeys(EXPLORERS, (*GRAPH, *METHOD, "t_min", "test", "node")),
}
WITH_SWITCH: Final = ("Prior", "Relabel", "Compare", "Train")
WITH_NODE: Final = ("Dataset", *EXPLORERS)
BOXES: Final = {
    "Dataset": "dataset",
    "Split": "split",
    "Prior": "prior",
    "Laplacian": "laplacian",
    "Direction": "direction",
    "Rule": "rule",
}
NODES: Final = ("0", "3", "5", "7")
NUMBERED: Final = ("karate", "star", "ring", "path", "sbm", "directed-ring")
HOMOPHILY: Final = "0.8"
PATIENCE: Final = 90.0  # seconds for a page that computes
MOST_ENTRIES: Final = 40  # a browser keeps fifty


@dataclass
class Entry:
    """An entry of the browser's history: which load of the app, which page, what its link says."""

    document: int
    page: str
    link: dict[str, str]


@dataclass
class Model:
    """One tab: what the visitor has chosen, and its history."""

    page: str = "Home"
    chosen: dict[str, str] = field(default_factory=dict)  # visit
    of_graph: dict[tuple[str, str], str] = field(default_factory=dict)  # (dataset, name)
    t_min: dict[tuple[str, ...], str] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    place: int = -1
    documents: int = 0

    # -- values

    def get(self, name: str) -> str | None:
        if name == "t_min":
            return self.t_min.get(self.method)
        if name in ("split", "seed", "node"):
            return self.of_graph.get((self.dataset, name))
        return self.chosen.get(name)

    def put(self, name: str, value: str | None) -> None:
        if value is not None and value == self.default(name):
            value = None
        place: tuple[dict[Any, str], Any]
        if name == "t_min":
            place = (self.t_min, self.method)
        elif name in ("split", "seed", "node"):
            place = (self.of_graph, (self.dataset, name))
        else:
            place = (self.chosen, name)
        kept, key = place
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = value

    def default(self, name: str) -> str | None:
        return {
            "dataset": "cora",
            "split": self.splits[0],
            "seed": "0",
            "sbm-homophily": HOMOPHILY,
            "prior": "projection",
            "laplacian": self.laplacians[0],
            "direction": "forward",
            "rule": "overshoot",
        }.get(name)

    def value(self, name: str) -> str | None:
        return self.get(name) or self.default(name)

    @property
    def dataset(self) -> str:
        return self.chosen.get("dataset", "cora")

    @property
    def splits(self) -> tuple[str, ...]:
        return SPLITS.get(self.dataset, ("teaching", "random"))

    @property
    def laplacians(self) -> tuple[str, ...]:
        return (*ARROWED, *PLAIN) if self.dataset in DIRECTED else PLAIN

    @property
    def method(self) -> tuple[str, ...]:
        names = [name for name in (*GRAPH, *METHOD) if self.applies(name)]
        return tuple(str(self.value(name)) for name in names)

    def applies(self, name: str) -> bool:
        if name == "seed":
            return self.dataset not in UNSEEDED or self.value("split") == "random"
        if name == "direction":
            return self.value("laplacian") in ARROWED
        if name == "sbm-homophily":
            return self.dataset == "sbm"
        return True

    def valid(self, name: str, value: str) -> bool:
        options = {
            "dataset": DATASETS,
            "split": self.splits,
            "prior": PRIORS,
            "laplacian": self.laplacians,
            "direction": ("forward", "backward"),
            "rule": RULES,
            "node": NODES,
            "test": ("shown",),
        }
        if name == "node" and self.dataset not in NUMBERED:
            return False
        return value in options.get(name, (value,))

    @property
    def link(self) -> dict[str, str]:
        return {
            name: value
            for name in SHOWN[self.page]
            if self.applies(name) and (value := self.get(name)) is not None
        }

    # -- history

    @property
    def entry(self) -> Entry:
        return self.entries[self.place]

    def push(self, document: int | None = None) -> None:
        here = self.entry.document if document is None else document
        self.entries[self.place + 1 :] = [Entry(here, self.page, self.link)]
        self.place += 1

    def slide(self) -> None:
        self.entry.link = self.link

    def draw(self) -> None:
        """What a page does with values that its graph does not have."""
        if self.page in EXPLORERS:
            kept = self.get("laplacian")
            if kept is not None and (
                kept not in self.laplacians or kept == self.default("laplacian")
            ):
                self.put("laplacian", None)

    def choose(self, name: str, value: str | None) -> None:
        self.put(name, value)
        self.draw()
        self.push()

    def forget_visit(self) -> None:
        self.chosen, self.of_graph, self.t_min = {}, {}, {}

    def take(self, link: dict[str, str], *, whole: bool) -> None:
        """A link is opened: t_min belongs to the graph and method of the link, if it has them."""
        sound = True
        for name in (*GRAPH, *METHOD, "t_min", "test", "node"):
            value = link.get(name)
            if value is None:
                if whole and name in SHOWN[self.page]:
                    self.put(name, None)
                continue
            if name == "t_min" and not (sound and _is_time(value)):
                continue
            if self.valid(name, value):
                self.put(name, value)
            else:
                sound = sound and name not in (*GRAPH, *METHOD)
                if name == "dataset":
                    link = {k: v for k, v in link.items() if k not in ("split", "seed", "node")}
        self.draw()

    def load(self, page: str, link: dict[str, str]) -> None:
        """A new session at an address."""
        self.forget_visit()
        self.page = page
        self.take(link, whole=True)

    def open(self, page: str, link: dict[str, str]) -> None:
        self.documents += 1
        self.load(page, link)
        self.push(self.documents)

    def go(self, by: int) -> None:
        """Back or Forward: within one load of the app the visit goes on, else it begins anew."""
        before = self.entry.document
        self.place += by
        if self.entry.document == before:
            self.page = self.entry.page
            self.take(self.entry.link, whole=True)
        else:
            self.load(self.entry.page, self.entry.link)
        self.slide()


def _is_time(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


# ---------------------------------------------------------------- what the browser shows

LOOK: Final = """() => {
  const every = (selector, root = document) => [...root.querySelectorAll(selector)];
  const deep = [];
  const dig = (root) => every('*', root).forEach((e) => e.shadowRoot && (deep.push(e.shadowRoot), dig(e.shadowRoot)));
  dig(document);
  const boxes = {}, sliders = {}, numbers = {}, used = {};
  const name = (e) => e.getAttribute('aria-label') ?? '';
  every('.stSelectbox input[role=combobox]').forEach((e) => { boxes[name(e)] = e.value; });
  every('.stNumberInput input').forEach((e) => { numbers[name(e)] = e.value; });
  every('.stSlider input[type=range]').forEach((e) => { sliders[name(e).split(',')[0]] = e.getAttribute('aria-valuetext'); });
  every('.gdr-used').forEach((e) => Object.assign(used, JSON.parse(e.dataset.used)));
  const node = deep.flatMap((root) => every('.search input', root))[0];
  const toggle = every('.stCheckbox input').find((e) => name(e) === 'Reveal test');
  return {
    running: document.querySelector('[data-testid=stApp]')?.dataset.testScriptState !== 'notRunning',
    title: document.querySelector('[data-testid=stMain] h1')?.innerText ?? '',
    path: location.pathname, search: location.search, length: history.length,
    boxes, sliders, numbers, used,
    node: node ? node.value : null,
    test: toggle ? toggle.checked : null,
    line: every('.stSidebar p').map((e) => e.innerText).find((t) => t.includes('relabelled')) ?? '',
    faults: every('[data-testid=stException]').map((e) => e.innerText.slice(0, 200)),
  };
}"""


@dataclass
class Tab:
    """A tab of the browser and what should hold in it."""

    page: Page
    model: Model


def quarrel(tab: Tab, seen: dict[str, Any]) -> Iterator[str]:
    """Where control, page, link and model say different things."""
    model = tab.model
    if seen["faults"]:
        yield f"the page fails: {seen['faults'][0]}"
    page = urlsplit(seen["path"]).path.strip("/") or "Home"
    if page != model.page:
        yield f"page: {page}, not {model.page}"
        return
    if not seen["title"]:
        yield "page: nothing is drawn"
        return
    yield from _boxes(model, seen)
    yield from _link(model, seen)
    yield from _page(model, seen)


def _boxes(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    for label, name in BOXES.items():
        if name not in SHOWN[model.page] or not model.applies(name):
            continue
        if seen["boxes"].get(label) != model.value(name):
            yield f"control: {label} shows {seen['boxes'].get(label)!r}, not {model.value(name)!r}"
    if "seed" in SHOWN[model.page] and model.applies("seed") and model.page != "Train":
        if seen["numbers"].get("Seed") != model.value("seed"):
            yield f"control: Seed shows {seen['numbers'].get('Seed')}, not {model.value('seed')}"
    if model.page in WITH_SWITCH and seen["test"] != (model.get("test") == "shown"):
        yield f"control: Reveal test is {seen['test']}"
    if model.page in WITH_NODE and seen["node"] != (model.get("node") or ""):
        yield f"control: Node shows {seen['node']!r}, not {model.get('node') or ''!r}"
    if model.page == "Compare" and seen["boxes"].get("Compare") == "rules":
        pair = [seen["boxes"].get(side) for side in ("Left", "Right")]
        if pair != ["overshoot", "peak"]:
            yield f"control: Left and Right show {pair} among the rules"


def _link(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    said = dict(parse_qsl(seen["search"].lstrip("?"), keep_blank_values=True))
    for name in sorted({*said, *model.link} - {"compare", "t_min"}):
        if said.get(name) != model.link.get(name):
            yield f"link: {name} is {said.get(name)}, not {model.link.get(name)}"
    told, due = said.get("t_min"), model.link.get("t_min")
    if (told is None) != (due is None) or (told and due and not _near(told, due)):
        yield f"link: t_min is {told}, not {due}"


def _page(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    used = seen["used"]
    for name in (*GRAPH, *METHOD):
        if name in used and name in SHOWN[model.page] and model.applies(name):
            if not _same(used[name], str(model.value(name))):
                yield f"page: computed with {name} {used[name]}, not {model.value(name)}"
    if "node" in used and (used["node"] or None) != model.get("node"):
        yield f"page: computed with node {used['node']}, not {model.get('node')}"
    if model.page not in EXPLORERS:
        return
    if " at t_min " not in seen["line"]:
        yield "page: no outcome is shown"
        return
    part = "test" if model.get("test") else "validation"
    if f"on {part} nodes" not in seen["line"]:
        yield f"page: the outcome is not on {part} nodes"
    time_used = seen["line"].split(" at t_min ")[1].split(",")[0]
    knob = seen["sliders"].get("t_min")
    if model.page == "Relabel" and knob != time_used:
        yield f"control: the knob stands at t_min {knob}, the page computed with {time_used}"
    asked = model.get("t_min")
    if asked is not None and not _near(time_used, asked):
        yield f"page: computed with t_min {time_used}, not {asked}"
    said = dict(parse_qsl(seen["search"].lstrip("?"))).get("t_min")
    if said is not None and said != time_used:
        yield f"link: t_min is {said}, the page computed with {time_used}"
    learned = CHOSEN.setdefault(model.method, time_used) if asked is None else None
    if learned is not None and learned != time_used:
        yield f"page: starts at t_min {time_used}, its own is {learned}"


CHOSEN: dict[tuple[str, ...], str] = {}  # the t_min that GDR chose, as first seen


def _near(one: str, other: str) -> bool:
    return _is_time(one) and abs(float(one) - float(other)) <= 0.05 * float(other) + 1e-4


def _same(one: object, other: str) -> bool:
    try:
        return float(str(one)) == float(other)
    except ValueError:
        return str(one) == other


# ---------------------------------------------------------------- steps


class Walker:
    """Takes steps in one browser, in up to two tabs."""

    def __init__(self, browser: Browser, address: str, *, patience: float = 5.0) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(20_000)
        self.address, self.patience = address, patience
        self.tabs: list[Tab] = []
        self.active = 0

    @property
    def tab(self) -> Tab:
        return self.tabs[self.active]

    def close(self) -> None:
        self.context.close()

    def begin(self, page: str, link: dict[str, str]) -> list[str]:
        """A new tab."""
        self.tabs.append(Tab(self.context.new_page(), Model()))
        self.active = len(self.tabs) - 1
        return self.take(("open", page, urlencode(link))) or []

    def take(self, step: Step) -> list[str] | None:
        """Do it, wait for agreement; what still differs at rest, None if it cannot be done now."""
        kind, *rest = step
        if kind == "tab":
            if len(self.tabs) < 2:
                return self.begin(rest[0], dict(parse_qsl(rest[1])))
            self.active = 1 - self.active
            return self.agree()
        act: Callable[..., bool] = getattr(self, f"do_{kind}")
        return self.agree() if act(*rest) else None

    def agree(self) -> list[str]:
        """Wait for agreement; what differs once the page has been at rest for a while."""
        end, calm = time.monotonic() + PATIENCE, 0
        resting, found = time.monotonic(), ["nothing was seen"]
        while time.monotonic() < min(end, resting + self.patience):
            seen = self.look()
            before, found = found, list(quarrel(self.tab, seen))
            incomplete = any("None" in text and text.startswith("control") for text in found)
            if seen["running"] or found != before or incomplete:  # its code is still on the way
                resting = time.monotonic()
            calm = calm + 1 if not found and not seen["running"] else 0
            if calm == 2:
                self.adopt(seen)
                return []
            self.tab.page.wait_for_timeout(60)
        return found

    def look(self) -> dict[str, Any]:
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
        if model.page in EXPLORERS and model.get("t_min") is not None:
            model.put("t_min", seen["line"].split(" at t_min ")[1].split(",")[0])
            model.slide()

    # Each step says whether it could be done.

    def do_open(self, page: str, query: str) -> bool:
        path = "" if page == "Home" else page
        self.tab.model.open(page, dict(parse_qsl(query)))
        address = f"{self.address}/{path}" + (f"?{query}" if query else "")
        self.tab.page.goto(address, wait_until="commit")
        return True

    def do_reload(self) -> bool:
        model = self.tab.model
        model.load(model.page, model.link)
        model.slide()
        self.tab.page.reload(wait_until="commit")
        return True

    def do_page(self, page: str) -> bool:
        model = self.tab.model
        if page == model.page:
            return False
        model.page = page
        model.draw()
        model.push()
        sidebar = self.tab.page.locator("[data-testid=stSidebar]")
        sidebar.get_by_role("link", name=page, exact=True).click()
        return True

    def do_choose(self, label: str, value: str) -> bool:
        model, name = self.tab.model, BOXES[label]
        if name not in SHOWN[model.page] or not model.applies(name):
            return False
        if value == model.value(name) or not model.valid(name, value):
            return False
        if label == "Rule" and model.page in EXPLORERS:
            self._open_advanced()
        self._pick(label, value)
        model.choose(name, value)
        return True

    def do_compare(self, what: str) -> bool:
        if self.tab.model.page != "Compare" or self.look()["boxes"].get("Compare") == what:
            return False
        self._pick("Compare", what)
        self.tab.model.push()
        return True

    def do_seed(self, value: str) -> bool:
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
        """Keys on the slider of the Relabel page."""
        model = self.tab.model
        if model.page != "Relabel":
            return False
        knob = self.tab.page.locator("[data-testid=stMain] .stSlider input").first
        knob.focus()
        for _ in range(int(times)):
            knob.press(key)
        return self._moved(knob.get_attribute("aria-valuetext") or "")

    def do_click_t_min(self, share: str) -> bool:
        """A click on the slider's track."""
        if self.tab.model.page != "Relabel":
            return False
        slider = self.tab.page.locator("[data-testid=stMain] .stSlider").first
        slider.scroll_into_view_if_needed()
        knob = slider.locator("input").first
        track = slider.locator("[role=group]").last.bounding_box()
        if track is None:
            return False
        high = knob.locator("xpath=ancestor::div[1]").bounding_box() or track
        middle = (high["y"] + high["height"] / 2) if high is not track else track["y"] + 20
        self.tab.page.mouse.click(track["x"] + float(share) * track["width"], middle)
        return self._moved(knob.get_attribute("aria-valuetext") or "")

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
        model = self.tab.model
        if model.page not in WITH_NODE or model.dataset not in NUMBERED:
            return False
        if (name or None) == model.get("node"):
            return False
        box = self.tab.page.get_by_role("combobox", name="Node").first
        if name:
            box.fill(name)
            self.tab.page.get_by_role("option", name=name, exact=True).click()
        else:
            self.tab.page.get_by_role("button", name="Choose no node").first.click()
        model.choose("node", name or None)
        return True

    def do_test(self) -> bool:
        model = self.tab.model
        if model.page not in WITH_SWITCH:
            return False
        self.tab.page.locator(".stCheckbox label", has_text="Reveal test").first.click()
        model.choose("test", None if model.get("test") else "shown")
        return True

    def do_back(self) -> bool:
        return self._go(-1)

    def do_forward(self) -> bool:
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
        box = self.tab.page.locator(f'.stSelectbox input[role=combobox][aria-label="{label}"]')
        box.first.click()
        box.first.fill(value)
        self.tab.page.get_by_role("option", name=value, exact=True).click()


# ---------------------------------------------------------------- walks

FOREIGN: Final = (
    {"dataset": "nowhere", "node": "3"},
    {"dataset": "karate", "split": "public", "t_min": "0.2"},
    {"dataset": "star", "t_min": "77", "node": "nobody"},
    {"dataset": "ring", "rule": "best", "prior": "oracle"},
    {"dataset": "karate", "laplacian": "directed", "seed": "many", "colour": "red"},
)


def some_link(dice: random.Random) -> dict[str, str]:
    """A link: whole, partial, or one that asks for what cannot be had."""
    if dice.random() < 0.15:
        return dict(dice.choice(FOREIGN))
    model = Model()
    link = {"dataset": dice.choice(SMALL if dice.random() < 0.96 else DATASETS)}
    model.put("dataset", link["dataset"])
    values = {
        "split": model.splits,
        "prior": PRIORS,
        "rule": RULES,
        "laplacian": model.laplacians,
        "t_min": ("0.05", "0.3", "0.9"),
        "node": NODES,
        "test": ("shown",),
    }
    for name, options in values.items():
        if dice.random() < 0.35:
            link[name] = dice.choice(options)
    return link


def next_step(dice: random.Random, model: Model) -> Step:
    """What a visitor might do now."""
    dataset = dice.choice(SMALL if dice.random() < 0.97 else DATASETS)
    kinds: dict[str, tuple[float, Callable[[], Step]]] = {
        "open": (2, lambda: ("open", dice.choice(PAGES), urlencode(some_link(dice)))),
        "reload": (2, lambda: ("reload",)),
        "page": (6, lambda: ("page", dice.choice(PAGES))),
        "relabel": (4, lambda: ("page", "Relabel")),
        "dataset": (6, lambda: ("choose", "Dataset", dataset)),
        "split": (2, lambda: ("choose", "Split", dice.choice(model.splits))),
        "prior": (3, lambda: ("choose", "Prior", dice.choice(PRIORS))),
        "rule": (2, lambda: ("choose", "Rule", dice.choice(RULES))),
        "laplacian": (3, lambda: ("choose", "Laplacian", dice.choice(model.laplacians))),
        "direction": (2, lambda: ("choose", "Direction", dice.choice(("forward", "backward")))),
        "compare": (1, lambda: ("compare", dice.choice(("priors", "rules")))),
        "seed": (2, lambda: ("seed", str(dice.randrange(4)))),
        "t_min": (8, lambda: ("t_min", dice.choice(KEYS), str(dice.randrange(1, 4)))),
        "click": (2, lambda: ("click_t_min", f"{dice.random():.2f}")),
        "chosen": (1, lambda: ("chosen",)),
        "shape": (1, lambda: ("shape", dice.choice(("ArrowLeft", "ArrowRight")))),
        "node": (4, lambda: ("node", dice.choice((*NODES, "")))),
        "test": (2, lambda: ("test",)),
        "back": (9, lambda: ("back",)),
        "forward": (4, lambda: ("forward",)),
        "tab": (2, lambda: ("tab", dice.choice(PAGES), urlencode(some_link(dice)))),
    }
    weights = [weight for weight, _ in kinds.values()]
    return dice.choices([make for _, make in kinds.values()], weights)[0]()


KEYS: Final = ("ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End")
START: Final = ("Relabel", {"dataset": "karate"})


@dataclass
class Trouble:
    """A disagreement: after which steps, and what differed."""

    steps: list[Step]
    found: list[str]


def walk(
    browser: Browser, address: str, steps: int, seed: int, *, say: Callable[[str], None] = print
) -> tuple[int, Trouble | None]:
    """Take steps until the first disagreement; how many were taken, and it."""
    dice = random.Random(seed)
    walker = Walker(browser, address)
    taken: list[Step] = []
    done = 0
    found = walker.begin(*START)
    try:
        while done < steps and not found:
            if len(walker.tab.model.entries) > MOST_ENTRIES:
                walker.close()
                walker, taken = Walker(browser, address), []
                found = walker.begin(*START)
                continue
            step = next_step(dice, deepcopy(walker.tab.model))
            found = walker.take(step)
            if found is None:
                continue
            taken.append(step)
            done += 1
            if done % 100 == 0:
                say(f"{done} steps")
    finally:
        walker.close()
    return done, Trouble(taken, found) if found else None


def replay(browser: Browser, address: str, steps: list[Step]) -> Trouble | None:
    """The same steps again; those that cannot be done are left out."""
    walker = Walker(browser, address)
    try:
        found = walker.begin(*START)
        for place, step in enumerate(steps):
            if found:
                return Trouble(steps[:place], found)
            found = walker.take(step)
        return Trouble(steps, found) if found else None
    finally:
        walker.close()


def shrink(browser: Browser, address: str, trouble: Trouble, tries: int) -> Trouble:
    """Leave out what is not needed, larger parts first."""
    size = max(1, len(trouble.steps) // 2)
    while tries > 0:
        for start in range(0, len(trouble.steps) - 1, size):
            if tries <= 0:
                return trouble
            tries -= 1
            fewer = trouble.steps[:start] + trouble.steps[start + size :]
            if (again := replay(browser, address, fewer)) is not None:
                trouble = again
                break
        else:
            if size == 1:
                return trouble
            size = max(1, size // 2)
    return trouble


# ---------------------------------------------------------------- command line


def options() -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--url", help="a server that runs already")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to start one from")
    parser.add_argument("--shrink", type=int, default=20, help="replays that shorten a failure")
    parser.add_argument("--keep-going", action="store_true", help="count all disagreements")
    return parser.parse_args()


@contextmanager
def somewhere(asked: argparse.Namespace) -> Iterator[str]:
    """The address of the app."""
    if asked.url:
        yield asked.url.rstrip("/")
        return
    with running_app(asked.root) as app:
        yield app.address


def count(browser: Browser, address: str, asked: argparse.Namespace) -> int:
    """All disagreements on the way, by what differed; a new walk begins after each."""
    kinds: Counter[str] = Counter()
    done, seed = 0, asked.seed
    while done < asked.steps:
        taken, trouble = walk(browser, address, asked.steps - done, seed, say=lambda text: None)
        done, seed = done + max(1, taken), seed + 1000
        if trouble is not None:
            last = " ".join(trouble.steps[-1]) if trouble.steps else "open"
            kinds[f"{trouble.found[0]}  (after {last})"] += 1
            print(f"{done}: {last}: {'; '.join(trouble.found)}", flush=True)
    print(f"{done} steps, {kinds.total()} disagreements")
    return 1 if kinds else 0


def main() -> int:
    """Walk and report."""
    from playwright.sync_api import sync_playwright

    asked = options()
    with somewhere(asked) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=list(FLAGS))
        if asked.keep_going:
            return count(browser, address, asked)
        done, trouble = walk(browser, address, asked.steps, asked.seed)
        if trouble is None:
            print(f"{done} steps, seed {asked.seed}: no disagreement")
            return 0
        print(f"after {done} steps: {'; '.join(trouble.found)}")
        shorter = shrink(browser, address, trouble, asked.shrink)
        print(json.dumps(shorter.steps), "\n".join(shorter.found), sep="\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
