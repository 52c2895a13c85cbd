"""Figures of the reproduced tables: what GDR adds to each prior, and one cell over its seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from gdr_core.figures.frame import frame
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_tools.paper.gains import Gain

SYMBOLS = {"undirected": "circle", "forward": "triangle-right", "backward": "triangle-left"}
STORED, LIVE, PAPER = "#0072B2", "#E69F00", "#D55E00"


def gain_over_prior(gains: Sequence[Gain], rule: str) -> go.Figure:
    """Points gained by GDR against the accuracy of the prior; above the line the graph helps.

    One colour a dataset, triangles for directed diffusion; the paper's own pairs as open diamonds.
    """
    title_y = f"gain by GDR, rule {rule}, points"
    figure = go.Figure(layout=frame(None, "test accuracy of the prior, percent", title_y, 460))
    names = list(dict.fromkeys(gain.cell.dataset for gain in gains))
    for name, colour in zip(names, class_colours(len(names)), strict=True):
        mine = [gain for gain in gains if gain.cell.dataset == name]
        figure.add_scatter(
            x=[gain.before for gain in mine],
            y=[gain.gain for gain in mine],
            error_y={"array": [gain.spread for gain in mine], "thickness": 1, "width": 0},
            mode="markers",
            name=name,
            text=[_words(gain) for gain in mine],
            marker={
                "color": colour,
                "size": 11,
                "symbol": [SYMBOLS[gain.cell.direction] for gain in mine],
                "line": {"width": 0},
            },
            hovertemplate="%{text}<br>prior %{x:.1f}, gain %{y:+.1f}<extra></extra>",
        )
    _add_printed(figure, gains)
    line = {"color": UNKNOWN_COLOUR, "width": 1.5, "dash": "dash"}
    zero = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 0, "y1": 0, "line": line}
    figure.update_layout(shapes=[zero])
    return figure


def seeds_of_cell(
    stored: Mapping[int, float], live: Mapping[int, float], printed: float | None
) -> go.Figure:
    """Test accuracy of every seed, stored and run again; the paper's number as a line."""
    figure = go.Figure(layout=frame(None, "seed", "test accuracy, percent", 260))
    for name, values, colour, symbol in (
        ("stored", stored, STORED, "circle"),
        ("run again", live, LIVE, "x"),
    ):
        if values:
            figure.add_scatter(
                x=list(values),
                y=list(values.values()),
                mode="markers",
                name=name,
                marker={"color": colour, "size": 11, "symbol": symbol},
                hovertemplate=f"{name}, seed %{{x}}: %{{y:.1f}}<extra></extra>",
            )
    if printed is not None:
        figure.add_scatter(
            x=[min(stored, default=0) - 0.5, max(stored, default=0) + 0.5],
            y=[printed, printed],
            mode="lines",
            name="paper",
            line={"color": PAPER, "dash": "dash", "width": 2},
            hovertemplate="paper: %{y:.1f}<extra></extra>",
        )
    figure.update_xaxes(dtick=1)
    figure.update_layout(showlegend=True)
    return figure


def _add_printed(figure: go.Figure, gains: Sequence[Gain]) -> None:
    printed = [gain for gain in gains if gain.paper_gain is not None]
    if printed:
        figure.add_scatter(
            x=[gain.paper_before for gain in printed],
            y=[gain.paper_gain for gain in printed],
            mode="markers",
            name="the paper",
            text=[_words(gain) for gain in printed],
            marker={
                "symbol": "diamond-open",
                "size": 11,
                "color": UNKNOWN_COLOUR,
                "line": {"width": 2},
            },
            hovertemplate="%{text}, the paper<br>prior %{x:.1f}, gain %{y:+.1f}<extra></extra>",
        )


def _words(gain: Gain) -> str:
    cell = gain.cell
    split = f", {cell.split} split" if cell.group == "directed" else ""
    return f"{cell.method} on {cell.dataset}, {cell.direction}{split}"
