"""The figure of a study over several datasets: a panel a dataset, in each a line a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gdr_core.figures import svg
from gdr_core.figures.study import Row, Scale, draw_means, draw_ticks, key_of_colours, limits

_LEFT, _PANEL, _GAP, _TOP, _TITLE, _ROW, _FOOT = 150.0, 200.0, 26.0, 28.0, 24.0, 26.0, 34.0
_MOST = 3  # panels side by side


def panels_figure(panels: Mapping[str, Sequence[Row]], part: str) -> str:
    """Accuracy before and after GDR of every method on every dataset, as SVG text.

    panels   the rows of each dataset; a method without runs on it has none there

    Methods keep their height in all panels. Each panel has an axis of its own, since datasets
    differ more than methods do. Discs are means over runs, bars their 95 % intervals.
    """
    methods = list(dict.fromkeys(row.name for rows in panels.values() for row in rows))
    band = _TITLE + _ROW * len(methods) + _FOOT
    width = _LEFT + min(len(panels), _MOST) * (_PANEL + _GAP)
    bands = -(-len(panels) // _MOST)
    parts = key_of_colours(4)
    for line in range(bands):
        for number, name in enumerate(methods):
            y = _TOP + band * line + _TITLE + _ROW * (number + 0.5) + 4
            parts.append(svg.words(_LEFT - 10, y, name, anchor="end", size=12.5, most=22))
    for place, (dataset, rows) in enumerate(panels.items()):
        line, column = divmod(place, _MOST)
        left, top = _LEFT + column * (_PANEL + _GAP), _TOP + band * line
        parts += _panel(dataset, rows, methods, left, top)
    height = _TOP + band * bands + 16
    axis = f"accuracy on {part} nodes"
    parts.append(svg.words((_LEFT + width) / 2, height - 6, axis, anchor="middle"))
    return svg.picture(width, height, f"{axis.capitalize()}, {_said(panels)}.", parts)


def _panel(
    dataset: str, rows: Sequence[Row], methods: Sequence[str], left: float, top: float
) -> list[str]:
    first, bottom = top + _TITLE, top + _TITLE + _ROW * len(methods)
    parts = [svg.words(left, top + 15, dataset, size=13, most=28)]
    if not rows:
        return [*parts, svg.words(left, first + 15, "no runs yet")]
    low, high = limits(rows)
    scale = Scale(low, high, left, left + _PANEL)
    step = 0.05 if high - low <= 0.2 else 0.1 if high - low <= 0.4 else 0.2
    parts += draw_ticks(scale, step, first, bottom)
    for row in rows:
        parts += draw_means(row, scale, first + _ROW * (methods.index(row.name) + 0.5))
    return parts


def _said(panels: Mapping[str, Sequence[Row]]) -> str:
    """All means in words."""
    return ". ".join(
        f"{dataset}: "
        + "; ".join(f"{r.name} {r.before.value:.1%} to {r.after.value:.1%}" for r in rows)
        for dataset, rows in panels.items()
    )
