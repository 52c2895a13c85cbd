"""Chung's Laplacian of a directed graph, sparse plus rank two.

The walk follows an edge with probability α and otherwise jumps to a node drawn uniformly; from a
dangling node (no outgoing edge) it always jumps:

    P = α D⁺ A + g 1ᵀ/N,      g = (1 − α) 1 + α [d = 0],      d = A 1,

which is equation (17) of the paper. Its stationary distribution φ (φᵀP = φᵀ) is PageRank. With
Φ = diag(φ), B = α Φ D⁺ A, u = φ∘g,

    L = Φ − (Φ P + Pᵀ Φ)/2 = Φ − (B + Bᵀ)/2 − (u 1ᵀ + 1 uᵀ)/(2N),

which is symmetric with L 1 = 0. The scale of L is about 1/N, so absolute times are large; only
times relative to the relaxation time mean something across graphs. The normalised form
Φ^{-1/2} L Φ^{-1/2} gives every node rate one, and its null vector is √φ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from numbers import Real

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

from gdr_core import gate
from gdr_core.laplacians.operator import Laplacian, RankTwo
from gdr_core.laplacians.undirected import scale_both_sides
from gdr_core.products import Product

ALPHA = 0.85  # the paper's
PAGERANK_STEPS = 100_000
_MANY_STEPS = 10_000
SMALL = 2000  # nodes: the factors of its matrix always fit
_ROUNDING = 1e-14


def directed(adjacency: sp.csr_array, alpha: float) -> Laplacian:
    """L_dir = Φ − (Φ P + Pᵀ Φ)/2, equation (18): the paper's choice for directed graphs."""
    sparse, uniform, _ = _circulation(adjacency, alpha)
    ones = np.ones(adjacency.shape[0])
    return from_parts("directed", sparse, RankTwo(uniform, ones), ones)


def directed_normalised(adjacency: sp.csr_array, alpha: float) -> Laplacian:
    """Φ^{-1/2} L_dir Φ^{-1/2}: every node is left at rate one."""
    sparse, uniform, rank = _circulation(adjacency, alpha)
    root = np.sqrt(rank)
    inverse = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
    plain = from_parts("directed", sparse, RankTwo(uniform, np.ones_like(root)), np.ones_like(root))
    return Laplacian(
        name="directed-normalised",
        weights=scale_both_sides(sparse, inverse),
        rates=plain.rates * inverse**2,
        null=np.where(root > 0, root, 1.0),
        rank_two=RankTwo(uniform * inverse, inverse),
    )


def directed_random_walk(adjacency: sp.csr_array, alpha: float) -> Laplacian:
    """Φ^{-1} L_dir = I − (P + P*)/2 with P* = Φ^{-1} Pᵀ Φ the walk backwards in time.

    It averages over the nodes before and after, as the undirected random walk does over
    neighbours: L 1 = 0. Similar to the normalised form, L = Φ^{-1/2} (…) Φ^{1/2}.
    """
    form = directed_normalised(adjacency, alpha)
    return replace(form, name="directed-random-walk", similarity=form.null)


def from_parts(name: str, sparse: sp.csr_array, rank_two: RankTwo, null: np.ndarray) -> Laplacian:
    """diag(δ) − W − a bᵀ − b aᵀ with δ the row sums, so that L 1 = 0 holds to rounding.

    In exact arithmetic δ = φ; taking the row sums keeps the null vector exact even though φ is
    known only to about sixteen digits.
    """
    rates = np.asarray(sparse.sum(axis=1)).ravel() + rank_two.apply(null)
    return Laplacian(name=name, weights=sparse, rates=rates, null=null, rank_two=rank_two)


def _circulation(
    adjacency: sp.csr_array, alpha: float
) -> tuple[sp.csr_array, np.ndarray, np.ndarray]:
    """(B + Bᵀ)/2, u/(2N) and φ: the sparse and the uniform part of the symmetrised flow."""
    nodes = adjacency.shape[0]
    rank = _settled(adjacency, alpha)
    out_degree = np.asarray(adjacency.sum(axis=1)).ravel()
    share = np.divide(rank, out_degree, out=np.zeros(nodes), where=out_degree > 0)
    flow = sp.csr_array(sp.diags_array(alpha * share) @ adjacency)
    jump = rank * ((1 - alpha) + alpha * (out_degree == 0))
    return sp.csr_array((flow + flow.T) / 2), jump / (2 * nodes), rank


def pagerank(adjacency: sp.csr_array, alpha: float = ALPHA) -> np.ndarray:
    """φ with φᵀP = φᵀ and Σφ = 1, by power iteration from the uniform distribution.

    The error shrinks by α each step. With α = 1 nothing forces convergence, so the lazy walk
    (I + P)/2 is used, which has the same φ and no oscillation. A change of a few units of rounding
    that shrinks no more is rounding itself, and so is every change after so many steps that α^steps
    is nothing. Where α is so close to 1 that this takes long, a small graph's linear system is
    solved instead.
    """
    return _settled(gate.adjacency_matrix(adjacency), check_alpha(alpha))


def _settled(adjacency: sp.csr_array, alpha: float) -> np.ndarray:
    """`pagerank` of what has been checked."""
    nodes = adjacency.shape[0]
    if nodes == 0:
        return np.zeros(0)
    incoming, dangling = _transitions(adjacency)
    if _MANY_STEPS < _enough_steps(alpha) < np.inf and nodes <= SMALL:
        return _solved(incoming, alpha)
    return walked(Product(incoming), dangling, alpha)


def walked(
    product: Callable[[np.ndarray], np.ndarray], dangling: np.ndarray, alpha: float
) -> np.ndarray:
    """φ by power iteration: `product` is rank ↦ (D⁺A)ᵀ rank, `dangling` where no edge leaves."""
    nodes, laziness, steps = dangling.size, 0.5 if alpha == 1 else 0.0, _enough_steps(alpha)
    rank, previous = np.full(nodes, 1 / nodes), np.inf
    for _ in range(int(min(steps, PAGERANK_STEPS))):
        jump = (1 - alpha) + alpha * float(rank[dangling].sum())
        image = alpha * product(rank) + jump / nodes
        image = laziness * rank + (1 - laziness) * image / image.sum()
        change = np.abs(image - rank).sum()
        rank = image
        if change < 4e-16 * max(np.log2(nodes + 1), 4) or previous <= change < _ROUNDING:
            return rank / rank.sum()
        previous = change
    if steps <= PAGERANK_STEPS:
        return rank / rank.sum()
    raise ValueError(
        f"PageRank did not settle in {PAGERANK_STEPS} steps with alpha = {alpha}: on this graph a "
        "walk that hardly ever jumps forgets too slowly where it began; use a smaller alpha, for "
        f"example {ALPHA}"
    )


def _transitions(adjacency: sp.csr_array) -> tuple[sp.csr_array, np.ndarray]:
    """(D⁺A)ᵀ, and which nodes no edge leaves."""
    out_degree = np.asarray(adjacency.sum(axis=1)).ravel()
    inverse = inverted(out_degree)
    return sp.csr_array((sp.diags_array(inverse) @ adjacency).T), out_degree == 0


def inverted(out_degree: np.ndarray) -> np.ndarray:
    """D⁺: one over each sum of outgoing weights, 0 where there are none."""
    with np.errstate(over="ignore"):
        inverse = np.divide(1.0, out_degree, out=np.zeros(out_degree.size), where=out_degree > 0)
    if not (np.isfinite(out_degree).all() and np.isfinite(inverse).all()):
        raise ValueError(
            "PageRank divides by the sum of a node's edge weights, which here is too large or too "
            "small for that; multiply all weights by one number that brings them closer to 1"
        )
    return inverse


def _enough_steps(alpha: float) -> float:
    """Steps after which 2 α^steps, a bound on the error, is far below rounding."""
    return np.inf if alpha == 1 else 1000 + 2 * np.log(1e-17) / np.log(alpha)


def _solved(incoming: sp.csr_array, alpha: float) -> np.ndarray:
    """φ ∝ (I − α(D⁺A)ᵀ)⁻¹ 1, for α < 1: what dangling nodes give back only scales it."""
    nodes = incoming.shape[0]
    system = sp.csc_array(sp.eye_array(nodes) - alpha * incoming)
    rank = np.atleast_1d(spsolve(system, np.ones(nodes)))
    return rank / rank.sum()


def check_alpha(alpha: float) -> float:
    """A probability of following an edge, or a refusal."""
    if isinstance(alpha, Real) and 0 < alpha <= 1:
        return float(alpha)
    kind = ValueError if isinstance(alpha, Real) else gate.WrongTypeError
    raise kind(f"alpha must lie in (0, 1], got {gate.shown(alpha)}")
