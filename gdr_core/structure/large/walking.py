"""Walks of any length from groups of nodes, each column exact to a proved bound.

With S = I − D^{−1/2} A D^{−1/2}, x = √π and X = diag(x) H for the indicator matrix H of the groups,

    Hᵀ Π P(t) H = Xᵀ e^{−tS} X,        P(t) H = diag(x)⁻¹ e^{−tS} X.

The first is the full matrix between groups, of which a union of groups is a sum; the second says
where walkers from each node are, and so what each node would gain in another group. Both come from
a Chebyshev series (`gdr_core.diffusion.chebyshev`), some columns at a time. If the series and its
rounding err by at most ε in the 2-norm, then the stability errs by at most

    Σ_C |x_Cᵀ E x_C| ≤ ε Σ_C ‖x_C‖² = ε.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from gdr_core.diffusion import chebyshev
from gdr_core.diffusion.recurrence import chebyshev_vectors
from gdr_core.diffusion.rounding import UNIT, recurrence_bound
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore
from gdr_core.structure.large.moving import membership

TOLERANCE = 1e-7  # of the series
COLUMNS = 32  # groups that walk at the same time
_PROBES = 32  # random vectors that estimate how many walkers are back


def root_of(laplacian: Laplacian, outside: float = 0.0) -> np.ndarray:
    """√π of the nodes of a graph, or of a part of it that no walker leaves.

    outside   Σ n² of the null vector over the nodes that are not in this part: they keep their
              share of π, and that of the others sums to less than one

    >>> from gdr_core import make_laplacian
    >>> pair = make_laplacian("random-walk", [[0, 1], [1, 0]])
    >>> root_of(pair, outside=2.0).round(4).tolist()
    [0.5, 0.5]
    """
    whole = np.sqrt(float(np.square(laplacian.null).sum()) + outside)
    return np.abs(laplacian.null) / max(float(whole), 1e-300)


class GroupWalk:
    """Where walkers from groups are at one time.

    laplacian   of the random walk
    outside     see `root_of`
    bound       no stability told from here differs from the exact one by more
    noise       smaller gains may be none

    >>> from gdr_core import make_laplacian
    >>> from gdr_core.structure.large.walking import GroupWalk
    >>> pair = make_laplacian("random-walk", [[0, 1], [1, 0]])
    >>> walk = GroupWalk(pair, 0.5)
    >>> walk.between(np.array([0, 1])).round(4).tolist()
    [[0.092, -0.092], [-0.092, 0.092]]
    """

    def __init__(self, laplacian: Laplacian, time: float, outside: float = 0.0) -> None:
        self._laplacian, self.time, self._outside = laplacian, time, outside
        self.root = root_of(laplacian, outside)
        self.share = np.square(self.root)
        half = time * laplacian.upper_bound / 2
        terms, cut = chebyshev.terms_needed(half, TOLERANCE)
        self._series = chebyshev.coefficients(np.array([time]), laplacian.upper_bound, terms)[0]
        rounding = recurrence_bound(laplacian, half) + (terms + laplacian.nodes + 4) * UNIT
        self.bound = self.noise = cut + rounding

    @property
    def products(self) -> int:
        """Sparse products that a column takes."""
        return self._series.size - 1

    def between(self, groups: np.ndarray, progress: Progress = ignore) -> np.ndarray:
        """Hᵀ [Π P(t) − π πᵀ] H, symmetric."""
        member = membership(groups)
        weigh = sp.csr_array(member.T @ sp.diags_array(self.root))
        found = np.hstack([weigh @ heat for _, heat in self._blocks(groups, progress)])
        held = np.bincount(groups, self.share)
        return (found + found.T) / 2 - np.outer(held, held)

    def towards(self, groups: np.ndarray, progress: Progress = ignore) -> tuple[np.ndarray, float]:
        """[P(t) − 1 πᵀ] H as float32, and the stability of the groups."""
        held = np.bincount(groups, self.share)
        found = np.empty((groups.size, int(groups.max()) + 1), dtype=np.float32)
        inside = 0.0
        for first, heat in self._blocks(groups, progress):
            columns = slice(first, first + heat.shape[1])
            found[:, columns] = heat / self.root[:, None] - held[columns]
            inside += self._stayed(groups, first, heat)
        return found, inside - float(np.square(held).sum())

    def stability(self, groups: np.ndarray, progress: Progress = ignore) -> float:
        """r(t) of the groups, without keeping where their walkers are."""
        inside = sum(self._stayed(groups, *block) for block in self._blocks(groups, progress))
        return float(inside - np.square(np.bincount(groups, self.share)).sum())

    def _stayed(self, groups: np.ndarray, first: int, heat: np.ndarray) -> float:
        """How much of π is in the group where it started, for some groups from the first on."""
        here = (groups >= first) & (groups < first + heat.shape[1])
        return float(self.root[here] @ heat[here, groups[here] - first])

    def returns(self, random: np.random.Generator) -> np.ndarray:
        """About P_ii(t) − π_i for every node.

        P_ii(t) is the mean square of entry i of e^{−tS/2} z over random signs z. Only what is
        tried next follows from it, never what is told.
        """
        signs = random.choice([-1.0, 1.0], (self.root.size, _PROBES))
        heat = GroupWalk(self._laplacian, self.time / 2, self._outside)._heat(signs)
        return np.square(heat).mean(axis=1) - self.share

    def _blocks(self, groups: np.ndarray, progress: Progress) -> Iterator[tuple[int, np.ndarray]]:
        """e^{−tS} X for some groups at a time, with the number of the first."""
        order = np.argsort(groups, kind="stable")
        ends = np.searchsorted(groups[order], np.arange(int(groups.max()) + 2))
        count = ends.size - 1
        for first in range(0, count, COLUMNS):
            progress(first / count, f"walks of length {self.time:.3g} from {count:,} groups")
            last = min(first + COLUMNS, count)
            nodes = order[ends[first] : ends[last]]
            start = np.zeros((groups.size, last - first))
            start[nodes, groups[nodes] - first] = self.root[nodes]
            yield first, self._heat(start)

    def _heat(self, start: np.ndarray) -> np.ndarray:
        """e^{−tS} start."""
        found, scaled = np.zeros_like(start), np.empty_like(start)
        vectors = chebyshev_vectors(self._laplacian, start, self._series.size)
        for weight, vector in zip(self._series, vectors, strict=True):
            found += np.multiply(vector, weight, out=scaled)
        return found
