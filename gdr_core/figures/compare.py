"""Figures that put several reclassifications side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from gdr_core.explanation.agreement import Standing
from gdr_core.figures.frame import LOG_AXIS, chart_text, frame
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.figures.time_axis import drawn_times
from gdr_core.gdr.result import GDRResult

BEFORE, AFTER, PAPER = "#E69F00", "#0072B2", "#D55E00"
_DASHES = ("solid", "dash", "dot", "dashdot")  # curves that lie on one another stay visible


def accuracy_gains(
    rows: Sequence[Standing],
    part: str,
    paper: Mapping[str, tuple[float | None, float | None]] | None = None,
) -> go.Figure:
    """One line a method, from its accuracy before GDR to that after; the paper's as diamonds.

    paper   for some names the printed accuracies before and after, as shares
    """
    names = [chart_text(row.name) for row in rows]
    height = 130 + 38 * len(rows)
    figure = go.Figure(layout=frame(None, f"accuracy on {part} nodes", None, height))
    x = [value for row in rows for value in (row.before, row.after, None)]
    y = [name for name in names for _ in range(3)]
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": UNKNOWN_COLOUR, "width": 3},
        hoverinfo="skip",
        showlegend=False,
    )
    for label, colour, values in (
        ("before GDR", BEFORE, [row.before for row in rows]),
        ("after GDR", AFTER, [row.after for row in rows]),
    ):
        figure.add_scatter(
            x=values,
            y=names,
            mode="markers",
            name=label,
            marker={"color": colour, "size": 13},
            hovertemplate=f"%{{y}}, {label}: %{{x:.1%}}<extra></extra>",
        )
    printed = {chart_text(name): pair for name, pair in (paper or {}).items()}
    _add_paper(figure, names, printed)
    figure.update_yaxes(type="category", autorange="reversed", ticklabelstandoff=6)
    figure.update_xaxes(tickformat=".0%")
    return figure


def t_min_curves(results: Mapping[str, GDRResult], part: str) -> go.Figure:
    """Accuracy for every t_min, one curve a method; the chosen t_min of each as a diamond."""
    figure = go.Figure(
        layout=frame(None, "t_min, in relaxation times 1/λ₂", f"accuracy on {part} nodes", 380)
    )
    colours = class_colours(len(results))
    for place, ((given, result), colour) in enumerate(zip(results.items(), colours, strict=True)):
        name = chart_text(given)
        times = drawn_times(result)
        figure.add_scatter(
            x=times,
            y=result.accuracy[part],
            mode="lines",
            name=name,
            legendgroup=name,
            line={"color": colour, "width": 2.4, "dash": _DASHES[place % len(_DASHES)]},
            hovertemplate=f"{name}: %{{y:.1%}} at t_min = %{{x:.3g}}<extra></extra>",
        )
        figure.add_scatter(
            x=[times[result.chosen]],
            y=[result.accuracy[part][result.chosen]],
            mode="markers",
            legendgroup=name,
            showlegend=False,
            marker={"color": colour, "size": 12, "symbol": "diamond"},
            hovertemplate=f"{name}: chosen t_min %{{x:.3g}}, %{{y:.1%}}<extra></extra>",
        )
    figure.update_xaxes(**LOG_AXIS)
    figure.update_yaxes(tickformat=".0%")
    return figure


def agreement_map(matrix: np.ndarray, names: Sequence[str], title: str) -> go.Figure:
    """Share of nodes with the same label, for every pair."""
    figure = go.Figure(layout=frame(title, None, None, 150 + 46 * len(names)))
    figure.add_heatmap(
        z=matrix,
        x=[chart_text(name) for name in names],
        y=[chart_text(name) for name in names],
        zmin=0,
        zmax=1,
        colorscale="Blues",
        texttemplate="%{z:.0%}",
        hovertemplate="%{y} and %{x} agree on %{z:.1%} of the nodes<extra></extra>",
        showscale=False,
        xgap=2,
        ygap=2,
    )
    figure.update_yaxes(type="category", autorange="reversed", ticklabelstandoff=6)
    figure.update_xaxes(type="category")
    return figure


def _add_paper(
    figure: go.Figure,
    names: Sequence[str],
    paper: Mapping[str, tuple[float | None, float | None]],
) -> None:
    for which, label, symbol in (
        (0, "paper, before", "diamond-open"),
        (1, "paper, after", "diamond-tall-open"),
    ):
        known = [(paper[name][which], name) for name in names if name in paper]
        known = [(value, name) for value, name in known if value is not None]
        if known:
            figure.add_scatter(
                x=[value for value, _ in known],
                y=[name for _, name in known],
                mode="markers",
                name=label,
                marker={
                    "symbol": symbol,
                    "size": 15,
                    "color": BEFORE if which == 0 else PAPER,
                    "line": {"width": 2.5},
                },
                hovertemplate=f"%{{y}}, {label}: %{{x:.1%}}<extra></extra>",
            )
