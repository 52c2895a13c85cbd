"""Figures of overshoots: many nodes' curves in few traces, and what an impulse does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from gdr_core.explanation.responses import Responses
from gdr_core.figures.frame import LOG_AXIS, frame, see_through
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.figures.time_axis import with_zero
from gdr_core.gdr.onward import Drawn
from gdr_core.gdr.result import GDRResult

KIND_COLOURS = ("#D55E00", "#0072B2", "#E69F00", UNKNOWN_COLOUR, UNKNOWN_COLOUR)


def overlaid_curves(
    result: GDRResult, nodes: np.ndarray, index: int, names: Sequence[str], drawn: Drawn
) -> go.Figure:
    """p(t) of several nodes: one trace for each class, gaps between the nodes.

    The first node is the main one: its curves are thick, the levels (π dashed, the end dotted) and
    t_min are its own. A thin line marks the end of the time window.
    """
    times = with_zero(drawn.times)
    curves = drawn.values
    figure = go.Figure(layout=frame(None, "t, in relaxation times 1/λ₂", "belief p(t)", 420))
    for k, (name, colour) in enumerate(zip(names, class_colours(len(names)), strict=True)):
        for part, width, opacity in ((slice(1, None), 1.0, 0.4), (slice(0, 1), 2.5, 1.0)):
            x, y = with_gaps(times, curves[:, part, k])
            figure.add_scatter(
                x=x,
                y=y,
                mode="lines",
                line={"color": see_through(colour, opacity), "width": width},
                name=name,
                legendgroup=name,
                showlegend=width > 1,
                hovertemplate=f"{name}: %{{y:.3f}} at t = %{{x:.3g}}<extra></extra>",
            )
    levels = [
        _line("x", float(level[nodes[0], k]), colour, dash)
        for level, dash in ((result.stationary, "dash"), (result.limit, "dot"))
        for k, colour in enumerate(class_colours(len(names)))
    ]
    upright = [_line("y", float(times[index]), UNKNOWN_COLOUR, "solid")]
    if times.size > drawn.window:
        upright.append(_line("y", float(times[drawn.window - 1]), UNKNOWN_COLOUR, "dot"))
    figure.update_layout(shapes=[*levels, *upright])
    figure.update_xaxes(**LOG_AXIS)
    return figure


def kinds_by_distance(responses: Responses) -> go.Figure:
    """How many nodes at each distance overshoot, overshoot late, or do not overshoot."""
    distances = responses.distances
    hops = np.arange(1, max(int(distances.max(initial=1)), 1) + 1)
    figure = go.Figure(layout=frame(None, "hops from the source", "nodes", 260))
    for kind, (name, colour) in enumerate(zip(responses.names, KIND_COLOURS, strict=True)):
        counts = [int(((distances == hop) & (responses.kinds == kind)).sum()) for hop in hops]
        if any(counts):
            figure.add_bar(
                x=hops,
                y=counts,
                name=name,
                marker={"color": colour, "line_width": 0},
                hovertemplate=f"%{{y:,}} nodes: {name}<extra></extra>",
            )
    figure.update_layout(barmode="stack", bargap=0.4, showlegend=True)
    figure.update_xaxes(dtick=1)
    return figure


def with_gaps(times: np.ndarray, curves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Many curves over the same times as one line that is broken by NaN; curves (times, nodes)."""
    count = curves.shape[1]
    broken = np.vstack([curves, np.full((1, count), np.nan)])
    return np.tile(np.append(times, np.nan), count), broken.T.ravel()


def _line(along: str, value: float, colour: str, dash: str) -> dict[str, object]:
    other = "y" if along == "x" else "x"
    return {
        "type": "line",
        f"{along}ref": "paper",
        f"{along}0": 0,
        f"{along}1": 1,
        f"{other}0": value,
        f"{other}1": value,
        "line": {"color": colour, "width": 1.2, "dash": dash},
    }
