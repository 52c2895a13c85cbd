"""Three ways from overshoots to labels, each for every t_min at once.

With Ω(t_min) = max_{t ≥ t_min} (p − π), a class overshoots where Ω > 0: equations (12) and (13) of
the paper, before the ReLU. No label may rest on
numerical error, so 0 stands for the proved error of p: a class overshoots if it exceeds π by more,
and a node leaves its prior class only for one that is ahead by more than the error of both.
Otherwise, of classes that are equal, the first is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Window:
    """What a rule may look at, for a block of nodes and every t_min of the grid.

    scores        p(t), shape (times, classes, nodes): classes apart, so that comparing them
                  runs over contiguous memory
    stationary    π, shape (classes, nodes)
    prior_labels  argmax of the prior, shape (nodes,)
    error         no score is off by more than this
    """

    scores: np.ndarray
    stationary: np.ndarray
    prior_labels: np.ndarray
    error: float

    @cached_property
    def peaks(self) -> np.ndarray:
        """max_{t ≥ t_min} p(t) for every t_min: a running maximum from the last time backwards.

        NumPy's own accumulation runs along the times node by node; whole rows are much faster.
        """
        running = self.scores.copy()
        for i in range(len(running) - 2, -1, -1):
            np.maximum(running[i], running[i + 1], out=running[i])
        return running

    def peak(self, k: int) -> np.ndarray:
        """max_{t ≥ t_min} p(t) of one class, shape (times, nodes)."""
        return self.peaks[:, k]

    def overshoot(self, k: int) -> np.ndarray:
        """Ω of one class before the ReLU: max_{t ≥ t_min} p(t) − π."""
        return self.peaks[:, k] - self.stationary[k]

    @cached_property
    def kept(self) -> np.ndarray:
        """The prior labels in the type of the labels that are returned."""
        return self.prior_labels.astype(smallest_integer(self.scores.shape[1]))

    def best(self, value: Callable[[int], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """The class with the largest value and that value; ties go to the prior class.

        NumPy's argmax is slow along a short axis, and there are few classes but many nodes and
        times. So classes are taken one after the other; one that beats all before it has the
        largest number so far, which makes the label a maximum, too.
        """
        times, classes, nodes = self.scores.shape
        label = np.zeros((times, nodes), dtype=self.kept.dtype)
        largest, prior = np.full((2, times, nodes), -np.inf, dtype=self.scores.dtype)
        for k in range(classes):
            candidate = value(k)
            better = (candidate > largest).astype(label.dtype)
            np.maximum(largest, candidate, out=largest)
            np.maximum(label, np.multiply(better, k, out=better), out=label)
            own = np.flatnonzero(self.kept == k)
            prior[:, own] = candidate[:, own]
        prior += 2 * self.error
        np.copyto(label, self.kept, where=largest <= prior)
        return label, largest


def by_overshoot(window: Window) -> np.ndarray:
    """The class with the largest Ω, if any class overshoots; else the prior label: (14), (15)."""
    label, largest = window.best(window.overshoot)
    return np.where(largest > window.error, label, window.kept)


def by_peak(window: Window) -> np.ndarray:
    """Among the classes that overshoot the one with the highest peak; none: the prior label."""

    def peak_if_risen(k: int) -> np.ndarray:
        return np.where(window.overshoot(k) > window.error, window.peak(k), -1.0)

    label, highest = window.best(peak_if_risen)
    return np.where(highest > -1.0, label, window.kept)


def by_reference(window: Window) -> np.ndarray:
    """Where every class overshoots, the highest peak; elsewhere the largest p(t_min)."""
    classes = range(window.scores.shape[1])
    all_risen = np.logical_and.reduce([window.overshoot(k) > window.error for k in classes])
    now, _ = window.best(lambda k: window.scores[:, k])
    return np.where(all_risen, window.best(window.peak)[0], now)


def smallest_integer(classes: int) -> np.dtype:
    """The smallest signed integer type that holds every class number."""
    return np.min_scalar_type(-max(classes, 1))


RULES: dict[str, Callable[[Window], np.ndarray]] = {
    "overshoot": by_overshoot,
    "peak": by_peak,
    "reference": by_reference,
}
