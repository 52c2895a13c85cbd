"""What is said about a verdict, as typed claims, and the words of each.

Every claim is a record that says itself: its values are all that goes into its words, so whoever
checks the values has checked the words. `gdr_core.explanation.verdict.claims` makes them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from gdr_core.explanation.quantities import shown


class Claim(ABC):
    """One thing that is said; several of them make up a sentence."""

    @abstractmethod
    def words(self, names: Sequence[str]) -> str:
        """The claim as text, with these names of classes."""


def in_words(said: Sequence[Claim], class_names: Sequence[str]) -> str:
    """Claims as text: a pure function of them.

    >>> in_words([HighestAtStart(1, 0.75), Ends("falls", 0.5, 0.5, True, None)], ["a", "b"])
    'the belief in b is highest at t_min itself, 0.75, and then falls to π = 0.5.'
    """
    return "".join(claim.words(class_names) for claim in said)


@dataclass(frozen=True)
class Given(Claim):
    """The node is a training node of this class."""

    label: int

    def words(self, names: Sequence[str]) -> str:
        """Nothing was decided."""
        return f"This is a training node: its class, {names[self.label]}, is known and stays."


@dataclass(frozen=True)
class KeptByChoice(Claim):
    """The prior's labels are kept at all nodes, whatever overshoots: this is the node's."""

    prior: int

    def words(self, names: Sequence[str]) -> str:
        """Nothing was decided here either."""
        return (
            "Every node keeps the label that the prior gives it, whatever overshoots: here "
            f"{names[self.prior]}."
        )


@dataclass(frozen=True)
class Looks(Claim):
    """What follows is about the times from t_min to the end of the window."""

    t_min: float
    window: float

    def words(self, names: Sequence[str]) -> str:
        """Both ends."""
        end = f"to the end of the time window at t = {shown(self.window)}, "
        return f"From t_min = {shown(self.t_min)} {end}"


@dataclass(frozen=True)
class Keeps(Claim):
    """No class could win, for this reason, and the prior's stays."""

    reason: str
    prior: int

    def words(self, names: Sequence[str]) -> str:
        """The reason, and the label."""
        return f"{self.reason}. So the prior's {names[self.prior]} stays."


@dataclass(frozen=True)
class Rises(Claim):
    """The belief in a class is higher at a later time than at t_min: its peak in the window."""

    label: int
    now: float
    peak: float
    time: float

    def words(self, names: Sequence[str]) -> str:
        """From where, to where, and when."""
        return (
            f"the belief in {names[self.label]} rises from {shown(self.now)} to "
            f"{shown(self.peak)} (at t = {shown(self.time)}) and "
        )


@dataclass(frozen=True)
class HardlyRises(Claim):
    """The belief in a class has its peak in the window later than t_min, but hardly higher."""

    label: int
    peak: float
    time: float

    def words(self, names: Sequence[str]) -> str:
        """When, and how high."""
        return (
            f"the belief in {names[self.label]} is highest at t = {shown(self.time)}, "
            f"{shown(self.peak)}, hardly above its value at t_min, and "
        )


@dataclass(frozen=True)
class HighestAtStart(Claim):
    """The belief in a class is nowhere in the window higher than at t_min."""

    label: int
    peak: float

    def words(self, names: Sequence[str]) -> str:
        """How high."""
        belief = f"the belief in {names[self.label]}"
        return f"{belief} is highest at t_min itself, {shown(self.peak)}, and "


WAYS = {
    "falls": "then falls to {goal}.",
    "falls towards": "then falls towards {goal}; at the end of the window it is still {last}.",
    "falls below": "then falls: at the end of the window it is {last}, "
    "below {goal}, where it ends.",
    "falls later": "falls to {goal} after the window.",
    "climbs": "ends higher, at {goal}.",
    "stays": "ends at nearly the same value, {goal}.",
}


@dataclass(frozen=True)
class Ends(Claim):
    """Where the curve goes from its peak in the window as t → ∞.

    way       one of WAYS
    end       the limit
    compared  π
    same      whether the limit is π, to the digits shown
    last      the value at the end of the window, None where it is as good as the limit
    """

    way: str
    end: float
    compared: float
    same: bool
    last: float | None

    def words(self, names: Sequence[str]) -> str:
        """The way, with both levels where they differ."""
        goal = f"π = {shown(self.compared)}"
        if not self.same:
            goal = (
                f"{shown(self.end)}, the long-run value of its component "
                f"(π, over the whole graph, is {shown(self.compared)})"
            )
        return WAYS[self.way].format(goal=goal, last=shown(self.last or 0.0))


@dataclass(frozen=True)
class Wins(Claim):
    """By this measure the label's class has this value; `tied` where another is as high."""

    measure: str
    value: float
    tied: bool

    def words(self, names: Sequence[str]) -> str:
        """The value, and how sure it is that none is larger."""
        sure = " to within the error" if self.tied else ""
        return f" Its {self.measure}, {shown(self.value)}, is the largest{sure}"


@dataclass(frozen=True)
class Second(Claim):
    """The class that comes next by the same measure, and its value."""

    label: int
    value: float

    def words(self, names: Sequence[str]) -> str:
        """Its name and value."""
        return f"; next is {names[self.label]} with {shown(self.value)}."


@dataclass(frozen=True)
class Alone(Claim):
    """No other class could win; `below` says that none gets above its π in the window."""

    below: bool

    def words(self, names: Sequence[str]) -> str:
        """Why there is no second."""
        return f"; no other class {'gets above its π' if self.below else 'can win'}."


@dataclass(frozen=True)
class Becomes(Claim):
    """What the label was and is."""

    prior: int
    label: int

    def words(self, names: Sequence[str]) -> str:
        """The conclusion."""
        if self.prior == self.label:
            return f" So the prior's {names[self.prior]} stays."
        return f" So {names[self.prior]} becomes {names[self.label]}."
