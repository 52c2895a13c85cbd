"""The surroundings of a node, coloured by the class that leads there at each time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import pyarrow as pa

from gdr_app.components.neighbourhood import Film, Scene, pack_scene
from gdr_app.computing import cached
from gdr_app.computing.kept import kept
from gdr_app.computing.results import result_of
from gdr_app.state.pickers import pick
from gdr_app.widgets.node_table import choose_by_row
from gdr_app.widgets.overview import select_node
from gdr_app.wording import counted, readable
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.explanation.flow import Flow, class_flow, impulse_flow
from gdr_core.explanation.responses import Responses
from gdr_core.figures.overshoot import KIND_COLOURS
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.graphs.neighbourhood import MOST_HOPS, Neighbourhood, neighbourhood
from gdr_core.method import Method

HOPS: Final = tuple(str(hops) for hops in range(1, MOST_HOPS + 1))
TABLE: Final = "around-table"


@kept(most=64)
def _around(choice: DatasetChoice, node: int, hops: int) -> Neighbourhood:
    return neighbourhood(cached.dataset(choice).undirected, node, hops)


def surroundings(choice: DatasetChoice, node: int, hops: int) -> Neighbourhood:
    """The nodes around one, at most as many as can be told apart; the same for every split."""
    return _around(choice.graph, node, hops)


def choose_hops() -> int:
    """How far the neighbourhood reaches."""
    return int(pick("Hops shown", HOPS, key="hops", default="2"))


@kept(most=64)
def class_film(view: Method, node: int, hops: int) -> Film:
    """The film of classes: at each time and node the class furthest above its level.

    It stays the same while t_min moves; what is said of each node is its label.
    """
    graph, result = cached.dataset(view.dataset), result_of(view)
    near = surroundings(view.dataset, node, hops)
    names = [readable(name) for name in graph.class_names]
    scene = _scene(
        graph,
        near,
        result.relative_times,
        class_flow(result, near.nodes),
        squares=np.isin(near.nodes, graph.split.train),
        square="training node",
        legend=list(zip(names, class_colours(graph.classes), strict=True)),
        quiet="no class above π",
    )
    before, after = result.prior_labels[near.nodes], result.scan.predicted[:, near.nodes]
    words = [a if a == b else f"{a} → {b}" for a in names for b in names]
    codes = (before * graph.classes + after).astype(np.int32)
    return _film(view.dataset, graph, scene, "Label", codes, words)


def impulse_film(
    choice: DatasetChoice,
    graph: Dataset,
    near: Neighbourhood,
    responses: Responses,
) -> Film:
    """The film of an impulse: at each time the nodes that hold more than their share of mass."""
    scene = _scene(
        graph,
        near,
        responses.relative_times,
        impulse_flow(responses),
        squares=np.zeros(near.nodes.size, dtype=bool),
        square="",
        legend=list(zip(responses.names, KIND_COLOURS, strict=True)),
        quiet="below π",
    )
    codes = np.broadcast_to(responses.kinds, (responses.times.size, near.nodes.size))
    return _film(choice, graph, scene, "Response", codes, responses.names)


def _film(
    choice: DatasetChoice,
    graph: Dataset,
    scene: Scene,
    quantity: str,
    codes: np.ndarray,
    words: Sequence[str],
) -> Film:
    near = scene.around
    return Film(
        packed=pack_scene(scene),
        label=f"Neighbourhood of node {graph.node_names[near.centre]}: "
        f"{counted(near.nodes.size, 'node')}.",
        caption=_caption(graph, near),
        quantity=quantity,
        codes=codes,
        words=np.array(words, dtype=object),
        on_select=partial(select_node, choice),
        tabulate=partial(_show_table, choice, near, quantity),
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


def _show_table(choice: DatasetChoice, near: Neighbourhood, quantity: str, said: list[str]) -> None:
    labels = list(cached.node_labels(choice))
    nodes = [labels[node] for node in near.nodes.tolist()]
    choose_by_row(
        choice,
        near.nodes,
        pa.table({"Node": nodes, "Hops": near.distances, quantity: said}),
        key=TABLE,
        height=300,
        alt=f"Table of the nodes around the chosen one: name, hops, {quantity.lower()}.",
    )


def _is_whole(graph: Dataset, near: Neighbourhood) -> bool:
    """Whether the neighbourhood is all of the graph, which is then drawn in its own layout."""
    return near.nodes.size == graph.nodes


def _caption(graph: Dataset, near: Neighbourhood) -> str:
    how = "the whole graph" if _is_whole(graph, near) else "one ring for each hop"
    shown = f"{counted(near.nodes.size, 'node')}, {how}. Click one to go there."
    if near.left_out:
        return f"{shown} {near.left_out:,} more within reach are left out, the farthest first."
    return shown
