"""Lessons: figures that ask before they show."""

from __future__ import annotations

import streamlit as st

from gdr_app.lessons import texts
from gdr_app.lessons.figures import HIDEABLE
from gdr_app.lessons.listing import (
    ALL,
    LESSON,
    STEP,
    list_lessons,
    offer_certificate,
    report_findings,
)
from gdr_app.lessons.walking import walk
from gdr_app.state import link
from gdr_app.state.pickers import Pills, pick
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.sidebar import sidebar_of
from gdr_core.lessons import read_library

library = read_library()
with sidebar_of("Lessons"):
    name = pick(
        "Lesson",
        (ALL, *library.lessons),
        key=LESSON,
        default=ALL,
        on_choose=lambda _: link.remember(STEP, None),
    )
    with st.expander("Hide"):
        hidden = Pills("Hide", HIDEABLE, key="hide").draw()

if name == ALL:
    st.title("Lessons", anchor=False)
    introduce(texts.INTRODUCTION, *texts.TERMS)
    report_findings(library.findings)
    list_lessons(library.lessons)
    offer_certificate(library.lessons)
    with st.expander("Lessons of your own", icon=":material/edit_note:"):
        st.markdown(texts.OWN)
else:
    lesson = library.lessons[name]
    st.title(lesson.title, anchor=False)
    report_findings(library.findings)
    introduce(lesson.summary, *texts.TERMS)
    walk(lesson, hidden)
