"""A graph Laplacian as an operator: products, a proved spectral bound, stationary states.

Every Laplacian here is similar to a symmetric matrix with non-positive off-diagonal entries,

    L = diag(s)⁻¹ S diag(s),      S = diag(δ) − W − a bᵀ − b aᵀ,      W, a, b ≥ 0,

with W sparse. The rank-two part carries the teleportation of directed walks and is absent
otherwise. S has the null vector n, S n = 0, positive on every node that has an edge. All that is
needed of a Laplacian follows from these few arrays; nothing of size N×N is ever formed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from gdr_core import gate
from gdr_core.laplacians import spectrum
from gdr_core.products import Product

SCOPES = ("global", "component")


@dataclass(frozen=True, eq=False)
class RankTwo:
    """The dense part a bᵀ + b aᵀ of a Laplacian with teleportation, kept as two vectors."""

    a: np.ndarray
    b: np.ndarray

    @cached_property
    def columns(self) -> np.ndarray:
        """[a b] as an N×2 array, so that the products below are two thin matrix products."""
        return np.column_stack([self.a, self.b])

    def apply(self, block: np.ndarray) -> np.ndarray:
        """(a bᵀ + b aᵀ) @ block = [a b] ([b a]ᵀ block), in O(N) for each column."""
        return self.columns @ self.inner(block)

    def inner(self, block: np.ndarray) -> np.ndarray:
        """[b a]ᵀ block, the short factor of the product."""
        return _blocked_product(self.columns, block)[::-1]

    def scaled(self, factor: float) -> RankTwo:
        """factor · (a bᵀ + b aᵀ)."""
        return RankTwo(factor * self.a, self.b)


@dataclass(frozen=True, eq=False)
class Laplacian:
    """L = diag(s)⁻¹ S diag(s) with S = diag(δ) − W − rank two.

    weights      W, symmetric CSR, entries ≥ 0
    rates        δ, the rate at which a walker leaves each node
    null         n, the null vector of S
    similarity   s, or None where L itself is symmetric
    rank_two     the teleportation part, or None

    >>> import numpy as np
    >>> from gdr_core import make_laplacian
    >>> path = make_laplacian("combinatorial", [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> path.apply(np.array([1.0, 0.0, 0.0]))
    array([ 1., -1.,  0.])
    >>> path.stationary(np.array([[1.0], [0.0], [0.5]])).ravel()
    array([0.5, 0.5, 0.5])
    """

    name: str
    weights: sp.csr_array
    rates: np.ndarray
    null: np.ndarray
    similarity: np.ndarray | None = None
    rank_two: RankTwo | None = None

    @property
    def nodes(self) -> int:
        """Number of nodes, N."""
        return int(self.rates.size)

    @property
    def scaling(self) -> np.ndarray:
        """s as an array, ones where L is symmetric."""
        return np.ones(self.nodes) if self.similarity is None else self.similarity

    @cached_property
    def product(self) -> Product:
        """block ↦ W @ block, by the fastest means at hand."""
        return Product(self.weights)

    def apply_symmetric(self, block: np.ndarray) -> np.ndarray:
        """S @ block for one vector or a block of columns, in O(edges)."""
        product = _outer_scale(self.rates, block) - self.product(block)
        return product if self.rank_two is None else product - self.rank_two.apply(block)

    def apply(self, block: np.ndarray) -> np.ndarray:
        """L @ block for one vector or a block of columns, in O(edges)."""
        block = gate.number_array(block, "the block", 1 if getattr(block, "ndim", 2) == 1 else 2)
        if block.shape[0] != self.nodes:
            raise ValueError(f"the Laplacian has {self.nodes} rows, the block {block.shape[0]}")
        if self.similarity is None:
            return self.apply_symmetric(block)
        lifted = self.apply_symmetric(_outer_scale(self.similarity, block))
        return _outer_scale(1 / self.similarity, lifted)

    def dense(self) -> np.ndarray:
        """L as an N×N array, for small graphs and for checking."""
        return self.apply(np.eye(self.nodes))

    @cached_property
    def upper_bound(self) -> float:
        """A proved upper bound on the largest eigenvalue of L, usually within a few percent."""
        return spectrum.upper_bound(self)

    @cached_property
    def components(self) -> np.ndarray:
        """For each node the number of its connected component; the largest component is 0."""
        return spectrum.components(self)

    @cached_property
    def gap(self) -> float:
        """λ₂: the smallest positive eigenvalue on the largest component; 0 with no edges."""
        return spectrum.gap(self)

    @property
    def relaxation_time(self) -> float:
        """1/λ₂ of the largest component, the time scale of the slowest decay (∞ if no edges)."""
        return 1 / self.gap if self.gap > 0 else np.inf

    def stationary(self, scores: np.ndarray, scope: str = "global") -> np.ndarray:
        """π, where the diffusion of `scores` ends: one row per node, one column per class.

        With right null vector r = n/s and left null vector w = n·s of L,
        π = r (wᵀ H) / (wᵀ r): for the combinatorial Laplacian the column means of H.
        `global` takes the sums over all nodes, as the paper does; `component` over each connected
        component, which is the true limit of a graph in several pieces.
        """
        gate.check_name(scope, "stationary scope", SCOPES)
        scores = gate.number_array(scores, "scores", 2)
        if scores.shape[0] != self.nodes:
            raise ValueError(f"scores must have shape ({self.nodes}, classes), got {scores.shape}")
        groups = self.components if scope == "component" else np.zeros(self.nodes, dtype=np.intp)
        count = int(groups.max(initial=0)) + 1
        right, left = self.null / self.scaling, self.null * self.scaling
        gather = sp.csr_array((left, (groups, np.arange(self.nodes))), shape=(count, self.nodes))
        mass = gather @ scores
        norm = gather @ right
        level = np.divide(mass, norm[:, None], out=np.zeros_like(mass), where=norm[:, None] > 0)
        return right[:, None] * level[groups]


def _outer_scale(factor: np.ndarray, block: np.ndarray) -> np.ndarray:
    """diag(factor) @ block for a vector or a block of columns."""
    return factor * block if block.ndim == 1 else factor[:, None] * block


def _blocked_product(columns: np.ndarray, block: np.ndarray) -> np.ndarray:
    """columnsᵀ @ block, summed in √N pieces.

    The rounding error of a sum of N terms grows with N; in two levels of about √N terms each it
    grows with 2√N, which keeps the certified bound useful on graphs with a million nodes.
    """
    nodes = columns.shape[0]
    size = max(int(np.sqrt(nodes)), 1024)
    pieces = [columns[i : i + size].T @ block[i : i + size] for i in range(0, nodes, size)]
    return np.sum(pieces, axis=0) if pieces else columns.T @ block
