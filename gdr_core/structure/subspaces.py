"""The three subspaces of a dataset: what its features, its graph and its classes span of R^N.

See `alignment` for what is compared, and for why eigenspaces are counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from gdr_core.datasets.features import row_normalised
from gdr_core.datasets.record import UNKNOWN, Dataset
from gdr_core.structure.leading import leading_directions

DENSE = 4096  # nodes, up to which all eigenvectors are computed at once
LEADING = 160  # dimensions that are looked at on larger graphs
SMALLEST = 1e-10  # of the sum of squares of X: below it a direction is rounding
ALL_THE_SAME = "all nodes have the same features: there is no direction to align"
_EQUAL = 1e-9  # of the largest eigenvalue: those less apart are taken for one


@dataclass(frozen=True, eq=False)
class Directions:
    """Leading eigenvectors of a symmetric matrix.

    vectors    orthonormal columns, leading first
    values     their eigenvalues, descending
    complete   whether no further direction was left out, so that the last eigenspace is whole
    """

    vectors: np.ndarray
    values: np.ndarray
    complete: bool

    @property
    def spaces(self) -> np.ndarray:
        """The number of the eigenspace that each direction belongs to, from 0."""
        apart = -np.diff(self.values) > _EQUAL * np.abs(self.values).max(initial=0.0)
        return np.concatenate([[0], np.cumsum(apart)])

    @property
    def whole(self) -> np.ndarray:
        """Whether a cut behind each direction leaves all eigenspaces whole."""
        spaces = self.spaces
        ends = np.append(spaces[1:] != spaces[:-1], self.complete)
        return ends if ends.any() else np.arange(ends.size) == ends.size - 1


@dataclass(frozen=True, eq=False)
class Bases:
    """What spans X, A and Y; the columns of Y are orthonormal, one for each class."""

    features: Directions
    graph: Directions
    classes: np.ndarray


def bases_of(
    dataset: Dataset,
    most: int | None = None,
    *,
    features: Directions | None = None,
    graph: Directions | None = None,
) -> Bases:
    """The three subspaces of a dataset.

    most              dimensions of X and of A; all on graphs of a few thousand nodes, the leading
                      ones on larger, where eigenvectors are found one after another
    features, graph   directions that are at hand

    >>> from gdr_core import load_dataset
    >>> from gdr_core.structure.subspaces import bases_of
    >>> bases_of(load_dataset("sbm", nodes=60), most=5).graph.vectors.shape
    (60, 5)
    """
    most = most or _most_of(dataset)
    return Bases(
        features or feature_basis(dataset.features, most),
        graph or graph_basis(dataset.undirected, most),
        class_basis(dataset.labels, dataset.classes),
    )


def _most_of(dataset: Dataset) -> int:
    return dataset.nodes if dataset.nodes <= DENSE else LEADING


def feature_basis(features: sp.csr_array, most: int) -> Directions:
    """Left singular vectors of X after rows are normalised and columns centred, leading first.

    They come from the smaller of X Xᵀ and Xᵀ X, so that wide and tall tables are equally cheap.
    """
    rows = row_normalised(features)
    mean = np.asarray(rows.mean(axis=0)).ravel()
    floor = SMALLEST * float(np.square(rows.data).sum())
    if rows.shape[1] <= rows.shape[0]:
        inner = (rows.T @ rows).toarray() - rows.shape[0] * np.outer(mean, mean)
        found = _leading(inner, most, floor)
        basis = (rows @ found.vectors - mean @ found.vectors) / np.sqrt(found.values)
        return replace(found, vectors=np.linalg.qr(basis)[0])
    outer, across = (rows @ rows.T).toarray(), rows @ mean
    outer += mean @ mean - across[:, None] - across
    return _leading(outer, most, floor)


def _leading(matrix: np.ndarray, most: int, floor: float) -> Directions:
    """The directions of the largest eigenvalues, as far as they lie above the floor."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    values, vectors = values[::-1], vectors[:, ::-1]
    rank = int((values > floor).sum())
    kept = min(most, rank)
    if not kept:
        raise ValueError(ALL_THE_SAME)
    return Directions(vectors[:, :kept], values[:kept], complete=kept == rank)


def graph_basis(adjacency: sp.csr_array, most: int, tolerance: float = 1e-8) -> Directions:
    """Leading eigenvectors of Â = D̄^{−1/2} (A + I) D̄^{−1/2}, by algebraic size.

    tolerance   of large graphs, whose eigenvectors are found by iteration
    """
    nodes = adjacency.shape[0]
    looped = sp.csr_array(adjacency + sp.eye_array(nodes))
    scale = 1 / np.sqrt(np.asarray(looped.sum(axis=1)).ravel())
    matrix = sp.csr_array(sp.diags_array(scale) @ looped @ sp.diags_array(scale))
    if nodes <= DENSE or most >= nodes - 1:
        values, vectors = np.linalg.eigh(matrix.toarray())
        kept = slice(None, -min(most, nodes) - 1, -1)
        return Directions(vectors[:, kept], values[kept], complete=most >= nodes)
    return _many_directions(matrix, _component_directions(looped), most, tolerance)


def _many_directions(
    matrix: sp.csr_array, first: sp.csr_array, most: int, tolerance: float
) -> Directions:
    """Leading directions of a large graph, whose eigenspace of eigenvalue 1 is known.

    Where that space alone is larger than `most`, a part of it that is turned at random.
    """
    components = first.shape[1]
    if components >= most:
        turn = np.random.default_rng(0).standard_normal((components, most))
        return Directions(first @ np.linalg.qr(turn)[0], np.ones(most), complete=False)
    values, vectors = leading_directions(matrix, most - components, tolerance, first)
    return Directions(
        np.hstack([first.toarray(), vectors]),
        np.concatenate([np.ones(components), values]),
        complete=False,
    )


def _component_directions(looped: sp.csr_array) -> sp.csr_array:
    """The eigenvectors of Â with eigenvalue 1: √d̄ on one component each, of length one."""
    nodes = looped.shape[0]
    count, component = connected_components(looped, directed=False)
    degrees = np.asarray(looped.sum(axis=1)).ravel()
    totals = np.bincount(component, weights=degrees, minlength=count)
    entries = np.sqrt(degrees / totals[component])
    return sp.csr_array((entries, (np.arange(nodes), component)), shape=(nodes, count))


def class_basis(labels: np.ndarray, classes: int) -> np.ndarray:
    """The indicator vector of every class that occurs, of length one."""
    known = np.flatnonzero(labels != UNKNOWN)
    indicator = np.zeros((labels.size, classes))
    indicator[known, labels[known]] = 1
    sizes = indicator.sum(axis=0)
    return indicator[:, sizes > 0] / np.sqrt(sizes[sizes > 0])
