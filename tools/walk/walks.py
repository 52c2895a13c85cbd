"""Walks: which steps, how they are replayed and shortened."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote_plus

from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tools.walk import tables
from tools.walk.learning import LEADS, WAYS
from tools.walk.model import Model, spell
from tools.walk.tab import Step
from tools.walk.walker import Walker

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_FOREIGN: Final = (
    {"dataset": "nowhere", "node": "3"},
    {"dataset": "karate", "split": "public", "t_min": "0.2"},
    {"dataset": "star", "t_min": "77", "node": "nobody"},
    {"dataset": "ring", "rule": "best", "prior": "oracle"},
    {"dataset": "karate", "laplacian": "directed", "seed": "many", "colour": "red"},
)


def _some_link(dice: random.Random) -> dict[str, str]:
    """A link: whole, partial, or one that asks for what cannot be had."""
    if dice.random() < 0.15:
        return dict(dice.choice(_FOREIGN))
    model = Model()
    link = {"dataset": dice.choice(tables.SMALL if dice.random() < 0.96 else tables.DATASETS)}
    model.put("dataset", link["dataset"])
    values = {
        "split": model.splits,
        "prior": tables.PRIORS,
        "rule": tables.RULES,
        "laplacian": model.laplacians,
        "t_min": ("0.05", "0.3", "0.9"),
        "node": tables.NODES,
        "test": ("shown",),
        "runs": tables.RUNS,
    }
    for name, options in values.items():
        if dice.random() < 0.35:
            link[name] = dice.choice(options)
    if dice.random() < 0.15:
        link["auto"] = "true"
    return link


def _special_link(dice: random.Random, page: str) -> dict[str, str]:
    """What only this page has in its link."""
    values: dict[str, tuple[str, ...]] = {
        "Home": {"ink": tables.INKS, "wait": tables.WAITS, "own": tuple(tables.DRAWN)},
        "Lab": {"graph": tables.CODES},
        "Lessons": {"lesson": tables.LESSONS, "step": tables.STEPS, "hide": tables.HIDEABLE},
    }.get(page, {})
    link = {name: dice.choice(each) for name, each in values.items() if dice.random() < 0.5}
    if "hide" in link:
        link["hide"] = tables.MANY.join(sorted({link["hide"], dice.choice(tables.HIDEABLE)}))
    return link


def _view_link(dice: random.Random, page: str) -> dict[str, str]:
    """How the page is shown, now and then not as usual."""
    if dice.random() > 0.08:
        return {}
    link = {"view": dice.choice(tables.VIEWS[1:])}
    if page != "Lessons" and dice.random() < 0.5:
        link["hide"] = dice.choice(tables.PARTS_OF_PAGE)
    return link


def _some_address(dice: random.Random) -> tuple[str, str]:
    """A page and a link that it can follow: Directed puts graphs without directions aside."""
    page, link = dice.choice(tables.PAGES), _some_link(dice)
    if page == "Directed":
        link = {"dataset": "directed-ring"}
    if page in ("Lab", "Lessons", "Your data") and dice.random() < 0.7:
        link = {}
    return page, spell(link | _special_link(dice, page) | _view_link(dice, page))


def _tabs_of(page: str) -> tuple[str, ...]:
    return {
        "aspect": tables.ASPECTS,
        "mode": tables.MODES,
        "below": tables.BELOW,
        "part": tables.PARTS,
    }.get(tables.TABS.get(page, ""), ("",))


def _next_step(dice: random.Random, model: Model) -> Step:
    """What a visitor might do now."""
    dataset = dice.choice(tables.SMALL if dice.random() < 0.97 else tables.DATASETS)
    kinds: dict[str, tuple[float, Callable[[], Step]]] = {
        "open": (2, lambda: ("open", *_some_address(dice))),
        "reload": (2, lambda: ("reload",)),
        "page": (6, lambda: ("page", dice.choice(tables.PAGES))),
        "relabel": (4, lambda: ("page", "Relabel")),
        "dataset": (6, lambda: ("choose", "Dataset", dataset)),
        "split": (2, lambda: ("choose", "Split", dice.choice(model.splits))),
        "prior": (3, lambda: ("choose", "Prior", dice.choice(tables.PRIORS))),
        "rule": (2, lambda: ("choose", "Rule", dice.choice(tables.RULES))),
        "auto": (2, lambda: ("choose", "How to reclassify", dice.choice(tuple(tables.AUTO)))),
        "laplacian": (3, lambda: ("choose", "Laplacian", dice.choice(model.laplacians))),
        "direction": (2, lambda: ("choose", "Direction", dice.choice(("forward", "backward")))),
        "compare": (1, lambda: ("choose", "Compare", dice.choice(tables.COMPARED[:2]))),
        "runs": (1, lambda: ("choose", "Runs", dice.choice(tables.RUNS))),
        "seed": (2, lambda: ("seed", str(dice.randrange(4)))),
        "t_min": (8, lambda: ("t_min", dice.choice(KEYS), str(dice.randrange(1, 4)))),
        "click": (2, lambda: ("click_t_min", f"{dice.random():.2f}")),
        "chosen": (1, lambda: ("chosen",)),
        "shape": (1, lambda: ("shape", dice.choice(("ArrowLeft", "ArrowRight")))),
        "node": (4, lambda: ("node", dice.choice((*tables.NODES, "")))),
        "test": (2, lambda: ("test",)),
        "back": (9, lambda: ("back",)),
        "forward": (4, lambda: ("forward",)),
        "other": (2, lambda: ("other", *_some_address(dice))),
        "structure": (2, lambda: ("page", "Structure")),
        "stationary": (1, lambda: ("choose", "Stationary state", dice.choice(SCOPES))),
        "form": (1, lambda: ("choose", "Laplacian", dice.choice((*tables.PLAIN, *tables.FORMS)))),
        "tab": (5, lambda: ("tab", dice.choice(_tabs_of(model.page)))),
        "ink": (1, lambda: ("ink", dice.choice(tables.INKS))),
        "wait": (1, lambda: ("wait", dice.choice(KEYS), str(dice.randrange(1, 4)))),
        "paper": (1, lambda: ("paper",)),
        "own": (1, lambda: ("own", dice.choice(tuple(tables.DRAWN)))),
        "follow": (1, lambda: ("follow", dice.choice(tuple(LEADS)))),
        "draw": (3, lambda: ("draw", dice.choice(tuple(tables.GRAPHS)))),
        "lesson": (
            2,
            lambda: ("choose", "Lesson", dice.choice((tables.ALL_LESSONS, *tables.LESSONS))),
        ),
        "turn": (3, lambda: ("turn", dice.choice(WAYS))),
        "hide": (1, lambda: ("hide", dice.choice(tables.HIDEABLE))),
        "present": (1, lambda: ("present",)),
        "leave": (6, lambda: ("leave",)),
        "teaching": (3, lambda: ("page", dice.choice(("Home", "Lab", "Lessons")))),
        "line": (6, lambda: ("line", dice.choice(KEYS), str(dice.randrange(1, 4)))),
    }
    weights = [weight for weight, _ in kinds.values()]
    return dice.choices([make for _, make in kinds.values()], weights)[0]()


SCOPES: Final = ("global", "component")
KEYS: Final = ("ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End")
# What was once wrong, each in a few steps.
STORIES: Final[dict[str, list[Step]]] = {
    "the knob stands where the page computes": [
        ("open", "Overshoot", ""),
        ("open", "Relabel", ""),
        ("reload",),
        ("page", "Overshoot"),
        ("page", "Relabel"),
        ("choose", "Dataset", "karate"),
    ],
    "Back and Forward restore the view": [
        ("page", "Dataset"),
        ("page", "Relabel"),
        ("t_min", "ArrowRight", "3"),
        ("back",),
        ("forward",),
        ("choose", "Prior", "uniform"),
        ("t_min", "ArrowLeft", "2"),
        ("back",),
        ("forward",),
    ],
    "a box shows one of its options": [
        ("open", "Relabel", "dataset=cora"),
        ("choose", "Dataset", "karate"),
        ("choose", "Dataset", "sbm"),
    ],
    "a pair of rules is called by their names": [
        ("page", "Compare"),
        ("choose", "Compare", "rules"),
        ("back",),
    ],
    "t_min belongs to its dataset and method": [
        ("t_min", "End", "1"),
        ("choose", "Dataset", "star"),
        ("choose", "Dataset", "karate"),
        ("choose", "Prior", "uniform"),
    ],
    "a page of two words corrects its address": [
        ("open", "Your data", "dataset=ring&split=random&rule=overshoot&t_min=0.3"),
        ("page", "Relabel"),
    ],
    "a default in a link is left out of it": [
        ("open", "Home", f"own={quote_plus(tables.OWN_GRAPH)}"),
    ],
    "Back soon after a reload": [
        ("open", "Train", "dataset=karate"),
        ("choose", "Split", "random"),
        ("reload",),
        ("back",),
        ("forward",),
        ("reload",),
        ("back",),
    ],
    "the Lab draws the graph of its address": [
        ("page", "Lab"),
        ("draw", "star"),
        ("present",),
        ("draw", "pair"),
        ("back",),
        ("page", "Home"),
        ("back",),
        ("forward",),
        ("follow", "Go on drawing in the Lab"),
        ("back",),
    ],
    "a lesson is told where its link says": [
        ("open", "Lessons", "lesson=2-overshoot&step=3&hide=speed&hide=chart"),
        ("turn", "Next"),
        ("hide", "speed"),
        ("choose", "Lesson", "1-heat"),
        ("back",),
        ("back",),
        ("turn", "All lessons"),
        ("page", "Home"),
        ("ink", "f"),
        ("wait", "ArrowRight", "2"),
        ("paper",),
        ("own", "a - b; b - c; a: 1"),
        ("back",),
        ("back",),
        ("back",),
    ],
}
START: Final = ("Relabel", {"dataset": "karate"})


@dataclass
class Trouble:
    """A disagreement: after which steps, and what differed."""

    steps: list[Step]
    found: list[str]


def walk(
    browser: Browser,
    address: str,
    steps: int,
    seed: int,
    *,
    say: Callable[[str], None] = print,
    picture: Path | None = None,
) -> tuple[int, Trouble | None]:
    """Take steps until the first disagreement; how many were taken, and it.

    picture   where the page is drawn that disagrees
    """
    dice = random.Random(seed)
    walker = Walker(browser, address)
    taken: list[Step] = []
    done = 0
    found = walker.begin(*START)
    try:
        while done < steps and not found:
            if len(walker.tab.model.entries) > tables.MOST_ENTRIES:
                walker.close()
                walker, taken = Walker(browser, address), []
                found = walker.begin(*START)
                continue
            step = _next_step(dice, deepcopy(walker.tab.model))
            found = _taken(walker, step)
            if found is None:
                continue
            taken.append(step)
            done += 1
            if done % 20 == 0:
                say(f"{done} steps")
        if found and picture is not None:
            _draw(walker, picture, say)
    finally:
        walker.close()
    return done, Trouble(taken, found) if found else None


def _taken(walker: Walker, step: Step) -> list[str] | None:
    """As `Walker.take`; a control that cannot be used is a disagreement, and ends no long walk."""
    try:
        return walker.take(step)
    except (TimeoutError, PlaywrightTimeout) as error:
        return [f"step: {str(error).splitlines()[0]}"]


def _draw(walker: Walker, picture: Path, say: Callable[[str], None]) -> None:
    """The page that disagrees, as a picture, where the browser still draws one."""
    try:
        walker.tab.page.screenshot(path=picture)
    except PlaywrightTimeout:
        say(f"{picture} could not be drawn")


def replay(browser: Browser, address: str, steps: list[Step]) -> Trouble | None:
    """The same steps again; those that cannot be done are left out."""
    walker = Walker(browser, address)
    try:
        found = walker.begin(*START)
        for place, step in enumerate(steps):
            if found:
                return Trouble(steps[:place], found)
            found = _taken(walker, step)
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
