"""Time on a logarithmic axis, which has no place for zero."""

from __future__ import annotations

import numpy as np

from gdr_core.gdr.result import GDRResult

ZERO_AT = 1.3


def drawn_times(result: GDRResult) -> np.ndarray:
    """The grid in relaxation times; t = 0 is drawn a little left of the first positive time."""
    return with_zero(result.relative_times)


def with_zero(times: np.ndarray) -> np.ndarray:
    """The same for any grid."""
    drawn = times.copy()
    if drawn[0] == 0:
        drawn[0] = drawn[1] / ZERO_AT
    return drawn
