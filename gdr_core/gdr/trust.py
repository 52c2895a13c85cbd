"""Should the graph be trusted? What the validation nodes say of a reclassification.

Before and after are compared node by node: of n validation nodes b were fixed and c were broken;
the gain in accuracy is (b − c)/n. If the graph knew nothing, each of these m = b + c nodes
would be fixed or broken with equal chance, so b is binomial with θ = 1/2. The exact
(Clopper–Pearson) interval [θ₁, θ₂] of θ given b out of m gives that of the gain, (2θ − 1) m/n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc, betaincinv

from gdr_core.datasets.record import UNKNOWN

FEWEST = 20  # nodes: with fewer, hardly any gain could be told from chance
LEVEL = 0.95


@dataclass(frozen=True)
class Gain:
    """One labelling against another on the same nodes.

    nodes    n, nodes of known class
    fixed    b, wrong before and right now
    broken   c, right before and wrong now
    """

    nodes: int
    fixed: int
    broken: int

    def __post_init__(self) -> None:
        if min(self.nodes, self.fixed, self.broken) < 0 or self.fixed + self.broken > self.nodes:
            raise ValueError(f"{self.fixed} fixed and {self.broken} broken of {self.nodes} nodes")

    @property
    def value(self) -> float:
        """(b − c)/n; NaN of no nodes."""
        return (self.fixed - self.broken) / self.nodes if self.nodes else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The exact interval of the gain at the level 95 %, given how many were fixed or broken.

        >>> low, high = Gain(nodes=100, fixed=9, broken=1).interval
        >>> round(low, 3), round(high, 3)
        (0.011, 0.099)
        """
        moved, rest = self.fixed + self.broken, (1 - LEVEL) / 2
        if not moved:
            return (0.0, 0.0) if self.nodes else (float("nan"), float("nan"))
        low = betaincinv(self.fixed, self.broken + 1, rest) if self.fixed else 0.0
        high = betaincinv(self.fixed + 1, self.broken, 1 - rest) if self.broken else 1.0
        scale = moved / self.nodes
        return float((2 * low - 1) * scale), float((2 * high - 1) * scale)

    @property
    def chance(self) -> float:
        """P(at least b fixed of b + c) if both were equally likely; small if the gain is real."""
        return float(bdtrc(self.fixed - 1, self.fixed + self.broken, 0.5)) if self.fixed else 1.0

    @property
    def enough(self) -> bool:
        """Whether there are nodes enough to say anything."""
        return self.nodes >= FEWEST

    @property
    def better(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.enough and self.interval[0] > 0

    @property
    def worse(self) -> bool:
        """Whether the whole interval lies below 0."""
        return self.enough and self.interval[1] < 0


def gain(before: np.ndarray, after: np.ndarray, truth: np.ndarray, members: np.ndarray) -> Gain:
    """What changed among the members whose class is known."""
    return gains(before, after[None], truth, members)[0]


def gains(
    before: np.ndarray, after: np.ndarray, truth: np.ndarray, members: np.ndarray
) -> list[Gain]:
    """The same for several labellings; `after` has one a row."""
    known = members[truth[members] != UNKNOWN]
    was, is_ = before[known] == truth[known], after[:, known] == truth[known]
    fixed, broken = (is_ & ~was).sum(axis=1), (was & ~is_).sum(axis=1)
    return [
        Gain(int(known.size), *counts)
        for counts in zip(fixed.tolist(), broken.tolist(), strict=True)
    ]


def unseen_classes(truth: np.ndarray, members: np.ndarray, classes: int) -> int:
    """How many classes no member has: what is chosen or fitted on members knows nothing of these.

    >>> unseen_classes(np.array([0, 2, UNKNOWN, 1]), np.arange(3), classes=3)
    1
    """
    known = truth[members]
    return classes - len(np.unique(known[known != UNKNOWN]))


def knows_nothing(what: str, unseen: int, classes: int) -> str:
    """A sentence on classes without a validation node; empty where every class has one.

    >>> knows_nothing("the choice", 2, 7)
    '2 of 7 classes have no validation node: the choice knows nothing of them.'
    """
    if not unseen:
        return ""
    verb, them = ("has", "it") if unseen == 1 else ("have", "them")
    return (
        f"{unseen} of {classes} classes {verb} no validation node: {what} knows nothing of {them}."
    )


def verdict(found: Gain) -> str:
    """One sentence on whether the graph should be trusted.

    >>> verdict(Gain(nodes=500, fixed=110, broken=12))
    'The graph helps: of 500 validation nodes it fixed 110 and broke 12, a gain of 19.6 points \
(95% interval 16.3 to 21.9).'
    >>> verdict(Gain(nodes=8, fixed=2, broken=0))
    'Whether the graph helps cannot be told: 8 validation nodes are too few.'
    >>> verdict(Gain(nodes=500, fixed=0, broken=0))
    'The graph neither helps nor misleads: of 500 validation nodes it fixed none and broke none.'
    """
    if not found.enough:
        few = (
            f"{found.nodes:,} validation nodes are" if found.nodes != 1 else "1 validation node is"
        )
        few = "no validation node has a known class." if not found.nodes else f"{few} too few."
        return f"Whether the graph helps cannot be told: {few}"
    if not found.fixed + found.broken:
        return (
            f"The graph neither helps nor misleads: of {found.nodes:,} validation nodes it fixed "
            "none and broke none."
        )
    said = counted(found)
    if found.better:
        return f"The graph helps: {said}"
    if found.worse:
        return f"The graph misleads, and the prior is better kept: {said}"
    return f"Whether the graph helps cannot be told: {said}"


def counted(found: Gain) -> str:
    """The end of a sentence: how many were fixed and broken, and the gain with its interval.

    >>> counted(Gain(nodes=500, fixed=30, broken=13))
    'of 500 validation nodes it fixed 30 and broke 13, a gain of 3.4 points \
(95% interval 0.7 to 5.6).'
    """
    low, high = (_points(end) for end in found.interval)
    return (
        f"of {found.nodes:,} validation nodes it fixed {found.fixed:,} and broke "
        f"{found.broken:,}, a {'gain' if found.value >= 0 else 'loss'} of "
        f"{_points(abs(found.value))} points (95% interval {low} to {high})."
    )


def _points(value: float) -> str:
    return f"{100 * value + 0.0:.1f}".replace("-0.0", "0.0").replace("-", "−")
