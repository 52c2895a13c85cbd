"""Time grids: increasing, starting at zero or later, linear or logarithmic."""

from __future__ import annotations

import numpy as np

from gdr_core import gate

_MOST_TIMES = 100_000


def linear(stop: float, count: int) -> np.ndarray:
    """`count` evenly spaced times from 0 to `stop`, both included."""
    count = check_count(count)
    return checked(np.linspace(0.0, gate.finite(stop, "stop"), count))


def logarithmic(start: float, stop: float, count: int) -> np.ndarray:
    """Time 0 followed by `count` − 1 times spaced evenly in log t from `start` to `stop`."""
    count = check_count(count)
    start, stop = gate.finite(start, "start"), gate.finite(stop, "stop")
    if not 0 < start < stop:
        raise ValueError(f"a logarithmic grid needs 0 < start < stop, got {start} and {stop}")
    return checked(np.concatenate([[0.0], np.geomspace(start, stop, count - 1)]))


def checked(times: np.ndarray) -> np.ndarray:
    """The times as an array, if they are finite, not negative and strictly increasing."""
    grid = gate.number_array(gate.as_list(times), "times", 1)
    if not 0 < grid.size <= _MOST_TIMES:
        raise ValueError(
            f"times must be a list of at least one number and at most {_MOST_TIMES:,}, "
            f"got {grid.size:,}"
        )
    if grid[0] < 0:
        raise ValueError(f"times must not be negative, got {grid.min()}")
    if (np.diff(grid) <= 0).any():
        place = int(np.argmax(np.diff(grid) <= 0))
        raise ValueError(
            f"times must be strictly increasing, got {grid[place]} followed by {grid[place + 1]}"
        )
    return grid


def check_count(count: int) -> int:
    """How many times a grid has: at least two, and no more than memory can hold."""
    return gate.whole(count, "the number of times", 2, _MOST_TIMES)
