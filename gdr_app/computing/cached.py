"""Everything slow, computed once and shared by all visitors. Keys are small: names and options.

Everybody gets the same objects: they are read only. What is made of a visitor's own data stays in
that visitor's session, see `kept`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gdr_app.components.graph_canvas import Geometry, pack_geometry
from gdr_app.computing.kept import kept
from gdr_app.computing.working import spinning
from gdr_app.wording import readable
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.figures import dataset as dataset_figures
from gdr_core.graphs import statistics

if TYPE_CHECKING:
    import plotly.graph_objects as go

MANY = 12  # graphs kept at once; a visitor flips between a few

FIGURES: dict[str, Callable[[Dataset], Any]] = {
    "classes": dataset_figures.class_balance,
    "degrees": dataset_figures.degree_distribution,
    "components": dataset_figures.component_distribution,
}


@kept(most=MANY)
def dataset(choice: DatasetChoice) -> Dataset:
    """The chosen dataset, without its test classes unless they are revealed.

    Raises what `datasets.load_dataset` raises. Nothing else of the app loads a dataset.
    """
    return choice.divided(_shared_graph(choice.graph))


@kept(most=MANY)
def _shared_graph(choice: DatasetChoice) -> Dataset:
    """The graph that all splits of it share."""
    with spinning("Loading the graph …"):
        return choice.make_graph()


def geometry(choice: DatasetChoice) -> Geometry:
    """Places, edges and names of the graph, packed for the canvas; the same for every split."""
    return _geometry(choice.graph, dataset(choice))


@kept(most=MANY)
def _geometry(graph_choice: DatasetChoice, _graph: Dataset) -> Geometry:
    return pack_geometry(
        _graph.layout, _graph.adjacency, _graph.node_names, directed=_graph.directed
    )


@kept(most=64)
def summary(choice: DatasetChoice) -> statistics.Summary:
    """The numbers of the tiles."""
    return statistics.summarise(dataset(choice))


@kept(most=36)
def figure(kind: str, choice: DatasetChoice) -> go.Figure:
    """One of the figures of a dataset."""
    return FIGURES[kind](dataset(choice))


def node_labels(choice: DatasetChoice) -> dict[str, int]:
    """What each node is called in select boxes and, unless the data are a visitor's own, in
    links, and its number; the same for every split.

    Names that occur more than once get their number appended.
    """
    return _node_labels(choice.graph, dataset(choice))


@kept(most=MANY)
def _node_labels(graph_choice: DatasetChoice, _graph: Dataset) -> dict[str, int]:
    names = _graph.node_names
    repeated = {name for name, count in Counter(names).items() if count > 1}
    return {
        f"{name} (node {node})" if name in repeated else name: node
        for node, name in enumerate(names)
    }


def label_of(choice: DatasetChoice, node: int) -> str:
    """What one node is called in the search box."""
    return next(islice(node_labels(choice), node, None))


def address_of(choice: DatasetChoice, node: int) -> str:
    """What one node is called in links: own data are in none, so there it is a number."""
    return label_of(choice, node) if choice.own is None else str(node)


def node_at(choice: DatasetChoice, address: str | None) -> int | None:
    """The node that a link means; None where there is no such node."""
    if address is None:
        return None
    if choice.own is None:
        return node_labels(choice).get(address)
    small = address.isascii() and address.isdigit() and len(address) < 10
    return int(address) if small and int(address) < choice.own.nodes else None


@kept(most=MANY)
def node_table(choice: DatasetChoice) -> pd.DataFrame:
    """One row a node: name, class, part of the split, degree."""
    graph = dataset(choice)
    classes = truth_names(list(map(readable, graph.class_names)))
    part_of = graph.split.part_of_nodes(graph.nodes)
    return pd.DataFrame(
        {
            "Node": list(node_labels(choice)),
            "Class": pd.Categorical.from_codes(truth_codes(graph), classes),
            "Part of split": pd.Categorical(np.where(part_of == "", statistics.REST, part_of)),
            "Neighbours": statistics.degrees(graph),
        }
    )
