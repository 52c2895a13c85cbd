"""Names along an axis of times."""

from __future__ import annotations

import numpy as np


def decades(times: np.ndarray) -> list[tuple[int, str]]:
    """The places of a grid of times that are closest to the powers of ten, and their names.

    >>> decades(np.array([0.0, 0.0098, 0.03, 0.102, 0.5]))
    [(1, '0.01'), (3, '0.1')]
    """
    positive = times[times > 0]
    powers = np.arange(np.ceil(np.log10(positive[0]) - 0.01), np.log10(positive[-1]) + 0.01)
    places = {int(np.abs(times - 10.0**power).argmin()) for power in powers}
    return [(place, f"{float(f'{times[place]:.1g}'):g}") for place in sorted(places)]
