"""Figures of a dataset: how its classes, degrees and components are distributed."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from gdr_core.datasets.record import UNKNOWN, Dataset
from gdr_core.figures.frame import LOG_AXIS, chart_text, frame, see_through
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.graphs.statistics import REST, component_sizes, degree_counts, split_counts

# Opacity and hatching tell the parts apart inside a bar that has its class's colour.
_PART_STYLES = {
    "train": (1.0, ""),
    "validation": (1.0, "/"),
    "test": (1.0, "."),
    REST: (0.22, ""),
}
_LOG_FROM_SPAN = 30  # a linear axis hides the small values of a distribution wider than this
_BAR_COLOUR = "#0072B2"
HEIGHT = 340
_COUNT_AXIS = {**LOG_AXIS, "exponentformat": "none"}  # 1,000 nodes rather than 10³
_LEGEND_BELOW = {
    "orientation": "h",
    "x": 0.02,
    "y": 0,
    "xref": "container",
    "yref": "container",
    "xanchor": "left",
    "yanchor": "bottom",
}


def class_balance(dataset: Dataset) -> go.Figure:
    """One bar a class, its split stacked inside: train, validation, test, unused."""
    names = [chart_text(name.replace("_", " ")) for name in dataset.class_names]
    counts = split_counts(dataset)
    figure = go.Figure()
    for part, (opacity, pattern) in _PART_STYLES.items():
        if counts[part].any():
            figure.add_bar(
                y=names, x=counts[part], **_part_style(dataset.classes, part, opacity, pattern)
            )
            figure.add_bar(y=[None], x=[None], **_part_key(part, opacity, pattern))
    figure.update_layout(
        **frame("Nodes in each class, by part of the split", "nodes", None, HEIGHT),
        barmode="stack",
        bargap=0.25,
    )
    figure.update_layout(margin_b=70, legend=_LEGEND_BELOW)
    figure.update_yaxes(type="category", dtick=1, autorange="reversed", ticklabelstandoff=4)
    _note_missing(figure, dataset)
    return figure


def degree_distribution(dataset: Dataset) -> go.Figure:
    """How many nodes have how many neighbours; both axes logarithmic when hubs stretch them."""
    degree, nodes = degree_counts(dataset)
    stretched = bool(degree.size) and int(degree.max()) >= _LOG_FROM_SPAN
    figure = go.Figure(layout=frame("Degree distribution", "neighbours of a node", "nodes", HEIGHT))
    hover = "%{y:,} nodes have %{x:,} neighbours<extra></extra>"
    if not stretched:
        figure.add_bar(x=degree, y=nodes, marker_color=_BAR_COLOUR, hovertemplate=hover)
        figure.update_xaxes(dtick=1 if degree.size and np.ptp(degree) <= 12 else None)
        return figure
    linked = degree > 0
    figure.add_scatter(
        x=degree[linked],
        y=nodes[linked],
        mode="markers",
        marker={"color": _BAR_COLOUR, "size": 7, "opacity": 0.75},
        hovertemplate=hover,
    )
    figure.update_xaxes(**_COUNT_AXIS)
    figure.update_yaxes(**_COUNT_AXIS)
    if isolated := int(nodes[~linked].sum()):
        _note(figure, f"{isolated:,} nodes without neighbours are not shown")
    return figure


def component_distribution(dataset: Dataset) -> go.Figure:
    """The size of every connected component, largest first."""
    sizes = component_sizes(dataset)
    figure = go.Figure(layout=frame("Connected components", "rank, by size", "nodes", HEIGHT))
    figure.add_bar(
        x=np.arange(1, len(sizes) + 1),
        y=sizes,
        marker={"color": _BAR_COLOUR, "line_width": 0},
        hovertemplate="component %{x:,} has %{y:,} nodes<extra></extra>",
    )
    if sizes.size and int(sizes.max()) >= _LOG_FROM_SPAN:
        figure.update_yaxes(**_COUNT_AXIS, range=[-0.1, float(np.log10(sizes.max())) + 0.15])
    return figure


def _part_style(classes: int, part: str, opacity: float, pattern: str) -> dict[str, Any]:
    return {
        "name": part,
        "legendgroup": part,
        "showlegend": False,
        "orientation": "h",
        "marker": _shaded([see_through(c, opacity) for c in class_colours(classes)], pattern),
        "hovertemplate": "%{y}: %{x:,} in " + part + "<extra></extra>",
    }


def _part_key(part: str, opacity: float, pattern: str) -> dict[str, Any]:
    """An empty bar in the neutral colour: the legend explains shades, not one class's colour."""
    return {
        "name": part,
        "legendgroup": part,
        "orientation": "h",
        "marker": _shaded(see_through(UNKNOWN_COLOUR, opacity), pattern),
    }


def _shaded(colour: str | list[str], pattern: str) -> dict[str, Any]:
    return {
        "color": colour,
        "pattern": {"shape": pattern, "size": 5, "solidity": 0.4},
        "line": {"width": 0},
    }


def _note_missing(figure: go.Figure, dataset: Dataset) -> None:
    """Say which nodes are in no bar: hidden test nodes, nodes without a known class."""
    hidden = dataset.split.test.size if dataset.test_hidden else 0
    unknown = int((dataset.labels == UNKNOWN).sum()) - hidden
    missing = [f"{hidden:,} test nodes are hidden"] if hidden else []
    if unknown:
        missing.append(f"{unknown:,} nodes without a known class are not shown")
    if missing:
        _note(figure, "; ".join(missing))


def _note(figure: go.Figure, text: str) -> None:
    figure.add_annotation(
        text=text,
        xref="paper",
        yref="paper",
        x=1,
        y=1,
        xanchor="right",
        yanchor="bottom",
        showarrow=False,
        font={"size": 12},
    )
