"""Places in the plane for the nodes, always inside the square from -1 to 1, the y axis upwards.

The layouts of the large graphs are computed once by `data/build.py` and stored as 16-bit
numbers. Small graphs get theirs here, by formula where the graph has a natural drawing.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

STEPS = 65535
_PAIR_BUDGET = 2e7


def fitted(places: np.ndarray) -> np.ndarray:
    """Shift and scale alike in x and y, so that the drawing fills the square from -1 to 1."""
    places = np.asarray(places, dtype=np.float64)
    low, high = places.min(axis=0), places.max(axis=0)
    extent = float((high - low).max()) or 1.0
    return ((places - (low + high) / 2) * (2 / extent)).astype(np.float32)


def quantised(places: np.ndarray) -> np.ndarray:
    """Places inside the square from -1 to 1 as 16-bit numbers."""
    return np.rint((np.clip(places, -1, 1).astype(np.float64) + 1) / 2 * STEPS).astype(np.uint16)


def unquantised(stored: np.ndarray) -> np.ndarray:
    """The places of `quantised`, exact to 1.6e-5."""
    return (stored.astype(np.float64) / STEPS * 2 - 1).astype(np.float32)


def circle(nodes: int, radius: float = 1.0, start: float = np.pi / 2) -> np.ndarray:
    """Equal steps on a circle, clockwise from the top."""
    angle = start - 2 * np.pi * np.arange(nodes) / max(nodes, 1)
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def springs(adjacency: sp.csr_array, seed: int = 0, start: np.ndarray | None = None) -> np.ndarray:
    """Fruchterman and Reingold's forces on a small graph, from a seeded start.

    Neighbours attract each other with d²/k, all pairs repel with k²/d, where d is the distance
    and k = 1/sqrt(nodes); the largest step shrinks from round to round. The pairs make a round
    quadratic in the nodes, so large graphs get fewer rounds.
    """
    nodes = adjacency.shape[0]
    ideal = 1.0 / np.sqrt(max(nodes, 1))
    if start is None:
        start = np.random.default_rng(seed).uniform(-0.5, 0.5, size=(nodes, 2))
    x, y = start.astype(np.float64).T
    source, target = adjacency.nonzero()
    rounds = int(np.clip(_PAIR_BUDGET // max(nodes, 1) ** 2, 5, 300))
    for step in 0.1 * (1 - np.arange(rounds) / rounds):
        dx, dy = x[:, None] - x, y[:, None] - y
        push = ideal**2 / np.maximum(dx * dx + dy * dy, 1e-6)
        ex, ey = x[target] - x[source], y[target] - y[source]
        pull = np.hypot(ex, ey) / ideal
        move_x = (dx * push).sum(axis=1) + np.bincount(source, ex * pull, minlength=nodes)
        move_y = (dy * push).sum(axis=1) + np.bincount(source, ey * pull, minlength=nodes)
        length = np.maximum(np.hypot(move_x, move_y), 1e-9)
        x, y = (
            x + move_x / length * np.minimum(length, step),
            y + move_y / length * np.minimum(length, step),
        )
    return fitted(np.stack([x, y], axis=1))
