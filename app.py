"""Home: what this is, a live graph, and where to go."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.opening import open_dataset
from gdr_app.home.texts import CITATION, PAGE_TEXTS, WHAT_THIS_IS, WHERE_TO_START
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.overview import Overview, class_looks
from gdr_app.widgets.sidebar import pages, start_page

choice = start_page("Home")

head_page("GDR Explorer")
introduce(WHAT_THIS_IS, "GDR", "belief", "prior", "overshoot", "π", "t_min", "Laplacian")

left, words = st.columns([3, 2], gap="medium")
with left:
    picture = st.container()
    st.header("Where to start", anchor=False)
    st.markdown(WHERE_TO_START)
with words:
    st.header("Pages", anchor=False)
    for title, path in pages().items():
        with st.container(gap=None):
            st.page_link(path, label=f"**{title}**", icon=":material/arrow_forward:")
            st.markdown(PAGE_TEXTS.get(title, ""))

st.header("The paper", anchor=False)
st.markdown(CITATION)

with picture:  # last: where the graph cannot be had, this says why and ends the page
    graph = open_dataset(choice)
    Overview(choice, clickable=False).draw(class_looks(graph), None, height=420)
    st.caption(f"{graph.nodes:,} nodes, coloured by class. Drag, zoom, hover.")
