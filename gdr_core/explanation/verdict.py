"""Why a node has its label: in numbers, in claims, and in words.

A verdict holds what the rule compared, who won, who came second, and what the winner's curve does
from t_min on. `claims` turns it into a tuple of typed claims, `in_words` turns claims into text;
nothing else goes into the text, so whoever checks the claims has checked the words.
`gdr_core.explanation.contributions` tells where the winner's score came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from gdr_core.explanation.contributions import Explanation, label_changes
from gdr_core.explanation.quantities import alike, shown
from gdr_core.gdr.course import Course, Courses, CoursesAlong
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.rules import RULES, Measure, Window

_SMALLEST_SHARE = 1e-6  # less may be no more than the error of the numbers


@dataclass(frozen=True, eq=False)
class Verdict:
    """How the label of one node was decided, at one t_min.

    label, prior   class after and before reclassification
    given          whether the class was known: nothing was decided
    kept           whether all labels are the prior's: nothing was decided either
    measure        what the rule compared; None where the class was given or no class could win
    keeping        why the prior's label stays where no class could win
    values         the measure for every class, −∞ for classes that could not win
    runner_up      the class that came second, −1 if no other could win
    lead           how far the label's value lies above the runner-up's; NaN without one
    error          values are known to within this
    courses        what the curves of all classes do from t_min on
    history        (t_min in relaxation times, label that holds from there on), first entry at 0
    """

    node: int
    label: int
    prior: int
    given: bool
    measure: Measure | None
    keeping: str
    values: np.ndarray
    runner_up: int
    lead: float
    courses: Courses
    history: tuple[tuple[float, int], ...]
    kept: bool = False

    @property
    def error(self) -> float:
        """No value of p is off by more than this (proved)."""
        return self.courses.error

    @cached_property
    def course(self) -> Course:
        """What the curve of the label's class does."""
        return self.courses.of(self.label)

    @property
    def t_min(self) -> float:
        """In relaxation times."""
        return self.course.t_min

    @property
    def peak_time(self) -> float:
        """When the label's class is highest from t_min on, in relaxation times."""
        return self.course.peak_time

    @property
    def decisive_index(self) -> int:
        """The index of the time at which the measure is taken; the peak where nothing decided."""
        moment = "peak" if self.measure is None else self.measure.moment
        at = {"t_min": self.courses.t_min_index, "end": self.courses.times.size - 1}
        return at.get(moment, self.course.peak_index)

    @property
    def decisive_time(self) -> float:
        """The same in relaxation times."""
        return float(self.courses.times[self.decisive_index])


@dataclass(frozen=True)
class Source:
    """A node that contributed to another's score: how far away, how much, and what it believed.

    distance   links between the two, None if no path joins them
    share      of the whole score, 0 to 1
    label      its own class in the prior; training nodes have theirs given
    belief     what the prior gave the explained class at this node
    """

    node: int
    label: int
    belief: float
    distance: int | None
    share: float
    training: bool


# ------------------------------------------------------------------ claims


@dataclass(frozen=True)
class Given:
    """The node is a training node of this class."""

    label: int


@dataclass(frozen=True)
class KeptByChoice:
    """The prior's labels are kept at all nodes, whatever overshoots: this is the node's."""

    prior: int


@dataclass(frozen=True)
class Looks:
    """What follows is about the times from t_min to the end of the window."""

    t_min: float
    window: float


@dataclass(frozen=True)
class Keeps:
    """No class could win, for this reason, and the prior's stays."""

    reason: str
    prior: int


@dataclass(frozen=True)
class Rises:
    """The belief in a class is higher at a later time than at t_min: its peak in the window."""

    label: int
    now: float
    peak: float
    time: float


@dataclass(frozen=True)
class HighestAtStart:
    """The belief in a class is nowhere in the window higher than at t_min."""

    label: int
    peak: float


@dataclass(frozen=True)
class HardlyRises:
    """The belief in a class has its peak in the window later than t_min, but hardly higher."""

    label: int
    peak: float
    time: float


@dataclass(frozen=True)
class Ends:
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


@dataclass(frozen=True)
class Wins:
    """By this measure the label's class has this value; `tied` where another is as high."""

    measure: str
    value: float
    tied: bool


@dataclass(frozen=True)
class Second:
    """The class that comes next by the same measure, and its value."""

    label: int
    value: float


@dataclass(frozen=True)
class Alone:
    """No other class could win; `below` says that none gets above its π in the window."""

    below: bool


@dataclass(frozen=True)
class Becomes:
    """What the label was and is."""

    prior: int
    label: int


Claim = (
    Given
    | KeptByChoice
    | Looks
    | Keeps
    | Rises
    | HardlyRises
    | HighestAtStart
    | Ends
    | Wins
    | Second
    | Alone
    | Becomes
)


class Verdicts:
    """The verdicts on one node for every t_min: what they have in common is found once."""

    def __init__(self, result: GDRResult, node: int) -> None:
        window = _window(result, node)
        self._rule, self._node = RULES[result.options.rule], int(node)
        self._measures, self._values = self._rule.measured(window)
        self._floor = self._rule.floor(window)
        self._courses = CoursesAlong(result, node)
        self._labels = result.scan.predicted[:, node].tolist()
        self._prior = int(result.prior_labels[node])
        self._given = bool(np.isin(node, result.split.train))
        self._kept = result.keeps_prior
        unit = result.times[-1] / result.relative_times[-1]
        self._history = tuple((time / unit, label) for time, label in label_changes(result, node))

    def at(self, position: int) -> Verdict:
        """The verdict for one t_min, by its place in the grid."""
        label, values = self._labels[position], self._values[position]
        undecided = self._given or self._kept
        measure = -1 if undecided else int(self._measures[position])
        runner_up, lead = _second(values, label, self._floor)
        return Verdict(
            node=self._node,
            label=label,
            prior=self._prior,
            given=self._given,
            measure=None if measure < 0 else self._rule.measures[measure],
            keeping=self._rule.keeping,
            values=values,
            runner_up=runner_up,
            lead=lead,
            courses=self._courses.at(position),
            history=self._history,
            kept=self._kept,
        )


def judge(result: GDRResult, node: int, t_min_index: int | None = None) -> Verdict:
    """The verdict on one node for one t_min, the chosen one by default."""
    return Verdicts(result, node).at(result.resolve(t_min_index))


def sentence(verdict: Verdict, class_names: Sequence[str]) -> str:
    """The verdict in plain words."""
    return in_words(claims(verdict), class_names)


def claims(verdict: Verdict) -> tuple[Claim, ...]:
    """All that is said about a verdict."""
    if verdict.given:
        return (Given(verdict.label),)
    if verdict.kept:
        return (KeptByChoice(verdict.prior),)
    looks = Looks(verdict.t_min, verdict.course.window)
    if verdict.measure is None:
        return (looks, Keeps(verdict.keeping, verdict.prior))
    return (
        looks,
        *_movement(verdict),
        Wins(verdict.measure.name, float(verdict.values[verdict.label]), _is_tied(verdict)),
        _rival(verdict),
        Becomes(verdict.prior, verdict.label),
    )


def in_words(said: Sequence[Claim], class_names: Sequence[str]) -> str:
    """Claims as text: a pure function of them."""
    return "".join(_phrase(claim, class_names) for claim in said)


def sources(
    adjacency: sp.csr_array, result: GDRResult, explanation: Explanation, count: int = 10
) -> list[Source]:
    """The nodes that contributed most to an explained score, largest first."""
    shares = explanation.shares()
    nodes = [node for node in explanation.largest(count) if shares[node] > _SMALLEST_SHARE]
    hops = csgraph.dijkstra(adjacency, indices=explanation.node, unweighted=True, directed=False)
    return [
        Source(
            node=int(node),
            label=int(result.prior_labels[node]),
            belief=float(result.start[node, explanation.label]),
            distance=int(hops[node]) if np.isfinite(hops[node]) else None,
            share=float(shares[node]),
            training=bool(explanation.training[node]),
        )
        for node in nodes
    ]


def _window(result: GDRResult, node: int) -> Window:
    """What the rule sees of one node."""
    scores = result.trajectories.values(np.array([node])).transpose(0, 2, 1)
    one = slice(node, node + 1)
    return Window(scores, result.stationary[one].T, result.prior_labels[one], result.error_bound)


def _second(values: np.ndarray, label: int, floor: float) -> tuple[int, float]:
    """The best of the other classes, if it could have won by itself, and how far it is behind."""
    others = values.copy()
    others[label] = -np.inf
    runner_up = int(others.argmax())
    if not others[runner_up] > floor:
        return -1, float("nan")
    return runner_up, float(values[label] - others[runner_up])


def _movement(verdict: Verdict) -> tuple[Claim, Claim]:
    """What the winner's curve does in the window, and where it goes.

    Values that look alike in the three digits shown are not said to differ.
    """
    course, label = verdict.course, verdict.label
    same = course.ends_at_compared or alike(course.end, course.compared)
    last = None if course.settled or alike(course.last, course.end) else course.last
    ends = Ends(_way(course, last), course.end, course.compared, same, last)
    if not course.rises:
        return HighestAtStart(label, course.peak), ends
    if alike(course.now, course.peak):
        return HardlyRises(label, course.peak, course.peak_time), ends
    return Rises(label, course.now, course.peak, course.peak_time), ends


def _way(course: Course, last: float | None) -> str:
    """How the curve goes on from its peak; one of WAYS."""
    if alike(course.peak, course.end):
        return "stays"
    if course.end > course.peak:
        return "climbs"
    if last is None:
        return "falls"
    if course.peak_time == course.window:
        return "falls later"
    return "falls towards" if last > course.end else "falls below"


def _is_tied(verdict: Verdict) -> bool:
    return verdict.runner_up >= 0 and abs(verdict.lead) <= 2 * verdict.error


def _rival(verdict: Verdict) -> Claim:
    """The class that comes second, if any other could have won."""
    if verdict.runner_up >= 0:
        return Second(verdict.runner_up, float(verdict.values[verdict.runner_up]))
    others = np.delete(verdict.courses.peak - verdict.courses.compared, verdict.label)
    return Alone(below=not (others > verdict.error).any())


def _phrase(claim: Claim, names: Sequence[str]) -> str:
    """The words of one claim; several of them make up a sentence."""
    match claim:
        case Given(label):
            return f"This is a training node: its class, {names[label]}, is known and stays."
        case KeptByChoice(prior):
            return (
                "Every node keeps the label that the prior gives it, whatever overshoots: here "
                f"{names[prior]}."
            )
        case Looks(t_min, window):
            end = f"to the end of the time window at t = {shown(window)}, "
            return f"From t_min = {shown(t_min)} {end}"
        case Keeps(reason, prior):
            return f"{reason}. So the prior's {names[prior]} stays."
        case Rises(label, now, peak, time):
            return (
                f"the belief in {names[label]} rises from {shown(now)} to {shown(peak)} "
                f"(at t = {shown(time)}) and "
            )
        case HardlyRises(label, peak, time):
            return (
                f"the belief in {names[label]} is highest at t = {shown(time)}, {shown(peak)}, "
                "hardly above its value at t_min, and "
            )
        case HighestAtStart(label, peak):
            return f"the belief in {names[label]} is highest at t_min itself, {shown(peak)}, and "
        case Ends():
            return _ending(claim)
        case Wins(measure, value, tied):
            if tied:
                return f" Its {measure}, {shown(value)}, is the largest to within the error"
            return f" Its {measure}, {shown(value)}, is the largest"
        case Second(label, value):
            return f"; next is {names[label]} with {shown(value)}."
        case Alone(below):
            return "; no other class gets above its π." if below else "; no other class can win."
        case Becomes(prior, label):
            if prior == label:
                return f" So the prior's {names[prior]} stays."
            return f" So {names[prior]} becomes {names[label]}."


WAYS = {
    "falls": "then falls to {goal}.",
    "falls towards": "then falls towards {goal}; at the end of the window it is still {last}.",
    "falls below": "then falls: at the end of the window it is {last}, "
    "below {goal}, where it ends.",
    "falls later": "falls to {goal} after the window.",
    "climbs": "ends higher, at {goal}.",
    "stays": "ends at nearly the same value, {goal}.",
}


def _ending(ends: Ends) -> str:
    """Where the curve goes, with both levels where they differ."""
    goal = f"π = {shown(ends.compared)}"
    if not ends.same:
        goal = (
            f"{shown(ends.end)}, the long-run value of its component "
            f"(π, over the whole graph, is {shown(ends.compared)})"
        )
    return WAYS[ends.way].format(goal=goal, last=shown(ends.last or 0.0))
