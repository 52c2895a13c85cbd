"""What a visitor has answered so far; it lasts as long as the visit and goes into no link."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from gdr_core.lessons import Lesson, Verdict, judge
from gdr_core.lessons.answering import Answer
from gdr_core.lessons.sheets import Given

_ANSWERS: Final = "lesson answers"
_DRAFTS: Final = "lesson drafts"


@dataclass(frozen=True)
class Record:
    """The answers to one question: the first and the last one, how many, and what was shown."""

    first: Verdict
    last: Verdict
    tries: int = 1
    shown: bool = False

    @property
    def settled(self) -> bool:
        """Whether the answer may be seen: it was found, or asked for."""
        return self.last.right or self.shown


def record_of(lesson: Lesson, step: int) -> Record | None:
    """What was answered at a step, counted from 1."""
    return _every().get((lesson.name, step))


def give(lesson: Lesson, step: int, answer: Answer) -> None:
    """Answer the question of a step. For callbacks."""
    question = lesson.steps[step - 1].question
    assert question is not None
    verdict, before = judge(question, answer), record_of(lesson, step)
    if before is None:
        _every()[lesson.name, step] = Record(verdict, verdict)
    elif not before.settled:
        _every()[lesson.name, step] = replace(before, last=verdict, tries=before.tries + 1)


def show_answer(lesson: Lesson, step: int) -> None:
    """Let the answer be seen after a wrong one. For callbacks."""
    if (before := record_of(lesson, step)) is not None:
        _every()[lesson.name, step] = replace(before, shown=True)


def done(lesson: Lesson) -> int:
    """How many of its questions are settled."""
    return sum(record.settled for (name, _), record in _every().items() if name == lesson.name)


def answers(lessons: dict[str, Lesson]) -> list[Given]:
    """All answers of the visit, for the certificate."""
    found = []
    for (name, step), record in sorted(_every().items()):
        lesson = lessons.get(name)
        question = lesson.steps[step - 1].question if lesson and step <= len(lesson.steps) else None
        if lesson is None or question is None:
            continue
        first, last = record.first, record.last
        found.append(
            Given(
                lesson.title, step, question.ask, first.given, record.tries, first.right, last.right
            )
        )
    return found


def draft(lesson: Lesson, step: int) -> Answer | None:
    """A curve that was drawn and not handed in yet."""
    return st.session_state.get(_DRAFTS, {}).get((lesson.name, step))


def keep_draft(lesson: Lesson, step: int, points: Answer) -> None:
    """Remember a drawn curve. For callbacks."""
    st.session_state.setdefault(_DRAFTS, {})[lesson.name, step] = points


def _every() -> dict[tuple[str, int], Record]:
    return st.session_state.setdefault(_ANSWERS, {})
