"""The record that reclassification returns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdr_core.datasets.record import PARTS, UNKNOWN, Split
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.gdr.options import GDROptions
from gdr_core.gdr.scan import Scan, accuracy


@dataclass(frozen=True, eq=False)
class Changes:
    """Which nodes a reclassification touched, as masks over all nodes.

    fixed     the prior was wrong, the new label is right
    broken    the prior was right, the new label is wrong
    shifted   relabelled, wrong before and after
    unknown   relabelled, with no known class to compare with
    """

    fixed: np.ndarray
    broken: np.ndarray
    shifted: np.ndarray
    unknown: np.ndarray


@dataclass(frozen=True, eq=False)
class GDRResult:
    """Reclassification for every t_min of a time grid. Index i everywhere means t_min = times[i].

    start          𝓗, the initial condition (prior with training labels in)
    prior_labels   argmax of 𝓗
    labels         the known classes, −1 where unknown
    scan           labels, relabelled nodes and accuracies for every t_min
    chosen         index of the t_min chosen on the validation nodes
    trajectories   p_j(t), compressed
    stationary     π, shape (nodes, classes)
    relaxation_time  1/λ₂: divide a time by it to have it in relaxation times
    seconds        time spent in each stage

    >>> from gdr_core import compute, load, make, reclassify
    >>> club = load("karate")
    >>> laplacian = make("combinatorial", club.adjacency)
    >>> result = reclassify(laplacian, compute("uniform", club), club.labels, club.split)
    >>> changes = result.changes()
    >>> int(changes.fixed.sum()), int(changes.broken.sum())
    (16, 1)
    >>> result.predictions().shape
    (34,)
    """

    options: GDROptions
    split: Split
    start: np.ndarray
    prior_labels: np.ndarray
    labels: np.ndarray
    scan: Scan
    chosen: int
    trajectories: Trajectories
    stationary: np.ndarray
    relaxation_time: float
    seconds: dict[str, float]

    @property
    def times(self) -> np.ndarray:
        """Every t_min, in the time of the Laplacian."""
        return self.trajectories.times

    @property
    def relative_times(self) -> np.ndarray:
        """Every t_min in relaxation times, t·λ₂."""
        finite = np.isfinite(self.relaxation_time)
        return self.times / (self.relaxation_time if finite else 1.0)

    @property
    def error_bound(self) -> float:
        """No p_j(t) is off by more than this (proved)."""
        return self.trajectories.error_bound

    @property
    def accuracy(self) -> dict[str, np.ndarray]:
        """Accuracy on train, validation and test for every t_min."""
        return self.scan.accuracy

    @cached_property
    def prior_accuracy(self) -> dict[str, float]:
        """Accuracy of the prior on train, validation and test."""
        return {
            part: float(accuracy(self.prior_labels, self.labels, getattr(self.split, part)))
            for part in PARTS
        }

    def index(self, relative_time: float) -> int:
        """Index of the t_min closest to a time given in relaxation times."""
        return int(np.abs(self.relative_times - relative_time).argmin())

    def predictions(self, index: int | None = None) -> np.ndarray:
        """Labels of all nodes for one t_min, the chosen one by default."""
        return self.scan.labels[self.resolve(index)].astype(np.int64)

    def overshoot(self, index: int | None = None, nodes: np.ndarray | None = None) -> np.ndarray:
        """Ω(t_min) = ReLU(max_{t ≥ t_min} (p − π)), equation (13), shape (nodes, classes)."""
        return np.maximum(self.excess(index, nodes), 0)

    def excess(self, index: int | None = None, nodes: np.ndarray | None = None) -> np.ndarray:
        """max_{t ≥ t_min} (p − π) without the ReLU, shape (nodes, classes)."""
        return self.collect(lambda late, pi: late.max(axis=0) - pi, index, nodes)

    def peak_times(self, index: int | None = None, nodes: np.ndarray | None = None) -> np.ndarray:
        """When each class is highest from t_min on, shape (nodes, classes)."""
        first = self.resolve(index)
        return self.collect(lambda late, pi: self.times[first + late.argmax(axis=0)], index, nodes)

    def margin(self, index: int | None = None, nodes: np.ndarray | None = None) -> np.ndarray:
        """How far the largest excess over π lies above the second largest, one value per node."""
        excess = self.excess(index, nodes)
        if excess.shape[1] < 2:
            return excess[:, 0]
        top = np.partition(excess, -2, axis=1)
        return top[:, -1] - top[:, -2]

    def never_overshooting(self, index: int | None = None) -> np.ndarray:
        """Mask of the nodes where no class overshoots from t_min on; they keep the prior label."""
        return self.excess(index).max(axis=1) <= self.error_bound

    def changes(self, index: int | None = None) -> Changes:
        """Which nodes were relabelled, and whether for the better."""
        now = self.predictions(index)
        moved = now != self.prior_labels
        known = self.labels != UNKNOWN
        right_before, right_now = self.prior_labels == self.labels, now == self.labels
        return Changes(
            fixed=moved & right_now,
            broken=moved & right_before,
            shifted=moved & known & ~right_before & ~right_now,
            unknown=moved & ~known,
        )

    def resolve(self, index: int | None) -> int:
        """An index into the time grid; None stands for the chosen t_min."""
        position = self.chosen if index is None else int(index)
        if not -self.times.size <= position < self.times.size:
            raise ValueError(f"t_min index must be below {self.times.size}, got {position}")
        return position % self.times.size

    def collect(self, reduce, index: int | None, nodes: np.ndarray | None) -> np.ndarray:  # type: ignore[no-untyped-def]
        """Reduce p from t_min on, block by block, for all nodes or the given ones."""
        first = self.resolve(index)
        if nodes is not None:
            rows = np.atleast_1d(nodes)
            return reduce(self.trajectories.values(rows)[first:], self.stationary[rows])
        pieces = [
            reduce(scores[first:], self.stationary[rows].T).T
            for rows, scores in self.trajectories.blocks()
        ]
        return np.concatenate(pieces)
