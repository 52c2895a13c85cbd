"""What reclassification does at one t_min: one record for everybody who tells of it.

    now = result.at(index)
    now.tally.fixed, now.ledger.nodes, now.flows, now.margins

`GDRResult.at` keeps the records of the last few t_min, and a record computes each thing when it is
first asked for, once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gdr_core.datasets.record import UNKNOWN
from gdr_core.gdr.trust import Gain, gain

if TYPE_CHECKING:
    from gdr_core.gdr.result import GDRResult

# What happened to a node; codes index this tuple, 0 is a node that kept its label.
OUTCOMES = ("kept", "fixed", "broken", "still wrong", "not judged")


@dataclass(frozen=True, eq=False)
class Changes:
    """Which nodes a reclassification touched, as masks over all nodes, in the order of OUTCOMES.

    fixed        the prior was wrong, the new label is right
    broken       the prior was right, the new label is wrong
    still_wrong  relabelled, wrong before and after
    not_judged   relabelled, with no known class to compare with
    """

    fixed: np.ndarray
    broken: np.ndarray
    still_wrong: np.ndarray
    not_judged: np.ndarray


@dataclass(frozen=True)
class Tally:
    """How many nodes a reclassification touched; the words are those of `Changes`.

    never_overshooting  no class overshoots from t_min on
    """

    relabelled: int
    fixed: int
    broken: int
    still_wrong: int
    not_judged: int
    never_overshooting: int


@dataclass(frozen=True, eq=False)
class _Ledger:
    """The relabelled nodes in ascending order; all arrays have one entry for each of them.

    truth        the known class, −1 where it is not known
    outcomes     what happened, as codes into OUTCOMES
    margins      how far the largest excess over π lies above the second largest
    peak_times   when the predicted class is highest from t_min on, in the time of the Laplacian
    """

    nodes: np.ndarray
    truth: np.ndarray
    prior: np.ndarray
    predicted: np.ndarray
    outcomes: np.ndarray
    margins: np.ndarray
    peak_times: np.ndarray

    def clearest(self, outcome: str = "fixed") -> int | None:
        """The node with this outcome whose margin is largest; None if there is no such node."""
        rows = np.flatnonzero(self.outcomes == OUTCOMES.index(outcome))
        return int(self.nodes[rows[self.margins[rows].argmax()]]) if rows.size else None


@dataclass(frozen=True, eq=False)
class NodeReading:
    """One node from t_min on; arrays have one entry for each class.

    start, now   p(0) and p(t_min)
    peak         max_{t ≥ t_min} p
    peak_index   index of the time at which that is
    stationary   π
    """

    start: np.ndarray
    now: np.ndarray
    peak: np.ndarray
    peak_index: np.ndarray
    stationary: np.ndarray

    @property
    def excess(self) -> np.ndarray:
        """max_{t ≥ t_min} (p − π)."""
        return self.peak - self.stationary

    @property
    def overshoot(self) -> np.ndarray:
        """Ω = max(0, excess)."""
        return np.maximum(self.excess, 0)


@dataclass(frozen=True, eq=False)
class Relabelling:
    """A reclassification at t_min = times[t_min_index]."""

    result: GDRResult
    t_min_index: int

    @cached_property
    def t_min(self) -> float:
        """In relaxation times, t·λ₂."""
        return float(self.result.relative_times[self.t_min_index])

    @cached_property
    def predicted(self) -> np.ndarray:
        """The label of every node."""
        return self.result.scan.predicted[self.t_min_index].astype(np.int64)

    @cached_property
    def changes(self) -> Changes:
        """Which nodes were relabelled, and whether for the better."""
        before, now, truth = self.result.prior_labels, self.predicted, self.result.truth
        moved, known = now != before, truth != UNKNOWN
        return Changes(
            fixed=moved & (now == truth),
            broken=moved & (before == truth),
            still_wrong=moved & known & (before != truth) & (now != truth),
            not_judged=moved & ~known,
        )

    @cached_property
    def outcomes(self) -> np.ndarray:
        """For each node what happened to it, as a code into OUTCOMES."""
        masks = list(vars(self.changes).values())  # in the order of OUTCOMES
        return np.select(masks, range(1, len(OUTCOMES)), 0).astype(np.int8)

    @cached_property
    def tally(self) -> Tally:
        """The counts."""
        counts = np.bincount(self.outcomes, minlength=len(OUTCOMES))
        named = dict(zip(vars(self.changes), counts[1:].tolist(), strict=True))
        return Tally(
            relabelled=int(counts[1:].sum()),
            **named,
            never_overshooting=int(self.never_overshooting.sum()),
        )

    @cached_property
    def gain(self) -> Gain:
        """What the graph did for the validation nodes; `trust.verdict` says it in a sentence."""
        result = self.result
        return gain(result.prior_labels, self.predicted, result.truth, result.split.validation)

    @cached_property
    def ledger(self) -> _Ledger:
        """The relabelled nodes, each with its classes, its margin and the peak of its new class."""
        nodes, ahead = np.flatnonzero(self.outcomes), self.result.outlook
        return _Ledger(
            nodes=nodes,
            truth=self.result.truth[nodes],
            prior=self.result.prior_labels[nodes],
            predicted=self.predicted[nodes],
            outcomes=self.outcomes[nodes],
            margins=ahead.margins[self.t_min_index, nodes],
            peak_times=self.result.times[ahead.peaks[self.t_min_index, nodes]],
        )

    @cached_property
    def flows(self) -> np.ndarray:
        """Number of nodes with prior class a and new class b, shape (classes, classes).

        The diagonal counts those that keep their class; all entries together are the nodes.
        """
        classes = self.result.start.shape[1]
        pairs = self.result.prior_labels * classes + self.predicted
        return np.bincount(pairs, minlength=classes**2).reshape(classes, classes)

    @property
    def margins(self) -> np.ndarray:
        """How far the largest excess over π lies above the second largest, one value per node."""
        return self.result.outlook.margins[self.t_min_index]

    @cached_property
    def peak_times(self) -> np.ndarray:
        """When each node's label is highest from t_min on, in the time of the Laplacian."""
        return self.result.times[self.result.outlook.peaks[self.t_min_index]]

    @property
    def never_overshooting(self) -> np.ndarray:
        """Mask of the nodes where no class overshoots from t_min on."""
        return self.result.outlook.last_overshoots < self.t_min_index

    @cached_property
    def highest(self) -> tuple[np.ndarray, np.ndarray]:
        """Excess over π and the index of the time of the peak, each of shape (nodes, classes)."""
        return self.result.outlook.highest(self.t_min_index)

    def reading(self, node: int) -> NodeReading:
        """The numbers of one node, class by class."""
        result, first = self.result, self.t_min_index
        curves = result.trajectories.values(np.array([node]))[:, 0]
        places = first + curves[first:].argmax(axis=0)
        return NodeReading(
            start=result.start[node],
            now=curves[first],
            peak=np.take_along_axis(curves, places[None], axis=0)[0],
            peak_index=places,
            stationary=result.stationary[node],
        )


def names_of(labels: np.ndarray, class_names: tuple[str, ...]) -> list[str]:
    """Class names for labels, an empty string where the class is not known."""
    return ["" if label == UNKNOWN else class_names[label] for label in labels.tolist()]
