"""The heat kernel in Chebyshev polynomials, for many times at once.

On the spectrum [0, Λ] of a Laplacian S put X = 2S/Λ − I. Then, with z = tΛ/2,

    e^{−tS} = Σ_k c_k(t) T_k(X),      c_k(t) = (2 − δ_{k0}) (−1)^k e^{−z} I_k(z),

where I_k is the modified Bessel function. The matrices T_k(X) do not depend on t: one sequence of
products serves every time. Since |T_k| ≤ 1 on [−1, 1] and Σ_k |c_k| = 1, the error of cutting the
series is at most the sum of the coefficients that were left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import i0e, ive

_OVERSAMPLING = 8
_MOST_CELLS = 1e8
_STRETCH = 64


@dataclass(frozen=True, eq=False)
class TimeBasis:
    """Coefficients of many times, factorised: c_k(t) ≈ Σ_m mixing[t, m] · modes[m, k].

    The functions e^{−tλ} of many times t are far from independent, so a matrix of coefficients
    with hundreds of rows and columns has rank of a few dozen to any useful accuracy. Only the
    `modes` are accumulated during the recurrence; times are mixed from them afterwards. They are
    turned so that late terms, which only the longest times need, enter only the first few modes:
    term k enters the first `active[k]`, and `active` falls with k.

    truncation    bound on Σ_{k>K} |c_k(t)| over all times
    compression   largest Σ_k |c_k(t) − (mixing·modes)_{tk}| over all times, measured
    """

    mixing: np.ndarray
    modes: np.ndarray
    active: np.ndarray
    truncation: float
    compression: float

    @property
    def products(self) -> int:
        """Number of sparse products that the basis needs."""
        return self.modes.shape[1] - 1


def coefficients(times: np.ndarray, upper_bound: float, terms: int) -> np.ndarray:
    """c_k(t) for k = 0 … terms, shape (times, terms + 1).

    Ratios r_k = I_k/I_{k−1} follow from r_k = z / (2k + z r_{k+1}), downwards, where the recurrence
    is stable; their products give every I_k from I_0 without overflow.
    """
    half = np.asarray(times, dtype=np.float64) * upper_bound / 2
    ratios = np.empty((terms + 1, half.size))
    ratio = _top_ratio(half, terms + 1)
    for k in range(terms, 0, -1):
        ratio = half / (2 * k + half * ratio)
        ratios[k] = ratio
    ratios[0] = i0e(half)
    result = np.cumprod(ratios, axis=0)
    result[1:] *= 2
    result[1::2] *= -1
    return np.ascontiguousarray(result.T)


def _top_ratio(half: np.ndarray, order: int) -> np.ndarray:
    """I_order(z)/I_{order−1}(z), from SciPy, or its leading behaviour where both underflow."""
    below, above = ive(order - 1, half), ive(order, half)
    usable = below > 1e-250
    asymptotic = half / (order + np.hypot(order, half))
    return np.divide(above, below, out=asymptotic, where=usable)


def tail_bounds(half: float, terms: int) -> np.ndarray:
    """For each K = 0 … terms a bound on Σ_{k>K} |c_k| at z = half.

    I_{k+1}/I_k < z/(k + √(k² + z²)) =: ρ_k falls with k (Amos 1974), so the tail is below the
    geometric sum |c_K| ρ_K / (1 − ρ_K).
    """
    magnitude = np.abs(coefficients(np.array([half]), 2.0, terms))[0]
    magnitude[0] *= 2
    k = np.arange(terms + 1)
    ratio = half / (k + np.hypot(k, half)) if half > 0 else np.zeros(terms + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(ratio < 1, magnitude * ratio / (1 - ratio), np.inf)


def terms_needed(half: float, tolerance: float) -> tuple[int, float]:
    """The smallest K whose tail is below the tolerance at z = half, and that tail's bound.

    Smaller times have smaller tails, so the largest time decides.
    """
    logarithm = np.log(4 / tolerance)
    guess = int(np.sqrt(2 * half * logarithm) + logarithm) + 10
    while True:
        tails = tail_bounds(half, guess)
        enough = np.flatnonzero(tails <= tolerance)
        if enough.size:
            return int(enough[0]), float(tails[enough[0]])
        guess = 2 * guess


def time_basis(times: np.ndarray, upper_bound: float, tolerance: float) -> TimeBasis:
    """A factorised basis for the given times with total error below `tolerance` (in the 2-norm,
    for starting vectors of norm one): half of it for the cut, half for the factorisation."""
    half = float(times[-1]) * upper_bound / 2
    if (cells := times.size * np.sqrt(half * np.log(4 / tolerance))) > _MOST_CELLS:
        raise ValueError(
            f"{times.size:,} times up to {times[-1]:.3g} would need about {cells:.1e} coefficients "
            "on this graph; use fewer or earlier times"
        )
    terms, truncation = terms_needed(half, tolerance / 2)
    full = coefficients(times, upper_bound, terms)
    mixing, modes = _factorise(full, tolerance / 4)
    mixing, modes, active = _staircase(mixing, modes, tolerance / 4)
    return TimeBasis(mixing, modes, active, truncation, _row_error(full, mixing, modes))


def _factorise(full: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """full ≈ mixing · modes with every row's absolute error, summed, below the tolerance.

    A random projection finds the row space; the residual is then measured, not estimated, so the
    bound holds whatever the random numbers were. The columns of `mixing` are orthonormal.
    """
    rows, columns = full.shape
    generator = np.random.default_rng(0)
    width = 24
    while width + _OVERSAMPLING < min(rows, columns):
        probe = generator.standard_normal((columns, width + _OVERSAMPLING))
        mixing, _ = np.linalg.qr(full @ probe)
        modes = mixing.T @ full
        if _row_error(full, mixing, modes) <= tolerance:
            return trim(full, mixing, modes, tolerance)
        width *= 2
    return np.eye(rows), full


def trim(
    full: np.ndarray, mixing: np.ndarray, modes: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """The same factorisation with as few modes as the tolerance allows."""
    left, values, right = np.linalg.svd(modes, full_matrices=False)
    mixing, modes = mixing @ left, values[:, None] * right
    low, high = 1, values.size
    while low < high:
        rank = (low + high) // 2
        if _row_error(full, mixing[:, :rank], modes[:rank]) <= tolerance:
            high = rank
        else:
            low = rank + 1
    return np.ascontiguousarray(mixing[:, :high]), np.ascontiguousarray(modes[:high])


def _staircase(
    mixing: np.ndarray, modes: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Turn the modes so that each stretch of terms enters only the first few, and how many.

    From the last stretch to the first: what a stretch has outside the directions found so far is
    decomposed, and directions with singular values above a threshold are added. What lies below is
    set to zero. With R modes in stretches of s terms that changes a stretch by at most √R · θ in
    the Frobenius norm, hence all K terms of a row, summed, by at most K √(R/s) θ.
    """
    rank, terms = modes.shape
    threshold = tolerance / (terms * max(np.sqrt(rank / _STRETCH), 1.0))
    turn = np.empty((rank, 0))
    active = np.empty(terms, dtype=np.intp)
    for begin in reversed(range(0, terms, _STRETCH)):
        piece = modes[:, begin : begin + _STRETCH]
        left, values, _ = np.linalg.svd(piece - turn @ (turn.T @ piece), full_matrices=False)
        fresh = left[:, : np.count_nonzero(values > threshold)]
        turn, _ = np.linalg.qr(np.hstack([turn, fresh]))
        active[begin : begin + _STRETCH] = turn.shape[1]
    turned = turn.T @ modes
    turned[np.arange(turn.shape[1])[:, None] >= active] = 0.0
    return mixing @ turn, turned, active


def _row_error(full: np.ndarray, mixing: np.ndarray, modes: np.ndarray) -> float:
    """max over rows of Σ_k |full − mixing·modes|."""
    return float(np.abs(full - mixing @ modes).sum(axis=1).max())
