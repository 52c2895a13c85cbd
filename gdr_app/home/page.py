"""Home: the whole idea in five steps that one can touch, and where to go."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing.opening import open_dataset
from gdr_app.home.story import tell
from gdr_app.home.texts import CITATION, PAGE_TEXTS, TERMS, WHAT_THIS_IS
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.overview import Overview, class_looks
from gdr_app.widgets.sidebar import pages, start_page


def show_home() -> None:
    """The first page."""
    choice = start_page("Home")
    head_page("GDR Explorer")
    introduce(WHAT_THIS_IS, *TERMS)
    tell()

    words, right = st.columns([2, 3], gap="medium")
    with words:
        _list_pages()
    with right:
        st.header("The graph of this visit", anchor=False)
        picture = st.container()

    st.header("The paper", anchor=False)
    st.markdown(CITATION)

    with picture:  # last: where the graph cannot be had, this says why and ends the page
        graph = open_dataset(choice)
        Overview(choice, clickable=False).draw(class_looks(graph), None, height=420)
        st.caption(f"{graph.nodes:,} nodes, coloured by class. Choose another in the sidebar.")


def _list_pages() -> None:
    st.header("Pages", anchor=False)
    for title, path in pages().items():
        with st.container(gap=None):
            st.page_link(path, label=f"**{title}**", icon=":material/arrow_forward:")
            st.markdown(PAGE_TEXTS.get(title, ""))
