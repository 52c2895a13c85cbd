"""Relabel: which nodes change their label as t_min moves, and why."""

from __future__ import annotations

import streamlit as st

from gdr_app.components.neighbourhood import send_library
from gdr_app.computing.results import dataset_of, outcome_line, result_of, shown_parts
from gdr_app.home.texts import RELABEL_MATHEMATICS, RELABEL_TERMS, relabel_introduction
from gdr_app.relabel.charts import accuracy_figure, draw_accuracy, draw_flow, mark_t_min
from gdr_app.relabel.ledger_table import show_ledger
from gdr_app.relabel.why_card import example, why_card
from gdr_app.state.pickers import pick
from gdr_app.widgets import around
from gdr_app.widgets.export import show_export
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.later import later_of, tell_of_the_edge
from gdr_app.widgets.looks import COLOURINGS, relabel_looks
from gdr_app.widgets.method_tiles import relabel_tiles
from gdr_app.widgets.overview import choose_node, draw_overview, send_overview
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.t_min import choose_t_min, offer_chosen_t_min

HOPS = 2  # shown around the node

view = start_explorer("Relabel")
head_page("Which nodes change their label")
graph = dataset_of(view)
introduce(relabel_introduction(result_of(view)), *RELABEL_TERMS)
later_of(view)
send_library()
send_overview(view.dataset)


@st.fragment
def explore() -> None:
    """All that follows t_min and the chosen node; the sidebar's pickers are left alone."""
    result = result_of(view)  # from the store: a visit must not keep its large arrays alive
    index = choose_t_min(result)
    now = result.at(index)
    outcome_line(view, result, index)
    tell_of_the_edge(view, result)
    mark_t_min(line, result, index)
    offer_chosen_t_min(result, index)
    relabel_tiles(now, parts)

    picture, words = st.columns([3, 2], gap="medium")
    with words:
        node = choose_node(view.dataset)
        subject, why = (node, "") if node is not None else example(view)
        why_card(view, graph, result, index, subject, why)
    with picture:
        colouring = pick("Colour by", COLOURINGS, key="colours")
        looks = relabel_looks(view.dataset, graph, now, colouring)
        draw_overview(
            view.dataset, graph, looks, node, height=560, sent=True, coloured_by=colouring
        )
        st.header("Neighbourhood of this node", anchor=False)
        near = around.surroundings(view.dataset, subject, HOPS)
        around.draw_classes(view, graph, result, near, index)
    st.header("From prior class to GDR class", anchor=False)
    flow = draw_flow(graph, now)
    st.header("Relabelled nodes", anchor=False)
    show_ledger(view, graph, now)
    show_export(view, result, index, [accuracy_figure(view, parts), flow])


with st.container(key="explore"):
    parts = shown_parts()
    line = draw_accuracy(view, parts)
    explore()
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(RELABEL_MATHEMATICS)
