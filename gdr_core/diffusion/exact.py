"""Whether an impulse ever lifts a node above its long-run value: decided for all times at once.

For small graphs the eigenvectors of S = diag(s) L diag(s)⁻¹ give the excess of node j after an
impulse at i in closed form,

    f_j(t) = (e^{−tL})_{ji} − π_j = Σ_k c_k e^{−λ_k t},   c_k = (s_i/s_j) u_k(i) u_k(j),   λ_k > 0.

What is proved: f_j(t) ≤ tolerance for **all** t ≥ 0, not only at times that were tried. Each term
is monotone in t, so on an interval [a, b]

    f_j(t) ≤ Σ_{c_k > 0} c_k e^{−λ_k a} + Σ_{c_k < 0} c_k e^{−λ_k b},

and intervals where this bound is too weak are halved until it is not, or until a time with
f_j > tolerance turns up. Beyond T = ln(Σ_{c_k > 0} c_k / tolerance) / λ₂ the positive terms
together are below the tolerance, which is far above what rounding in some hundred terms can do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.laplacians.operator import Laplacian

LARGEST = 400  # nodes, up to which eigenvectors are taken
TOLERANCE = 1e-10
_SAME_RATE = 1e-12  # of the largest rate
FIRST_TIMES = 300
ROUNDS = 60
_MOST_INTERVALS = 20_000


@dataclass(frozen=True, eq=False)
class _Modes:
    """f_j(t) = Σ_k coefficients[j, k] e^{−rates[k] t} for some nodes j; rates ascend from λ₂."""

    rates: np.ndarray
    coefficients: np.ndarray

    def at(self, times: np.ndarray) -> np.ndarray:
        """f_j at the given times, shape (nodes, times)."""
        return self.coefficients @ np.exp(-np.outer(self.rates, times))

    def of(self, row: int) -> _Modes:
        """The same for one of the nodes."""
        return _Modes(self.rates, self.coefficients[row : row + 1])


@dataclass(frozen=True, eq=False)
class Ever:
    """What f_j does over all times; one entry for each node.

    overshoots   f_j > tolerance at some time: a time with that value was found
    never        f_j ≤ tolerance at all times: proved
    peak_time    when f_j is largest of all times that were tried, in the time of the Laplacian
    height       f_j there
    """

    overshoots: np.ndarray
    never: np.ndarray
    peak_time: np.ndarray
    height: np.ndarray


def modes(laplacian: Laplacian, source: int, nodes: np.ndarray) -> _Modes:
    """The decaying part of an impulse at nodes of the source's component."""
    inside = np.flatnonzero(laplacian.components == laplacian.components[source])
    if inside.size > LARGEST:
        raise ValueError(f"eigenvectors are taken up to {LARGEST} nodes, got {inside.size}")
    rates, vectors = _eigenvectors(laplacian, inside)
    place = np.searchsorted(inside, nodes)
    if not np.array_equal(inside[np.minimum(place, inside.size - 1)], nodes):
        raise ValueError("some nodes are not in the component of the source")
    scale = laplacian.scaling
    start = vectors[np.searchsorted(inside, source)] * scale[source]
    return _merged(rates[1:], (vectors[place] * start / scale[nodes][:, None])[:, 1:])


def ever(found: _Modes, tolerance: float = TOLERANCE) -> Ever:
    """Decide for every node whether f_j exceeds the tolerance at any time."""
    times = _times(found, tolerance)
    values = found.at(times)
    highest = values.argmax(axis=1)
    height, peak_time = values.max(axis=1), times[highest]
    overshoots = height > tolerance
    never = np.zeros(height.size, dtype=bool)
    for row in np.flatnonzero(~overshoots).tolist():
        never[row], time = _prove(found.of(row), times, tolerance)
        if time is not None:
            overshoots[row], peak_time[row] = True, time
    for row in np.flatnonzero(overshoots).tolist():
        peak_time[row], height[row] = _sharpen(found.of(row), peak_time[row], times)
    return Ever(overshoots, never, peak_time, height)


def _eigenvectors(laplacian: Laplacian, inside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of S on one component, ascending, and its eigenvectors as columns."""
    block = np.zeros((laplacian.nodes, inside.size))
    block[inside, np.arange(inside.size)] = 1.0
    matrix = laplacian.apply_symmetric(block)[inside]
    return tuple(np.linalg.eigh((matrix + matrix.T) / 2))  # type: ignore[return-value]


def _merged(rates: np.ndarray, coefficients: np.ndarray) -> _Modes:
    """Terms of the same rate, to rounding, as one: within an eigenspace they cancel exactly."""
    if not rates.size:
        return _Modes(rates, coefficients)
    first = np.concatenate([[True], np.diff(rates) > _SAME_RATE * rates[-1]])
    starts = np.flatnonzero(first)
    return _Modes(rates[starts], np.add.reduceat(coefficients, starts, axis=1))


def _times(found: _Modes, tolerance: float) -> np.ndarray:
    """0 and a logarithmic grid up to the time beyond which nothing exceeds the tolerance."""
    if not found.rates.size:
        return np.zeros(1)
    most = np.maximum(found.coefficients, 0).sum(axis=1).max(initial=0.0)
    last = max(np.log(max(most / tolerance, 2.0)), 1.0) / found.rates[0]
    return np.concatenate([[0.0], np.geomspace(1e-4 / found.rates[-1], last, FIRST_TIMES)])


def _prove(found: _Modes, times: np.ndarray, tolerance: float) -> tuple[bool, float | None]:
    """Whether f ≤ tolerance is proved, and else a time with f > tolerance, if one was found."""
    low, high = times[:-1], times[1:]
    for _ in range(ROUNDS):
        open_ = _bound(found, low, high) > tolerance
        low, high = low[open_], high[open_]
        if not low.size:
            return True, None
        if low.size > _MOST_INTERVALS:
            return False, None
        middle = (low + high) / 2
        values = found.at(middle)[0]
        if values.max() > tolerance:
            return False, float(middle[values.argmax()])
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return False, None


def _bound(found: _Modes, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """An upper bound of f on each interval [low, high]."""
    rising, falling = np.maximum(found.coefficients, 0), np.minimum(found.coefficients, 0)
    return _Modes(found.rates, rising).at(low)[0] + _Modes(found.rates, falling).at(high)[0]


def _sharpen(found: _Modes, near: float, times: np.ndarray) -> tuple[float, float]:
    """The highest point of f near a time of the grid: each look is forty times closer."""
    place = int(np.searchsorted(times, near))
    low, high = times[max(place - 1, 0)], times[min(place + 1, times.size - 1)]
    for _ in range(4):
        grid = np.linspace(low, high, 81)
        values = found.at(grid)[0]
        best = int(values.argmax())
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 80)]
    return float(grid[best]), float(values[best])
