"""The figure of the guard: what reclassification does where links fit the classes or mislead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from gdr_core.figures.frame import frame
from gdr_core.figures.palette import CLASS_COLOURS

_HEIGHT = 380
_BLUE, _ORANGE = CLASS_COLOURS[:2]
_BELOW = {"y": -0.22, "yanchor": "top", "x": 0, "xanchor": "left", "orientation": "h"}


@dataclass(frozen=True)
class GainPoint:
    """A gain over the prior and its interval, as shares, at a homophily; a name for a real graph.

    >>> GainPoint(0.5, 0.02, (-0.01, 0.05)).name
    ''
    """

    homophily: float
    gain: float
    interval: tuple[float, float]
    name: str = ""


def gain_over_homophily(plain: Sequence[GainPoint], guarded: Sequence[GainPoint]) -> go.Figure:
    """Points gained over the prior, plain and guarded: lines for models, marks for real graphs."""
    figure = go.Figure(
        layout=frame(None, "Homophily: share of links within a class", "Gain in points", _HEIGHT)
    )
    figure.update_layout(legend=_BELOW)
    figure.add_hline(y=0, line={"dash": "dash", "width": 1, "color": "gray"})
    ways = (("plain GDR", plain, _BLUE, "circle"), ("guarded", guarded, _ORANGE, "diamond"))
    for name, points, colour, symbol in ways:
        models = [point for point in points if not point.name]
        graphs = [point for point in points if point.name]
        figure.add_scatter(
            **_marks(models, colour, symbol), mode="lines+markers", name=f"{name}, block models"
        )
        figure.add_scatter(
            **_marks(graphs, colour, f"{symbol}-open"), mode="markers", name=f"{name}, real graphs"
        )
    return figure


def _marks(points: Sequence[GainPoint], colour: str, symbol: str) -> dict[str, object]:
    gains = [100 * point.gain for point in points]
    ends = [tuple(100 * end for end in point.interval) for point in points]
    return {
        "x": [point.homophily for point in points],
        "y": gains,
        "text": [point.name for point in points],
        "hovertemplate": "%{text} %{y:.1f} points at homophily %{x:.2f}<extra></extra>",
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [high - gain for (_, high), gain in zip(ends, gains, strict=True)],
            "arrayminus": [gain - low for (low, _), gain in zip(ends, gains, strict=True)],
            "thickness": 1.5,
        },
        "line": {"color": colour, "width": 2},
        "marker": {"color": colour, "symbol": symbol, "size": 9},
    }
