"""Correct and Smooth (Huang et al. 2020): spread a classifier's errors, then its answers.

With S = D^{−1/2} A D^{−1/2}, spreading a block V with strength α means k steps of
V ← α S V + (1 − α) V₀, values cut to a range after each.

1. Correct. The errors E = Y − Z of the training nodes (0 elsewhere) are spread, |E| ≤ 1. Each row
   is scaled to the mean size of an error, σ = mean_train Σ_μ |E_iμ|, and added to Z.
2. Smooth. Training rows are set to their class and the result is spread, values in [0, 1].
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.record import Dataset
from gdr_core.priors.contract import visible
from gdr_core.progress import Progress, part

_LARGEST_SCALE = 1000.0  # beyond it an error has all but vanished on its way, and is not enlarged


def correct_and_smooth(
    dataset: Dataset,
    *,
    seed: int,
    progress: Progress,
    base: str,
    correction: float,
    smoothing: float,
    steps: int,
) -> np.ndarray:
    """Class scores after both steps, on top of the prior `base` with its usual options."""
    predicted = _base_predictions(base, dataset, seed, part(progress, 0.0, 0.7))
    progress(0.7, "spreading errors")
    matrix = _normalised(dataset.undirected)
    train, known = dataset.split.train, np.eye(dataset.classes)[dataset.labels[dataset.split.train]]
    corrected = corrected_by(matrix, predicted, train, known, correction, steps)
    progress(0.85, "spreading answers")
    corrected[train] = known
    return spread(matrix, corrected, smoothing, steps, 0.0, 1.0)


def corrected_by(
    matrix: sp.csr_array,
    predicted: np.ndarray,
    train: np.ndarray,
    known: np.ndarray,
    alpha: float,
    steps: int,
) -> np.ndarray:
    """Z plus the spread errors of the training nodes, each row scaled to their mean size."""
    error = np.zeros_like(predicted)
    error[train] = known - predicted[train]
    reached = spread(matrix, error, alpha, steps, -1.0, 1.0)
    size = np.abs(error).sum() / len(train)
    rows = np.abs(reached).sum(axis=1, keepdims=True)
    scale = np.divide(size, rows, out=np.full_like(rows, np.inf), where=rows > 0)
    return predicted + np.where(scale > _LARGEST_SCALE, 1.0, scale) * reached


def spread(
    matrix: sp.csr_array, block: np.ndarray, alpha: float, steps: int, low: float, high: float
) -> np.ndarray:
    """k steps of V ← α S V + (1 − α) V₀, values cut to [low, high] after each."""
    rest, moving = (1 - alpha) * block, block
    for _ in range(steps):
        moving = np.clip(alpha * (matrix @ moving) + rest, low, high)
    return moving


def _normalised(adjacency: sp.csr_array) -> sp.csr_array:
    """D^{−1/2} A D^{−1/2}; rows of nodes without edges are zero."""
    degrees = np.asarray(adjacency.sum(axis=1)).ravel()
    root = np.divide(1.0, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
    return sp.csr_array(sp.diags_array(root) @ adjacency @ sp.diags_array(root))


def _base_predictions(base: str, dataset: Dataset, seed: int, progress: Progress) -> np.ndarray:
    """What the base says of every node, training nodes too: its errors there are what is spread."""
    from gdr_core.priors.registry import PRIORS

    spec = PRIORS[base]
    seen = visible(dataset, spec)
    scores = spec.function(seen, seed=seed, progress=progress, **spec.checked({}))
    sums = scores.sum(axis=1, keepdims=True)
    return np.divide(scores, sums, out=np.full_like(scores, 1 / dataset.classes), where=sums > 0)
