"""Relabel: which nodes change their label as t_min moves, and why."""

from __future__ import annotations

import streamlit as st

from gdr_core.ledger import ledger, tally
from pages.shared import around
from pages.shared.export import show_export
from pages.shared.later import later_of, tell_of_the_edge
from pages.shared.ledger_table import show_ledger
from pages.shared.looks import COLOURINGS, relabel_looks
from pages.shared.method_tiles import relabel_tiles
from pages.shared.neighbourhood import send_library
from pages.shared.overview import choose_node, draw_overview, send_overview
from pages.shared.pickers import pick
from pages.shared.relabel_charts import accuracy_figure, draw_accuracy, draw_flow, mark_t_min
from pages.shared.results import (
    dataset_of,
    outcome_line,
    outlook_of,
    result_of,
    shown_parts,
)
from pages.shared.sidebar import start_explorer
from pages.shared.t_min import choose_t_min, offer_chosen_t_min, offer_test
from pages.shared.texts import RELABEL_MATHEMATICS, relabel_introduction
from pages.shared.why_card import example, why_card

HOPS = 2  # shown around the node

view = start_explorer("Relabel")
st.title("Which nodes change their label", anchor=False)
dataset_of(view)
st.markdown(relabel_introduction(result_of(view)))
later_of(view)
send_library()
send_overview(view.dataset)


@st.fragment
def explore() -> None:
    """All that follows t_min and the chosen node; the sidebar's pickers are left alone."""
    graph, result, outlook = dataset_of(view), result_of(view), outlook_of(view)
    index = choose_t_min(result)
    outcome_line(view, result, index)
    tell_of_the_edge(view, result)
    if shown_parts() != parts:
        st.rerun()
    mark_t_min(line, result, index)
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_chosen_t_min(result, index)
        offer_test()
    relabel_tiles(result, index, tally(result, index, outlook), parts)

    picture, words = st.columns([3, 2], gap="medium")
    with words:
        node = choose_node(view.dataset)
        subject, why = (node, "") if node is not None else example(view)
        why_card(view, graph, result, index, subject, why)
    with picture:
        colouring = pick("Colour by", COLOURINGS, key="colours")
        looks = relabel_looks(graph, result, index, colouring)
        draw_overview(
            view.dataset, graph, looks, node, height=560, sent=True, coloured_by=colouring
        )
        st.header("Around this node", anchor=False)
        near = around.surroundings(view.dataset, subject, HOPS)
        around.draw_classes(view, graph, result, near, index)
    st.header("From prior class to GDR class", anchor=False)
    flow = draw_flow(graph, result, index)
    st.header("Relabelled nodes", anchor=False)
    show_ledger(view, graph, result, ledger(result, index, outlook))
    show_export(view, result, index, [accuracy_figure(view, parts), flow])


with st.container(key="explore"):
    parts = shown_parts()
    line = draw_accuracy(view, parts)
    explore()
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(RELABEL_MATHEMATICS)
