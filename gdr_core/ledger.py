"""What reclassification did, node by node and in numbers, for one t_min."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.datasets.record import UNKNOWN
from gdr_core.gdr.result import GDRResult
from gdr_core.outlook import Outlook, look_ahead

# What happened to a node; codes index this tuple, 0 is a node that kept its label.
OUTCOMES = ("kept", "fixed", "broken", "changed", "unknown")


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


def ledger(result: GDRResult, index: int | None = None, outlook: Outlook | None = None) -> Ledger:
    """The relabelled nodes, each with its classes, its margin and the peak of its new class.

    outlook is `look_ahead(result)`, which who asks for more than one t_min computes once.
    """
    position = result.resolve(index)
    ahead = look_ahead(result) if outlook is None else outlook
    predicted = result.predictions(position)
    nodes = np.flatnonzero(predicted != result.prior_labels)
    return Ledger(
        nodes=nodes,
        true=result.labels[nodes],
        prior=result.prior_labels[nodes],
        new=predicted[nodes],
        outcomes=outcomes(result, position)[nodes],
        margins=ahead.margins[position, nodes],
        peak_times=result.times[ahead.peaks[position, nodes]],
    )


def clearest(found: Ledger, outcome: str = "fixed") -> int | None:
    """The node with this outcome whose margin is largest; None if there is no such node."""
    rows = np.flatnonzero(found.outcomes == OUTCOMES.index(outcome))
    return int(found.nodes[rows[found.margins[rows].argmax()]]) if rows.size else None


def clearest_verdict(result: GDRResult, outlook: Outlook, index: int | None = None) -> int:
    """Of the nodes whose label was not given, the one with the largest margin."""
    margins = outlook.margins[result.resolve(index)].copy()
    margins[result.split.train] = -np.inf
    return int(margins.argmax())


def flows(result: GDRResult, index: int | None = None) -> np.ndarray:
    """Number of nodes with prior class a and new class b, shape (classes, classes).

    The diagonal counts those that keep their class; all entries together are the nodes.
    """
    classes = result.start.shape[1]
    pairs = result.prior_labels * classes + result.predictions(index)
    return np.bincount(pairs, minlength=classes**2).reshape(classes, classes)


def tally(result: GDRResult, index: int | None = None, outlook: Outlook | None = None) -> Tally:
    """The counts for one t_min; outlook as in `ledger`."""
    position = result.resolve(index)
    ahead = look_ahead(result) if outlook is None else outlook
    counts = np.bincount(outcomes(result, position), minlength=len(OUTCOMES))
    return Tally(
        relabelled=int(counts[1:].sum()),
        fixed=int(counts[1]),
        broken=int(counts[2]),
        changed=int(counts[3]),
        unknown=int(counts[4]),
        never_overshooting=int((ahead.last_overshoots < position).sum()),
    )


def names_of(labels: np.ndarray, class_names: tuple[str, ...]) -> list[str]:
    """Class names for labels, an empty string where the class is not known."""
    return ["" if label == UNKNOWN else class_names[label] for label in labels.tolist()]
