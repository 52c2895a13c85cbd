"""Where a classifier is wrong, region by region: do its mistakes stand together?

Region r has n_r judged nodes, x_r of them wrong; in all there are N and X, the share p = X / N. If
the same X mistakes fell on judged nodes by chance, x_r would have the variance
n_r p (1 − p) (N − n_r) / (N − 1). So

    spread = (N − 1) / (N (R − 1)) · Σ_r (x_r − n_r p)² / (n_r p (1 − p)),

over the R regions with judged nodes, is 1 on average then, whatever the sizes. It is larger
where mistakes stand together. How often chance alone reaches it is counted on random placings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdr_core.datasets.record import UNKNOWN

_PLACINGS = 999


@dataclass(frozen=True, eq=False)
class RegionalMistakes:
    """The mistakes of a classifier in each region.

    region   of every node
    small    how many regions the last number stands for, where small ones are together; else 0
    judged   nodes of each region whose class is known and was not given to the classifier
    wrong    of these, those that are called something else
    """

    region: np.ndarray
    small: int
    judged: np.ndarray
    wrong: np.ndarray

    @property
    def nodes(self) -> np.ndarray:
        """The size of each region."""
        return np.bincount(self.region, minlength=self.judged.size)

    @property
    def regions(self) -> int:
        """How many there are, small ones left out."""
        return self.judged.size - (self.small > 0)

    @property
    def shares(self) -> np.ndarray:
        """Of the judged nodes of each region, those that are wrong; NaN where none is judged."""
        return _share(self.wrong, self.judged)

    @property
    def overall(self) -> float:
        """The share in the whole graph."""
        return float(_share(self.wrong.sum(keepdims=True), self.judged.sum(keepdims=True))[0])

    @property
    def order(self) -> np.ndarray:
        """The regions: the largest share of wrong nodes first, those without a judged node last."""
        return np.lexsort((-self.judged, -np.nan_to_num(self.shares, nan=-1.0)))

    @cached_property
    def spread(self) -> float:
        """How much shares differ, 1 being chance; NaN where there is nothing to compare."""
        return float(_spread(self.wrong[None], self.judged)[0])

    @cached_property
    def chance(self) -> float:
        """The p-value: how often mistakes that fall by chance spread at least as much."""
        if np.isnan(self.spread):
            return float("nan")
        random = np.random.default_rng(0)
        drawn = random.multivariate_hypergeometric(
            self.judged, int(self.wrong.sum()), size=_PLACINGS, method="marginals"
        )
        reached = _spread(drawn, self.judged) >= self.spread * (1 - 1e-9)
        return float((1 + reached.sum()) / (1 + _PLACINGS))


def mistakes_by_region(
    groups: np.ndarray,
    truth: np.ndarray,
    predicted: np.ndarray,
    given: np.ndarray,
    *,
    least: int = 1,
) -> RegionalMistakes:
    """Count the mistakes of each region.

    groups   the region of every node, numbered by size, see `gdr_core.graphs.regions`
    truth    classes, UNKNOWN where one is not known
    given    nodes whose classes the classifier was given: they are not judged
    least    nodes; smaller regions are put together under the last number

    >>> groups = np.array([0, 0, 0, 1, 1, 2])
    >>> truth, predicted = np.array([0, 0, 1, 1, -1, 1]), np.array([0, 1, 0, 1, 1, 1])
    >>> found = mistakes_by_region(groups, truth, predicted, np.array([0]), least=2)
    >>> found.judged.tolist(), found.wrong.tolist(), found.region.tolist(), found.small
    ([2, 1, 1], [2, 0, 0], [0, 0, 0, 1, 1, 2], 1)
    """
    sizes = np.bincount(groups)
    large = int((sizes >= least).sum())
    small = sizes.size - large
    region, count = np.minimum(groups, large), large + (small > 0)
    known = truth != UNKNOWN
    known[given] = False
    wrong = known & (predicted != truth)
    judged, mistaken = (np.bincount(region[each], minlength=count) for each in (known, wrong))
    return RegionalMistakes(region, small, judged, mistaken)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)


def _spread(wrong: np.ndarray, judged: np.ndarray) -> np.ndarray:
    """The spread of each row of mistakes over the regions."""
    filled, total = judged > 0, int(judged.sum())
    share = wrong.sum(axis=1, keepdims=True) / max(total, 1)
    some = int(filled.sum())
    if some < 2 or not ((share > 0) & (share < 1)).all():
        return np.full(len(wrong), np.nan)
    expected = judged[filled] * share
    terms = np.square(wrong[:, filled] - expected) / (expected * (1 - share))
    return terms.sum(axis=1) * (total - 1) / (total * (some - 1))
