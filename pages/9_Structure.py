"""Structure: why diffusion helps on one graph and not on another."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.results import dataset_of
from gdr_app.structure.aspects import ASPECTS
from gdr_app.structure.texts import COMPUTED_WITH, INTRODUCTIONS, MATHEMATICS, TERMS
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.overview import Overview
from gdr_app.widgets.sidebar import start_structure

EXTRA_TERMS = {
    "alignment": "alignment",
    "influence": "influence",
    "smoothing": "Dirichlet energy",
    "communities": "community",
}

view, tabs = start_structure(tuple(ASPECTS))
head_page("Why diffusion helps here")
introduction = st.empty()
dataset_of(view)
overview = Overview(view.dataset)
aspect = tabs.draw()  # outside of the fragment: the sidebar shows what the aspect uses


@st.fragment
def explore() -> None:
    """All that follows the chosen aspect."""
    more = (EXTRA_TERMS[aspect],) if aspect in EXTRA_TERMS else ()
    introduce(INTRODUCTIONS[aspect], *TERMS, *more, place=introduction)
    if aspect in COMPUTED_WITH:
        st.caption(COMPUTED_WITH[aspect].format(laplacian=view.laplacian))
    ASPECTS[aspect](view, overview)
    with st.expander("The mathematics", icon=":material/function:"):
        st.markdown(MATHEMATICS[aspect])


explore()
