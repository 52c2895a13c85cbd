"""Where the prior is wrong: among neighbours that it gets right, or in a region of mistakes."""

from __future__ import annotations

from typing import Final

import numpy as np

from gdr_app.computing.kept import kept
from gdr_app.computing.results import dataset_of, result_of
from gdr_app.widgets.overview import prior_looks, wrong_looks
from gdr_core.canvases.graph_canvas.payload import Looks
from gdr_core.datasets import Dataset
from gdr_core.datasets.record import UNKNOWN
from gdr_core.method import Method
from gdr_core.priors.assessment import wrong_nearby

NEARBY, BY_CLASS = "wrong neighbours", "predicted class"
COLOURINGS: Final = (NEARBY, BY_CLASS)
COLOURS: Final = "prior-colours"  # the key of the choice between them


@kept(most=16)
def shares_of(view: Method) -> np.ndarray:
    """For every node the share of wrong ones among its neighbours whose class is shown."""
    graph = dataset_of(view)
    return wrong_nearby(graph.undirected, graph.labels, result_of(view).prior_labels)


def looks_of(view: Method, graph: Dataset, colouring: str) -> Looks:
    """The graph in one of the colourings."""
    labels = result_of(view).prior_labels
    if colouring == BY_CLASS:
        return prior_looks(graph, labels)
    return wrong_looks(graph, labels, shares_of(view))


def where_wrong(view: Method, graph: Dataset) -> str:
    """How many of the wrong nodes stand among mostly right ones, in a sentence."""
    known = graph.labels != UNKNOWN
    wrong = known & (result_of(view).prior_labels != graph.labels)
    count, shares = int(wrong.sum()), shares_of(view)[wrong]
    if not count:
        return "No node whose class is shown is wrong."
    right = int((shares < 0.5).sum())
    alone = int(np.isnan(shares).sum())
    told = (
        f"Of the **{count:,}** wrong nodes whose class is shown, **{right:,}** have mostly right "
    )
    told += f"neighbours and {count - right - alone:,} have at least as many wrong ones"
    return told + (f"; {alone:,} have no neighbour whose class is shown." if alone else ".")
