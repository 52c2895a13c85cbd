"""One lesson, step by step."""

from __future__ import annotations

from functools import partial

import streamlit as st

from gdr_app.lessons import figures, progress, questions
from gdr_app.lessons.listing import ALL, STEP, offer_sheets, open_lesson
from gdr_app.state import link
from gdr_app.state.pickers import number_of
from gdr_core.lessons import Lesson, figure_of, fill


def walk(lesson: Lesson, hidden: list[str]) -> None:
    """The step that the link asks for: text, figure, question, and what follows the answer."""
    last = len(lesson.steps)
    place = int(number_of("Step", STEP, 1, last, 1))
    step = lesson.steps[place - 1]
    figure = figure_of(lesson, place - 1)
    functions = figures.functions_for(figure)
    record = progress.record_of(lesson, place)
    waits = step.question is not None and (record is None or not record.settled)
    st.caption(f"Step {place} of {last} · {progress.done(lesson)} of {lesson.questions} answered")
    st.header(step.title, anchor=False)
    st.markdown(fill(step.text, functions))
    if figure is not None:
        figures.draw(
            figure,
            step.question if waits else None,
            hidden,
            f"figure-{lesson.name}-{place}",
            partial(questions.hear, lesson, place),
        )
    if step.question is not None:
        names = figure.sketch.names if figure is not None and figure.sketch is not None else ()
        questions.ask(lesson, place, functions, names)
    if not waits and step.after:
        st.markdown(fill(step.after, functions))
    link.tell_used("lesson", lesson=lesson.name, step=place)
    if "steps" not in hidden:
        _navigate(lesson, place, last)
    if "sheets" not in hidden:
        offer_sheets(lesson)


def _navigate(lesson: Lesson, place: int, last: int) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Back",
            key="lesson-back",
            icon=":material/arrow_back:",
            disabled=place == 1,
            on_click=open_lesson,
            args=(lesson.name, place - 1),
        )
        if place < last:
            st.button(
                "Next",
                key="lesson-next",
                icon=":material/arrow_forward:",
                on_click=open_lesson,
                args=(lesson.name, place + 1),
            )
        st.button("All lessons", key="lesson-all", on_click=open_lesson, args=(ALL, 1))
