"""The surroundings of a node, coloured by the class that leads there at each time."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
import pyarrow as pa
import streamlit as st

from gdr_app.components.neighbourhood import PackedScene, Scene, neighbourhood_view, pack_scene
from gdr_app.computing import cached
from gdr_app.computing.results import result_of
from gdr_app.state.pickers import pick
from gdr_app.widgets.node_table import choose_by_row
from gdr_app.widgets.overview import select_node
from gdr_app.wording import counted, readable
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.explanation.flow import Flow, class_flow, impulse_flow
from gdr_core.explanation.responses import KINDS, Responses
from gdr_core.figures.overshoot import KIND_COLOURS
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.gdr import GDRResult
from gdr_core.graphs.neighbourhood import MOST_HOPS, Neighbourhood, neighbourhood
from gdr_core.method import Method

HOPS: Final = tuple(str(hops) for hops in range(1, MOST_HOPS + 1))
TABLE: Final = "around-table"
TABLE_OPEN: Final = "around-table-open"


@st.cache_resource(max_entries=64, show_spinner=False)
def _around(choice: DatasetChoice, node: int, hops: int) -> Neighbourhood:
    return neighbourhood(cached.dataset(choice).undirected, node, hops)


def surroundings(choice: DatasetChoice, node: int, hops: int) -> Neighbourhood:
    """The nodes around one, at most as many as can be told apart; the same for every split."""
    return _around(choice.graph, node, hops)


def choose_hops() -> int:
    """How far the neighbourhood reaches."""
    return int(pick("Hops shown", HOPS, key="hops", default="2"))


def draw_classes(
    view: Method, graph: Dataset, result: GDRResult, near: Neighbourhood, index: int
) -> None:
    """The film of classes: at each time and node the class furthest above its level.

    `neighbourhood.send_library` must have been called by the page.
    """
    _draw(
        view.dataset,
        graph,
        near,
        _class_scene(view, near.centre, near.nodes.size, near),
        index=index,
        quantity="Label",
        said=[_classes_of(graph, result, index, node) for node in near.nodes.tolist()],
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _class_scene(view: Method, centre: int, size: int, _near: Neighbourhood) -> PackedScene:
    """The film around a node: it stays the same while t_min moves."""
    graph, result = cached.dataset(view.dataset), result_of(view)
    names = [readable(name) for name in graph.class_names]
    return pack_scene(
        _scene(
            graph,
            _near,
            result.relative_times,
            class_flow(result, _near.nodes),
            squares=np.isin(_near.nodes, graph.split.train),
            square="training node",
            legend=list(zip(names, class_colours(graph.classes), strict=True)),
            quiet="no class above π",
        )
    )


def draw_impulse(
    choice: DatasetChoice,
    graph: Dataset,
    relative_times: np.ndarray,
    near: Neighbourhood,
    responses: Responses,
) -> None:
    """The film of an impulse: at each time the nodes that hold more than their share of mass."""
    scene = _scene(
        graph,
        near,
        relative_times,
        impulse_flow(responses),
        squares=np.zeros(near.nodes.size, dtype=bool),
        square="",
        legend=list(zip(KINDS, KIND_COLOURS, strict=True)),
        quiet="below π",
    )
    _draw(
        choice,
        graph,
        near,
        pack_scene(scene),
        index=responses.first_wave,
        quantity="Response",
        said=[KINDS[kind] for kind in responses.kinds],
    )


def _scene(
    graph: Dataset,
    near: Neighbourhood,
    times: np.ndarray,
    flow: Flow,
    *,
    squares: np.ndarray,
    square: str,
    legend: list[tuple[str, str]],
    quiet: str,
) -> Scene:
    """Rings around the node; a graph that is shown whole keeps its own layout."""
    whole = _is_whole(graph, near)
    return Scene(
        around=near,
        places=graph.layout[near.nodes] if whole else near.places(),
        rings=not whole,
        names=[graph.node_names[node] for node in near.nodes],
        squares=squares,
        square=square,
        times=times,
        flow=flow,
        legend=legend,
        quiet=(quiet, UNKNOWN_COLOUR),
    )


def _draw(
    choice: DatasetChoice,
    graph: Dataset,
    near: Neighbourhood,
    packed: PackedScene,
    *,
    index: int,
    quantity: str,
    said: list[str],
) -> None:
    """The picture, and the same for keyboard and screen reader: `said` of each node in words."""
    name = graph.node_names[near.centre]
    neighbourhood_view(
        packed,
        [f"{quantity.lower()}: {words}" for words in said],
        key="around",
        label=f"Neighbourhood of node {name}: {counted(near.nodes.size, 'node')}.",
        index=index,
        on_select=partial(select_node, choice),
    )
    st.markdown(_caption(graph, near))
    # Tracked, so that a step of t_min builds no table while it is shut.
    table = st.expander("These nodes as a table", key=TABLE_OPEN, on_change="rerun")
    if table.open:
        with table:
            _show_table(choice, near, quantity, said)


def _show_table(choice: DatasetChoice, near: Neighbourhood, quantity: str, said: list[str]) -> None:
    labels = list(cached.node_labels(choice))
    choose_by_row(
        choice,
        near.nodes,
        pa.table(
            {
                "Node": [labels[node] for node in near.nodes.tolist()],
                "Hops": near.distances,
                quantity: said,
            }
        ),
        key=TABLE,
        height=300,
        alt=f"Table of the nodes around the chosen one: name, hops, {quantity.lower()}.",
    )


def _is_whole(graph: Dataset, near: Neighbourhood) -> bool:
    """Whether the neighbourhood is all of the graph, which is then drawn in its own layout."""
    return near.nodes.size == graph.nodes


def _classes_of(graph: Dataset, result: GDRResult, index: int, node: int) -> str:
    prior = readable(graph.class_names[int(result.prior_labels[node])])
    new = readable(graph.class_names[int(result.scan.labels[index, node])])
    return new if prior == new else f"{prior} → {new}"


def _caption(graph: Dataset, near: Neighbourhood) -> str:
    how = "the whole graph" if _is_whole(graph, near) else "one ring for each hop"
    shown = f"{counted(near.nodes.size, 'node')}, {how}. Click one to go there."
    if near.left_out:
        return f"{shown} {near.left_out:,} more within reach are left out, the farthest first."
    return shown
