"""What travels to the charts: small JSON with numbers rounded to what a screen can show.

The layout of the message is read by `lines.js` and `bars.js`: they change together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

MOST_POINTS: Final = 320  # of a line; a chart is hardly wider in pixels
SOLID, DASHED, DOTTED = (), (6, 4), (2, 3)


@dataclass(frozen=True)
class Entry:
    """One entry of the legend: a colour, a dash pattern, or both."""

    name: str
    colour: str = ""
    dash: tuple[int, ...] = SOLID


@dataclass(frozen=True, eq=False)
class Line:
    """A line over epochs. An empty colour is the ink of the page."""

    name: str
    x: np.ndarray
    y: np.ndarray
    colour: str = ""
    dash: tuple[int, ...] = SOLID
    strong: bool = True


@dataclass(frozen=True, eq=False)
class Heat:
    """A field behind the lines: one column for each scan, from its epoch to the next one's."""

    epochs: np.ndarray
    levels: np.ndarray
    values: np.ndarray
    title: str


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines over epochs, on a linear or a logarithmic vertical axis.

    cursor   the epoch that is looked at; what comes after it is drawn pale
    """

    title: str
    alt: str
    lines: Sequence[Line]
    percent: bool = False
    logarithmic: bool = False
    heat: Heat | None = None
    last: int = 1
    cursor: int | None = None


@dataclass(frozen=True, eq=False)
class Bars:
    """Stacked bars between edges."""

    title: str
    alt: str
    edges: np.ndarray
    counts: np.ndarray
    names: Sequence[str]
    colours: Sequence[str]
    axis: str


def message_of(
    panels: Sequence[Lines | Bars], legend: Sequence[Entry], styles: Sequence[Entry]
) -> dict[str, Any]:
    """The whole message."""
    return {
        "panels": [_lines(p) if isinstance(p, Lines) else _bars(p) for p in panels],
        "legend": [vars(entry) for entry in legend],
        "styles": [vars(entry) for entry in styles],
    }


def _lines(panel: Lines) -> dict[str, Any]:
    lines = [_line(line) for line in panel.lines]
    heat = None if panel.heat is None else _heat(panel.heat)
    return {**vars(panel), "kind": "lines", "lines": lines, "heat": heat}


def _line(line: Line) -> dict[str, Any]:
    kept = thinned(len(line.x))
    return {
        "name": line.name,
        "colour": line.colour,
        "dash": line.dash,
        "strong": line.strong,
        "x": line.x[kept].astype(int).tolist(),
        "y": _rounded(line.y[kept]),
    }


def _heat(heat: Heat) -> dict[str, Any]:
    return {
        "title": heat.title,
        "epochs": heat.epochs.astype(int).tolist(),
        "levels": _rounded(heat.levels),
        "values": [_rounded(column) for column in heat.values],
    }


def _bars(panel: Bars) -> dict[str, Any]:
    return {
        "kind": "bars",
        "title": panel.title,
        "alt": panel.alt,
        "axis": panel.axis,
        "edges": _rounded(panel.edges),
        "counts": panel.counts.astype(int).tolist(),
        "names": list(panel.names),
        "colours": list(panel.colours),
    }


def thinned(count: int) -> np.ndarray:
    """Places of at most `MOST_POINTS` points, the first and the last among them."""
    return np.unique(np.linspace(0, max(count - 1, 0), min(count, MOST_POINTS)).round().astype(int))


def _rounded(values: np.ndarray) -> list[float | None]:
    """Four decimals; JSON has no NaN and no infinity."""
    finite = np.isfinite(values)
    rounded = np.where(finite, values, 0.0).round(4).tolist()
    if finite.all():
        return rounded
    return [value if good else None for value, good in zip(rounded, finite, strict=True)]
