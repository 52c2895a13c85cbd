"""What the browser shows, and where it differs from what should hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from tools.walk.learning import FIRST, NODES_OF
from tools.walk.model import Model, is_time, read_query
from tools.walk.tables import (
    ALL_LESSONS,
    BOXES,
    DRAWN,
    EXPLORERS,
    FIRST_GRAPH,
    HIDEABLE,
    LINKED,
    MANY,
    ORDER,
    SHOWN,
    TABS,
    VIEWS,
    WITH_NODE,
    WITH_SWITCH,
)

LOOK: Final = Path(__file__).with_name("look.js").read_text(encoding="utf-8")


def quarrel(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    """Where control, page, link and model say different things."""
    if seen["faults"]:
        yield f"the page fails: {seen['faults'][0]}"
    page = unquote(urlsplit(seen["path"]).path).strip("/").replace("_", " ") or "Home"
    if page != model.page:
        yield f"page: {page}, not {model.page}"
        return
    if not seen["title"]:
        yield "page: nothing is drawn"
        return
    yield from _boxes(model, seen)
    yield from _link(model, seen)
    yield from _page(model, seen)
    yield from _view(model, seen)
    if model.page in _OWN:
        yield from _OWN[model.page](model, seen)


def _boxes(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    for label in BOXES:
        if (name := model.box(label)) is None:
            continue
        if seen["boxes"].get(label) != model.words(name):
            yield f"control: {label} shows {seen['boxes'].get(label)!r}, not {model.words(name)!r}"
    drawn = "seed" in SHOWN[model.page] and model.applies("seed") and model.page != "Train"
    if drawn and seen["numbers"].get("Seed") != model.value("seed"):
        yield f"control: Seed shows {seen['numbers'].get('Seed')}, not {model.value('seed')}"
    if model.page in WITH_SWITCH and seen["test"] != (model.get("test") == "shown"):
        yield f"control: Reveal test is {seen['test']}"
    if model.page in WITH_NODE and seen["node"] != (model.get("node") or ""):
        yield f"control: Node shows {seen['node']!r}, not {model.get('node') or ''!r}"
    if model.page in TABS and model.value(TABS[model.page]) not in seen["tabs"]:
        yield f"control: the tabs show {seen['tabs']}, not {model.value(TABS[model.page])}"
    if model.page == "Compare" and model.value("compare") == "rules":
        pair = [seen["boxes"].get(side) for side in ("Left", "Right")]
        if pair != ["overshoot", "peak"]:
            yield f"control: Left and Right show {pair} among the rules"


def _link(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    said = read_query(seen["search"])
    for name in sorted({*said, *model.link} - {"t_min"}):
        if said.get(name) != model.link.get(name):
            yield f"link: {name} is {said.get(name)}, not {model.link.get(name)}"
    told, due = said.get("t_min"), model.link.get("t_min")
    if (told is None) != (due is None) or (told and due and not _near(told, due)):
        yield f"link: t_min is {told}, not {due}"


def _page(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    used = seen["used"]
    for name in ORDER:
        said = LINKED.get(name, name)
        told = said in used and name in SHOWN[model.page] and model.applies(name)
        if (
            told
            and name not in ("node", "t_min", "graph")
            and not _same(used[said], str(model.value(name)))
        ):
            yield f"page: computed with {said} {used[said]}, not {model.value(name)}"
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
    if model.page == "Overshoot":
        yield from _line(model, seen["lines"], time_used)
    asked = model.get("t_min")
    if asked is not None and not _near(time_used, asked):
        yield f"page: computed with t_min {time_used}, not {asked}"
    said = read_query(seen["search"]).get("t_min")
    if said is not None and said != time_used:
        yield f"link: t_min is {said}, the page computed with {time_used}"
    learned = CHOSEN.get(model.method) if asked is None else None
    if learned is not None and learned != time_used:
        yield f"page: starts at t_min {time_used}, its own is {learned}"


def _line(model: Model, lines: list[list[str]], used: str) -> Iterator[str]:
    """The line through the curves, which is dragged as the knob is."""
    spoken = [text.split(" ")[0] for label, text in lines if label.startswith("t_min.")]
    if model.value("mode") == "one node" and not spoken:
        yield "control: None of the lines is that of t_min"
    for time in spoken:
        if not is_time(time) or abs(float(time) - float(used)) > 0.01 * float(used):
            yield f"control: the line stands at t_min {time}, the page computed with {used}"


def _view(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    view = model.value("view")
    if seen["sidebar"] != (view == VIEWS[0]):
        yield f"page: the sidebar is {'shown' if seen['sidebar'] else 'hidden'} in the view {view}"
    if seen["desk"] != (view == VIEWS[2]):
        yield f"control: the presenter's keys are {seen['desk']} in the view {view}"


def _home(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    ink, wait, own = (str(model.value(name)) for name in ("ink", "wait", "own"))
    if not any(text.startswith(f"From {ink}, ") for text in seen["sentences"]):
        yield f"page: None of the sentences begins with the ink on {ink}"
    if not any(text.startswith(f"From t_min = {wait} on") for text in seen["sentences"]):
        yield f"page: None of the sentences is about t_min = {wait}"
    knob = seen["sliders"].get("t_min")
    if knob is None or not _same(knob, wait):
        yield f"control: the slider stands at {knob}, not {wait}"
    typed = next((text for name, text in seen["texts"].items() if name.startswith("Your")), None)
    if typed != own:
        yield f"control: the field holds {typed!r}, not {own!r}"
    if seen["figures"] and seen["figures"][-1] != list(DRAWN[own]):
        yield f"page: {seen['figures'][-1]} are drawn, not {own!r}"
    paper = model.get("paper") or FIRST.get("paper")
    if paper is not None and seen["paper"] != paper:
        yield f"page: shows the paper {seen['paper']}, not {paper}"


def _lab(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    graph = model.get("graph")
    if (seen["used"].get("graph") or None) != graph:
        yield f"page: drew the graph {seen['used'].get('graph')}, not {graph}"
    nodes = FIRST_GRAPH if graph is None else NODES_OF.get(graph)
    if nodes is not None and seen["lab"] != nodes:
        yield f"control: {seen['lab'] or None} nodes are on the desk, not {nodes}"


def _lessons(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    lesson, hidden = model.value("lesson"), set((model.get("hide") or "").split(MANY)) - {""}
    if lesson != ALL_LESSONS and "lesson" not in seen["used"]:
        yield "page: None of the lessons is told"
    if lesson != ALL_LESSONS and not any(
        text.startswith(f"Step {model.value('step')} of ") for text in seen["captions"]
    ):
        yield f"page: step {model.value('step')} is not shown"
    if lesson == ALL_LESSONS and "lesson" in seen["used"]:
        yield f"page: shows {seen['used']['lesson']}, not the list"
    if seen["pills"] and set(seen["pills"]) & set(HIDEABLE) != hidden:
        yield f"control: the pills show {seen['pills']}, not {sorted(hidden)}"


_OWN: Final = {"Home": _home, "Lab": _lab, "Lessons": _lessons}
CHOSEN: dict[tuple[str, ...], str] = {}  # the t_min that GDR chose, as first seen


def _near(one: str, other: str) -> bool:
    return is_time(one) and abs(float(one) - float(other)) <= 0.05 * float(other) + 1e-4


def _same(one: object, other: str) -> bool:
    try:
        return float(str(one)) == float(other)
    except ValueError:
        return (str(one).lower() if isinstance(one, bool) else str(one)) == other
