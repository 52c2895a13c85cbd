"""How much floating-point arithmetic can add to the error, proved in advance.

The recurrence x_{k+1} = M x_k − x_{k−1} with M = 4S/Λ − 2I is carried out in float64. With unit
roundoff u, one step commits an error of 2-norm at most u·κ·‖h‖, where

    κ = ‖ diag(m + 2) M_off ‖₂ + κ_dense + 17,

m_i counts the stored off-diagonal entries of row i (each sum of m_i products errs by at most
m_i u relative to the sum of magnitudes; the diagonal entry is added last and costs a constant),
and κ_dense is the same for the two inner products of a rank-two part. An error made at step j
reaches T_k multiplied by the Chebyshev polynomial U_{k−j}, at most k − j + 1. Summed over all steps
and weighted with |c_k|, using Σ |c_k| k² = z and Σ |c_k| k ≤ √z, the total is below
u·κ·(z + √z)/2·‖h‖. Nothing in this depends on the order in which a row's products are added up, so
it holds for every library that multiplies, on any number of threads; only the diagonal must come
after the rest, and x_{k−1} last.

With long rows of M_off cut into pieces of at most b entries (`gdr_core.products.cut`), the first
part of κ is ‖diag(min(m, b) + 2 + a) M_off‖₂, a counting the additions of pieces that follow each
other. With the pieces summed in float32, unit roundoff v = 2⁻²⁴, a step errs by at most

    v·κ'·‖h‖ more,      κ' = ‖ diag(min(m, b) + 2) M_off ‖₂,

and the sum over all steps is the same. Since Λ is large where S has hubs, M_off = −4W/Λ is small:
that, and the short pieces, is what makes float32 useful here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians.operator import Laplacian
from gdr_core.products import LARGE, CutProduct, cut

UNIT = np.finfo(np.float64).eps / 2
_NORM_STEPS = 12


def recurrence_bound(laplacian: Laplacian, half: float, precision: str = "float64") -> float:
    """Bound on the rounding error of the recurrence for starting vectors of norm one.

    half is z = t_max Λ/2; precision is that of the off-diagonal products.
    """
    if half == 0:
        return 0.0
    lengths = np.diff(laplacian.weights.indptr)
    pieces = precision != "float64"
    inside = cut.factors(lengths) + cut.additions(lengths) if pieces else lengths + 2.0
    step = _weighted_norm(laplacian, inside) + _dense_part(laplacian) + 17
    if precision != "float32":
        return 1.01 * UNIT * step * (half + np.sqrt(half)) / 2
    local = UNIT * (step + 1) + _single_part(laplacian, lengths)
    return _swollen(local, half) * local * (half + np.sqrt(half)) / 2


def _single_part(laplacian: Laplacian, lengths: np.ndarray) -> float:
    """v·κ' and what numbers below the smallest of float32 can add, for vectors of norm one."""
    kappa = _weighted_norm(laplacian, cut.factors(lengths))
    lost = np.sqrt(laplacian.nodes) * (int(lengths.max(initial=0)) + 1) * cut.LOST
    return 1.001 * float(np.finfo(np.float32).eps) / 2 * kappa + float(lost)


def _swollen(local: float, half: float) -> float:
    """How much errors of earlier steps can lengthen the vectors that a step rounds, ∞ if no bound.

    After K steps they have grown by at most e = local·(K + 1)²/2 of the lengthened vector itself,
    so by a factor 1/(1 − e); no series here has more than √(90 z) + 60 terms, for which its tail is
    below 10⁻¹⁸.
    """
    terms = np.sqrt(90 * half) + 61
    growth = local * terms**2 / 2
    return float(1 / (1 - growth)) if growth < 1 else np.inf


def _weighted_norm(laplacian: Laplacian, factors: np.ndarray) -> float:
    """‖diag(factors) · 4W/Λ‖₂ from above, by Collatz and Wielandt on its square."""
    weights = laplacian.weights
    if weights.nnz == 0:
        return 0.0
    squared = _squared(laplacian, factors)
    active = np.flatnonzero(np.diff(weights.indptr) > 0)
    vector = np.where(np.diff(weights.indptr) > 0, 1.0, 0.0)
    best = np.inf
    for _ in range(_NORM_STEPS):
        image = squared(vector)
        best = min(best, float((image[active] / vector[active]).max()))
        vector = image / image.max()
        if vector[active].min() < 1e-200:
            break
    return 4 / laplacian.upper_bound * np.sqrt(best) * 1.001


def _squared(laplacian: Laplacian, factors: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """x ↦ W diag(factors)² W x; for large graphs without a second copy of W."""
    weights = laplacian.weights
    if weights.nnz >= LARGE or not sp.issparse(weights):
        return lambda vector: laplacian.product(factors**2 * laplacian.product(vector))
    rows = np.repeat(factors, np.diff(weights.indptr))
    matrix = sp.csr_array((weights.data * rows, weights.indices, weights.indptr), weights.shape)
    transposed = sp.csr_array(matrix.T)
    return lambda vector: transposed @ (matrix @ vector)


def _dense_part(laplacian: Laplacian) -> float:
    """κ_dense: inner products over N nodes in blocks of about √N, then the outer products."""
    if laplacian.rank_two is None:
        return 0.0
    size = 2 * np.linalg.norm(laplacian.rank_two.a) * np.linalg.norm(laplacian.rank_two.b)
    terms = 2 * max(np.sqrt(laplacian.nodes), 1024) + 8
    return float(4 / laplacian.upper_bound * size * terms)


def null_residual(laplacian: Laplacian, precision: str = "float64") -> float:
    """‖S n‖₂ as stored, for the bound |e^{−tS} n − n| ≤ t ‖S n‖₂, plus its own rounding."""
    if precision != "float64":
        return _null_residual_in_pieces(laplacian)
    image = laplacian.apply_symmetric(laplacian.null)
    longest = int(np.diff(laplacian.weights.indptr).max(initial=0)) + 4
    longest += _inner_terms(laplacian)
    size = laplacian.rates * laplacian.null
    return float(np.linalg.norm(image) + 2 * UNIT * longest * np.linalg.norm(size))


def _null_residual_in_pieces(laplacian: Laplacian) -> float:
    """The same with rows in pieces, whose rounding is smaller."""
    null, lengths = laplacian.null, np.diff(laplacian.weights.indptr)
    size = laplacian.rates * null
    image = size - CutProduct(laplacian.weights)(null[:, None])[:, 0]
    if laplacian.rank_two is not None:
        image -= laplacian.rank_two.apply(null)
    units = cut.factors(lengths) + cut.additions(lengths) + 4 + _inner_terms(laplacian)
    return float(np.linalg.norm(image) + 2 * UNIT * np.linalg.norm(units * size))


def _inner_terms(laplacian: Laplacian) -> int:
    """How many additions the inner products of a rank-two part have in a row."""
    return 0 if laplacian.rank_two is None else int(2 * max(np.sqrt(laplacian.nodes), 1024))
