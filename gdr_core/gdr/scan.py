"""Labels and accuracies for every t_min, in one pass over the nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.datasets.record import PARTS, UNKNOWN, Split
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.gdr.rules import RULES, Window, smallest_integer
from gdr_core.products import in_turn
from gdr_core.progress import Progress, ignore

BLOCK_BYTES = 4 * 2**20
NEIGHBOURHOOD = np.sqrt(2)


@dataclass(frozen=True, eq=False)
class Scan:
    """What follows from each t_min of the grid (first axis).

    predicted    labels by the rule, shape (times, nodes)
    relabelled   number of nodes whose label differs from the prior's
    accuracy     for each part of the split, and `prior` accuracies beside them
    """

    predicted: np.ndarray
    relabelled: np.ndarray
    accuracy: dict[str, np.ndarray]


def scan(
    trajectories: Trajectories,
    stationary: np.ndarray,
    prior_labels: np.ndarray,
    truth: np.ndarray,
    split: Split,
    rule: str,
    progress: Progress = ignore,
) -> Scan:
    """Apply a rule for every t_min. Training nodes keep their known label."""
    times, nodes, classes = trajectories.shape
    table = np.empty((times, nodes), dtype=smallest_integer(classes))

    def label(rows: slice) -> None:
        scores = trajectories.block(rows)
        window = Window(scores, stationary[rows].T, prior_labels[rows], trajectories.error_bound)
        table[:, rows] = RULES[rule](window)

    for rows in in_turn(label, trajectories.spans(BLOCK_BYTES), times * nodes * classes):
        progress(rows.stop / nodes, "relabelling")
    table[:, split.train] = truth[split.train]
    return Scan(
        predicted=table,
        relabelled=(table != prior_labels.astype(table.dtype)).sum(axis=1),
        accuracy=accuracies(table, truth, split),
    )


def accuracies(predicted: np.ndarray, truth: np.ndarray, split: Split) -> dict[str, np.ndarray]:
    """Accuracy on each part of the split, along the last axis of the predicted labels."""
    return {part: accuracy(predicted, truth, getattr(split, part)) for part in PARTS}


def accuracy(predicted: np.ndarray, truth: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Share of the members with a known class that are predicted right, along the last axis."""
    known = members[truth[members] != UNKNOWN]
    if known.size == 0:
        return np.full(predicted.shape[:-1], np.nan)
    return (predicted[..., known] == truth[known].astype(predicted.dtype)).mean(axis=-1)


def choose(validation: np.ndarray, times: np.ndarray) -> int:
    """Index of the chosen t_min: the best validation accuracy, averaged over nearby t_min.

    A few hundred validation nodes make a noisy curve, and its highest point is often a lone one.
    So each t_min is judged by the mean over all t_min up to a factor √2 away (time 0, which has no
    neighbours in this sense, by itself). Ties go to the middle of the longest run of equals, of two
    such runs to the earlier. Without validation nodes the first t_min is chosen.
    """
    if np.isnan(validation).any():
        return 0
    judged = neighbourhood_mean(validation, times)
    best = np.concatenate([[False], judged >= judged.max() - 1e-12, [False]])
    edges = np.flatnonzero(best[1:] != best[:-1])
    starts, stops = edges[::2], edges[1::2]
    longest = int(np.argmax(stops - starts))
    return int((starts[longest] + stops[longest] - 1) // 2)


def neighbourhood_mean(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """For each time the mean of the values at all times up to a factor √2 away."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    low = np.searchsorted(times, times / NEIGHBOURHOOD, side="left")
    high = np.searchsorted(times, times * NEIGHBOURHOOD, side="right")
    return (sums[high] - sums[low]) / (high - low)
