"""A split for labels that came without one: drawn class by class, so that every class trains."""

from __future__ import annotations

import numpy as np

from gdr_core.datasets.record import UNKNOWN, Split

SHARES = (0.6, 0.2, 0.2)


def shared_split(
    labels: np.ndarray, shares: tuple[float, float, float] = SHARES, seed: int = 0
) -> Split:
    """Labelled nodes shared out class by class; a class keeps at least one training node."""
    if min(shares) < 0 or not shares[0] > 0 or abs(sum(shares) - 1) > 1e-9:
        raise ValueError(f"shares must be three numbers that sum to one, got {shares}")
    generator = np.random.default_rng(seed)
    taken: tuple[list[np.ndarray], ...] = ([], [], [])
    for code in np.unique(labels[labels != UNKNOWN]):
        members = generator.permutation(np.flatnonzero(labels == code))
        train = max(1, round(shares[0] * members.size))
        rest = members.size - train
        second = shares[1] / (shares[1] + shares[2]) if shares[1] + shares[2] else 0.0
        stop = train + round(second * rest)
        for part, piece in zip(taken, np.split(members, [train, stop]), strict=True):
            part.append(piece)
    empty = np.empty(0, dtype=np.int64)
    train_nodes, validation, test = (np.concatenate([empty, *part]) for part in taken)
    return Split(train_nodes, validation, test, "drawn")
