"""Judges an answer: right or wrong, and what is said to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdr_core.lessons.record import CHOICE, NODE, Question, Reply

Points = Sequence[Sequence[float]]
Answer = float | str | Points


@dataclass(frozen=True)
class Verdict:
    """What came of an answer: `given` is the answer as people read it."""

    right: bool
    reply: str
    given: str


def judge(question: Question, answer: Answer) -> Verdict:
    """Whether an answer is right, with the reply that fits it.

    number, chart   the number, or for a chart the drawn points (t, p)
    node, choice    the name, or the text

    >>> from gdr_core.lessons.record import Question, Reply
    >>> half = Question(1, "number", "?", "Yes.", "No.", answer=0.5, tolerance=0.01,
    ...                 replies=(Reply("That is all of it.", 1, 1),))
    >>> judge(half, 0.505).right, judge(half, 1).reply, judge(half, 0.7).reply
    (True, 'That is all of it.', 'No.')
    """
    if question.kind == CHOICE:
        return _chosen(question, str(answer))
    if question.kind == NODE:
        return _clicked(question, str(answer))
    value = _number(question, answer)
    given = f"{value:.4g}{question.unit and ' ' + question.unit}"
    if abs(value - question.answer) <= question.tolerance + 1e-12:
        return Verdict(True, question.right, given)
    return Verdict(False, _nearest(question, value) or question.wrong, given)


def _nearest(question: Question, value: float) -> str:
    """The reply to this wrong number: in its range, or as close as the right one must be."""
    fitting = [
        (abs(value - (reply.low + reply.high) / 2), reply.text)
        for reply in question.replies
        if reply.low - _room(question, reply) <= value <= reply.high + _room(question, reply)
    ]
    return min(fitting)[1] if fitting else ""


def _room(question: Question, reply: Reply) -> float:
    return max(question.tolerance, 1e-9) if reply.low == reply.high else 0.0


def _number(question: Question, answer: Answer) -> float:
    """The answer as a number: of a drawn curve its height at the time that counts."""
    if isinstance(answer, str | int | float):
        return float(answer)
    drawn = np.array(sorted((float(point[0]), float(point[1])) for point in answer))
    return float(np.interp(question.at, drawn[:, 0], drawn[:, 1]))


def _chosen(question: Question, answer: str) -> Verdict:
    option = next((option for option in question.options if option.text == answer), None)
    if option is None:
        return Verdict(False, question.wrong, answer)
    return Verdict(option.right, option.reply, answer)


def _clicked(question: Question, answer: str) -> Verdict:
    if answer in question.nodes:
        return Verdict(True, question.right, answer)
    own = next((reply.text for reply in question.replies if reply.node == answer), None)
    return Verdict(False, own or question.wrong, answer)


def right_answer(question: Question) -> str:
    """The right answer as a lecturer's sheet says it."""
    if question.kind == CHOICE:
        return next(option.text for option in question.options if option.right)
    if question.kind == NODE:
        return ", ".join(question.nodes)
    return f"{question.stated}{question.unit and ' ' + question.unit} (± {question.tolerance:g})"
