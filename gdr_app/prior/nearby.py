"""Where the prior is wrong: among neighbours that it gets right, or in a region of mistakes."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.computing.results import dataset_of, result_of
from gdr_app.widgets.overview import prior_looks, wrong_looks
from gdr_core.canvases.graph_canvas.payload import Looks
from gdr_core.datasets import Dataset
from gdr_core.datasets.record import UNKNOWN
from gdr_core.method import Method
from gdr_core.priors.assessment import wrong_nearby

NEARBY, BY_REGION, BY_CLASS = "wrong neighbours", "region", "predicted class"
COLOURINGS: Final = (NEARBY, BY_REGION, BY_CLASS)
COLOURS: Final = "prior-colours"  # the key of the choice between them


@kept(most=16)
def _shares_of(view: Method) -> np.ndarray:
    """For every node the share of wrong ones among its neighbours whose class is shown."""
    graph = dataset_of(view)
    return wrong_nearby(graph.undirected, graph.labels, result_of(view).prior_labels)


def without_regions(colouring: str) -> str:
    """The colouring to show where the regions are not known; says so where they are chosen."""
    if colouring != BY_REGION:
        return colouring
    st.caption(f"There are no regions to show: the colours are those of **{NEARBY}**.")
    return NEARBY


def looks_of(view: Method, graph: Dataset, colouring: str) -> Looks:
    """The graph in one of the colourings."""
    labels = result_of(view).prior_labels
    if colouring == BY_CLASS:
        return prior_looks(graph, labels)
    return wrong_looks(graph, labels, _shares_of(view))


def where_wrong(view: Method, graph: Dataset) -> str:
    """How many of the wrong nodes stand among mostly right ones, in a sentence."""
    return wrong_sentence(graph.labels, result_of(view).prior_labels, _shares_of(view))


def wrong_sentence(truth: np.ndarray, predicted: np.ndarray, shares: np.ndarray) -> str:
    """The same from arrays over all nodes.

    truth    classes, UNKNOWN where one is not shown
    shares   of wrong ones among the neighbours whose class is shown; NaN where there is none

    >>> wrong_sentence(np.array([0, 1]), np.array([0, 0]), np.array([1.0, 0.0]))
    'One node whose class is shown is wrong; it has mostly right neighbours.'
    """
    known = truth != UNKNOWN
    if not known.any():
        return "No node's class is shown, so that nothing can be called wrong."
    wrong = shares[known & (predicted != truth)]
    if not wrong.size:
        return "No node whose class is shown is wrong."
    counts = (int((wrong < 0.5).sum()), int((wrong >= 0.5).sum()), int(np.isnan(wrong).sum()))
    kinds = [(n, what) for n, what in zip(counts, _NEIGHBOURS, strict=True) if n]
    if wrong.size == 1:
        told = f"One node whose class is shown is wrong; it has {kinds[0][1]}"
    elif len(kinds) == 1:
        told = f"All **{wrong.size:,}** wrong nodes whose class is shown have {kinds[0][1]}"
    else:
        listed = [f"**{n:,}** {'has' if n == 1 else 'have'} {what}" for n, what in kinds]
        told = f"Of the **{wrong.size:,}** wrong nodes whose class is shown, "
        told += f"{', '.join(listed[:-1])} and {listed[-1]}"
    return f"{told}." if known.all() else f"{told}. {_NOT_COUNTED}"


_NEIGHBOURS: Final = (
    "mostly right neighbours",
    "at least as many wrong neighbours as right ones",
    "no neighbour whose class is shown",
)
_NOT_COUNTED: Final = "Neighbours whose class is not shown are not counted."
