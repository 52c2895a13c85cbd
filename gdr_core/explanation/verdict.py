"""Why a node has its label: in numbers, and in claims.

A verdict holds what the rule compared, who won, who came second, and what the winner's curve does
from t_min on. `claims` turns it into a tuple of typed claims, which have words of their own (see
`gdr_core.explanation.claims`). `gdr_core.explanation.sources` tells where the winner's score came
from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdr_core.explanation.claims import (
    Alone,
    Becomes,
    Claim,
    Ends,
    Given,
    HardlyRises,
    HighestAtStart,
    Keeps,
    KeptByChoice,
    Looks,
    Rises,
    Second,
    Wins,
    in_words,
)
from gdr_core.explanation.contributions import label_changes
from gdr_core.explanation.quantities import alike
from gdr_core.gdr.course import Course, Courses, CoursesAlong
from gdr_core.gdr.result import GDRResult
from gdr_core.gdr.rules import RULES, Measure, Window


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
