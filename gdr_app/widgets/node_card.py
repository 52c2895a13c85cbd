"""One node in words: its class, its part of the split, its neighbours, what the prior says."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from gdr_app.widgets.plots import show_table
from gdr_app.wording import counted, plain, readable
from gdr_core.datasets import Dataset
from gdr_core.datasets.hiding import truth_of
from gdr_core.graphs.statistics import neighbour_classes
from gdr_core.priors.assessment import VERDICTS, verdicts

_HOW_TO_CHOOSE: Final = """
**No node is chosen.** Point at a node in the graph to read about it, click to choose it.

- Drag to move, turn the wheel or pinch to zoom.
- Click a class under the graph to hide it.
- Keyboard: arrows, `+`, `-`, `0`.
"""
_PART_TEXTS: Final = {
    "train": "In **train**: its class is given to the classifier.",
    "validation": "In **validation**: its class helps to choose settings.",
    "test": "In **test**: its class only judges the result.",
    "": "In **no part** of the split: its class is not given to the classifier, chooses no "
    "setting and counts in no accuracy.",
}


def node_card(graph: Dataset, node: int | None) -> None:
    """What is known of the chosen node, or how to choose one."""
    if node is None:
        st.markdown(_HOW_TO_CHOOSE)
        return
    truth = plain(readable(truth_of(graph, node)))
    st.markdown(f"**Node {plain(graph.node_names[node])}** · class **{truth}**")
    st.markdown(_PART_TEXTS[str(graph.split.part_of_nodes(graph.nodes)[node])])
    st.markdown(_neighbours(graph, node))


def prior_card(graph: Dataset, prior: np.ndarray, node: int | None) -> None:
    """The node's card, and what the prior says of it: the label, and its row of H."""
    node_card(graph, node)
    if node is None:
        return
    st.markdown(_prior_says(graph, prior[node], int(graph.labels[node])))
    show_table(
        pd.DataFrame({"Class": list(map(readable, graph.class_names)), "Prior H": prior[node]}),
        key="prior-row",
        formats={"Prior H": "%.3f"},
        alt="Table: every class and the probability that the prior gives it at this node.",
    )


def _prior_says(graph: Dataset, row: np.ndarray, label: int) -> str:
    said = int(row.argmax())
    name = plain(readable(graph.class_names[said]))
    verdict = VERDICTS[int(verdicts(np.array([label]), np.array([said]))[0])]
    return f"The prior says **{name}** with p = {row[said]:.3f}: **{verdict}**."


def _neighbours(graph: Dataset, node: int) -> str:
    counts = neighbour_classes(graph, node)
    if not counts.any():
        return "It has **no neighbours**: the graph tells nothing about its class."
    unknown = "whose class is hidden or not known" if graph.test_hidden else "class not known"
    names = [*map(readable, graph.class_names), unknown]
    found = sorted(((n, -i) for i, n in enumerate(counts.tolist()) if n), reverse=True)
    rows = [f"- {count:,} {plain(names[-index])}" for count, index in found]
    return "\n".join([f"**{counted(int(counts.sum()), 'neighbour')}**:", "", *rows])
