"""Rows of numbers with a name and an explanation."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from gdr_app.widgets.glossary import define
from gdr_app.wording import percent
from gdr_core.graphs.statistics import Summary


def tiles(entries: Sequence[tuple[str, str, str]]) -> None:
    """One tile for each (name, value, explanation); they wrap where the page is narrow."""
    with st.container(horizontal=True, horizontal_alignment="distribute", border=True):
        for name, value, explanation in entries:
            st.metric(name, value, help=explanation, width="content")


def dataset_tiles(numbers: Summary, test_hidden: bool) -> None:
    """The sizes of a dataset and how its links and classes go together."""
    counted = "Only edges between nodes whose class is shown are counted. " if test_hidden else ""
    tiles(
        [
            ("Nodes", f"{numbers.nodes:,}", "What is to be classified, such as papers."),
            ("Edges", f"{numbers.edges:,}", "Links between them, each counted once."),
            ("Classes", f"{numbers.classes:,}", "The categories that a node can belong to."),
            (
                "Features",
                f"{numbers.features:,}",
                "Numbers known about each node, such as counts of words.",
            ),
            (
                "Mean degree",
                f"{numbers.mean_degree:.2f}",
                "Average number of neighbours of a node.",
            ),
            (
                "Components",
                f"{numbers.components:,}",
                "Number of components. " + define("component"),
            ),
            (
                "Homophily",
                percent(numbers.edge_homophily),
                f"{define('homophily')} {counted}If links ignored the classes, it would be"
                f" {percent(numbers.chance_homophily)}.",
            ),
        ]
    )
