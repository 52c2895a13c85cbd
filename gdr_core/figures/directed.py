"""Figures of direction: one node read three ways, PageRank both ways, mass on a walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from gdr_core.figures import svg
from gdr_core.figures.frame import LOG_AXIS, frame
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours

_PANEL_HEIGHT = 165
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
RELATIVE, ABSOLUTE = "t·λ₂, in relaxation times", "t, in the Laplacian's own units"


def three_readings(
    times: Mapping[str, np.ndarray],
    curves: Mapping[str, np.ndarray],
    levels: Mapping[str, np.ndarray],
    titles: Mapping[str, str],
    names: Sequence[str],
    axis_title: str,
) -> go.Figure:
    """One panel for each reading, one below the other on one time axis; π dashed.

    times, curves, levels   by reading: shapes (times,), (times, classes) and (classes,)
    """
    readings = list(curves)
    height = 90 + _PANEL_HEIGHT * len(readings)
    figure = go.Figure(layout=frame(None, None, None, height))
    colours = class_colours(len(names))
    for place, reading in enumerate(readings):
        for k, (name, colour) in enumerate(zip(names, colours, strict=True)):
            figure.add_scatter(
                x=times[reading],
                y=curves[reading][:, k],
                xaxis="x",
                yaxis=_axis("y", place),
                mode="lines",
                name=name,
                legendgroup=name,
                showlegend=place == 0,
                line={"color": colour, "width": 2, "simplify": False},
                hovertemplate=f"{name}: %{{y:.3f}} at %{{x:.3g}}<extra>{reading}</extra>",
            )
    figure.update_layout(**_stacked(len(readings)))
    figure.update_layout(
        shapes=[
            _level(float(level), place, colour)
            for place, reading in enumerate(readings)
            for level, colour in zip(levels[reading], colours, strict=True)
        ],
        annotations=[
            _panel_title(titles[reading], place) for place, reading in enumerate(readings)
        ],
        margin={"l": 8, "r": 12, "t": 28, "b": 8},
        legend={"orientation": "h", "x": 0, "y": -0.11, "xanchor": "left", "yanchor": "top"},
    )
    figure.update_xaxes(
        **LOG_AXIS, title={"text": axis_title}, anchor=_axis("y", len(readings) - 1)
    )
    return figure


def rank_scatter(
    forward: np.ndarray,
    backward: np.ndarray,
    names: Sequence[str],
    groups: Mapping[str, np.ndarray],
    chosen: int | None = None,
) -> go.Figure:
    """PageRank along the arrows against PageRank against them, as multiples of the mean 1/N."""
    figure = go.Figure(
        layout=frame(
            None, "φ forward, as a multiple of 1/N", "φ backward, as a multiple of 1/N", 380
        )
    )
    styles = ((BLUE, "circle"), (ORANGE, "square"), (GREEN, "diamond"), (UNKNOWN_COLOUR, "x"))
    nodes = forward.size
    for (title, members), (colour, symbol) in zip(groups.items(), styles, strict=False):
        if members.any():
            figure.add_scatter(
                x=nodes * forward[members],
                y=nodes * backward[members],
                mode="markers",
                name=title,
                text=[names[node] for node in np.flatnonzero(members).tolist()],
                marker={"color": colour, "symbol": symbol, "size": 7, "opacity": 0.6},
                hovertemplate="%{text}: %{x:.2f} forward, %{y:.2f} backward<extra></extra>",
            )
    if chosen is not None:
        figure.add_scatter(
            x=[nodes * forward[chosen]],
            y=[nodes * backward[chosen]],
            mode="markers+text",
            name=f"node {names[chosen]}",
            text=[names[chosen]],
            textposition="top center",
            marker={"symbol": "circle-open", "size": 17, "color": ORANGE, "line": {"width": 3}},
            hoverinfo="skip",
        )
    ticks = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20, 50, 100]
    log = {"type": "log", "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}
    figure.update_xaxes(**log)
    figure.update_yaxes(**log)
    return figure


def mass_over_steps(series: Mapping[str, np.ndarray]) -> go.Figure:
    """Shares of mass after each step; one line a name, told apart by dash as well as colour."""
    figure = go.Figure(layout=frame(None, "steps", "share of the mass", 300))
    looks = ((ORANGE, "solid"), (BLUE, "dash"), (GREEN, "dot"), (UNKNOWN_COLOUR, "dashdot"))
    for (name, values), (colour, dash) in zip(series.items(), looks, strict=False):
        figure.add_scatter(
            x=np.arange(values.size),
            y=values,
            mode="lines",
            name=name,
            line={"color": colour, "width": 2.6, "dash": dash, "simplify": False},
            hovertemplate=f"{name}: %{{y:.1%}} after %{{x}} steps<extra></extra>",
        )
    figure.update_yaxes(range=[-0.02, 1.05], tickformat=".0%")
    return figure


def citation_picture(cited: str, citing: str) -> str:
    """The two readings of one line of a citation file, in one picture.

    The file says `cited citing`. Read from left to right the arrow goes from the cited paper to
    the citing one, as knowledge flows; the citation itself points the other way.
    """
    label = (
        f"The line “{cited} {citing}” says that paper {citing} cites paper {cited}. Forward, A, "
        f"the arrow goes from {cited} to {citing}, as knowledge flows. Backward, its transpose, "
        f"the arrow goes from {citing} to {cited}, as the citation points."
    )
    left, right, low, high, middle = 66.0, 404.0, 92.0, 148.0, 235.0
    parts = [
        svg.words(middle, 24, f"a line of cora.cites:   {cited}   {citing}", **LARGE),
        _arrow((left + 62, low), (right - 62, low), BLUE),
        svg.words(middle, low - 9, "forward, A: knowledge flows", **LARGE),
        _arrow((right - 62, high), (left + 62, high), ORANGE),
        svg.words(middle, high + 21, "backward, Aᵀ: the reference points", **LARGE),
        _paper(left, 120, cited, "cited, older"),
        _paper(right, 120, citing, "citing, newer"),
        svg.words(middle, 212, "The paper and this app call cited → citing “forward”.", **SMALL),
        svg.words(middle, 232, "LINQS, and most drawings, go from citing → cited.", **SMALL),
    ]
    return svg.picture(470, 242, label, parts)


LARGE: dict[str, Any] = {"anchor": "middle", "size": 14}
SMALL: dict[str, Any] = {"anchor": "middle", "size": 13}


def _paper(x: float, y: float, name: str, role: str) -> str:
    sheet = (
        f'<rect x="{x - 56:g}" y="{y - 42:g}" width="112" height="84" rx="8" fill="none" '
        'stroke="currentColor" stroke-width="1.6"/>'
    )
    return (
        sheet
        + svg.words(x, y - 2, f"paper {name}", anchor="middle", size=15)
        + svg.words(x, y + 18, role, anchor="middle", size=12)
    )


def _arrow(start: svg.Point, stop: svg.Point, colour: str) -> str:
    towards = 1 if stop[0] > start[0] else -1
    tip, back = stop[0], stop[0] - 13 * towards
    head = f"M{tip:g},{stop[1]:g}L{back:g},{stop[1] - 6:g}L{back:g},{stop[1] + 6:g}Z"
    shaft = svg.segment(start, (back, stop[1]), colour, 3.2)
    return shaft + f'<path d="{head}" fill="{colour}"/>'


def _axis(letter: str, place: int) -> str:
    return letter if place == 0 else f"{letter}{place + 1}"


def _stacked(count: int) -> dict[str, dict[str, object]]:
    """Vertical axes that share the height, the first at the top, all with the same range."""
    share = 1 / count
    axes = {}
    for place in range(count):
        top = 1 - place * share
        axes["yaxis" if place == 0 else f"yaxis{place + 1}"] = {
            "domain": [top - 0.8 * share, top],
            "anchor": "x",
            "automargin": True,
            "title": {"text": "p(t)"},
            **({"matches": "y"} if place else {}),
        }
    return axes


def _level(value: float, place: int, colour: str) -> dict[str, object]:
    return {
        "type": "line",
        "xref": "paper",
        "yref": _axis("y", place),
        "x0": 0,
        "x1": 1,
        "y0": value,
        "y1": value,
        "line": {"color": colour, "width": 1, "dash": "dash"},
        "opacity": 0.7,
    }


def _panel_title(text: str, place: int) -> dict[str, object]:
    return {
        "text": text,
        "xref": "paper",
        "yref": f"{_axis('y', place)} domain",
        "x": 0,
        "y": 1.0,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 14},
    }
