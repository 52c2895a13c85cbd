"""Directed: what the arrows of a graph do to walks, beliefs and labels."""

from __future__ import annotations

import streamlit as st

from gdr_app.components.picture import show_picture
from gdr_app.computing.opening import open_dataset
from gdr_app.directed import texts
from gdr_app.directed.choice import explain_put_aside, start_directed
from gdr_app.directed.export import show_directed_export
from gdr_app.directed.node import choose_unit, draw_readings, show_readings, verdict
from gdr_app.directed.rank import draw_ranks, draw_scatter, show_rank_table
from gdr_app.directed.results import show_tables
from gdr_app.directed.study import studies_of, telling_node
from gdr_app.directed.walk import choose_walks, draw_masses, draw_walks, show_film_table
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.overview import Overview
from gdr_core.figures.directed import citation_picture

view = start_directed()
head_page("Walks and beliefs along the arrows")
introduce(texts.INTRODUCTION, *texts.TERMS)
explain_put_aside()
graph = open_dataset(view.dataset)
studies = studies_of(view)
overview = Overview(view.dataset)


@st.fragment
def explore() -> None:
    """All of the page but the sidebar."""
    picker, words = st.columns([1, 3], gap="medium", vertical_alignment="bottom")
    with picker:
        chosen = overview.choose_node()
    node = telling_node(graph, studies) if chosen is None else chosen
    words.markdown(verdict(graph, studies, node))
    st.header("Where a walker spends its time: PageRank φ", anchor=False)
    st.markdown(texts.RANKS)
    draw_ranks(overview, view, graph, studies, node)
    left, right = st.columns(2, gap="medium")
    with left:
        scatter = draw_scatter(graph, studies, node)
    with right:
        show_rank_table(view, graph, studies)

    st.header("Beliefs at one node: forward, backward and undirected", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=220):
            unit = choose_unit()
        st.markdown(texts.READINGS, width=560)
    readings = draw_readings(view, graph, studies, node, unit)
    show_readings(graph, studies, node)

    st.header("Which way does a citation point?", anchor=False)
    picture, words = st.columns(2, gap="medium", vertical_alignment="center")
    with picture:
        citation = show_picture(citation_picture("35", "1033"), key="citation")
    words.markdown(texts.WHICH_WAY)

    st.header("How dead ends trap a walk", anchor=False)
    st.markdown(texts.DEAD_ENDS)
    found = choose_walks(view.method.alpha)
    draw_walks(found)
    masses = draw_masses(found)
    with st.expander("Mass at every node after every step", icon=":material/table:"):
        show_film_table(found)

    st.header("Accuracy with and without directions", anchor=False)
    show_tables()
    with st.expander("The mathematics", icon=":material/function:"):
        st.markdown(texts.MATHEMATICS)
    show_directed_export(view, graph, studies, node, [citation, readings, scatter, masses])


explore()
