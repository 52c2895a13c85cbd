"""Graph Laplacians as operators: from an adjacency matrix to something that diffuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core import gate
from gdr_core.datasets.record import Dataset
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
_WEIGHTS = 1e100  # the largest weight of an edge, and one over the smallest
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
    gate.check_record(dataset, "dataset", Dataset)
    kind = LAPLACIANS[gate.check_name(name, "Laplacian", LAPLACIANS)]
    return dataset.adjacency if kind.directed else dataset.undirected


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
    kind = LAPLACIANS[gate.check_name(name, "Laplacian", LAPLACIANS)]
    gate.check_name(direction, "direction", DIRECTIONS)
    alpha = check_alpha(alpha)
    matrix = gate.adjacency_matrix(adjacency)
    _check_weights(matrix)
    if kind.directed:
        return kind.build(sp.csr_array(matrix.T) if direction == "backward" else matrix, alpha)
    if not _is_symmetric(matrix):
        raise ValueError(
            f"the {name} Laplacian needs a symmetric adjacency; this one has directions. Use "
            "'directed' or 'directed-normalised', or forget the directions first (A maximum Aᵀ)"
        )
    return kind.build(matrix)


def _check_weights(matrix: sp.csr_array) -> None:
    """Refuse weights whose sums and quotients float64 cannot hold."""
    low, high = (matrix.data.min(), matrix.data.max()) if matrix.nnz else (1.0, 1.0)
    if not 1 / _WEIGHTS <= low <= high <= _WEIGHTS:
        raise ValueError(
            f"edge weights must lie between {1 / _WEIGHTS:g} and {_WEIGHTS:g}, got {low:g} to "
            f"{high:g}; multiply all of them by one number that brings them closer to 1"
        )


def _is_symmetric(matrix: sp.csr_array) -> bool:
    """Whether A = Aᵀ exactly."""
    flipped = sp.csr_array(matrix.T)
    flipped.sort_indices()
    return (
        np.array_equal(matrix.indptr, flipped.indptr)
        and np.array_equal(matrix.indices, flipped.indices)
        and np.array_equal(matrix.data, flipped.data)
    )
