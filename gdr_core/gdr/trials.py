"""Repeated runs of methods and how they are compared: means with intervals, paired tests.

A **trial** is one run of a method on one set of nodes: a split, a seed, and the share of nodes that
were right before and after reclassification. Methods that ran on the same splits and seeds are
compared trial by trial; methods that labelled the same nodes are compared node by node.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc, stdtr, stdtrit

from gdr_core.datasets.record import UNKNOWN, Dataset
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.trust import LEVEL
from gdr_core.spreadsheets import safe_cell

EVERY_CLASS = "all"
PARTS = ("validation", "test")
_COLUMNS = (
    *("method", "source", "split", "seed", "part", "class"),
    *("nodes", "accuracy_before", "accuracy_after", "gain"),
)


@dataclass(frozen=True)
class Trial:
    """One run of a method on one set of nodes.

    method          its name
    source          where the run comes from, such as `stored` or `here`
    split, seed     which split, and the seed of all that is random
    part, group     the set of nodes: a part of the split, all of it or one class of it
    nodes           how many these are
    before, after   share of them that was right before and after reclassification
    """

    method: str
    source: str
    split: str
    seed: int
    part: str
    group: str
    nodes: int
    before: float
    after: float

    @property
    def gain(self) -> float:
        """after − before."""
        return self.after - self.before

    @property
    def occasion(self) -> tuple[str, int, str, str]:
        """What two trials must share to be compared: split, seed and set of nodes."""
        return self.split, self.seed, self.part, self.group


def trials_of(
    result: GDRResult, dataset: Dataset, *, method: str, source: str, seed: int
) -> list[Trial]:
    """One reclassification at its chosen t_min: validation and test nodes, all and by class.

    Nodes of unknown class are not counted; a set without nodes has no trial. So where the classes
    of test nodes are hidden there are trials on validation nodes only.
    """
    found = []
    for part in PARTS:
        members = getattr(dataset.split, part)
        truth = dataset.labels[members]
        was, is_ = result.prior_labels[members] == truth, result.predictions()[members] == truth
        for group, among in _groups(truth, dataset.class_names):
            trial = Trial(
                method=method,
                source=source,
                split=dataset.split.name,
                seed=seed,
                part=part,
                group=group,
                nodes=int(among.sum()),
                before=float(was[among].mean()),
                after=float(is_[among].mean()),
            )
            found.append(trial)
    return found


def _groups(truth: np.ndarray, names: Sequence[str]) -> list[tuple[str, np.ndarray]]:
    """The sets of nodes with a known class, all and by class, as masks; none is empty."""
    every = [(EVERY_CLASS, truth != UNKNOWN), *((name, truth == k) for k, name in enumerate(names))]
    return [(group, among) for group, among in every if among.any()]


@dataclass(frozen=True)
class Mean:
    """A mean over n runs with its interval at the level 95 %.

    chance   of a mean at least so far from 0 if the true mean were 0; NaN of a single run
    """

    value: float
    low: float
    high: float
    runs: int
    chance: float


def mean_of(values: Iterable[float]) -> Mean:
    """x̄ ± t s/√n, Student's interval: t is the 97.5 % point with n − 1 degrees of freedom.

    s² = Σ (xᵢ − x̄)²/(n − 1). The interval holds for independent runs. Random splits of one graph
    share nodes, so that for them it is somewhat too narrow. One run has no interval (NaN).

    >>> found = mean_of([0.80, 0.82, 0.81])
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.81, 0.785, 0.835)
    """
    numbers = np.array(list(values), dtype=float)
    n, nothing = numbers.size, float("nan")
    if n < 2:
        return Mean(float(numbers[0]) if n else nothing, nothing, nothing, n, nothing)
    mean, error = float(numbers.mean()), float(numbers.std(ddof=1)) / math.sqrt(n)
    half = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * error
    if error == 0:
        chance = 1.0 if mean == 0 else 0.0
    else:
        chance = 2 * float(stdtr(n - 1, -abs(mean) / error))
    return Mean(mean, mean - half, mean + half, n, chance)


def difference(one: Sequence[Trial], other: Sequence[Trial]) -> Mean:
    """How much more accurate `other` is after reclassification, paired: the mean over all
    occasions that both have of a'ᵢ − aᵢ, with its interval (see `mean_of`)."""
    known = {trial.occasion: trial.after for trial in one}
    return mean_of(t.after - known[t.occasion] for t in other if t.occasion in known)


def mcnemar(won: int, lost: int) -> float:
    """McNemar's exact test, two-sided, of two labellings of the same nodes.

    won    b, nodes that only the second labels right
    lost   c, nodes that only the first labels right

    If both were equally good, b would be binomial with m = b + c and θ = 1/2. The chance of a
    difference at least as large is min(1, 2 P(X ≥ max(b, c))).

    >>> round(mcnemar(9, 1), 4)
    0.0215
    >>> mcnemar(0, 0)
    1.0
    """
    if min(won, lost) < 0:
        raise ValueError(f"counts cannot be negative, got {won} and {lost}")
    if won + lost == 0:
        return 1.0
    return min(1.0, 2 * float(bdtrc(max(won, lost) - 1, won + lost, 0.5)))


def trials_csv(trials: Iterable[Trial]) -> str:
    """One row for each method, split, seed and set of nodes."""
    return _table(_COLUMNS, _rows(trials))


def datasets_csv(trials: Mapping[str, Iterable[Trial]]) -> str:
    """The trials on several datasets as one table, whose first column is the dataset.

    >>> datasets_csv({"karate": []}).split(",")[:3]
    ['dataset', 'method', 'source']
    """
    rows = ([safe_cell(name), *row] for name, runs in trials.items() for row in _rows(runs))
    return _table(("dataset", *_COLUMNS), rows)


def _table(columns: Sequence[str], rows: Iterable[list[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _rows(trials: Iterable[Trial]) -> Iterator[list[object]]:
    for trial in trials:
        words = (trial.method, trial.source, trial.split)
        numbers = (trial.before, trial.after, trial.gain)
        yield [
            *(safe_cell(word) for word in words),
            trial.seed,
            trial.part,
            safe_cell(trial.group),
            trial.nodes,
            *(f"{number:.6f}" for number in numbers),
        ]
