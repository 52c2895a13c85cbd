"""A sketch as text that people read and write, one statement a line.

    a - b              an edge; "a b" and "a,b" mean the same
    b - c 2            an edge of weight 2
    c > d 0.5          an arrow from c to d
    e                  a node without an edge
    a: 1 0             beliefs of a, one number a class
    b: 0 1 train       a node whose class is known
    a @ 250 400        its place, from 0 to 1000, y downwards
    laplacian random-walk        likewise direction, alpha, time, t_min
    # a remark

`text.js` among the app's components reads and writes the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from gdr_core.sketches.record import MOST_NODES, PLACES, Edge, Sketch, SketchError, circle, tidy

MOST_LETTERS: Final = 40_000
_NAME: Final = r"[^\s:@>#,;<=\-—→\"'`\\/]+"
_EDGE: Final = re.compile(rf"({_NAME})\s*(-|—|->|→|>|,|\s)\s*({_NAME})(?:(?:\s*,\s*|\s+)(\S+))?$")
_BELIEFS: Final = re.compile(rf"({_NAME})\s*:\s*(.*)$")
_PLACE: Final = re.compile(rf"({_NAME})\s*@\s*(\S+)\s+(\S+)$")
_SETTING: Final = re.compile(r"(laplacian|direction|alpha|time|t_min)\s+(\S+)$")
_ARROWS: Final = ("->", "→", ">")
_NUMBERS: Final = {"alpha", "time", "t_min"}


class TextError(SketchError):
    """What is wrong with a text, and in which line."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"Line {line}: {sentence}" if line else sentence)
        self.line = line


@dataclass
class _Draft:
    """What the lines have said so far."""

    names: list[str] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    beliefs: dict[int, list[float]] = field(default_factory=dict)
    train: set[int] = field(default_factory=set)
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    settings: dict[str, str | float] = field(default_factory=dict)

    def node(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)


def parse(text: str) -> Sketch:
    """The sketch that a text describes; an error names the line.

    >>> from gdr_core.sketches import parse
    >>> tail = parse("a - b; b - c; c - a; c - d 2; a: 1")
    >>> tail.names, len(tail.edges), tail.beliefs[0]
    (('a', 'b', 'c', 'd'), 4, (1.0,))
    """
    if len(text) > MOST_LETTERS:
        raise TextError(0, f"This text has {len(text):,} characters; {MOST_LETTERS:,} are read.")
    draft = _Draft()
    for number, line in enumerate(text.splitlines(), start=1):
        for part in line.split("#")[0].split(";"):
            if statement := part.strip():
                _take(draft, number, statement)
    return _finished(draft)


def write(sketch: Sketch) -> str:
    """The text that describes a sketch; `parse` gives the same sketch again.

    >>> from gdr_core.sketches import Edge, Sketch, parse, write
    >>> two = Sketch(names=("a", "b"), edges=(Edge(0, 1, 2.5),))
    >>> print(write(two))
    a - b 2.5
    a @ 500 120
    b @ 500 880
    >>> parse(write(two)) == two
    True
    """
    names = sketch.names
    lines = [] if _in_order(sketch) else list(names)
    for edge in sketch.edges:
        sign, weight = (
            ">" if edge.arrow else "-",
            "" if edge.weight == 1 else f" {_shown(edge.weight)}",
        )
        lines.append(f"{names[edge.source]} {sign} {names[edge.target]}{weight}")
    every = sketch.classes > 1  # one class more than anybody believes in must be seen
    for name, row, known in zip(names, sketch.beliefs, sketch.train, strict=True):
        if any(row) or known or every:
            said = " ".join(map(_shown, row)) + (" train" if known else "")
            lines.append(f"{name}: {said}")
            every = False
    lines += [f"{name} @ {x} {y}" for name, (x, y) in zip(names, sketch.places, strict=True)]
    return "\n".join([*lines, *_settings(sketch)])


def _settings(sketch: Sketch) -> list[str]:
    plain = Sketch(names=())
    fields = ("laplacian", "direction", "alpha", "time", "t_min")
    pairs = [(name, getattr(sketch, name)) for name in fields]
    return [
        f"{name} {value if isinstance(value, str) else _shown(value)}"
        for name, value in pairs
        if value != getattr(plain, name)
    ]


def _in_order(sketch: Sketch) -> bool:
    """Whether edges alone name all nodes in their order."""
    met = list(dict.fromkeys(end for edge in sketch.edges for end in (edge.source, edge.target)))
    return met == list(range(len(sketch.names)))


def _shown(value: float) -> str:
    return f"{value:.6g}" if value != int(value) or value >= 1e6 else str(int(value))


def _take(draft: _Draft, line: int, statement: str) -> None:
    if found := _SETTING.match(statement):
        name, value = found.groups()
        draft.settings[name] = _number(line, value) if name in _NUMBERS else value
    elif found := _BELIEFS.match(statement):
        _take_beliefs(draft, line, draft.node(found[1]), found[2].replace(",", " ").split())
    elif found := _PLACE.match(statement):
        place = (round(_number(line, found[2])), round(_number(line, found[3])))
        if not all(0 <= value <= PLACES for value in place):
            raise TextError(line, f"places lie between 0 and {PLACES}.")
        draft.places[draft.node(found[1])] = place
    elif re.fullmatch(_NAME, statement):
        draft.node(statement)
    elif found := _EDGE.match(statement):
        _take_edge(draft, line, found)
    else:
        raise TextError(
            line, f"“{statement[:40]}” is no statement; an edge is “a - b” or “a - b 2”."
        )
    if len(draft.names) > MOST_NODES:
        raise TextError(line, f"more than {MOST_NODES} nodes; the lab computes with at most those.")


def _take_edge(draft: _Draft, line: int, found: re.Match[str]) -> None:
    one, sign, other, weight = found.groups()
    edge = Edge(
        draft.node(one),
        draft.node(other),
        1.0 if weight is None else _number(line, weight, weight=True),
        sign in _ARROWS,
    )
    if edge.source == edge.target:
        raise TextError(line, f"an edge leads from “{one}” to itself.")
    if any(edge.clashes(before) for before in draft.edges):
        raise TextError(line, f"“{one}” and “{other}” are joined already.")
    draft.edges.append(edge)


def _take_beliefs(draft: _Draft, line: int, node: int, words: list[str]) -> None:
    name = draft.names[node]
    if node in draft.beliefs:
        raise TextError(line, f"the beliefs of “{name}” are given twice: one name, two nodes?")
    if words and words[-1] == "train":
        draft.train.add(node)
        words.pop()
    draft.beliefs[node] = [_number(line, word) for word in words]


def _number(line: int, word: str, *, weight: bool = False) -> float:
    try:
        value = tidy(float(word))
    except ValueError:
        raise TextError(line, f"“{word[:20]}” is not a number.") from None
    least, most = (1e-6, 1e6) if weight else (1e-9, 1e9)
    if not (least <= value <= most or (value == 0 and not weight)):
        what = "a weight" if weight else "a number"
        kind = "positive" if weight else "not negative"
        raise TextError(
            line, f"{word[:20]} is not allowed: {what} is {kind} and at most {most:,.0f}."
        )
    return value


def _finished(draft: _Draft) -> Sketch:
    nodes = len(draft.names)
    classes = max([1, *map(len, draft.beliefs.values())])
    rows = [draft.beliefs.get(i, []) for i in range(nodes)]
    ring = circle(nodes)
    return Sketch(
        names=tuple(draft.names),
        edges=tuple(draft.edges),
        beliefs=tuple(tuple(row + [0.0] * (classes - len(row))) for row in rows),
        places=tuple(draft.places.get(i, ring[i]) for i in range(nodes)),
        train=tuple(i in draft.train for i in range(nodes)),
        **draft.settings,  # type: ignore[arg-type]
    )
