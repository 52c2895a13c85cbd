"""Rows of numbers with a name and an explanation."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from gdr_app.wording import percent
from gdr_core.graphs.statistics import Summary


def tiles(entries: Sequence[tuple[str, str, str]]) -> None:
    """One tile for each (name, value, explanation); they wrap where the page is narrow."""
    with st.container(horizontal=True, horizontal_alignment="distribute", border=True):
        for name, value, explanation in entries:
            st.metric(name, value, help=explanation, width="content")


def dataset_tiles(numbers: Summary, test_hidden: bool) -> None:
    """The sizes of a dataset and how its links and classes go together."""
    counted = "Counted are edges between nodes whose class is shown. " if test_hidden else ""
    tiles(
        [
            ("Nodes", f"{numbers.nodes:,}", "Things to classify."),
            ("Edges", f"{numbers.edges:,}", "Links between them, each counted once."),
            ("Classes", f"{numbers.classes:,}", "What a node can be."),
            ("Features", f"{numbers.features:,}", "Numbers known of each node, such as words."),
            ("Mean degree", f"{numbers.mean_degree:.2f}", "Neighbours of a node on average."),
            ("Components", f"{numbers.components:,}", "Parts with no link between them."),
            (
                "Homophily",
                percent(numbers.edge_homophily),
                f"Share of edges that join two nodes of one class. {counted}If links ignored the "
                f"classes it would be {percent(numbers.chance_homophily)}.",
            ),
        ]
    )
