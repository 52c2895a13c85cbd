"""Figures of a reclassification: accuracy along t_min, one node's curves.

What changes while t_min moves is SVG, which the browser repaints at once; the accuracy curve does
not change and is a chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from gdr_core.explanation.verdict import Verdict
from gdr_core.figures import svg
from gdr_core.figures.frame import frame
from gdr_core.figures.palette import PART_COLOURS, class_colours
from gdr_core.figures.ticks import decades
from gdr_core.gdr.onward import Drawn
from gdr_core.gdr.result import GDRResult

NEUTRAL = "#8A8F98"
ZERO_AT = 1.3  # on a logarithmic axis t = 0 is drawn this factor left of the first positive time


def accuracy_curve(result: GDRResult, parts: Sequence[str]) -> go.Figure:
    """Accuracy for every t_min on the given parts of the split.

    Dotted lines are the prior's accuracies, the diamond marks the t_min that GDR chose. Every
    t_min of the grid has the same width and the plot fills the picture from side to side, so
    that a slider over the same grid fits on top of it.
    """
    places = np.arange(result.times.size)
    figure = go.Figure(layout=frame(None, None, None, 190))
    for part in parts:
        figure.add_scatter(
            x=places, y=result.accuracy[part], customdata=result.relative_times, **_part_style(part)
        )
        figure.add_scatter(
            x=places[[0, -1]], y=[result.prior_accuracy[part]] * 2, **_prior_style(part)
        )
    figure.add_scatter(
        x=[result.chosen],
        y=[result.accuracy["validation"][result.chosen]],
        mode="markers",
        marker={"symbol": "diamond", "size": 11, "color": PART_COLOURS["validation"]},
        name="chosen on validation",
        hovertemplate=f"chosen: {result.relative_times[result.chosen]:.4g}<extra></extra>",
    )
    figure.update_layout(margin={"l": 0, "r": 0, "t": 28, "b": 24})
    ticks = decades(result.relative_times)
    figure.update_xaxes(
        range=[0, places[-1]],
        tickvals=[place for place, _ in ticks],
        ticktext=[name for _, name in ticks],
        fixedrange=True,
        automargin=False,
    )
    curves = [result.accuracy[part] for part in parts]
    heights, names = _free_ticks(curves, [result.prior_accuracy[part] for part in parts])
    figure.update_yaxes(
        range=[heights[0], heights[-1]],
        tickvals=heights,
        ticktext=names,
        ticklabelposition="inside top",
        ticklabelstandoff=10,
        tickfont={"size": 12},
        fixedrange=True,
        automargin=False,
    )
    return figure


def _free_ticks(
    curves: Sequence[np.ndarray], levels: Sequence[float]
) -> tuple[np.ndarray, list[str]]:
    """Round accuracies that hold all curves between them, and their names.

    The names stand inside of the plot, at its left and above their line; a name is left out where
    a curve or the level of a prior runs through it.
    """
    drawn = np.concatenate([*curves, levels])
    drawn = drawn[np.isfinite(drawn)]
    low, high = (drawn.min(), drawn.max()) if drawn.size else (0.0, 1.0)
    step = next((s for s in _TICK_STEPS if high - low <= _MOST_TICKS * s), _TICK_STEPS[-1])
    first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
    if last <= first:  # a flat curve: no accuracy lies above 100% or below 0%
        first, last = (first - 1, first) if first > 0 else (0, 1)
    ticks = np.arange(first, last + 1) * step
    band = _NAME_HEIGHT * (ticks[-1] - ticks[0])
    starts = [curve[: max(curve.size // 8, 1)] for curve in curves]
    near = np.concatenate([*starts, levels]) if curves else np.empty(0)
    free = [not ((near > tick - band / 4) & (near < tick + band)).any() for tick in ticks]
    return ticks, [
        f"{tick:.0%}" if is_free else "" for tick, is_free in zip(ticks, free, strict=True)
    ]


_TICK_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
_MOST_TICKS = 4
_NAME_HEIGHT = 0.14  # of the height of the plot


def node_curves(
    result: GDRResult, node: int, names: Sequence[str], verdict: Verdict, drawn: Drawn
) -> str:
    """p(t) of every class at one node as a small SVG; the label's is thick, its peak is marked."""
    curves = NodeCurves(result, node, names, drawn)
    return curves.frame(verdict.label) + curves.marks(verdict) + svg.END


class NodeCurves:
    """p(t) of every class at one node as a small SVG, for every t_min.

    π is dashed, the end of a curve dotted where it is another value, t_min a line; what lies after
    the time window is shaded. `drawn` holds the curves of this node alone. A picture is the frame
    of the node's label, the marks of the t_min, and `svg.END`.
    """

    def __init__(self, result: GDRResult, node: int, names: Sequence[str], drawn: Drawn) -> None:
        self.names, self.drawn = names, drawn
        self.colours = class_colours(len(names))
        self.levels, self.ends = result.stationary[node].copy(), result.limit[node].copy()
        everything = np.concatenate([drawn.values.ravel(), self.levels, self.ends])
        self.low, self.high = everything.min(), everything.max()
        self.x = CURVES_LEFT + np.linspace(0, CURVES_RIGHT - CURVES_LEFT, drawn.times.size)

    def frame(self, label: int) -> str:
        """All that stays while t_min moves and the node has this label."""
        said = f"{self.names[label]} is drawn thick, its peak is marked."
        whole = svg.picture(
            CURVES_RIGHT + 14,
            CURVES_LOW + 36,
            f"Belief in every class over time; {said}",
            [
                *_curve_axes(self.drawn.times, self.x, self.low, self.high),
                *self._after_window(),
                *(
                    part
                    for k in sorted(range(len(self.names)), key=lambda k: k == label)
                    for part in self._curve(k, 3.2 if k == label else 1.4)
                ),
            ],
        )
        return whole.removesuffix(svg.END)

    def marks(self, verdict: Verdict) -> str:
        """The peak of the label's curve from t_min on, and the line at t_min."""
        course, x = verdict.course, float(self.x[verdict.courses.t_min_index])
        at = float(self.x[course.peak_index]), self._height(course.peak)
        return "".join(
            [
                svg.dot(at, 5, self.colours[verdict.label], title="highest from t_min on"),
                svg.segment((x, CURVES_TOP), (x, CURVES_LOW), "currentColor", 1.5),
                svg.words(x, CURVES_TOP - 5, "t_min", anchor="middle"),
            ]
        )

    def _height(self, value: Any) -> Any:
        share = (value - self.low) / max(self.high - self.low, 1e-12)
        return CURVES_LOW - (CURVES_LOW - CURVES_TOP) * share

    def _after_window(self) -> list[str]:
        if self.drawn.times.size == self.drawn.window:
            return []
        edge, tall = self.x[self.drawn.window - 1], CURVES_LOW - CURVES_TOP
        wide = self.x[-1] - edge
        return [svg.box(edge, CURVES_TOP, wide, tall, NEUTRAL, title=_AFTER_WINDOW, opacity=0.15)]

    def _curve(self, k: int, width: float) -> list[str]:
        """One class: its level, its end, its curve."""
        first, last, colour = self.x[0], self.x[-1], self.colours[k]
        level, end = self._height(self.levels[k]), self._height(self.ends[k])
        parts = [svg.segment((first, level), (last, level), colour, width / 2.2, dash="5 4")]
        if abs(end - level) > 1:
            goal = ((last - 60, end), (last, end))
            parts.append(svg.segment(*goal, colour, width / 1.6, dash="1 4"))
        points = np.column_stack([self.x, self._height(self.drawn.values[:, 0, k])])
        return [*parts, svg.line(points, colour, width, title=self.names[k])]


CURVES_LEFT, CURVES_RIGHT, CURVES_TOP, CURVES_LOW = 38.0, 346.0, 20.0, 170.0


_AFTER_WINDOW = "after the time window: drawn, but it does not count"


def _curve_axes(times: np.ndarray, x: np.ndarray, low: float, high: float) -> list[str]:
    """Ticks at the powers of ten in time, and the lowest and highest belief."""
    parts = [
        svg.words(CURVES_LEFT - 6, CURVES_LOW, f"{low:.2g}", anchor="end", size=11),
        svg.words(CURVES_LEFT - 6, CURVES_TOP + 9, f"{high:.2g}", anchor="end", size=11),
        svg.segment((x[0], CURVES_LOW), (x[-1], CURVES_LOW), NEUTRAL, 0.8),
        svg.words((x[0] + x[-1]) / 2, CURVES_LOW + 31, "t, in relaxation times", anchor="middle"),
    ]
    for place, text in decades(times):
        parts.append(svg.words(x[place], CURVES_LOW + 14, text, anchor="middle", size=11))
    return parts


def _part_style(part: str) -> dict[str, Any]:
    return {
        "mode": "lines",
        "name": part,
        "line": {"color": PART_COLOURS[part], "width": 2.5},
        "hovertemplate": f"{part}: %{{y:.1%}} at t_min = %{{customdata:.4g}}<extra></extra>",
    }


def _prior_style(part: str) -> dict[str, Any]:
    return {
        "mode": "lines",
        "name": f"prior, {part}",
        "line": {"color": PART_COLOURS[part], "width": 1.5, "dash": "dot"},
        "hovertemplate": f"prior on {part}: %{{y:.1%}}<extra></extra>",
    }
