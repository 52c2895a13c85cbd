"""How much floating-point arithmetic can add to the error, proved in advance.

The recurrence x_{k+1} = M x_k − x_{k−1} with M = 4S/Λ − 2I is carried out in float64. With unit
roundoff u, one step commits an error of 2-norm at most u·κ·‖h‖, where

    κ = ‖ diag(m + 2) M_off ‖₂ + κ_dense + 17,

m_i counts the stored off-diagonal entries of row i (each sum of m_i products errs by at most
m_i u relative to the sum of magnitudes; the diagonal entry is added last and costs a constant),
and κ_dense is the same for the two inner products of a rank-two part. An error made at step j
reaches T_k multiplied by the Chebyshev polynomial U_{k−j}, at most k − j + 1. Summed over all steps
and weighted with |c_k|, using Σ |c_k| k² = z and Σ |c_k| k ≤ √z, the total is below
u·κ·(z + √z)/2·‖h‖.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians.operator import Laplacian

UNIT = np.finfo(np.float64).eps / 2
_NORM_STEPS = 12


def recurrence_bound(laplacian: Laplacian, half: float) -> float:
    """Bound on the rounding error of the recurrence for starting vectors of norm one.

    half is z = t_max Λ/2.
    """
    if half == 0:
        return 0.0
    step = _weighted_norm(laplacian) + _dense_part(laplacian) + 17
    return 1.01 * UNIT * step * (half + np.sqrt(half)) / 2


def _weighted_norm(laplacian: Laplacian) -> float:
    """‖diag(m + 2) · 4W/Λ‖₂ from above, by Collatz and Wielandt on its square."""
    weights = laplacian.weights
    if weights.nnz == 0:
        return 0.0
    lengths = np.diff(weights.indptr) + 2.0
    rows = np.repeat(lengths, np.diff(weights.indptr))
    matrix = sp.csr_array((weights.data * rows, weights.indices, weights.indptr), weights.shape)
    transposed = sp.csr_array(matrix.T)
    active = np.flatnonzero(np.diff(weights.indptr) > 0)
    vector = np.where(np.diff(weights.indptr) > 0, 1.0, 0.0)
    best = np.inf
    for _ in range(_NORM_STEPS):
        image = transposed @ (matrix @ vector)
        best = min(best, float((image[active] / vector[active]).max()))
        vector = image / image.max()
        if vector[active].min() < 1e-200:
            break
    return 4 / laplacian.upper_bound * np.sqrt(best) * 1.001


def _dense_part(laplacian: Laplacian) -> float:
    """κ_dense: inner products over N nodes in blocks of about √N, then the outer products."""
    if laplacian.rank_two is None:
        return 0.0
    size = 2 * np.linalg.norm(laplacian.rank_two.a) * np.linalg.norm(laplacian.rank_two.b)
    terms = 2 * max(np.sqrt(laplacian.nodes), 1024) + 8
    return float(4 / laplacian.upper_bound * size * terms)


def null_residual(laplacian: Laplacian) -> float:
    """‖S n‖₂ as stored, for the bound |e^{−tS} n − n| ≤ t ‖S n‖₂, plus its own rounding."""
    image = laplacian.apply_symmetric(laplacian.null)
    longest = int(np.diff(laplacian.weights.indptr).max(initial=0)) + 4
    if laplacian.rank_two is not None:
        longest += int(2 * max(np.sqrt(laplacian.nodes), 1024))
    size = laplacian.rates * laplacian.null
    return float(np.linalg.norm(image) + 2 * UNIT * longest * np.linalg.norm(size))
