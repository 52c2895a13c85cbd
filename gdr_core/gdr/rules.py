"""Three ways from overshoots to labels, each for every t_min at once.

With Ω(t_min) = max_{t ≥ t_min} (p − π), a class overshoots where Ω > 0. No label may rest on
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
        """max_{t ≥ t_min} p(t) for every t_min: a running maximum from the last time backwards."""
        return np.maximum.accumulate(self.scores[::-1], axis=0)[::-1]

    @cached_property
    def overshoots(self) -> np.ndarray:
        """Ω before the ReLU: max_{t ≥ t_min} p(t) − π."""
        return self.peaks - self.stationary

    def best(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The class with the largest value and that value; ties go to the prior class."""
        label, largest = largest_class(values)
        prior = np.take_along_axis(values, self.prior_labels[None, None, :], axis=1)[:, 0]
        return np.where(largest - prior <= 2 * self.error, self.prior_labels, label), largest


def by_overshoot(window: Window) -> np.ndarray:
    """The class with the largest Ω, if any class overshoots; else the prior label."""
    label, largest = window.best(window.overshoots)
    return np.where(largest > window.error, label, window.prior_labels)


def by_peak(window: Window) -> np.ndarray:
    """Among the classes that overshoot the one with the highest peak; none: the prior label."""
    risen = window.overshoots > window.error
    label, highest = window.best(np.where(risen, window.peaks, -1.0))
    return np.where(highest > -1.0, label, window.prior_labels)


def by_reference(window: Window) -> np.ndarray:
    """Where every class overshoots, the highest peak; elsewhere the largest p(t_min)."""
    all_risen = window.overshoots.min(axis=1) > window.error
    return np.where(all_risen, window.best(window.peaks)[0], window.best(window.scores)[0])


def largest_class(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """argmax and max over the classes (axis 1), one class after the other.

    NumPy's argmax is slow along a short axis; there are few classes and many nodes and times.
    """
    largest = values[:, 0].copy()
    label = np.zeros(largest.shape, dtype=np.int32)
    for k in range(1, values.shape[1]):
        better = values[:, k] > largest
        np.copyto(label, k, where=better)
        np.copyto(largest, values[:, k], where=better)
    return label, largest


RULES: dict[str, Callable[[Window], np.ndarray]] = {
    "overshoot": by_overshoot,
    "peak": by_peak,
    "reference": by_reference,
}
