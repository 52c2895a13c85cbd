"""What reclassification did, node by node and in numbers, for one t_min."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.datasets.record import UNKNOWN
from gdr_core.gdr.result import GDRResult

# What happened to a node; codes index this tuple, 0 is a node that kept its label.
OUTCOMES = ("kept", "fixed", "broken", "changed", "unknown")
CHUNK = 2048  # nodes whose trajectories are written out at once


@dataclass(frozen=True)
class Tally:
    """How many nodes a reclassification touched, at one t_min.

    changed             relabelled, wrong before and after
    unknown             relabelled, with no known class to compare with
    never_overshooting  no class overshoots from t_min on
    """

    relabelled: int
    fixed: int
    broken: int
    changed: int
    unknown: int
    never_overshooting: int


@dataclass(frozen=True, eq=False)
class Ledger:
    """The relabelled nodes in ascending order; all arrays have one entry for each of them.

    outcomes     what happened, as codes into OUTCOMES
    margins      how far the largest excess over π lies above the second largest
    peak_times   when the new class is highest from t_min on, in the time of the Laplacian
    """

    nodes: np.ndarray
    true: np.ndarray
    prior: np.ndarray
    new: np.ndarray
    outcomes: np.ndarray
    margins: np.ndarray
    peak_times: np.ndarray


def outcomes(result: GDRResult, index: int | None = None) -> np.ndarray:
    """For each node what happened to it, as a code into OUTCOMES."""
    changes = result.changes(index)
    masks = (changes.fixed, changes.broken, changes.shifted, changes.unknown)
    return np.select(masks, range(1, len(OUTCOMES)), 0).astype(np.int8)


def ledger(result: GDRResult, index: int | None = None) -> Ledger:
    """The relabelled nodes, each with its classes, its margin and the peak of its new class."""
    predicted = result.predictions(index)
    nodes = np.flatnonzero(predicted != result.prior_labels)
    new = predicted[nodes]
    margins, peak_times = _margins_and_peaks(result, result.resolve(index), nodes, new)
    return Ledger(
        nodes=nodes,
        true=result.labels[nodes],
        prior=result.prior_labels[nodes],
        new=new,
        outcomes=outcomes(result, index)[nodes],
        margins=margins,
        peak_times=peak_times,
    )


def clearest(found: Ledger, outcome: str = "fixed") -> int | None:
    """The node with this outcome whose margin is largest; None if there is no such node."""
    rows = np.flatnonzero(found.outcomes == OUTCOMES.index(outcome))
    return int(found.nodes[rows[found.margins[rows].argmax()]]) if rows.size else None


def flows(result: GDRResult, index: int | None = None) -> np.ndarray:
    """Number of nodes with prior class a and new class b, shape (classes, classes).

    The diagonal counts those that keep their class; all entries together are the nodes.
    """
    classes = result.start.shape[1]
    pairs = result.prior_labels * classes + result.predictions(index)
    return np.bincount(pairs, minlength=classes**2).reshape(classes, classes)


def last_overshoots(result: GDRResult) -> np.ndarray:
    """For each node the last index of the time grid at which a class lies above π; −1 if none.

    A node never overshoots for t_min = times[i] exactly if its last index is below i: one pass
    over the trajectories answers for every t_min.
    """
    last = np.full(result.prior_labels.size, -1)
    for rows, scores in result.trajectories.blocks():
        above = ((scores - result.stationary[rows].T) > result.error_bound).any(axis=1)
        ever = above.any(axis=0)
        latest = above.shape[0] - 1 - above[::-1].argmax(axis=0)
        last[rows] = np.where(ever, latest, -1)
    return last


def tally(result: GDRResult, index: int | None = None, last: np.ndarray | None = None) -> Tally:
    """The counts for one t_min; `last` is `last_overshoots(result)` where it is known already."""
    position = result.resolve(index)
    last = last_overshoots(result) if last is None else last
    counts = np.bincount(outcomes(result, position), minlength=len(OUTCOMES))
    return Tally(
        relabelled=int(counts[1:].sum()),
        fixed=int(counts[1]),
        broken=int(counts[2]),
        changed=int(counts[3]),
        unknown=int(counts[4]),
        never_overshooting=int((last < position).sum()),
    )


def _margins_and_peaks(
    result: GDRResult, first: int, nodes: np.ndarray, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """`result.margin` and the peak time of one class per node, from one look at each trajectory."""
    margins, peaks = np.empty(nodes.size), np.empty(nodes.size)
    for start in range(0, nodes.size, CHUNK):
        rows = slice(start, start + CHUNK)
        chosen = nodes[rows]
        late = result.trajectories.values(chosen)[first:]
        excess = np.sort(late.max(axis=0) - result.stationary[chosen], axis=1)
        margins[rows] = excess[:, -1] - (excess[:, -2] if excess.shape[1] > 1 else 0)
        own = late[:, np.arange(chosen.size), labels[rows]]
        peaks[rows] = result.times[first + own.argmax(axis=0)]
    return margins, peaks


def names_of(labels: np.ndarray, class_names: tuple[str, ...]) -> list[str]:
    """Class names for labels, an empty string where the class is not known."""
    return ["" if label == UNKNOWN else class_names[label] for label in labels.tolist()]
