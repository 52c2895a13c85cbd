"""Which settings of each prior are tried: an axis for each option.

Axes of four numbers or more are in order, and a setting is judged together with its neighbours on
them; axes of words are not.
"""

from __future__ import annotations

from typing import Any

Grid = dict[str, tuple[Any, ...]]


def _steps(first: float, factor: float, count: int) -> tuple[float, ...]:
    """`count` numbers, each a factor larger than the one before, as they are written by hand."""
    return tuple(float(f"{first * factor**i:.2g}") for i in range(count))


_FEATURES = ("row-normalised", "unit-rows", "tf-idf")
_PENALTIES = _steps(1e-5, 10**0.5, 9)
GRIDS: dict[str, Grid] = {
    "linear": {"features": _FEATURES, "penalty": _PENALTIES},
    "heat-linear": {"features": _FEATURES, "time": _steps(1, 2**0.5, 8), "penalty": _PENALTIES},
    "sgc": {"features": _FEATURES, "steps": (1, 2, 3, 4, 6, 8), "penalty": _PENALTIES},
    "correct-and-smooth": {
        "base": ("linear",),
        "correction": (0.5, 0.7, 0.8, 0.9, 0.95, 0.99),
        "smoothing": (0.5, 0.7, 0.8, 0.9, 0.95, 0.99),
    },
    "deepwalk": {"window": (5, 10), "penalty": (0.032, 0.1, 0.32)},
    "semi-embedding": {"embedding": (3.2, 10.0, 32.0, 100.0, 320.0), "margin": (0.32, 1.0, 3.2)},
    "heat-net": {"initial_time": (2.0, 3.0, 4.0), "dropout": (0.2, 0.5)},
}
