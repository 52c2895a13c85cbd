"""The figure of a study: methods in rows, accuracy before and after with intervals, for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from gdr_core.figures import svg
from gdr_core.gdr.trials import Mean

BEFORE, AFTER = "#E69F00", "#0072B2"
_WIDTH, _LEFT, _RIGHT, _TOP, _ROW = 640.0, 168.0, 628.0, 30.0, 34.0


@dataclass(frozen=True)
class Row:
    """One method of the figure: its name, what its runs are, accuracy before and after."""

    name: str
    runs: str
    before: Mean
    after: Mean


def study_figure(rows: Sequence[Row], part: str) -> str:
    """One line a method from its accuracy before GDR to that after, as SVG text.

    Discs are means over runs, bars their 95 % intervals. It is drawn in the colour of the page's
    text, which in a file of its own is black.
    """
    low, high = limits(rows)
    bottom = _TOP + _ROW * len(rows)
    place = Scale(low, high, _LEFT, _RIGHT)
    parts = [*_axis(place, bottom, part), *key_of_colours(_LEFT)]
    for number, row in enumerate(rows):
        parts += _draw_row(row, place, _TOP + _ROW * (number + 0.5))
    said = "; ".join(f"{row.name} {row.before.value:.1%} to {row.after.value:.1%}" for row in rows)
    label = f"Accuracy on {part} nodes before and after GDR: {said}."
    return svg.picture(_WIDTH, bottom + 42, label, parts)


@dataclass(frozen=True)
class Scale:
    """Accuracies from low to high, drawn between x = left and x = right."""

    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        """Where an accuracy is drawn."""
        return self.left + (self.right - self.left) * (value - self.low) / (self.high - self.low)


def limits(rows: Sequence[Row]) -> tuple[float, float]:
    """The accuracies that the axis spans, in whole steps of 5 points."""
    means = [mean for row in rows for mean in (row.before, row.after)]
    ends = np.array([[mean.value, mean.low, mean.high] for mean in means])
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    low, high = max(0.0, np.floor(20 * low - 0.2) / 20), min(1.0, np.ceil(20 * high + 0.2) / 20)
    return (low, high) if high > low else (low - 0.05, low + 0.05)


def _axis(place: Scale, bottom: float, part: str) -> list[str]:
    step = 0.05 if place.high - place.low <= 0.4 else 0.1 if place.high - place.low <= 0.6 else 0.2
    parts = draw_ticks(place, step, _TOP, bottom)
    middle = (_LEFT + _RIGHT) / 2
    parts.append(svg.words(middle, bottom + 34, f"accuracy on {part} nodes", anchor="middle"))
    return parts


def draw_ticks(place: Scale, step: float, top: float, bottom: float) -> list[str]:
    """A faint line and a number at every multiple of the step."""
    parts = []
    for value in np.arange(np.ceil(place.low / step - 1e-9) * step, place.high + 1e-9, step):
        x = place(float(value))
        parts.append(_faint((x, top), (x, bottom)))
        parts.append(svg.words(x, bottom + 15, f"{value:.0%}", anchor="middle"))
    return parts


def key_of_colours(left: float) -> list[str]:
    """What the two colours and the bars mean, from x = left on."""
    parts = []
    for x, colour, text in ((left + 8, BEFORE, "before GDR"), (left + 110, AFTER, "after GDR")):
        parts.append(f'<circle cx="{x:g}" cy="13" r="5" fill="{colour}"/>')
        parts.append(svg.words(x + 10, 17, text))
    parts.append(svg.words(left + 208, 17, "bars: 95% intervals of the mean"))
    return parts


def _draw_row(row: Row, place: Scale, y: float) -> list[str]:
    parts = [
        svg.words(_LEFT - 10, y, row.name, anchor="end", size=12.5, most=24),
        svg.words(_LEFT - 10, y + 12, row.runs, anchor="end", size=10.5),
    ]
    return parts + draw_means(row, place, y)


def draw_means(row: Row, place: Scale, y: float) -> list[str]:
    """The line from before to after, and both means with their intervals."""
    parts = [svg.segment((place(row.before.value), y), (place(row.after.value), y), "#8A8F98", 2.5)]
    for mean, colour in ((row.before, BEFORE), (row.after, AFTER)):
        if np.isfinite(mean.low):
            parts += _bar(place(mean.low), place(mean.high), y, colour)
        title = f"{row.name}: {mean.value:.1%}"
        parts.append(
            f'<circle cx="{place(mean.value):.1f}" cy="{y:.1f}" r="5.5" fill="{colour}">'
            f"<title>{escape(title)}</title></circle>"
        )
    return parts


def _bar(left: float, right: float, y: float, colour: str) -> list[str]:
    ends = [svg.segment((x, y - 7), (x, y + 7), colour, 1.6) for x in (left, right)]
    return [svg.segment((left, y), (right, y), colour, 1.6), *ends]


def _faint(start: tuple[float, float], stop: tuple[float, float]) -> str:
    line = svg.segment(start, stop, "currentColor", 1)
    return line.replace("/>", ' stroke-opacity="0.15"/>')
