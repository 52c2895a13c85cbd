"""Short walks as a sparse matrix, with a bound on all that it leaves out.

P(t) = e^{−tL} = e^{−t (I − M)} with M = I − L = D⁻¹A has no negative entry, its rows sum to one,
and P(s + t) = P(s) P(t). Where small entries are dropped from factors and products, what remains
lies below P(t) entry by entry. With W ≤ Π P(t), so made,

    0 ≤ Σ_C Σ_{i,j ∈ C} [π_i P_ij(t) − W_ij] ≤ Σ_ij [π_i P_ij(t) − W_ij] = 1 − Σ_ij W_ij,

so that for every partition the stability is told too low by at most what W lacks to a sum of one,
whatever was dropped on the way.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore
from gdr_core.structure.large.walking import root_of

STORED = 3_000_000  # entries of P(t) that are kept, at most
_THRESHOLD = 1e-4  # entries below it are dropped in any case
_STEP = 0.5  # time of the factor that longer walks are made of
_TERMS = 1e-12  # share of a Poisson distribution that may be left out
_ROWS = 1024  # multiplied at a time
_FINER = 0.05  # of the threshold: what is dropped from the factor


class ShortWalk:
    """W ≤ Π P(t), symmetric and sparse, for rising times.

    laplacian   of the random walk
    stored      entries of P(t) that are kept, those where max(P_ij, P_ji) is largest
    outside     see `walking.root_of`

    >>> import numpy as np
    >>> from gdr_core import make_laplacian
    >>> from gdr_core.structure.large.short import ShortWalk
    >>> pair = ShortWalk(make_laplacian("random-walk", [[0, 1], [1, 0]]))
    >>> pair.go_to(1.0)
    >>> bool(0 <= (1 - np.exp(-2)) / 4 - pair.weights()[0, 1] < 1e-5)
    True
    """

    def __init__(self, laplacian: Laplacian, stored: int = STORED, outside: float = 0.0) -> None:
        self.share = np.square(root_of(laplacian, outside))
        stay = sp.diags_array(1 - laplacian.rates)
        leave = sp.diags_array(1 / laplacian.scaling) @ laplacian.weights
        self._jump = sp.csr_array(leave @ sp.diags_array(laplacian.scaling) + stay)
        self._stored, self._threshold = stored, _THRESHOLD
        self.time = 0.0
        self.walk = sp.csr_array(sp.eye_array(laplacian.nodes))

    def go_to(self, time: float, progress: Progress = ignore) -> None:
        """Make `walk` that of this time, which is not before the present one."""
        steps = max(int(np.ceil((time - self.time) / _STEP - 1e-9)), 1)
        factor = self._factor((time - self.time) / steps)
        for k in range(steps):
            progress(k / steps, f"walks of length {time:.3g}")
            self.walk = self._product(self.walk, factor)
        self.time = time

    def weights(self) -> sp.csr_array:
        """W: the larger of π_i P_ij and π_j P_ji, which are equal but for what was dropped."""
        flow = sp.csr_array(sp.diags_array(self.share) @ self.walk)
        return sp.csr_array(flow.maximum(sp.csr_array(flow.T)))

    def _factor(self, time: float) -> sp.csr_array:
        """P of a short time, from the first terms of Σ_k e^{−t} t^k/k! M^k."""
        weight = float(np.exp(-time))
        power = sp.csr_array(sp.eye_array(self.share.size))
        found, left, k = sp.csr_array(weight * power), 1 - weight, 0
        while left > _TERMS and power.nnz:
            k += 1
            weight *= time / k
            left -= weight
            power = self._product(power, self._jump, _FINER / weight)
            found = sp.csr_array(found + weight * power)
        return found

    def _product(self, left: sp.csr_array, right: sp.csr_array, finer: float = 1.0) -> sp.csr_array:
        """left @ right without small entries, some rows at a time.

        Where more remains than may be kept, the threshold rises.
        """
        parts: list[sp.csr_array] = []
        for first in range(0, left.shape[0], _ROWS):
            rows = sp.csr_array(left[first : first + _ROWS] @ right)
            parts.append(self._pruned(rows, first, finer))
            allowed = self._stored * min(1.0, (first + 2 * _ROWS) / left.shape[0])
            if sum(each.nnz for each in parts) > 1.25 * allowed:
                self._raise_threshold(parts, allowed, finer)
                parts = [self._pruned(each, k * _ROWS, finer) for k, each in enumerate(parts)]
        return sp.csr_array(sp.vstack(parts, format="csr"))

    def _raise_threshold(self, parts: list[sp.csr_array], allowed: float, finer: float) -> None:
        """To where as many entries of some stretches of rows are left as are allowed."""
        sizes = np.concatenate([self._sizes(rows, k * _ROWS) for k, rows in enumerate(parts)])
        drop = sizes.size - int(allowed)
        self._threshold = float(np.partition(sizes, drop)[drop]) / finer

    def _sizes(self, rows: sp.csr_array, first: int) -> np.ndarray:
        """max(P_ij, P_ji) of some rows, from the first on: π_i P_ij = π_j P_ji."""
        here = np.repeat(self.share[first : first + rows.shape[0]], np.diff(rows.indptr))
        there = self.share[rows.indices]
        ratio = np.divide(here, there, out=np.ones_like(here), where=there > 0)
        return rows.data * np.maximum(ratio, 1.0)

    def _pruned(self, rows: sp.csr_array, first: int, finer: float) -> sp.csr_array:
        """Some rows without entries that are small in both directions."""
        rows.data[self._sizes(rows, first) < self._threshold * finer] = 0
        rows.eliminate_zeros()
        return rows
