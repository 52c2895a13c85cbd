"""PageRank on the graph: large nodes are often visited; the same as a chart and as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
import streamlit as st

from gdr_app.components.graph_canvas import Detail, Looks, Mark
from gdr_app.computing import cached
from gdr_app.computing.kept import kept
from gdr_app.directed.choice import DirectedView
from gdr_app.directed.study import Studies
from gdr_app.widgets.overview import Overview, select_row, truth_colours
from gdr_app.widgets.plots import draw_figure, show_table
from gdr_app.wording import counted, plain, readable
from gdr_core.datasets import Dataset
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.explanation.directions import EQUAL, Study
from gdr_core.figures.directed import rank_scatter
from gdr_core.spreadsheets import safe_cell

if TYPE_CHECKING:
    import plotly.graph_objects as go

TABLE: Final = "rank-table"
# Upper ends of the classes of N·φ, and how large nodes of each class are drawn.
ENDS: Final = (0.3, 0.6, 0.85, 1.1, 1.5, 2.5, 5.0, 15.0, np.inf)
SIZES: Final = (0.45, 0.6, 0.75, 0.95, 1.2, 1.5, 2.0, 2.9, 4.2)
WALKS: Final = {"forward": "along the arrows", "backward": "against the arrows"}


def draw_ranks(
    overview: Overview, view: DirectedView, graph: Dataset, studies: Studies, node: int
) -> None:
    """The graph once for each shown direction, on the same layout, with the same selection."""
    columns = st.columns(len(view.shown), gap="medium")
    for column, direction in zip(columns, view.shown, strict=True):
        found = studies[direction]
        label = f"{graph.name} with nodes as large as their PageRank, walking {direction}."
        with column:
            said = crowd_sentence(graph.node_names, found.visits, int(found.dangling.sum()))
            st.markdown(f"**{direction.capitalize()}**, {WALKS[direction]}. {said}")
            looks = _rank_looks(graph, found)
            overview.draw_beside(looks, node, key=f"rank-{direction}", label=label)


def _rank_looks(graph: Dataset, found: Study) -> Looks:
    """Size tells φ, colour the class, a square that no arrow leads on."""
    times_mean = graph.nodes * found.visits
    sizes = np.searchsorted(ENDS[:-1], times_mean, side="left")
    used, codes = np.unique(2 * sizes + found.dangling, return_inverse=True)
    styles = [
        Mark("", shape="square" if code % 2 else "circle", size=SIZES[code // 2], opacity=0.75)
        for code in used.tolist()
    ]
    values, value_codes = np.unique(np.round(times_mean, 2), return_inverse=True)
    places, place_codes = np.unique(found.places, return_inverse=True)
    return Looks(
        **truth_colours(graph),
        details=[
            Detail("PageRank", value_codes, [f"{value:.2f}/N" for value in values]),
            Detail("place", place_codes, [f"{place:,} of {graph.nodes:,}" for place in places]),
            Detail("dead end", found.dangling.astype(int), ["", "no arrow leads on"]),
        ],
        marks=codes,
        mark_styles=styles,
    )


def draw_scatter(graph: Dataset, studies: Studies, node: int) -> go.Figure:
    """Both PageRanks of every node."""
    forward, backward = studies["forward"], studies["backward"]
    one, other = forward.dangling, backward.dangling
    figure = rank_scatter(
        forward.visits,
        backward.visits,
        graph.node_names,
        {
            "passed both ways": ~one & ~other,
            "dead end forward": one & ~other,
            "dead end backward": other & ~one,
            "alone": one & other,
        },
        node,
    )
    return draw_figure(
        figure, key="ranks", alt="PageRank forward against PageRank backward, one point a node."
    )


@kept(most=12)
def _rank_table(view: DirectedView, _graph: Dataset, _studies: Studies) -> pd.DataFrame:
    """One row a node, the most visited first; the index is the node's number."""
    forward, backward = _studies["forward"], _studies["backward"]
    names = truth_names(list(map(readable, _graph.class_names)))
    table = pd.DataFrame(
        {
            "Node": list(cached.node_labels(view.dataset)),
            "N·φ forward": _graph.nodes * forward.visits,
            "N·φ backward": _graph.nodes * backward.visits,
            "Arrows out": np.diff(forward.arrows.indptr),
            "Arrows in": np.diff(backward.arrows.indptr),
            "Class": [names[code] for code in truth_codes(_graph)],
        }
    )
    most = np.maximum(forward.visits, backward.visits)
    return table.iloc[np.argsort(-most, kind="stable")]


def show_rank_table(view: DirectedView, graph: Dataset, studies: Studies) -> None:
    """The table; choosing a row chooses the node everywhere on the page."""
    table = _rank_table(view, graph, studies)
    show_table(
        table,
        key=TABLE,
        height=380,
        choose=lambda: select_row(view.dataset, TABLE, table.index),
        formats={"N·φ forward": "%.2f", "N·φ backward": "%.2f"},
        alt="Table of all nodes: PageRank forward and backward, arrows out and in, class.",
    )


def ranks_csv(graph: Dataset, studies: Studies) -> str:
    """φ of every node for every reading, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["node", "name", *(f"visits {name}" for name in studies)])
    columns = [found.visits for found in studies.values()]
    for node, name in enumerate(graph.node_names):
        writer.writerow([node, safe_cell(name), *(f"{column[node]:.10g}" for column in columns)])
    return text.getvalue()


def crowd_sentence(names: Sequence[str], visits: np.ndarray, dead_ends: int) -> str:
    """How many dead ends there are and who is visited most; equals to rounding are told as such.

    >>> crowd_sentence(["a", "b", "c"], np.array([0.4, 0.4, 0.2]), 1)
    '1 dead end; most visited are a and 1 other, 1.2 times the mean.'
    """
    dead = counted(dead_ends, "dead end")
    first = np.flatnonzero(visits >= visits.max() * (1 - EQUAL))
    if first.size == visits.size:
        return f"{dead}; all nodes are visited equally often."
    most = f"{plain(names[int(first[0])])}"
    most = f"are {most} and {counted(first.size - 1, 'other')}" if first.size > 1 else f"is {most}"
    return f"{dead}; most visited {most}, {visits.size * visits.max():.1f} times the mean."
