"""The record that reclassification returns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from gdr_core import gate
from gdr_core.datasets.record import PARTS, Dataset, Split
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.gdr.options import GDROptions
from gdr_core.gdr.outlook import Outlook, lead
from gdr_core.gdr.relabelling import Changes, Relabelling
from gdr_core.gdr.scan import Scan, accuracies, accuracy

KEPT = 8  # records of single t_min that a result remembers
_ROUNDED = 1e-3  # a t_min written with four digits may lie so far beyond the last one


@dataclass(frozen=True, eq=False)
class GDRResult:
    """Reclassification for every t_min of a time grid.

    A t_min is given by its index everywhere: i means t_min = times[i], None the chosen one.
    `at(i)` is the record of all that follows from one t_min; `at_time(t)` takes the nearest t_min
    to a time in relaxation times.

    start          𝓗, the initial condition (prior with training labels in)
    prior_labels   argmax of 𝓗
    truth          the known classes, −1 where unknown
    scan           labels, relabelled nodes and accuracies for every t_min
    chosen         index of the t_min chosen on the validation nodes
    trajectories   p_j(t), compressed
    stationary     π, which curves are compared with, shape (nodes, classes)
    limit          where curves end as t → ∞: the stationary state of each node's own component
    outlook        how high every class gets from each t_min on
    relaxation_time  1/λ₂: divide a time by it to have it in relaxation times
    seconds        time spent in each stage
    keeps_prior    whether all labels are the prior's, at every t_min; see `keeping_prior`

    >>> from gdr_core import compute_prior, load_dataset, make_laplacian, reclassify
    >>> club = load_dataset("karate")
    >>> laplacian = make_laplacian("combinatorial", club.adjacency)
    >>> result = reclassify(laplacian, compute_prior("uniform", club), club.labels, club.split)
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
    truth: np.ndarray
    scan: Scan
    chosen: int
    trajectories: Trajectories
    stationary: np.ndarray
    limit: np.ndarray
    outlook: Outlook
    relaxation_time: float
    seconds: dict[str, float]
    keeps_prior: bool = False

    @cached_property
    def times(self) -> np.ndarray:
        """Every t_min, in the time of the Laplacian."""
        return self.trajectories.times

    @cached_property
    def relative_times(self) -> np.ndarray:
        """Every t_min in relaxation times, t·λ₂."""
        finite = np.isfinite(self.relaxation_time)
        return self.times / (self.relaxation_time if finite else 1.0)

    @cached_property
    def time_names(self) -> tuple[str, ...]:
        """Every t_min as people read it and links carry it, in relaxation times."""
        return tuple(f"{time:.4g}" for time in self.relative_times)

    @cached_property
    def error_bound(self) -> float:
        """No p_j(t) is off by more than this (proved)."""
        return self.trajectories.error_bound

    @cached_property
    def accuracy(self) -> dict[str, np.ndarray]:
        """Accuracy on train, validation and test for every t_min."""
        return self.scan.accuracy

    @cached_property
    def prior_accuracy(self) -> dict[str, float]:
        """Accuracy of the prior on train, validation and test."""
        return {
            part: float(accuracy(self.prior_labels, self.truth, getattr(self.split, part)))
            for part in PARTS
        }

    def index(self, relative_time: float) -> int:
        """Index of the t_min closest to a time given in relaxation times, inside the window."""
        wanted = gate.finite(relative_time, "t_min")
        last = float(self.relative_times[-1])
        if not 0 <= wanted <= last * (1 + _ROUNDED):
            raise ValueError(
                f"t_min must lie in the time window, from 0 to {last:.4g} relaxation times, got "
                f"{wanted:.4g}"
            )
        return int(np.abs(self.relative_times - wanted).argmin())

    def at(self, t_min_index: int | None = None) -> Relabelling:
        """All that follows from one t_min, the chosen one by default; see `Relabelling`.

        The last few records are kept, so that all who ask about one t_min share what it computes.
        """
        index = self.resolve(t_min_index)
        found = self._kept.pop(index, None) or Relabelling(self._bare, index)
        for oldest in list(self._kept)[: 1 - KEPT]:
            self._kept.pop(oldest, None)
        self._kept[index] = found
        return found

    def at_time(self, relative_time: float) -> Relabelling:
        """All that follows from the t_min closest to a time given in relaxation times."""
        return self.at(self.index(relative_time))

    @cached_property
    def _kept(self) -> dict[int, Relabelling]:
        return {}

    @cached_property
    def _bare(self) -> GDRResult:
        """What records refer to: a ring of references would keep large arrays alive for long."""
        return replace(self)

    def judged_by(self, truth: np.ndarray) -> GDRResult:
        """The same labels compared with other known classes, e.g. with those of test nodes.

        They must agree with the present ones on train and validation, which nothing else reads.
        """
        scan = replace(self.scan, accuracy=accuracies(self.scan.predicted, truth, self.split))
        return replace(self, truth=truth, scan=scan)

    def keeping_prior(self) -> GDRResult:
        """The same diffusion, but every node keeps the label that the prior gives it.

        >>> from gdr_core import Method
        >>> kept = Method.on("karate", prior="uniform").run().keeping_prior()
        >>> kept.at().tally.relabelled
        0
        """
        table = self.scan.predicted
        kept = np.broadcast_to(self.prior_labels.astype(table.dtype), table.shape)
        nobody = np.zeros_like(self.scan.relabelled)
        scan = Scan(kept, nobody, accuracies(kept, self.truth, self.split))
        return replace(self, scan=scan, keeps_prior=True)

    def predictions(self, t_min_index: int | None = None) -> np.ndarray:
        """Labels of all nodes for one t_min, the chosen one by default."""
        return self.at(t_min_index).predicted

    def changes(self, t_min_index: int | None = None) -> Changes:
        """Which nodes were relabelled, and whether for the better."""
        return self.at(t_min_index).changes

    def view(self, dataset: Dataset, **options: Any) -> Any:
        """The relabelled graph in a notebook, with a control of t_min; see `gdr_core.view`.

        dataset   whose nodes the result is about: a result keeps no graph

        >>> from gdr_core import Method, load_dataset
        >>> picture = Method.on("karate", prior="uniform").run().view(load_dataset("karate"))
        """
        import gdr_core  # which asks for the canvases only when they are wanted

        return gdr_core.view(dataset, self, **options)

    def overshoot(
        self, t_min_index: int | None = None, nodes: np.ndarray | None = None
    ) -> np.ndarray:
        """Ω(t_min) = ReLU(max_{t ≥ t_min} (p − π)), equation (13), shape (nodes, classes)."""
        return np.maximum(self.excess(t_min_index, nodes), 0)

    def excess(self, t_min_index: int | None = None, nodes: np.ndarray | None = None) -> np.ndarray:
        """max_{t ≥ t_min} (p − π) without the ReLU, shape (nodes, classes)."""
        return self._highest(t_min_index, nodes)[0]

    def peak_times(
        self, t_min_index: int | None = None, nodes: np.ndarray | None = None
    ) -> np.ndarray:
        """When each class is highest from t_min on, shape (nodes, classes)."""
        return self.times[self._highest(t_min_index, nodes)[1]]

    def margin(self, t_min_index: int | None = None, nodes: np.ndarray | None = None) -> np.ndarray:
        """How far the largest excess over π lies above the second largest, one value per node."""
        return lead(self.excess(t_min_index, nodes).T)

    def never_overshooting(self, t_min_index: int | None = None) -> np.ndarray:
        """Mask of the nodes where no class overshoots from t_min on; they keep the prior label."""
        return self.excess(t_min_index).max(axis=1) <= self.error_bound

    def resolve(self, t_min_index: int | None) -> int:
        """An index into the time grid; None stands for the chosen t_min."""
        position = self.chosen if t_min_index is None else gate.whole(t_min_index, "t_min index")
        if not -self.times.size <= position < self.times.size:
            raise ValueError(f"t_min index must be below {self.times.size}, got {position}")
        return position % self.times.size

    def _highest(
        self, t_min_index: int | None, nodes: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        rows = None if nodes is None else self._rows(nodes)
        return self.outlook.highest(self.resolve(t_min_index), rows)

    def _rows(self, nodes: np.ndarray) -> np.ndarray:
        """Node numbers as an array; a mask of all nodes stands for those that it marks."""
        if (
            isinstance(nodes, np.ndarray)
            and nodes.dtype == bool
            and nodes.shape == self.truth.shape
        ):
            return np.flatnonzero(nodes)
        return gate.node_numbers(gate.as_list(nodes), "nodes", self.truth.size)
