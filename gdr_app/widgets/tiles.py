"""Rows of numbers with a name and an explanation: of a graph, a prior, a reclassification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.wording import percent
from gdr_core.gdr import GDRResult, Relabelling
from gdr_core.graphs.statistics import Summary
from gdr_core.priors.assessment import Reliability, mistakes

NOTHING: Final = "–"
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


def prior_tiles(result: GDRResult, part: str, found: Reliability, matrix: np.ndarray) -> None:
    """How good the prior is and how sure; dashes where the part holds no node of known class."""
    nodes = int(matrix.sum())
    tiles(
        [
            (
                f"Accuracy, {part}",
                percent(result.prior_accuracy[part]),
                f"Share of the {nodes:,} {part} nodes whose most likely class is right.",
            ),
            ("Wrong", f"{mistakes(matrix):,}" if nodes else NOTHING, "The others."),
            (
                "Mean confidence",
                percent(found.mean_confidence),
                "The largest probability, on average.",
            ),
            (
                "Calibration error",
                percent(found.error),
                "How far confidence and accuracy lie apart, on average over ten groups.",
            ),
        ]
    )


def relabel_tiles(now: Relabelling, parts: Sequence[str]) -> None:
    """What reclassification did at the current t_min."""
    result, counts, index = now.result, now.tally, now.t_min_index
    entries = [
        *(
            (
                f"Accuracy, {part}",
                f"{percent(result.prior_accuracy[part])} → {percent(result.accuracy[part][index])}",
                f"On {part} nodes, of the prior and after reclassification.",
            )
            for part in parts
        ),
        ("Relabelled", f"{counts.relabelled:,}", "Nodes whose label differs from the prior's."),
        ("Fixed", f"{counts.fixed:,}", "Wrong before, right now."),
        ("Broken", f"{counts.broken:,}", "Right before, wrong now."),
        ("Still wrong", f"{counts.still_wrong:,}", "Relabelled, but wrong before and after."),
        (
            "Never overshooting",
            f"{counts.never_overshooting:,}",
            "No class rises above its long-run value after t_min: by the rules overshoot and peak "
            "these nodes keep the prior's label.",
        ),
    ]
    if counts.not_judged:
        entries.insert(-1, ("Not judged", f"{counts.not_judged:,}", NOT_JUDGED))
    tiles(entries)
