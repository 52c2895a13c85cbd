"""Ways from overshoots to labels, each a record that decides for every t_min at once.

With Ω(t_min) = max_{t ≥ t_min} (p − π), a class overshoots where Ω > 0: equations (12) and (13) of
the paper, before the ReLU. No label may rest on
numerical error, so 0 stands for the proved error of p: a class overshoots if it exceeds π by more,
and a node leaves its prior class only for one that is ahead by more than the error of both.
Otherwise, of classes that are equal, the first is taken.

A fourth rule is one more entry of RULES: scan, sentence and Why card read from it how it decides
and what it measures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

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

    @cached_property
    def all_risen(self) -> np.ndarray:
        """Where every class overshoots, shape (times, nodes)."""
        classes = range(self.scores.shape[1])
        return np.logical_and.reduce([self.overshoot(k) > self.error for k in classes])

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


@dataclass(frozen=True)
class Measure:
    """What a rule compares between the classes of one node.

    name      as it is written in a sentence: "its overshoot height, 0.2, is the largest"
    meaning   the same in one line for who meets it first
    moment    the time of a curve that the value is taken at, one of _MOMENTS
    """

    name: str
    meaning: str
    moment: str

    def __post_init__(self) -> None:
        if self.moment not in _MOMENTS:
            raise ValueError(f"unknown moment {self.moment!r}; there are {', '.join(_MOMENTS)}")


_MOMENTS = ("t_min", "peak", "end")
_OVERSHOOT_HEIGHT = Measure(
    "overshoot height", "how far the belief gets above π from t_min on", "peak"
)
PEAK = Measure("highest belief", "the highest value of the belief from t_min on", "peak")
_BELIEF_AT_T_MIN = Measure("belief at t_min", "the value of the belief at t_min itself", "t_min")


@dataclass(frozen=True)
class Rule:
    """One way from curves to a label. All that is said about a rule is read from here.

    meaning    what it does, in one line
    origin     where it comes from
    measures   what it compares; most rules have one
    value      of one class for every t_min, shape (times, nodes); −∞ where the class cannot win
    floor      the prior's label is kept where no value is larger than this
    which      for every t_min the number of the measure that decides, shape (times, nodes); None
               where there is one measure
    keeping    why the prior's label is kept where no value is above the floor
    """

    meaning: str
    origin: str
    measures: tuple[Measure, ...]
    value: Callable[[Window, int], np.ndarray]
    floor: Callable[[Window], float] = lambda window: -np.inf
    which: Callable[[Window], np.ndarray] | None = None
    keeping: str = "no class can win"

    def __call__(self, window: Window) -> np.ndarray:
        """The label of every node for every t_min: the largest value, ties as in `Window.best`."""
        label, largest = window.best(partial(self.value, window))
        return np.where(largest > self.floor(window), label, window.kept)

    def measured(self, window: Window) -> tuple[np.ndarray, np.ndarray]:
        """For the first node and every t_min which measure decides, and the values of all classes.

        The number of the measure is −1 where no class can win and the prior's label stays.
        """
        classes = range(window.scores.shape[1])
        values = np.array([self.value(window, k)[:, 0] for k in classes], dtype=np.float64).T
        code = 0 if self.which is None else self.which(window)[:, 0]
        return np.where(values.max(axis=1) > self.floor(window), code, -1), values


def _overshoot_height(window: Window, k: int) -> np.ndarray:
    """Ω of one class before the ReLU."""
    return window.overshoot(k)


def _peak_if_overshooting(window: Window, k: int) -> np.ndarray:
    """The highest value of a class that overshoots."""
    return np.where(window.overshoot(k) > window.error, window.peak(k), -np.inf)


def _peak_or_now(window: Window, k: int) -> np.ndarray:
    """The highest value where every class overshoots, elsewhere p(t_min)."""
    return np.where(window.all_risen, window.peak(k), window.scores[:, k])


def smallest_integer(classes: int) -> np.dtype:
    """The smallest signed integer type that holds every class number."""
    return np.min_scalar_type(-max(classes, 1))


RULES: dict[str, Rule] = {
    "overshoot": Rule(
        meaning="the class that gets furthest above π from t_min on",
        origin="the paper's equations",
        measures=(_OVERSHOOT_HEIGHT,),
        value=_overshoot_height,
        floor=lambda window: window.error,
        keeping="no class gets above its π",
    ),
    "peak": Rule(
        meaning="of the classes that get above π from t_min on, the one with the highest belief",
        origin="a comment in the authors' published program",
        measures=(PEAK,),
        value=_peak_if_overshooting,
        keeping="no class gets above its π",
    ),
    "reference": Rule(
        meaning="the largest belief at t_min; where every class gets above π, the highest peak",
        origin="what the authors' published program does",
        measures=(_BELIEF_AT_T_MIN, PEAK),
        value=_peak_or_now,
        which=lambda window: window.all_risen.astype(np.intp),
    ),
}
