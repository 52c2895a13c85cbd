"""Nodes worth looking at: the extremes of a reclassification, each list in its own order.

Training nodes are left out of all lists: their label is given, whatever their curves do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdr_core.gdr.relabelling import Changes
from gdr_core.gdr.result import GDRResult


@dataclass(frozen=True, eq=False)
class Summits:
    """How high every class gets above π from t_min on, for all nodes.

    excess   max_{t ≥ t_min} (p − π), shape (nodes, classes)
    places   index of the time at which that is reached, same shape
    """

    result: GDRResult
    index: int
    excess: np.ndarray
    places: np.ndarray

    @cached_property
    def changes(self) -> Changes:
        """Which nodes were fixed and broken."""
        return self.result.changes(self.index)

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
    def hump(self) -> np.ndarray:
        """How far the best class stands out from its own beginning and end.

        The smaller of peak − p(first time) and peak − p(last time), one value for each node.
        """
        trajectories = self.result.trajectories
        nodes = np.arange(self.best.size)
        peak = self.overshoot + self.result.stationary[nodes, self.best]
        ends = [trajectories.at(place)[nodes, self.best] for place in (0, -1)]
        return np.minimum(peak - ends[0], peak - ends[1])

    @cached_property
    def margin(self) -> np.ndarray:
        """How far the best class lies ahead of the second best."""
        if self.excess.shape[1] < 2:
            return self.overshoot
        top = np.partition(self.excess, -2, axis=1)
        return top[:, -1] - top[:, -2]


@dataclass(frozen=True)
class Highlight:
    """One list: which nodes belong on it, by which value, and whether the largest come first."""

    explanation: str
    unit: str
    members: Callable[[Summits], np.ndarray]
    value: Callable[[Summits], np.ndarray]
    largest_first: bool = True


HIGHLIGHTS: dict[str, Highlight] = {
    "textbook cases": Highlight(
        "Mended by GDR, and the winning class visibly rises and falls back: the highest humps "
        "first.",
        "hump",
        lambda summits: summits.changes.fixed & summits.overshoots & interior(summits),
        lambda summits: summits.hump,
    ),
    "largest overshoot": Highlight(
        "One class rises further above its stationary value than anywhere else.",
        "Ω",
        lambda summits: summits.overshoots,
        lambda summits: summits.overshoot,
    ),
    "latest overshoot": Highlight(
        "The winning class comes from afar: it peaks last, inside the time window.",
        "t·λ₂",
        lambda summits: summits.overshoots & interior(summits),
        lambda summits: summits.result.relative_times[summits.peak],
    ),
    "narrowest margin": Highlight(
        "Two classes overshoot almost alike: a small change of t_min may decide.",
        "margin",
        lambda summits: summits.overshoots,
        lambda summits: summits.margin,
        largest_first=False,
    ),
    "fixed by GDR": Highlight(
        "The prior was wrong, the new label is right; the clearest cases first.",
        "margin",
        lambda summits: summits.changes.fixed,
        lambda summits: summits.margin,
    ),
    "broken by GDR": Highlight(
        "The prior was right, the new label is wrong; the clearest cases first.",
        "margin",
        lambda summits: summits.changes.broken,
        lambda summits: summits.margin,
    ),
    "never overshooting": Highlight(
        "No class rises above its stationary value after t_min: the prior label stays. "
        "Those that come closest are first.",
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


def summits(result: GDRResult, index: int | None = None) -> Summits:
    """The excess of every node and class and when it is reached, in one pass over the nodes."""
    now = result.at(index)
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
    order = np.argsort(-values if highlight.largest_first else values, kind="stable")[:count]
    return Ranking(name, nodes[order], values[order], int(nodes.size))


def interior(found: Summits) -> np.ndarray:
    """Mask of the nodes whose peak is neither at t_min nor at the end of the window.

    At either end the curve is cut off by the window: where it really peaks is not known.
    """
    return (found.peak > found.index) & (found.peak < found.result.times.size - 1)
