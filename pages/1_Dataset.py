"""Dataset: a graph before any method runs on it."""

from __future__ import annotations

import streamlit as st

from gdr_core import datasets
from pages.shared import cached
from pages.shared.charts import draw_distributions
from pages.shared.node_card import node_card
from pages.shared.node_table import show_node_table
from pages.shared.opening import open_dataset
from pages.shared.overview import choose_node, class_looks, draw_overview
from pages.shared.sidebar import start_page
from pages.shared.t_min import offer_test
from pages.shared.tiles import dataset_tiles
from pages.shared.wording import plain

choice = start_page("Dataset")
st.title(datasets.spec_of(choice.name).title, anchor=False)
st.markdown(
    "Look for regions of one colour: where neighbours share a class, the graph can correct a "
    "classifier."
)
graph = open_dataset(choice)
numbers = cached.summary(choice)
dataset_tiles(numbers, graph.test_hidden)
with st.container(horizontal=True, vertical_alignment="center"):
    offer_test()

picture, words = st.columns([3, 1], gap="medium")
with words:
    st.header("One node", anchor=False)
    node = choose_node(choice)
    node_card(graph, node)
with picture:
    draw_overview(choice, graph, class_looks(graph), node)

draw_distributions(choice, numbers)

st.header("All nodes", anchor=False)
show_node_table(choice)

st.header("Where it comes from", anchor=False)
st.markdown(
    f"**Source.** {plain(graph.provenance.source)}\n\n"
    f"**Please cite.** {plain(graph.provenance.citation)}\n\n"
    f"**Terms.** {plain(graph.provenance.licence)}"
)
