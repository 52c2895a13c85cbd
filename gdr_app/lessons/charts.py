"""Charts that only lessons have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gdr_core.figures.frame import frame
from gdr_core.figures.palette import CLASS_COLOURS
from gdr_core.lessons.studies import ResultFacts

if TYPE_CHECKING:
    import plotly.graph_objects as go

_BLUE, _ORANGE, _GREY = CLASS_COLOURS[0], CLASS_COLOURS[5], "#8A8F98"


def smoothing_curves(facts: ResultFacts, index: int) -> go.Figure:
    """Accuracy for every t_min, and the share of the Dirichlet energy left at that time."""
    import plotly.graph_objects as go

    result = facts.result
    places = np.arange(result.times.size)
    ticks = [result.index(time) for time in (0.0, 0.001, 0.01, 0.1, 1.0) if time <= facts.end()]
    figure = go.Figure(layout=frame(None, "t_min, in relaxation times", None, 340))
    for name, values, colour, dash in (
        ("accuracy of GDR", result.accuracy["validation"], _BLUE, "solid"),
        ("energy left", facts.energies, _ORANGE, "dash"),
    ):
        figure.add_scatter(
            x=places,
            y=values,
            customdata=result.relative_times,
            name=name,
            line={"color": colour, "width": 2.5, "dash": dash},
            hovertemplate=f"{name} %{{y:.1%}} at %{{customdata:.3g}}<extra></extra>",
        )
    figure.add_scatter(
        x=places[[0, -1]],
        y=[facts.prior()] * 2,
        name="prior",
        mode="lines",
        line={"color": _GREY, "dash": "dot"},
    )
    figure.update_layout(shapes=[_moment(index)])
    figure.update_xaxes(tickvals=ticks, ticktext=[f"{result.relative_times[i]:.3g}" for i in ticks])
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    return figure


def homophily_bars(share: float, before: float, after: float) -> go.Figure:
    """Accuracy before and after GDR at one homophily."""
    import plotly.graph_objects as go

    figure = go.Figure(layout=frame(None, "accuracy on validation nodes", None, 190))
    figure.add_bar(
        y=["before GDR", "after GDR"],
        x=[before, after],
        orientation="h",
        marker={"color": [_GREY, _BLUE if after >= before else _ORANGE]},
        text=[f"{before:.1%}", f"{after:.1%}"],
        hovertemplate="%{y}: %{x:.1%}<extra></extra>",
    )
    figure.update_xaxes(range=[0, 1], tickformat=".0%")
    figure.update_yaxes(autorange="reversed")
    return figure


def _moment(index: int) -> dict[str, object]:
    return {
        "type": "line",
        "x0": index,
        "x1": index,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": _GREY, "width": 2},
    }
