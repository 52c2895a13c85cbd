"""What can be chosen when reclassifying, checked once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core import gate
from gdr_core.diffusion.recurrence import PRECISIONS
from gdr_core.diffusion.times import check_count, linear, logarithmic
from gdr_core.gdr.rules import RULES
from gdr_core.laplacians import LAPLACIANS, SCOPES, Laplacian

SPACINGS = ("logarithmic", "linear")
_NAMES = {
    "rule": RULES,
    "stationary": SCOPES,
    "spacing": SPACINGS,
    "precision": PRECISIONS,
}
# In relaxation times, where no validation node can choose: inside the range that is best on
# citation graphs.
UNCHOSEN_T_MIN = 0.02


@dataclass(frozen=True)
class GDROptions:
    """How to reclassify.

    rule         how overshoots become labels: `overshoot`, `peak` or `reference`
    stationary   π over the whole graph (`global`, as in the paper) or each `component`
    first, last  the time window, in relaxation times 1/λ₂; last = None takes the Laplacian's own
                 horizon (1 for undirected graphs, more for directed ones)
    count        number of times in the grid, 0 included
    spacing      `logarithmic` or `linear`
    tolerance    largest error of any p_j(t), proved
    normalise    divide the rows of a prior by their sum instead of refusing them
    precision    of the sparse products and of what is kept: `float64`, or `float32`, which is
                 faster on large graphs and can prove only tolerances of about 1e-3

    >>> from gdr_core import GDROptions
    >>> GDROptions(rule="peak").stationary
    'global'
    >>> GDROptions(rule="loudest")
    Traceback (most recent call last):
    ...
    ValueError: unknown rule 'loudest'; there are overshoot, peak, reference
    """

    rule: str = "overshoot"
    stationary: str = "global"
    first: float = 1e-4
    last: float | None = None
    count: int = 200
    spacing: str = "logarithmic"
    tolerance: float = 1e-7
    normalise: bool = False
    precision: str = PRECISIONS[0]

    def __post_init__(self) -> None:
        for field, allowed in _NAMES.items():
            gate.check_name(getattr(self, field), field, allowed)
        first = gate.finite(self.first, "first")
        last = 1.0 if self.last is None else gate.finite(self.last, "last")
        if not 0 < first < last:
            raise ValueError(
                f"the time window needs 0 < first < last, got {self.first} and {self.last}"
            )
        gate.finite(self.tolerance, "tolerance", 0, 1)
        gate.check_flag(self.normalise, "normalise")
        object.__setattr__(self, "count", check_count(self.count))

    def times(self, laplacian: Laplacian) -> np.ndarray:
        """The grid in absolute time. Without edges nothing relaxes and the unit is 1."""
        relaxation = laplacian.relaxation_time
        unit = relaxation if np.isfinite(relaxation) else 1.0
        last = LAPLACIANS[laplacian.name].horizon if self.last is None else self.last
        if self.spacing == "linear":
            return linear(last * unit, self.count)
        return logarithmic(self.first * unit, last * unit, self.count)
