"""What y says: which labels are none, and which are held out."""

from __future__ import annotations

from typing import Any

import numpy as np

from gdr_core import gate
from gdr_core.datasets.record import UNKNOWN


def unlabelled(labels: np.ndarray) -> np.ndarray:
    """Which labels are None, NaN, or a −1 that stands for no class."""
    if labels.dtype.kind in "US" or labels.size == 0:
        return np.zeros(labels.shape, dtype=bool)
    if labels.dtype == object:
        return np.array([_says_nothing(value) for value in labels], dtype=bool)
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise ValueError("Input y contains infinity")
    missing = np.isnan(labels) if labels.dtype.kind == "f" else np.zeros(labels.shape, dtype=bool)
    if labels.dtype.kind not in "if":
        return missing
    minus = labels == UNKNOWN
    others = np.unique(labels[~missing & ~minus])
    return missing if others.size == 1 else missing | minus


def _says_nothing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return bool(value != value) or (not isinstance(value, str | bytes) and value == UNKNOWN)


def hold_out(codes: np.ndarray, fraction: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labelled nodes divided class by class into training and validation.

    Each class keeps at least one training node; a class with a single node has none to spare.
    """
    if not 0 < gate.finite(fraction, "validation_fraction") < 1:
        raise ValueError(f"validation_fraction must lie between 0 and 1, got {fraction}")
    generator = np.random.default_rng(gate.check_seed(seed))
    train, held = [], []
    for code in np.unique(codes[codes != UNKNOWN]):
        members = generator.permutation(np.flatnonzero(codes == code))
        spared = min(round(fraction * members.size), members.size - 1)
        held.append(members[:spared])
        train.append(members[spared:])
    return np.concatenate(train), np.concatenate(held)
