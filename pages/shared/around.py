"""The surroundings of a node, coloured by the class that leads there at each time."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from gdr_core.datasets import Dataset
from gdr_core.figures.overshoot import KIND_COLOURS
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.gdr import GDRResult
from gdr_core.gdr.flow import Flow, class_flow, impulse_flow
from gdr_core.neighbourhood import MOST_HOPS, Neighbourhood, neighbourhood
from gdr_core.responses import KINDS, Responses
from pages.shared import cached
from pages.shared.neighbourhood import Scene, neighbourhood_view, pack_scene
from pages.shared.overview import select_node
from pages.shared.pickers import pick
from pages.shared.sidebar import DatasetChoice
from pages.shared.wording import counted, readable

HOPS: Final = tuple(str(hops) for hops in range(1, MOST_HOPS + 1))


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
    choice: DatasetChoice, graph: Dataset, result: GDRResult, around: Neighbourhood, index: int
) -> None:
    """The film of classes: at each time and node the class furthest above its level."""
    details = [_classes_of(graph, result, index, node) for node in around.nodes.tolist()]
    names = [readable(name) for name in graph.class_names]
    training = np.isin(around.nodes, graph.split.train)
    _draw(
        choice,
        graph,
        around,
        result.relative_times,
        class_flow(result, around.nodes),
        index=index,
        details=details,
        squares=training,
        square="training node",
        legend=list(zip(names, class_colours(graph.classes), strict=True)),
        quiet="no class above π",
    )


def draw_impulse(
    choice: DatasetChoice,
    graph: Dataset,
    relative_times: np.ndarray,
    around: Neighbourhood,
    responses: Responses,
) -> None:
    """The film of an impulse: at each time the nodes that hold more than their share."""
    _draw(
        choice,
        graph,
        around,
        relative_times,
        impulse_flow(responses),
        index=responses.first_wave,
        details=[KINDS[kind] for kind in responses.kinds],
        squares=np.zeros(around.nodes.size, dtype=bool),
        square="",
        legend=list(zip(KINDS, KIND_COLOURS, strict=True)),
        quiet="below π",
    )


def _draw(
    choice: DatasetChoice,
    graph: Dataset,
    around: Neighbourhood,
    times: np.ndarray,
    flow: Flow,
    *,
    index: int,
    details: list[str],
    squares: np.ndarray,
    square: str,
    legend: list[tuple[str, str]],
    quiet: str,
) -> None:
    whole = around.nodes.size == graph.nodes
    name = graph.node_names[around.centre]
    scene = Scene(
        around=around,
        places=graph.layout[around.nodes] if whole else around.places(),
        rings=not whole,
        names=[graph.node_names[node] for node in around.nodes],
        details=details,
        squares=squares,
        square=square,
        times=times,
        flow=flow,
        legend=legend,
        quiet=(quiet, UNKNOWN_COLOUR),
    )
    neighbourhood_view(
        pack_scene(scene),
        key="around",
        label=f"Neighbourhood of node {name}: {counted(around.nodes.size, 'node')}.",
        index=index,
        on_select=partial(select_node, choice),
    )
    st.markdown(_caption(around))


def _classes_of(graph: Dataset, result: GDRResult, index: int, node: int) -> str:
    prior = readable(graph.class_names[int(result.prior_labels[node])])
    new = readable(graph.class_names[int(result.scan.labels[index, node])])
    return f"label: {new}" if prior == new else f"label: {prior} → {new}"


def _caption(around: Neighbourhood) -> str:
    shown = f"{counted(around.nodes.size, 'node')}, one ring a hop. Click one to go there."
    if around.left_out:
        return f"{shown} {around.left_out:,} more within reach are left out, the farthest first."
    return shown
