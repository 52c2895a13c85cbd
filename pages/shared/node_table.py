"""All nodes of a graph as a table that can be searched, sorted and used to choose a node."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.shared import cached
from pages.shared.overview import select_node
from pages.shared.sidebar import DatasetChoice

TABLE: Final = "node-table"


def show_node_table(choice: DatasetChoice) -> None:
    """One row a node. Choosing a row chooses the node everywhere on the page."""

    def choose_row() -> None:
        if rows := st.session_state[TABLE]["selection"]["rows"]:
            select_node(choice, rows[0])

    st.markdown("Click a row's box to show the node in the graph; search and sort in the header.")
    st.dataframe(
        cached.node_table(choice),
        key=TABLE,
        hide_index=True,
        height=360,
        on_select=choose_row,
        selection_mode="single-row",
        alt="Table of all nodes: name, class, part of the split, number of neighbours.",
    )
