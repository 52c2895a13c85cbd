"""What the browser shows, and where it differs from what should hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from tools.walk.model import (
    BOXES,
    EXPLORERS,
    LINKED,
    ORDER,
    SHOWN,
    TABS,
    WITH_NODE,
    WITH_SWITCH,
    Model,
    is_time,
)

LOOK: Final = Path(__file__).with_name("look.js").read_text(encoding="utf-8")


def quarrel(model: Model, seen: dict[str, Any]) -> Iterator[str]:
    """Where control, page, link and model say different things."""
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
    for name in ORDER:
        said = LINKED.get(name, name)
        told = said in used and name in SHOWN[model.page] and model.applies(name)
        if told and name not in ("node", "t_min") and not _same(used[said], str(model.value(name))):
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
    said = dict(parse_qsl(seen["search"].lstrip("?"))).get("t_min")
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


CHOSEN: dict[tuple[str, ...], str] = {}  # the t_min that GDR chose, as first seen


def _near(one: str, other: str) -> bool:
    return is_time(one) and abs(float(one) - float(other)) <= 0.05 * float(other) + 1e-4


def _same(one: object, other: str) -> bool:
    try:
        return float(str(one)) == float(other)
    except ValueError:
        return (str(one).lower() if isinstance(one, bool) else str(one)) == other
