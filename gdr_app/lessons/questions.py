"""A question before the answer: the ways to give one, and what is said to it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from gdr_app.lessons import progress
from gdr_core.lessons import Lesson, Question, fill
from gdr_core.lessons.expressions import Functions
from gdr_core.lessons.record import CHART, CHOICE, NODE

_LONGEST = 2000  # points of a drawn curve that are taken


def ask(lesson: Lesson, step: int, functions: Functions, names: tuple[str, ...]) -> None:
    """The question, and either a way to answer it or what came of the answer."""
    question = lesson.steps[step - 1].question
    assert question is not None
    with st.container(border=True):
        st.markdown(f"**Before you see it:** {fill(question.ask, functions)}")
        record = progress.record_of(lesson, step)
        if record is None or not record.settled:
            _answer_form(lesson, step, question, names)
        if record is not None:
            _say(lesson, step, record, functions)


def hear(lesson: Lesson, step: int, told: dict[str, Any]) -> None:
    """What the figure tells: a node that was clicked, a curve that was drawn. For callbacks."""
    question = lesson.steps[step - 1].question
    if question is None:
        return
    if question.kind == NODE and told.get("event") == "node":
        progress.give(lesson, step, str(told.get("node")))
    elif question.kind == CHART and told.get("event") == "curve":
        points = told.get("points")
        if isinstance(points, list) and _are_points(points):
            progress.keep_draft(lesson, step, points)


def _are_points(points: list[Any]) -> bool:
    return 0 < len(points) <= _LONGEST and all(
        isinstance(point, list)
        and len(point) == 2
        and all(isinstance(value, int | float) for value in point)
        for point in points
    )


def _answer_form(lesson: Lesson, step: int, question: Question, names: tuple[str, ...]) -> None:
    key = f"answer-{lesson.name}-{step}"
    with st.form(f"{key}-form", border=False):
        _field(question, key, names, drawn=progress.draft(lesson, step) is not None)
        if st.session_state.pop(f"{key}-empty", False):
            st.caption("Give an answer first; a guess will do.")
        st.form_submit_button(
            "Check my answer",
            on_click=_take,
            args=(lesson, step, key),
        )


def _field(question: Question, key: str, names: tuple[str, ...], *, drawn: bool) -> None:
    if question.kind == CHOICE:
        options = [option.text for option in question.options]
        st.radio("Your answer", options, index=None, key=key)
    elif question.kind == NODE:
        label = "Click a node in the figure, or choose it here"
        st.selectbox(label, names, index=None, key=key, placeholder="a node")
    else:
        unit = f" in {question.unit}" if question.unit else ""
        label = f"Your number{unit}"
        if question.kind == CHART:
            label = f"Draw on the chart, or give the value at t = {question.at:g} here"
            if drawn:
                st.caption("Your curve is kept. Check it, or draw over it.")
        st.number_input(label, value=None, key=key, step=None, format="%g")


def _take(lesson: Lesson, step: int, key: str) -> None:
    given = st.session_state.get(key)
    if given is None:
        given = progress.draft(lesson, step)
    if given is not None:
        progress.give(lesson, step, given)
    else:
        st.session_state[f"{key}-empty"] = True


def _say(lesson: Lesson, step: int, record: progress.Record, functions: Functions) -> None:
    last = record.last
    reply = fill(last.reply, functions)
    said = f"You answered **{last.given}**. {reply}"
    if last.right:
        st.success(said, icon=":material/check_circle:")
        return
    st.warning(said, icon=":material/lightbulb:")
    if not record.settled:
        st.button(
            "Show the answer",
            key=f"show-{lesson.name}-{step}",
            on_click=progress.show_answer,
            args=(lesson, step),
        )
