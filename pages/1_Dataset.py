"""Dataset: a graph before any method runs on it."""

from __future__ import annotations

import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.opening import open_dataset
from gdr_app.dataset.charts import draw_distributions
from gdr_app.structure.alignment import alignment_section
from gdr_app.structure.homophily import homophily_section
from gdr_app.structure.texts import INTRODUCTIONS, TERMS
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.node_card import node_card
from gdr_app.widgets.node_table import show_node_table
from gdr_app.widgets.overview import Overview, class_looks
from gdr_app.widgets.sidebar import start_page
from gdr_app.widgets.tiles import dataset_tiles
from gdr_app.wording import plain

choice = start_page("Dataset")
head_page(plain(choice.spec.title))
introduce(
    "Look for regions of one colour: where neighbours share a class, the graph can correct a "
    "classifier.",
    "split",
    "homophily",
    "component",
)
graph = open_dataset(choice)
numbers = cached.summary(choice)
dataset_tiles(numbers, graph.test_hidden)

overview = Overview(choice)
picture, words = st.columns([3, 1], gap="medium")
with words:
    st.header("The chosen node", anchor=False)
    node = overview.choose_node()
    node_card(graph, node)
with picture:
    overview.draw(class_looks(graph), node)

draw_distributions(choice, numbers)


@st.fragment
def show_homophily() -> None:
    """Three numbers, and what GDR gained on graphs of that kind."""
    st.header("Do links join nodes of one class?", anchor=False)
    introduce(INTRODUCTIONS["homophily"], *TERMS)
    homophily_section(graph)


@st.fragment
def show_alignment() -> None:
    """How well features, graph and known classes agree, beside chance."""
    st.header("Do features, graph and classes agree?", anchor=False)
    introduce(INTRODUCTIONS["alignment"], "alignment")
    alignment_section(choice, graph)


show_homophily()
show_alignment()
st.header("Table of all nodes", anchor=False)
show_node_table(choice)

st.header("Source, citation and terms", anchor=False)
st.markdown(
    f"**Source.** {plain(graph.provenance.source)}\n\n"
    f"**Please cite.** {plain(graph.provenance.citation)}\n\n"
    f"**Terms.** {plain(graph.provenance.licence)}"
)
