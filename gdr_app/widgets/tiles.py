"""Rows of numbers with a name and an explanation: of a graph, of a prior."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.widgets.glossary import define
from gdr_app.wording import counted, percent
from gdr_core.gdr import GDRResult, Relabelling, verdict
from gdr_core.graphs.statistics import Summary
from gdr_core.priors.assessment import Reliability, mistakes

NOTHING: Final = "–"
VERDICT_HELP: Final = (
    "Prior and reclassification are compared node by node on the validation nodes. The interval is "
    "that of the gain, for as many nodes fixed or broken as there are here: drawn again and again "
    "from nodes like these, at least 95 of 100 such intervals would hold the expected gain. Where "
    "t_min was chosen on the same nodes, the gain is a little flattered."
)
NOT_JUDGED: Final = (
    "Relabelled, but their true class is not shown: test nodes while test is hidden, and nodes "
    "whose class is not known."
)


def tiles(entries: Sequence[tuple[str, str, str]]) -> None:
    """One tile for each (name, value, explanation); they wrap where the page is narrow."""
    with st.container(horizontal=True, horizontal_alignment="distribute", border=True):
        for name, value, explanation in entries:
            st.metric(name, value, help=explanation, width="content")


def dataset_tiles(numbers: Summary, test_hidden: bool) -> None:
    """The sizes of a dataset and how its links and classes go together."""
    only = "Only edges between nodes whose class is shown are counted. " if test_hidden else ""
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
                f"{define('homophily')} {only}If links ignored the classes, it would be"
                f" {percent(numbers.chance_homophily)}.",
            ),
        ]
    )


def prior_tiles(result: GDRResult, part: str, found: Reliability, matrix: np.ndarray) -> None:
    """How good the prior is and how sure; dashes where the part holds no node of known class."""
    nodes = int(matrix.sum())
    tiles(
        [
            (
                f"Accuracy, {part}",
                percent(result.prior_accuracy[part]),
                f"Share of {counted(nodes, f'{part} node')} whose most likely class is right.",
            ),
            (
                "Wrong",
                f"{mistakes(matrix):,}" if nodes else NOTHING,
                f"Number of {part} nodes whose most likely class is wrong.",
            ),
            (
                "Mean confidence",
                percent(found.mean_confidence),
                "Confidence, the largest probability of a node, on average.",
            ),
            (
                "Calibration error",
                percent(found.error),
                "How far confidence and accuracy lie apart, on average over groups of nodes, ten "
                "at most.",
            ),
        ]
    )


def show_verdict(now: Relabelling) -> None:
    """Whether the graph should be trusted here, in one sentence."""
    st.markdown(verdict(now.gain), help=VERDICT_HELP)
