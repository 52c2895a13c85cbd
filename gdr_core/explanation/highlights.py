"""Example nodes: the extremes of a reclassification, each list in its own order.

Training nodes are left out of all lists: their label is given, whatever their curves do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdr_core.gdr.relabelling import Changes
from gdr_core.gdr.result import GDRResult

VISIBLE = 0.02  # a rise of belief that one sees in a chart


@dataclass(frozen=True, eq=False)
class Summits:
    """How high every class gets above π from t_min on, for all nodes.

    excess   max_{t ≥ t_min} (p − π), shape (nodes, classes)
    places   index of the time at which that is reached, same shape
    """

    result: GDRResult
    t_min_index: int
    excess: np.ndarray
    places: np.ndarray

    @cached_property
    def changes(self) -> Changes:
        """Which nodes were fixed and broken."""
        return self.result.changes(self.t_min_index)

    @cached_property
    def best(self) -> np.ndarray:
        """The class that rises highest above π, one for each node."""
        return self.excess.argmax(axis=1)

    @cached_property
    def overshoot(self) -> np.ndarray:
        """The largest excess of any class, one value for each node."""
        return self.excess.max(axis=1)

    @cached_property
    def overshoots(self) -> np.ndarray:
        """Mask of the nodes where some class overshoots by more than the numerical error."""
        return self.overshoot > self.result.error_bound

    @cached_property
    def peak(self) -> np.ndarray:
        """Index of the time at which each node's best class peaks."""
        return np.take_along_axis(self.places, self.best[:, None], axis=1)[:, 0]

    @cached_property
    def whole(self) -> Summits:
        """The same from t_min = 0 on: the whole window."""
        return self if self.t_min_index == 0 else summits(self.result, 0)

    @cached_property
    def falls(self) -> np.ndarray:
        """How far every class ends below its summit, shape (nodes, classes)."""
        return self.excess + self.result.stationary - self.result.limit

    @cached_property
    def rises(self) -> np.ndarray:
        """How far every class rises above both p(0) and p(t_min), shape (nodes, classes)."""
        before = np.maximum(self.result.start, self.result.trajectories.at(self.t_min_index))
        return self.excess + self.result.stationary - before

    @cached_property
    def returning(self) -> np.ndarray:
        """How clearly each class rises to a peak after t_min and falls back to where it ends.

        The smallest of four heights of the peak: above p(0), above p(t_min), above π and above the
        end. −∞ where the curve is highest at t_min; shape (nodes, classes).
        """
        lowest = np.minimum(np.minimum(self.rises, self.falls), self.excess)
        return np.where(self.places > self.t_min_index, lowest, -np.inf)

    @cached_property
    def winning(self) -> np.ndarray:
        """`returning` of the class that each node has after reclassification."""
        return self._of_labels(self.returning)

    @cached_property
    def relabelled_by_it(self) -> np.ndarray:
        """Mask of the nodes whose new label visibly rises to a peak after t_min and falls back."""
        return self._visibly_new(self.winning)

    @cached_property
    def relabelled_by_any(self) -> np.ndarray:
        """Mask of the nodes whose new label visibly rises and falls back, after t = 0 or t_min."""
        return self.relabelled_by_it | self._visibly_new(self._of_labels(self.whole.returning))

    @cached_property
    def group(self) -> np.ndarray:
        """0 for nodes that are relabelled by it, 1 for others relabelled by any, 2 for the rest."""
        return 2 - self.relabelled_by_any.astype(int) - self.relabelled_by_it

    @cached_property
    def clarity(self) -> np.ndarray:
        """How clearly a class rises and falls back: by the node's group the new one, or any."""
        whole = self.whole.returning
        kinds = [self.winning, self._of_labels(whole), whole.max(axis=1)]
        return np.choose(self.group, kinds)

    def _of_labels(self, values: np.ndarray) -> np.ndarray:
        """For each node the value of the class that it has after reclassification."""
        labels = self.result.predictions(self.t_min_index)
        return np.take_along_axis(values, labels[:, None], axis=1)[:, 0]

    def _visibly_new(self, heights: np.ndarray) -> np.ndarray:
        """Mask of the nodes that change their label and whose height can be seen in a chart."""
        moved = self.result.predictions(self.t_min_index) != self.result.prior_labels
        return moved & (heights > max(VISIBLE, 2 * self.result.error_bound))

    @cached_property
    def margin(self) -> np.ndarray:
        """How far the best class lies ahead of the second best."""
        if self.excess.shape[1] < 2:
            return self.overshoot
        top = np.partition(self.excess, -2, axis=1)
        return top[:, -1] - top[:, -2]


@dataclass(frozen=True)
class Highlight:
    """One list: which nodes belong on it, by which value, and whether the largest come first.

    group    number of each node's group, of which 0 comes first; None where all are one group
    """

    explanation: str
    unit: str
    members: Callable[[Summits], np.ndarray]
    value: Callable[[Summits], np.ndarray]
    largest_first: bool = True
    group: Callable[[Summits], np.ndarray] | None = None


HIGHLIGHTS: dict[str, Highlight] = {
    "clear overshoots": Highlight(
        "A class rises above p(0) and π and falls back to where it ends. First the nodes whose new "
        "label is a class that visibly does so after t_min, rising above p(t_min), too; then those "
        "whose new label visibly does so from t = 0 on; then all others, whichever class does so "
        "from t = 0 on. Each time the clearest come first.",
        "rise",
        lambda summits: summits.clarity > 2 * summits.result.error_bound,
        lambda summits: summits.clarity,
        group=lambda summits: summits.group,
    ),
    "largest overshoot": Highlight(
        "A class gets further above its π than at other nodes, whether or not it falls back.",
        "overshoot height",
        lambda summits: summits.overshoots,
        lambda summits: summits.overshoot,
    ),
    "latest overshoot": Highlight(
        "The highest class peaks last, inside the time window, and falls back.",
        "t·λ₂",
        lambda summits: summits.overshoots & _interior(summits) & _falls_back(summits),
        lambda summits: summits.result.relative_times[summits.peak],
    ),
    "narrowest margin": Highlight(
        "The two classes that get highest above their π are almost level: by the rule overshoot, "
        "a small change of t_min may decide.",
        "margin",
        lambda summits: summits.overshoots,
        lambda summits: summits.margin,
        largest_first=False,
    ),
    "fixed by GDR": Highlight(
        "The prior was wrong, the new label is right; the largest margins first.",
        "margin",
        lambda summits: summits.changes.fixed,
        lambda summits: summits.margin,
    ),
    "broken by GDR": Highlight(
        "The prior was right, the new label is wrong; the largest margins first.",
        "margin",
        lambda summits: summits.changes.broken,
        lambda summits: summits.margin,
    ),
    "no overshoot": Highlight(
        "No class gets above its π from t_min to the end of the time window. Those that come "
        "closest are first.",
        "p − π",
        lambda summits: ~summits.overshoots,
        lambda summits: summits.overshoot,
    ),
}


@dataclass(frozen=True, eq=False)
class Ranking:
    """The nodes of one list in its order, their values, and how many there are in all."""

    name: str
    nodes: np.ndarray
    values: np.ndarray
    total: int


def summits(result: GDRResult, t_min_index: int | None = None) -> Summits:
    """The excess of every node and class and when it is reached, in one pass over the nodes."""
    now = result.at(t_min_index)
    return Summits(result, now.t_min_index, *now.highest)


def ranking(found: Summits, name: str, count: int = 12) -> Ranking:
    """The first `count` nodes of one of the HIGHLIGHTS; of equals the lower number comes first."""
    if name not in HIGHLIGHTS:
        raise ValueError(f"unknown list {name!r}; there are {', '.join(HIGHLIGHTS)}")
    highlight = HIGHLIGHTS[name]
    members = highlight.members(found).copy()
    members[found.result.split.train] = False
    nodes = np.flatnonzero(members)
    values = highlight.value(found)[nodes]
    by_value = -values if highlight.largest_first else values
    group = np.zeros(nodes.size) if highlight.group is None else highlight.group(found)[nodes]
    order = np.lexsort((by_value, group))[:count]
    return Ranking(name, nodes[order], values[order], int(nodes.size))


def _interior(found: Summits) -> np.ndarray:
    """Mask of the nodes whose peak is neither at t_min nor at the end of the window.

    At either end the curve is cut off by the window: where it really peaks is not known.
    """
    return (found.peak > found.t_min_index) & (found.peak < found.result.times.size - 1)


def _falls_back(found: Summits) -> np.ndarray:
    """Mask of the nodes whose highest class ends below its peak by more than the error."""
    fall = np.take_along_axis(found.falls, found.best[:, None], axis=1)[:, 0]
    return fall > 2 * found.result.error_bound
