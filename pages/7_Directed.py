"""Directed: what the arrows of a graph do to walks, beliefs and labels."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.opening import open_dataset
from gdr_app.directed import texts
from gdr_app.directed.choice import explain_put_aside, start_directed
from gdr_app.directed.export import show_directed_export
from gdr_app.directed.parts import PARTS, Scenery
from gdr_app.directed.study import studies_of
from gdr_app.state.pickers import Tabs
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.overview import Overview

view = start_directed()
head_page("Walks and beliefs along the arrows")
introduction = st.empty()
explain_put_aside()
about = Scenery(view, open_dataset(view.dataset), studies_of(view), Overview(view.dataset))


@st.fragment
def explore() -> None:
    """All of the page but the sidebar."""
    part = Tabs("Part of the page", tuple(PARTS), key="part").draw()
    introduce(texts.INTRODUCTIONS[part], *texts.TERMS, place=introduction)
    node, figures = PARTS[part](about)
    with st.expander("The mathematics", icon=":material/function:"):
        st.markdown(texts.MATHEMATICS)
    show_directed_export(view, about.graph, about.studies, node, figures)


explore()
