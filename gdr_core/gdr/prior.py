"""The initial condition of the diffusion: a prior that has been checked, with known labels in."""

from __future__ import annotations

import numpy as np

from gdr_core import gate
from gdr_core.datasets.record import Split

_ROW_TOLERANCE = 1e-6


def initial_condition(
    prior: np.ndarray, truth: np.ndarray, split: Split, normalise: bool = False
) -> np.ndarray:
    """𝓗: the prior with rows summing to one, equation (2), and training rows set to their label.

    Rows that sum to zero become uniform. Rows that do not sum to one are refused, or divided by
    their sum where `normalise` says so.
    """
    scores = gate.number_array(prior, "the prior", 2)
    if scores.shape[0] != truth.size or scores.shape[1] < 1:
        raise ValueError(f"the prior must have shape ({truth.size}, classes), got {scores.shape}")
    if scores.size and scores.min() < 0:
        raise ValueError(f"the prior must not be negative, got {scores.min()}")
    _check_training(truth, split, scores.shape[1])
    scores = _unit_rows(scores, normalise)
    scores[split.train] = 0
    scores[split.train, truth[split.train]] = 1
    return scores


def _unit_rows(scores: np.ndarray, normalise: bool) -> np.ndarray:
    """Rows that sum to one; see `initial_condition`."""
    sums = scores.sum(axis=1)
    scores[sums == 0] = 1 / scores.shape[1]
    off = np.flatnonzero((np.abs(sums - 1) > _ROW_TOLERANCE) & (sums != 0))
    if off.size and not normalise:
        raise ValueError(
            f"{off.size} rows of the prior do not sum to one, e.g. row {off[0]} sums to "
            f"{sums[off[0]]:.6g}; normalise them first or pass normalise=True"
        )
    return scores / scores.sum(axis=1, keepdims=True)


def _check_training(truth: np.ndarray, split: Split, classes: int) -> None:
    """Every training node needs a known class; a class without one lives by the prior alone."""
    everyone = np.concatenate([split.train, split.validation, split.test])
    if everyone.size and everyone.max() >= truth.size:
        raise ValueError(f"the split names node {everyone.max()} of a graph with {truth.size}")
    known = truth[split.train]
    if known.size and not 0 <= known.min() <= known.max() < classes:
        raise ValueError(
            f"training labels must lie between 0 and {classes - 1}, "
            f"got {known.min()} to {known.max()}"
        )
