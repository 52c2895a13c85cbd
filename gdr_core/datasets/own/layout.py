"""Quick places in the plane for graphs of any size: good enough to look at, linear in the edges."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.layouts import circle, fitted, springs

_SPRINGS_MOST = 1500
ROUNDS = 60


def quick_layout(adjacency: sp.csr_array, seed: int = 0) -> np.ndarray:
    """Springs for small graphs; for large ones the two slowest modes of the random walk."""
    nodes = adjacency.shape[0]
    if nodes <= _SPRINGS_MOST:
        return springs(adjacency, seed) if nodes > 1 else circle(nodes).astype(np.float32)
    return fitted(_ranks(_slow_modes(adjacency, seed)))


def on_a_circle(nodes: int) -> np.ndarray:
    """Places for a graph that nobody will look at."""
    return circle(nodes).astype(np.float32)


def _slow_modes(adjacency: sp.csr_array, seed: int = 0) -> np.ndarray:
    """Two columns that power iteration of the lazy walk (I + D⁻¹A)/2 leaves after the constant."""
    nodes = adjacency.shape[0]
    degree = np.maximum(np.asarray(adjacency.sum(axis=1)).ravel(), 1e-12)
    weights = degree / degree.sum()
    modes = np.random.default_rng(seed).normal(size=(nodes, 2))
    for _ in range(ROUNDS):
        modes = (modes + (adjacency @ modes) / degree[:, None]) / 2
        modes -= weights @ modes
        modes[:, 1] -= (
            modes[:, 0]
            * (weights * modes[:, 0] @ modes[:, 1])
            / max(float(weights * modes[:, 0] @ modes[:, 0]), 1e-300)
        )
        modes /= np.maximum(np.sqrt(weights @ modes**2), 1e-300)
    return modes


def _ranks(modes: np.ndarray) -> np.ndarray:
    """Half by value, half by rank: modes crowd most nodes into one place."""
    ranks = np.argsort(np.argsort(modes, axis=0, kind="stable"), axis=0) / max(len(modes) - 1, 1)
    extent = np.maximum(np.ptp(modes, axis=0), 1e-300)
    return (modes - modes.min(axis=0)) / extent * 0.5 + ranks
