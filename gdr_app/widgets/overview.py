"""The whole graph and its select box: a node chosen by click, search, table row or link."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.graph_canvas import Detail, Looks, Mark, graph_canvas, send_geometry
from gdr_app.components.node_search import node_search
from gdr_app.computing import cached
from gdr_app.state import link
from gdr_app.state.used import tell_used
from gdr_app.state.visit import NODE
from gdr_app.wording import plain, readable
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.record import PARTS
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours

OVERVIEW: Final = "overview"
SEARCH: Final = "node search"
HIDDEN_TEST: Final = "test, hidden"


def class_looks(graph: Dataset) -> Looks:
    """Every node in the colour of its class; the tooltip also tells its part of the split.

    Nodes whose class is hidden are small and grey.
    """
    parts = ("", *PARTS)
    part_of = graph.split.part_of_nodes(graph.nodes)
    codes = np.select([part_of == part for part in parts], range(len(parts)))
    colours, names, palette = truth_colours(graph)
    return Looks(
        colours=colours,
        classes=names,
        palette=palette,
        unknown_colour=UNKNOWN_COLOUR,
        details=[Detail("split", codes, parts)],
        marks=(colours != graph.classes).astype(int),
        mark_styles=(Mark("", size=0.8, opacity=0.45), Mark("")),
    )


def truth_colours(graph: Dataset) -> tuple[np.ndarray, list[str], tuple[str, ...]]:
    """Colour codes by true class, their names and colours; −1 is a class that nobody knows.

    Test nodes whose class is hidden have a name and a grey of their own.
    """
    names, palette = list(map(readable, graph.class_names)), class_colours(graph.classes)
    if not graph.test_hidden:
        return graph.labels, names, palette
    colours = graph.labels.copy()
    colours[graph.split.test] = graph.classes
    return colours, [*names, HIDDEN_TEST], (*palette, UNKNOWN_COLOUR)


def choose_node(choice: DatasetChoice) -> int | None:
    """A search box over all nodes; None when none is chosen. The choice is in every link."""
    node = chosen_node(choice)
    tell_used("node", node=None if node is None else cached.label_of(choice, node))
    node_search(
        cached.geometry(choice),
        key=SEARCH,
        selected=node,
        on_choose=partial(select_node, choice),
    )
    return node


def chosen_node(choice: DatasetChoice) -> int | None:
    """The chosen node; one that this graph does not have is forgotten, and said so."""
    label = link.recall(NODE)
    if label is None:
        return None
    node = cached.node_labels(choice).get(label)
    if node is None:
        st.warning(
            f"This graph has no node “{plain(label)}”. No node is chosen.",
            icon=":material/link_off:",
        )
        link.correct(NODE, None)
    link.visit().asked.discard(NODE)
    return node


def select_node(choice: DatasetChoice, node: int | None) -> None:
    """Make a node the chosen one, or none; for callbacks, which run before the page does."""
    link.remember(NODE, None if node is None else cached.label_of(choice, node))


def send_overview(choice: DatasetChoice) -> None:
    """Let the browser have the graph before a fragment draws it, and not with each of its runs."""
    with st.sidebar, st.container(key="sent-graph"):  # where it moves nothing
        send_geometry(cached.geometry(choice), key=OVERVIEW)


def draw_overview(
    choice: DatasetChoice,
    graph: Dataset,
    looks: Looks,
    node: int | None,
    *,
    height: int = 720,
    clickable: bool = True,
    sent: bool = False,
    coloured_by: str = "class",
) -> None:
    """The canvas with the chosen node marked; a click chooses another.

    sent says that the page has called `send_overview`, outside the fragment that draws this.
    """
    graph_canvas(
        cached.geometry(choice),
        looks,
        key=OVERVIEW,
        label=f"{graph.name}: {graph.nodes:,} nodes and {graph.edges:,} edges, "
        f"coloured by {coloured_by}.",
        selected=node,
        on_select=partial(select_node, choice) if clickable else None,
        height=height,
        sent=sent,
    )
