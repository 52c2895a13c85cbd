"""The whole graph and its select box: a node chosen by click, search, table row or link."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from gdr_core.datasets import Dataset
from gdr_core.datasets.record import PARTS
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from pages.shared import cached
from pages.shared.graph_canvas import Detail, Looks, graph_canvas
from pages.shared.pickers import asked_by_link
from pages.shared.sidebar import DatasetChoice
from pages.shared.wording import plain, readable

NODE: Final = "node"


def class_looks(graph: Dataset) -> Looks:
    """Every node in the colour of its class; the tooltip also tells its part of the split."""
    parts = ("", *PARTS)
    part_of = graph.split.part_of_nodes(graph.nodes)
    codes = np.select([part_of == part for part in parts], range(len(parts)))
    return Looks(
        colours=graph.labels,
        classes=[readable(name) for name in graph.class_names],
        palette=class_colours(graph.classes),
        unknown_colour=UNKNOWN_COLOUR,
        details=[Detail("split", codes, parts)],
    )


def choose_node(choice: DatasetChoice) -> int | None:
    """A searchable select box over all nodes, bound to the URL; None when none is chosen."""
    labels = cached.node_labels(choice)
    _report_unknown_node(labels)
    if st.session_state.get(NODE) not in labels:
        st.session_state.pop(NODE, None)
    label = st.selectbox(
        "Node",
        list(labels),
        index=None,
        key=NODE,
        placeholder="Search, or click in the graph",
        bind="query-params",
        filter_mode="contains",
    )
    return None if label is None else labels[label]


def select_node(choice: DatasetChoice, node: int) -> None:
    """Make a node the chosen one; for callbacks, which run before the select box is drawn."""
    st.session_state[NODE] = list(cached.node_labels(choice))[node]


def draw_overview(
    choice: DatasetChoice,
    graph: Dataset,
    looks: Looks,
    node: int | None,
    *,
    height: int = 720,
    clickable: bool = True,
) -> None:
    """The canvas with the chosen node marked; a click chooses another."""
    graph_canvas(
        cached.geometry(choice),
        looks,
        key="overview",
        label=f"{graph.name}: {graph.nodes:,} nodes and {graph.edges:,} edges, coloured by class.",
        selected=node,
        on_select=partial(select_node, choice) if clickable else None,
        height=height,
    )


def _report_unknown_node(labels: dict[str, int]) -> None:
    asked = asked_by_link(NODE)
    if asked and asked not in labels:
        st.warning(
            f"The link asks for node “{plain(asked)}”, which this graph does not have.",
            icon=":material/link_off:",
        )
