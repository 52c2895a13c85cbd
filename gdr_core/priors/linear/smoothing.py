"""Symmetric matrices P that spread a block of columns over the graph: V ↦ P V.

All are functions of Â = D̄^{−1/2} (A + I) D̄^{−1/2}, D̄ the row sums of A + I. P is symmetric, so
the rows of P X that belong to some nodes are (P E)ᵀ X, with E their columns of the unit matrix:
where there are fewer such nodes than features, that is less work than P X itself.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.record import Dataset
from gdr_core.diffusion import diffuse
from gdr_core.laplacians import Laplacian, make_laplacian
from gdr_core.progress import Progress

Smoothing = Callable[[np.ndarray], np.ndarray]
_COLUMNS = 32  # spread together: as many as fit into a processor's cache
_TOLERANCE = 1e-7


def identity(block: np.ndarray) -> np.ndarray:
    """P = I: the graph is not used."""
    return block


def looped_laplacian(dataset: Dataset) -> Laplacian:
    """L = I − Â; directions are forgotten."""
    return make_laplacian("symmetric", looped(dataset.undirected))


def looped(adjacency: sp.csr_array) -> sp.csr_array:
    """A + I: every node is a neighbour of itself."""
    return sp.csr_array(adjacency + sp.eye_array(adjacency.shape[0]))


def heat(laplacian: Laplacian, time: float) -> Smoothing:
    """P = e^{−tL}."""
    times = np.array([time])

    def smooth(block: np.ndarray) -> np.ndarray:
        return diffuse(laplacian, block, times, tolerance=_TOLERANCE).at(0)

    return smooth if time > 0 else identity


def power(laplacian: Laplacian, steps: int) -> Smoothing:
    """P = (I − L)^K."""

    def smooth(block: np.ndarray) -> np.ndarray:
        for _ in range(steps):
            block = block - laplacian.apply(block)
        return block

    return smooth


def smoothed_rows(
    smooth: Smoothing, features: sp.csr_array, nodes: np.ndarray, progress: Progress
) -> np.ndarray:
    """The rows of P X that belong to the nodes, dense."""
    by_nodes = len(nodes) <= features.shape[1]
    count = len(nodes) if by_nodes else features.shape[1]
    rows = np.empty((len(nodes), features.shape[1]))
    for start in range(0, count, _COLUMNS):
        progress(start / count, "spreading the features")
        some = slice(start, start + _COLUMNS)
        if by_nodes:
            rows[some] = (features.T @ smooth(_unit_columns(features.shape[0], nodes[some]))).T
        else:
            rows[:, some] = smooth(features[:, some].toarray())[nodes]
    return rows


def _unit_columns(size: int, nodes: np.ndarray) -> np.ndarray:
    columns = np.zeros((size, len(nodes)))
    columns[nodes, np.arange(len(nodes))] = 1.0
    return columns
