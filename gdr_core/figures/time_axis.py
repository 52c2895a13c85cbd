"""Time on a logarithmic axis, which has no place for zero."""

from __future__ import annotations

import numpy as np

from gdr_core.gdr.result import GDRResult

ZERO_AT = 1.3


def drawn_times(result: GDRResult) -> np.ndarray:
    """The grid in relaxation times; t = 0 is drawn a little left of the first positive time."""
    times = result.relative_times.copy()
    if times[0] == 0:
        times[0] = times[1] / ZERO_AT
    return times
