"""Time grids: increasing, starting at zero or later, linear or logarithmic."""

from __future__ import annotations

import numpy as np


def linear(stop: float, count: int) -> np.ndarray:
    """`count` evenly spaced times from 0 to `stop`, both included."""
    _check_count(count)
    return checked(np.linspace(0.0, stop, count))


def logarithmic(start: float, stop: float, count: int) -> np.ndarray:
    """Time 0 followed by `count` − 1 times spaced evenly in log t from `start` to `stop`."""
    _check_count(count)
    if not 0 < start < stop < np.inf:
        raise ValueError(f"a logarithmic grid needs 0 < start < stop, got {start} and {stop}")
    return checked(np.concatenate([[0.0], np.geomspace(start, stop, count - 1)]))


def checked(times: np.ndarray) -> np.ndarray:
    """The times as an array, if they are finite, not negative and strictly increasing."""
    grid = np.atleast_1d(np.asarray(times, dtype=np.float64))
    if grid.ndim != 1 or grid.size == 0:
        raise ValueError(f"times must be a list of at least one number, got shape {grid.shape}")
    if not np.isfinite(grid).all():
        raise ValueError("times must be finite, got NaN or infinity")
    if grid[0] < 0:
        raise ValueError(f"times must not be negative, got {grid.min()}")
    if (np.diff(grid) <= 0).any():
        place = int(np.argmax(np.diff(grid) <= 0))
        raise ValueError(
            f"times must be strictly increasing, got {grid[place]} followed by {grid[place + 1]}"
        )
    return grid


def _check_count(count: int) -> None:
    """Refuse a grid with fewer than two times."""
    if count < 2:
        raise ValueError(f"a time grid needs at least 2 times, got {count}")
