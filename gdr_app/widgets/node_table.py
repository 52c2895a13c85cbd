"""Nodes as a table that can be searched, sorted and used to choose one: of a graph, around one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.computing import cached
from gdr_app.state import link
from gdr_app.widgets.overview import NODE, select_row
from gdr_app.widgets.plots import show_table
from gdr_core.datasets import DatasetChoice

TABLE: Final = "node-table"
_MOST_TICKED: Final = 500  # rows


def show_node_table(choice: DatasetChoice) -> None:
    """One row a node. Choosing a row chooses the node everywhere on the page."""
    table = cached.node_table(choice)
    st.markdown("Click a row's box to show the node in the graph; search and sort in the header.")
    choose_by_row(
        choice,
        np.arange(len(table)),
        table,
        key=TABLE,
        alt="Table of all nodes: name, class, part of the split, number of neighbours.",
    )


def choose_by_row(
    choice: DatasetChoice,
    nodes: np.ndarray,
    table: Any,
    *,
    key: str,
    alt: str,
    height: int = 360,
    columns: Mapping[str, Any] | None = None,
) -> None:
    """A table about some nodes, one row each; choosing a row chooses the node.

    In a short table the chosen node's row is ticked, whoever chose it: the rows move when their
    nodes change. A long one would have to travel to the browser again for a tick.
    """

    ticked = _places(choice, nodes)
    if nodes.size <= _MOST_TICKED and (key in st.session_state or ticked):
        st.session_state[key] = {"selection": {"rows": ticked, "columns": [], "cells": []}}
    show_table(
        table,
        key=key,
        height=height,
        choose=lambda: select_row(choice, key, nodes),
        formats=columns,
        alt=alt,
    )


def _places(choice: DatasetChoice, nodes: np.ndarray) -> list[int]:
    """Where the chosen node stands among these."""
    node = cached.node_at(choice, link.recall(NODE))
    return [] if node is None else np.flatnonzero(nodes == node).tolist()
