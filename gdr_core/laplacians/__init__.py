"""Graph Laplacians as operators: from an adjacency matrix to something that diffuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians.directed import (
    ALPHA,
    check_alpha,
    directed,
    directed_normalised,
    directed_random_walk,
    pagerank,
)
from gdr_core.laplacians.operator import SCOPES, Laplacian, RankTwo
from gdr_core.laplacians.undirected import combinatorial, max_entropy, random_walk, symmetric

if TYPE_CHECKING:
    from gdr_core.datasets import Dataset

__all__ = [
    "ALPHA",
    "DIRECTIONS",
    "LAPLACIANS",
    "SCOPES",
    "WALKS",
    "Laplacian",
    "LaplacianKind",
    "RankTwo",
    "adjacency_for",
    "as_adjacency",
    "fitting",
    "make_laplacian",
    "pagerank",
]


@dataclass(frozen=True)
class LaplacianKind:
    """One way to make a Laplacian: how to build it, for which graphs, its formula in words.

    horizon is how many relaxation times are worth looking at by default. With teleportation nodes
    differ widely in rate, and overshoots that matter still happen when the slowest mode is gone.
    """

    build: Callable[..., Laplacian]
    directed: bool
    formula: str
    horizon: float = 1.0


LAPLACIANS: dict[str, LaplacianKind] = {
    "combinatorial": LaplacianKind(combinatorial, False, "D − A"),
    "symmetric": LaplacianKind(symmetric, False, "I − D^(−1/2) A D^(−1/2)"),
    "random-walk": LaplacianKind(random_walk, False, "I − D^(−1) A"),
    "max-entropy": LaplacianKind(max_entropy, False, "I − A/ρ(A)"),
    "directed": LaplacianKind(directed, True, "Φ − (ΦP + PᵀΦ)/2", horizon=20.0),
    "directed-normalised": LaplacianKind(
        directed_normalised, True, "I − Φ^(−1/2) (ΦP + PᵀΦ) Φ^(−1/2) / 2", horizon=3.0
    ),
    "directed-random-walk": LaplacianKind(
        directed_random_walk, True, "I − (P + Φ^(−1) Pᵀ Φ) / 2", horizon=3.0
    ),
}
# Ways to walk a graph: along its arrows or against them; networks also without regard to them, or
# both ways with weights of their own.
DIRECTIONS = ("forward", "backward")
WALKS = ("undirected", *DIRECTIONS, "augmented")


def fitting(directed: bool) -> tuple[str, ...]:
    """The Laplacians for a graph with or without directions, the usual one first.

    Undirected ones fit every graph: directions are forgotten first (see `adjacency_for`).
    """
    names = [name for name, kind in LAPLACIANS.items() if directed or not kind.directed]
    return tuple(sorted(names, key=lambda name: not LAPLACIANS[name].directed))


def adjacency_for(name: str, dataset: Dataset) -> sp.csr_array:
    """The adjacency that a Laplacian is made of: undirected kinds forget the directions."""
    return dataset.adjacency if LAPLACIANS[name].directed else dataset.undirected


def make_laplacian(
    name: str, adjacency: Any, *, direction: str = "forward", alpha: float = ALPHA
) -> Laplacian:
    """The Laplacian called `name` of a graph.

    adjacency   SciPy sparse or NumPy matrix, weights ≥ 0; symmetric unless the kind is directed
    direction   `forward` walks along A, `backward` along Aᵀ (directed kinds only)
    alpha       probability of following an edge rather than teleporting (directed kinds only)

    Two nodes joined by an edge level out at rate two:

    >>> from gdr_core import make_laplacian
    >>> laplacian = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    >>> laplacian.dense()
    array([[ 1., -1.],
           [-1.,  1.]])
    >>> float(laplacian.gap)
    2.0
    """
    if name not in LAPLACIANS:
        raise ValueError(f"unknown Laplacian {name!r}; there are {', '.join(LAPLACIANS)}")
    if direction not in DIRECTIONS:
        raise ValueError(f"unknown direction {direction!r}; there are {', '.join(DIRECTIONS)}")
    check_alpha(alpha)
    kind = LAPLACIANS[name]
    matrix = as_adjacency(adjacency)
    if kind.directed:
        return kind.build(sp.csr_array(matrix.T) if direction == "backward" else matrix, alpha)
    if not _is_symmetric(matrix):
        raise ValueError(
            f"the {name} Laplacian needs a symmetric adjacency; this one has directions. Use "
            "'directed' or 'directed-normalised', or forget the directions first (A maximum Aᵀ)"
        )
    return kind.build(matrix)


def as_adjacency(adjacency: Any) -> sp.csr_array:
    """A checked CSR copy of an adjacency: square, finite, no negative weight, no stored zeros."""
    matrix = sp.csr_array(adjacency, dtype=np.float64, copy=True)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"the adjacency must be a square matrix, got shape {matrix.shape}")
    if not np.isfinite(matrix.data).all():
        raise ValueError("the adjacency has entries that are NaN or infinite")
    if matrix.data.size and matrix.data.min() < 0:
        raise ValueError(f"edge weights must not be negative, got {matrix.data.min()}")
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def _is_symmetric(matrix: sp.csr_array) -> bool:
    """Whether A = Aᵀ exactly."""
    flipped = sp.csr_array(matrix.T)
    flipped.sort_indices()
    return (
        np.array_equal(matrix.indptr, flipped.indptr)
        and np.array_equal(matrix.indices, flipped.indices)
        and np.array_equal(matrix.data, flipped.data)
    )
