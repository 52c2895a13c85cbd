"""Three ways to ask whether links join equals, and what each of them says.

All take a graph whose directions are forgotten and whose weights are ignored, over the edges whose
two ends have a known class. They answer different questions:

    edge               how often does a link stay in a class?
    adjusted           how much more often than if links ignored classes, on a scale where 1 is
                       always and 0 is chance (Platonov et al. 2022; the assortativity coefficient
                       of Newman 2003)
    class-insensitive  the same for each class by itself, so that one large class cannot carry the
                       number; classes below chance count as 0 (Lim et al. 2021)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.datasets.record import UNKNOWN, Dataset


@dataclass(frozen=True)
class Homophily:
    """The three numbers; NaN where they are not defined (no edge between known classes)."""

    edge: float
    adjusted: float
    class_insensitive: float


def homophily(dataset: Dataset) -> Homophily:
    """Edge, adjusted and class-insensitive homophily of the known classes.

    >>> from gdr_core import load_dataset
    >>> from gdr_core.graphs.homophily import homophily
    >>> found = homophily(load_dataset("cora"))
    >>> round(found.edge, 2), round(found.adjusted, 2), round(found.class_insensitive, 2)
    (0.81, 0.77, 0.77)
    """
    between = _class_links(dataset)
    return Homophily(
        edge=_edge(between),
        adjusted=_adjusted(between),
        class_insensitive=_class_insensitive(between, dataset),
    )


def _class_links(dataset: Dataset) -> np.ndarray:
    """m_ab: ends of edges at class a whose other end is in class b, shape (classes, classes).

    Symmetric; an edge inside a class counts twice there, once for each end.
    """
    links = dataset.undirected.tocoo()
    one, other = dataset.labels[links.row], dataset.labels[links.col]
    known = (one != UNKNOWN) & (other != UNKNOWN)
    pairs = one[known] * dataset.classes + other[known]
    counts = np.bincount(pairs, minlength=dataset.classes**2)
    return counts.reshape(dataset.classes, dataset.classes).astype(np.float64)


def _edge(between: np.ndarray) -> float:
    ends = between.sum()
    return float(np.trace(between) / ends) if ends else float("nan")


def _adjusted(between: np.ndarray) -> float:
    """(h − h₀) / (1 − h₀) with h₀ = Σ_a (d_a / Σd)², the homophily of links that ignore classes."""
    ends = between.sum()
    if not ends:
        return float("nan")
    chance = float(np.square(between.sum(axis=1) / ends).sum())
    return (_edge(between) - chance) / (1 - chance) if chance < 1 else float("nan")


def _class_insensitive(between: np.ndarray, dataset: Dataset) -> float:
    """Σ_a max(0, h_a − n_a/n) / (classes − 1), h_a the share of a's ends that stay in a."""
    sizes = np.bincount(dataset.labels[dataset.labels != UNKNOWN], minlength=dataset.classes)
    present = np.flatnonzero(sizes)
    ends = between.sum(axis=1)
    if present.size < 2 or not ends.sum():
        return float("nan")
    inside = np.divide(np.diag(between), ends, out=np.zeros(dataset.classes), where=ends > 0)
    above = np.maximum(inside - sizes / sizes.sum(), 0)
    return float(above[present].sum() / (present.size - 1))
