"""Lab: a small graph to draw, and its exact diffusion while you draw it."""

from __future__ import annotations

import streamlit as st

from gdr_app.lab import texts
from gdr_app.lab.desk import show_lab
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.sidebar import sidebar_of

with sidebar_of("Lab"):
    pass
st.title("The overshoot lab", anchor=False)
introduce(texts.INTRODUCTION, *texts.TERMS)


@st.fragment
def work() -> None:
    """All that answers to the graph: a change runs this alone."""
    show_lab()


work()
