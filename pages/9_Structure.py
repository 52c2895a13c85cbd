"""Structure: why diffusion helps on one graph and not on another."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.results import dataset_of
from gdr_app.state.pickers import Tabs
from gdr_app.structure.aspects import ASPECTS
from gdr_app.structure.texts import INTRODUCTIONS, MATHEMATICS, TERMS
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.overview import Overview
from gdr_app.widgets.sidebar import start_explorer

EXTRA_TERMS = {
    "alignment": "alignment",
    "influence": "influence",
    "smoothing": "Dirichlet energy",
    "communities": "community",
}

view = start_explorer("Structure", unlabelled=True)
head_page("Why diffusion helps here")
introduction = st.empty()
dataset_of(view)
overview = Overview(view.dataset)


@st.fragment
def explore() -> None:
    """All that follows the chosen aspect."""
    aspect = Tabs("Aspect", tuple(ASPECTS), key="aspect").draw()
    more = (EXTRA_TERMS[aspect],) if aspect in EXTRA_TERMS else ()
    introduce(INTRODUCTIONS[aspect], *TERMS, *more, place=introduction)
    ASPECTS[aspect](view, overview)
    with st.expander("The mathematics", icon=":material/function:"):
        st.markdown(MATHEMATICS[aspect])


explore()
