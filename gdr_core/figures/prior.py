"""Figures of a classifier: which classes it mixes up, and how far its confidence can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from gdr_core.figures.frame import frame
from gdr_core.figures.palette import class_colours
from gdr_core.priors.assessment import Reliability, precision, recall
from gdr_core.priors.by_region import RegionalMistakes

RIGHT, WRONG, NEUTRAL = "#0072B2", "#D55E00", "#8A8F98"
# One hue from transparent to blue: it works on a light and on a dark ground.
_DARK = 0.55  # share from which a cell is dark enough for white letters
_SHADES = [[0.0, "rgba(0,114,178,0.04)"], [1.0, "rgba(0,114,178,1)"]]
_THICK, _LONG = 0.035, 0.6  # bars that have a name: shares of the height, and of the length


def confusion_matrix(matrix: np.ndarray, names: Sequence[str]) -> go.Figure:
    """True classes as rows, predicted ones as columns; shaded by the share of the true class."""
    totals = np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    figure = go.Figure(layout=frame("Confusion matrix", "predicted", "true", 380))
    figure.add_heatmap(
        z=matrix / totals,
        x=list(names),
        y=list(names),
        customdata=matrix,
        colorscale=_SHADES,
        zmin=0,
        zmax=1,
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="%{customdata:,} of %{y} are called %{x}: %{z:.0%}<extra></extra>",
    )
    dark = matrix / totals > _DARK
    _add_counts(figure, matrix, names, dark, "white")
    _add_counts(figure, matrix, names, ~dark, None)
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    figure.update_xaxes(type="category", showgrid=False, tickangle=-35)
    return figure


def _add_counts(
    figure: go.Figure,
    matrix: np.ndarray,
    names: Sequence[str],
    cells: np.ndarray,
    colour: str | None,
) -> None:
    """The numbers of some cells; without a colour they have that of the page, light or dark."""
    places = np.argwhere(cells).tolist()
    figure.add_scatter(
        x=[names[b] for _, b in places],
        y=[names[a] for a, _ in places],
        text=[f"{matrix[a, b]:,}" for a, b in places],
        mode="text",
        textfont={"color": colour} if colour else {},
        hoverinfo="skip",
        showlegend=False,
    )


def precision_recall(matrix: np.ndarray, names: Sequence[str]) -> go.Figure:
    """Two bars a class: precision full, recall hatched."""
    figure = go.Figure(layout=frame("Precision and recall", None, None, 380))
    colours = list(class_colours(len(names)))
    for name, values, pattern in (
        ("precision", precision(matrix), ""),
        ("recall", recall(matrix), "/"),
    ):
        figure.add_bar(
            y=list(names),
            x=values,
            orientation="h",
            marker={
                "color": colours,
                "pattern": {"shape": pattern, "size": 5, "solidity": 0.4},
                "line": {"width": 0},
            },
            showlegend=False,
            name=name,
            hovertemplate=f"%{{y}}: {name} %{{x:.1%}}<extra></extra>",
        )
        _add_key(figure, name, pattern)
    figure.update_layout(barmode="group", bargap=0.3, bargroupgap=0.06)
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_yaxes(autorange="reversed", type="category", dtick=1, ticklabelstandoff=4)
    return figure


def confidence_histogram(edges: np.ndarray, right: np.ndarray, wrong: np.ndarray) -> go.Figure:
    """How sure the classifier is, right and wrong nodes stacked."""
    figure = go.Figure(layout=frame("Confidence", "largest probability of a node", "nodes", 320))
    centres = (edges[1:] + edges[:-1]) / 2
    for name, counts, colour, pattern in (
        ("right", right, RIGHT, ""),
        ("wrong", wrong, WRONG, "/"),
    ):
        figure.add_bar(
            x=centres,
            y=counts,
            width=np.diff(edges) * 0.94,
            name=name,
            marker={"color": colour, "pattern": {"shape": pattern, "size": 5, "solidity": 0.4}},
            hovertemplate=f"%{{y:,}} {name} at about %{{x:.2f}}<extra></extra>",
        )
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[0, 1])
    return figure


def reliability_curve(found: Reliability) -> go.Figure:
    """Accuracy against confidence; on the dashed line the classifier knows how good it is."""
    return reliability_curves({"this prior": found})


def reliability_curves(found: Mapping[str, Reliability]) -> go.Figure:
    """The same for several confidences, by name; those without a node are left out."""
    figure = go.Figure(layout=frame("Reliability", "mean confidence", "share right", 320))
    figure.add_scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        line={"dash": "dash", "color": NEUTRAL, "width": 1.5},
        name="perfectly calibrated",
        hoverinfo="skip",
    )
    looks = zip((RIGHT, WRONG), ("circle", "diamond"), strict=True)
    for (name, each), (colour, symbol) in zip(found.items(), looks, strict=False):
        if not each.nodes.size:
            continue
        figure.add_scatter(
            x=each.confidence,
            y=each.accuracy,
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"size": 9, "symbol": symbol},
            customdata=each.nodes,
            name=name,
            hovertemplate="%{customdata:,} nodes: confidence %{x:.2f}, right %{y:.0%}"
            "<extra></extra>",
        )
    figure.update_xaxes(range=[0, 1.02])
    figure.update_yaxes(range=[0, 1.03], tickformat=".0%")
    return figure


def region_chart(
    before: RegionalMistakes,
    after: RegionalMistakes,
    names: Sequence[str],
    colours: Sequence[str],
    chosen: int | None = None,
) -> go.Figure:
    """One bar a region: as long as its share of wrong nodes, as thick as its number of judged ones.

    So a bar's area is its number of mistakes. The dashed line is the share in the whole graph,
    circles are shares after GDR. Regions without a judged node have no bar.
    """
    order = before.order[before.judged[before.order] > 0]
    thick = before.judged[order]
    middle = thick.cumsum() - thick / 2
    seen = np.where((chosen is None) | (order == chosen), 1.0, 0.35)
    figure = go.Figure(layout=frame(None, "share of wrong nodes", None, 400))
    figure.add_bar(
        x=before.shares[order],
        y=middle,
        width=thick,
        orientation="h",
        text=[
            names[at] if room else ""
            for at, room in zip(order, thick > _THICK * thick.sum(), strict=True)
        ],
        textposition=["inside" if share > _LONG else "outside" for share in before.shares[order]],
        cliponaxis=False,
        customdata=order,
        marker={
            "color": [colours[at] for at in order],
            "opacity": seen,
            "line": {"color": NEUTRAL, "width": 0.6},
        },
        hovertemplate=_told_of(before, names, order),
        showlegend=False,
    )
    figure.add_scatter(
        x=after.shares[order],
        y=middle,
        mode="markers",
        name="after GDR",
        customdata=order,
        marker={
            "size": 7,
            "color": "white",
            "opacity": seen,
            "line": {"color": "#1a1a1a", "width": 1.5},
        },
        hovertemplate=_told_of(after, names, order, " after GDR"),
        showlegend=False,
    )
    for trace in figure.data:  # the chosen region is what the page says, not what was clicked last
        trace.update(selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}})
    figure.add_shape(
        type="line",
        x0=before.overall,
        x1=before.overall,
        y0=0,
        y1=1,
        yref="paper",
        line={"color": NEUTRAL, "width": 1.5, "dash": "dash"},
    )
    figure.update_layout(
        bargap=0, uniformtext={"minsize": 10, "mode": "show"}, clickmode="event+select"
    )
    figure.update_xaxes(range=[0, 1.03], tickformat=".0%", nticks=5)
    figure.update_yaxes(
        range=[int(thick.sum()), 0], showgrid=False, showticklabels=False, zeroline=False
    )
    return figure


def _told_of(
    found: RegionalMistakes, names: Sequence[str], order: np.ndarray, when: str = ""
) -> list[str]:
    """What is read where the pointer rests on each region."""
    return [
        f"{names[at]}, {found.nodes[at]:,} nodes<br>{found.wrong[at]:,} of "
        f"{found.judged[at]:,} judged ones wrong{when}<extra></extra>"
        for at in order.tolist()
    ]


def _add_key(figure: go.Figure, name: str, pattern: str) -> None:
    """An empty bar in the neutral colour: the legend explains hatching, not one class's colour."""
    figure.add_bar(
        y=[None],
        x=[None],
        orientation="h",
        name=name,
        marker={
            "color": NEUTRAL,
            "pattern": {"shape": pattern, "size": 5, "solidity": 0.4},
            "line": {"width": 0},
        },
    )
