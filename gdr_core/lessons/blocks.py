"""What stands in a lesson's figures and questions.

figure      sketch: NAME of the gallery, or graph: and below it a sketch's text; or
            study: smoothing DATASET, relabel DATASET, homophily
            stop: the time at which playing stops;  focus: a node;  hidden: until answered
            start, laplacian, direction, alpha, time, t_min: change the sketch
question    KIND of number, node, choice, chart; ask, right, wrong
            number, chart:  answer, tolerance, exact; chart also at and of
            node:           answer (names), and exact or most
            choice:         lines “( ) text => reply”, “(x) text => reply” for the right one
            wrong VALUE, wrong LOW to HIGH, wrong NODE: replies to particular answers
both        true: an expression that holds
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from gdr_core.lessons.record import (
    CHART,
    CHOICE,
    NODE,
    NUMBER,
    QUESTIONS,
    STUDIES,
    Claim,
    Figure,
    LessonError,
    Offered,
    Question,
    Reply,
)
from gdr_core.sketches import GALLERY, Sketch, SketchError, TextError, parse

_SETTINGS: Final = ("laplacian", "direction", "alpha", "time", "t_min")
_FIGURE: Final = frozenset(
    {"sketch", "graph", "study", "stop", "focus", "hidden", "true", "start", *_SETTINGS}
)
_CHECKED: Final = ("answer", "tolerance", "exact", "most", "true")
_QUESTION: Final = frozenset({"ask", "right", "wrong", "at", "of", "unit", "option", *_CHECKED})
_NEEDED: Final = {
    NUMBER: ("ask", "right", "wrong", "answer"),
    CHART: ("ask", "right", "wrong", "answer", "at", "of"),
    NODE: ("ask", "right", "wrong", "answer"),
    CHOICE: ("ask", "option"),
}
_RANGE: Final = re.compile(r"(?P<low>[-\d.]+)(?: to (?P<high>[-\d.]+))?$")
_UNTIL_ANSWERED: Final = "until answered"


@dataclass
class Entry:
    """`key argument: value`, in a line of the file; what goes on below is in `more`."""

    line: int
    key: str
    argument: str
    more: list[str] = field(default_factory=list)

    @property
    def value(self) -> str:
        """All of it in one line."""
        return " ".join(part for part in self.more if part)

    def number(self) -> float:
        """The value as a number."""
        try:
            value = float(self.value)
        except ValueError:
            raise LessonError(self.line, f"“{self.value[:20]}” is not a number.") from None
        if not abs(value) < 1e9:
            raise LessonError(self.line, f"{self.value[:20]} is too large.")
        return value


def read_figure(line: int, entries: Sequence[Entry]) -> Figure:
    """The figure that a block describes."""
    given = _by_key(entries, _FIGURE)
    sources = [key for key in ("sketch", "graph", "study") if key in given]
    if len(sources) != 1:
        raise LessonError(line, "A figure has one of “sketch:”, “graph:” and “study:”.")
    claims = _claims(entries)
    if sources[0] == "study":
        return _study(given["study"], claims)
    sketch = _changed(_sketch_of(given[sources[0]]), entries)
    return Figure(
        line,
        sketch=sketch,
        stop=given["stop"].number() if "stop" in given else 0.0,
        focus=_nodes(given["focus"], sketch)[0] if "focus" in given else "",
        hidden=_hidden(given),
        claims=claims,
    )


def _hidden(given: dict[str, Entry]) -> bool:
    if "hidden" in given and given["hidden"].value != _UNTIL_ANSWERED:
        raise LessonError(given["hidden"].line, f"hidden is “{_UNTIL_ANSWERED}”, or left out.")
    return "hidden" in given


def _study(entry: Entry, claims: tuple[Claim, ...]) -> Figure:
    from gdr_core.datasets import names

    kind, _, dataset = entry.value.partition(" ")
    if kind not in STUDIES:
        known = ", ".join(STUDIES)
        raise LessonError(entry.line, f"There is no study “{kind[:20]}”; there are {known}.")
    dataset = "sbm" if kind == "homophily" else dataset.strip()
    if dataset not in names():
        raise LessonError(entry.line, f"There is no dataset “{dataset[:20]}”.")
    return Figure(entry.line, kind, dataset, claims=claims)


def _sketch_of(entry: Entry) -> Sketch:
    if entry.key == "sketch":
        if entry.value not in GALLERY:
            known = ", ".join(GALLERY)
            raise LessonError(
                entry.line, f"The gallery has no graph “{entry.value[:20]}”; it has {known}."
            )
        return GALLERY[entry.value].sketch
    try:
        return parse("\n".join(entry.more))
    except TextError as error:
        sentence = re.sub(r"^Line \d+: ", "", str(error))
        raise LessonError(entry.line + max(error.line, 0), sentence) from None
    except SketchError as error:
        raise LessonError(entry.line, str(error)) from None


def _changed(sketch: Sketch, entries: Sequence[Entry]) -> Sketch:
    """The sketch with the beliefs and settings that the block gives."""
    for entry in entries:
        try:
            if entry.key == "start":
                sketch = _started(sketch, entry)
            elif entry.key in ("laplacian", "direction"):
                sketch = replace(sketch, **{entry.key: entry.value})  # type: ignore[arg-type]
            elif entry.key in ("alpha", "time", "t_min"):
                sketch = replace(sketch, **{entry.key: entry.number()})  # type: ignore[arg-type]
        except SketchError as error:
            raise LessonError(entry.line, str(error)) from None
    return sketch


def _started(sketch: Sketch, entry: Entry) -> Sketch:
    """`start: a 1, b 0.5`, or with two classes `start: a 1 0, b 0 1`; all other nodes have none."""
    rows: dict[str, list[float]] = {}
    for part in entry.value.split(","):
        name, *numbers = part.split()
        _nodes(Entry(entry.line, "start", "", [name]), sketch)
        rows[name] = [Entry(entry.line, "", "", [number]).number() for number in numbers or ["1"]]
    classes = max(map(len, rows.values()))
    beliefs = tuple(
        tuple((rows.get(name, []) + [0.0] * classes)[:classes]) for name in sketch.names
    )
    return replace(sketch, beliefs=beliefs, train=())


def _nodes(entry: Entry, sketch: Sketch) -> tuple[str, ...]:
    names = tuple(entry.value.replace(",", " ").split())
    for name in names:
        if name not in sketch.names:
            known = ", ".join(sketch.names)
            raise LessonError(entry.line, f"The figure has no node “{name[:20]}”; it has {known}.")
    return names


def read_question(line: int, words: Sequence[str], entries: Sequence[Entry]) -> Question:
    """The question that a block describes."""
    kind = words[0] if words else ""
    if kind not in QUESTIONS:
        known = ", ".join(QUESTIONS)
        raise LessonError(line, f"A question says its kind, one of {known}: “```question number”.")
    plain = [entry for entry in entries if not (entry.key == "wrong" and entry.argument)]
    given = _by_key(plain, _QUESTION, many=("true", "option"))
    for key in _NEEDED[kind]:
        if key not in given or not given[key].value:
            raise LessonError(line, f"This question lacks “{key}:”.")
    said = {key: given[key].value for key in ("ask", "right", "wrong", "unit") if key in given}
    return Question(
        line,
        kind,
        **{"right": "", "wrong": "", **said},  # type: ignore[arg-type]
        claims=_claims(entries),
        replies=tuple(_reply(entry, kind) for entry in entries if entry not in plain),
        **_KINDS[kind](line, given, entries),
    )


def _number_parts(line: int, given: dict[str, Entry], entries: Sequence[Entry]) -> dict[str, Any]:
    answer = given["answer"].number()
    tolerance = given["tolerance"].number() if "tolerance" in given else abs(answer) / 20
    if tolerance < 0:
        raise LessonError(given["tolerance"].line, "A tolerance is not negative.")
    if "exact" not in given:
        raise LessonError(line, "This question lacks “exact:”, by which its answer is checked.")
    return {
        "answer": answer,
        "stated": given["answer"].value,
        "tolerance": tolerance,
        "exact": _claim(given["exact"]),
    }


def _chart_parts(line: int, given: dict[str, Entry], entries: Sequence[Entry]) -> dict[str, Any]:
    return {
        **_number_parts(line, given, entries),
        "at": given["at"].number(),
        "of": given["of"].value,
    }


def _node_parts(line: int, given: dict[str, Entry], entries: Sequence[Entry]) -> dict[str, Any]:
    checks = [key for key in ("exact", "most") if key in given]
    if len(checks) != 1:
        raise LessonError(
            line, "This question needs “exact:” or “most:”, by which its answer is checked."
        )
    nodes = tuple(given["answer"].value.replace(",", " ").split())
    return {"nodes": nodes, "stated": given["answer"].value, checks[0]: _claim(given[checks[0]])}


def _choice_parts(line: int, given: dict[str, Entry], entries: Sequence[Entry]) -> dict[str, Any]:
    options = tuple(_option(entry) for entry in entries if entry.key == "option")
    if sum(option.right for option in options) != 1 or len(options) < 2:
        raise LessonError(line, "A choice has at least two answers, one of them marked “(x)”.")
    if bare := next((option for option in options if not option.reply), None):
        raise LessonError(
            line, f"The answer “{bare.text[:40]}” has no reply: write “=> …” behind it."
        )
    return {"options": options}


_KINDS: Final[dict[str, Callable[..., dict[str, Any]]]] = {
    NUMBER: _number_parts,
    CHART: _chart_parts,
    NODE: _node_parts,
    CHOICE: _choice_parts,
}


def _option(entry: Entry) -> Offered:
    text, _, reply = entry.value.partition("=>")
    return Offered(text.strip(), entry.argument == "x", reply.strip())


def _reply(entry: Entry, kind: str) -> Reply:
    if kind in (NODE, CHOICE):
        return Reply(entry.value, node=entry.argument)
    found = _RANGE.match(entry.argument)
    try:
        low = float(found["low"]) if found else float("nan")
        high = float(found["high"] or found["low"]) if found else float("nan")
    except ValueError:
        low = high = float("nan")
    if not low <= high:
        raise LessonError(
            entry.line, f"“wrong {entry.argument[:20]}” names no number: “wrong 0.5” or “0.4 to 1”."
        )
    return Reply(entry.value, low, high)


def _claims(entries: Sequence[Entry]) -> tuple[Claim, ...]:
    return tuple(_claim(entry) for entry in entries if entry.key == "true")


def _claim(entry: Entry) -> Claim:
    return Claim(entry.line, entry.value)


def _by_key(
    entries: Sequence[Entry], known: frozenset[str], many: Sequence[str] = ("true",)
) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.key not in known:
            names = ", ".join(sorted(known - {"option"}))
            raise LessonError(
                entry.line, f"There is no “{entry.key[:20]}:” here; there are {names}."
            )
        if entry.key in found and entry.key not in many:
            raise LessonError(entry.line, f"“{entry.key}:” is given twice.")
        found.setdefault(entry.key, entry)
    return found
