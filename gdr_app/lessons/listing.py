"""The list of lessons, what is wrong with files of one's own, and what can be taken home."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

import streamlit as st

from gdr_app.lessons import progress
from gdr_app.lessons.figures import functions_for
from gdr_app.state import link
from gdr_app.wording import counted
from gdr_core.lessons import Finding, Lesson
from gdr_core.lessons.sheets import certificate, handout, lecturer_sheet

ALL: Final = "all lessons"
LESSON, STEP = "lesson", "step"
_LANGUAGES: Final = {"en": "English", "de": "Deutsch", "fr": "Français", "es": "Español"}


def report_findings(findings: Sequence[Finding]) -> None:
    """Every broken file by name and line."""
    for finding in findings[:20]:
        st.error(f"`{finding.file}`, line {finding.line}: {finding.sentence}")


def list_lessons(lessons: dict[str, Lesson]) -> None:
    """One card a lesson: what it is about, how long it takes, how far the visitor is."""
    for name, lesson in lessons.items():
        with st.container(border=True):
            st.header(lesson.title, anchor=False)
            language = _LANGUAGES.get(lesson.language, lesson.language)
            st.markdown(lesson.summary)
            done = progress.done(lesson)
            st.caption(
                f"{language} · about {counted(lesson.minutes, 'minute')} · "
                f"{done} of {counted(lesson.questions, 'question')} answered"
            )
            st.button(
                "Go on" if done else "Start",
                key=f"open-{name}",
                icon=":material/play_arrow:",
                help=f"Open the lesson “{lesson.title}”.",
                on_click=open_lesson,
                args=(name, 1),
            )


def open_lesson(name: str, step: int) -> None:
    """Go to a step of a lesson. For callbacks."""
    link.remember(LESSON, None if name == ALL else name)
    link.remember(STEP, None if step == 1 else str(step))


def offer_sheets(lesson: Lesson) -> None:
    """Handout and lecturer's sheet, made when they are asked for."""
    with st.container(horizontal=True, gap="small"):
        for label, make, ending in (
            ("Handout to print", handout, "handout"),
            ("Lecturer's sheet", lecturer_sheet, "lecturer"),
        ):
            st.download_button(
                label,
                partial(make, lesson, functions_for),
                f"{lesson.name}-{ending}.html",
                "text/html",
                key=f"sheet-{ending}",
                icon=":material/print:",
                on_click="ignore",
            )


def offer_certificate(lessons: dict[str, Lesson]) -> None:
    """The answers of this visit as one page."""
    given = progress.answers(lessons)
    st.header("Your answers", anchor=False)
    if not given:
        st.markdown("Answer a question, and a certificate of your answers can be had here.")
        return
    right = sum(answer.first_right for answer in given)
    st.markdown(
        f"{counted(len(given), 'question')} answered in this visit, {right} rightly at the first "
        "try. Answers are kept as long as this tab is open."
    )
    name = st.text_input("Your name, for the certificate", key="certificate-name", max_chars=80)
    st.download_button(
        "Certificate of answers",
        certificate(name, date.today().isoformat(), given),
        "certificate.html",
        "text/html",
        key="certificate",
        icon=":material/workspace_premium:",
        on_click="ignore",
    )
