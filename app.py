"""Home: what this is, a live graph, and where to go."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.opening import open_dataset
from gdr_app.home.texts import CITATION, PAGE_TEXTS, WHAT_THIS_IS, WHERE_TO_START
from gdr_app.widgets.overview import Overview, class_looks
from gdr_app.widgets.sidebar import pages, start_page
from gdr_app.widgets.t_min import offer_test

choice = start_page("Home")

st.title("GDR Explorer")
st.markdown(WHAT_THIS_IS)

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
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_test()
