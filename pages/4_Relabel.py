"""Relabel: which nodes change their label as t_min moves, and why."""

from __future__ import annotations

import streamlit as st

from gdr_app.components.neighbourhood import NeighbourhoodView
from gdr_app.computing.results import dataset_of, outcome_line, parts_of, result_of
from gdr_app.relabel.charts import accuracy_figure, draw_accuracy
from gdr_app.relabel.moving import draw_flow, outcome_pills, show_ledger, why_card
from gdr_app.relabel.story import example
from gdr_app.relabel.texts import RELABEL_MATHEMATICS, relabel_introduction
from gdr_app.state.pickers import Picker
from gdr_app.widgets.around import class_film
from gdr_app.widgets.export import export_of
from gdr_app.widgets.glossary import CURVE_TERMS, introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.later import Continuation, tell_of_the_edge
from gdr_app.widgets.overview import COLOURINGS, Overview, relabel_looks
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.t_min import choose_t_min, offer_chosen_t_min
from gdr_app.widgets.tiles import relabel_tiles, show_verdict
from gdr_app.wording import readable

HOPS = 2  # shown around the node

view = start_explorer("Relabel")
head_page("Which nodes change their label")
graph, parts = dataset_of(view), parts_of(view)
introduce(relabel_introduction(result_of(view)), "GDR", *CURVE_TERMS)
later, film, overview = Continuation(view), NeighbourhoodView(), Overview(view.dataset)
colours, outcomes = Picker("Colour by", COLOURINGS, key="colours"), outcome_pills(graph)
names = [readable(name) for name in graph.class_names]
export = export_of(view)
explorer = st.container(key="explore")
with explorer:
    line = draw_accuracy(view, parts)
    tell_of_the_edge(result_of(view))


@st.fragment
def explore() -> None:
    """All that follows t_min and the chosen node; the sidebar's pickers are left alone."""
    result = result_of(view)  # from the store: a visit must not keep its large arrays alive
    index = choose_t_min(result, line)
    now = result.at(index)
    outcome_line(view, result, index)
    offer_chosen_t_min(result, index)
    relabel_tiles(now, parts)
    show_verdict(now)

    picture, words = st.columns([3, 2], gap="medium")
    with words:
        node = overview.choose_node()
        subject, why = example(view) if node is None else (node, "")
        why_card(view, later, now, subject, why)
    with picture:
        colouring = colours.draw()
        looks = relabel_looks(view.dataset, graph, now, colouring)
        overview.draw(looks, node, height=560, coloured_by=colouring)
        st.header("Neighbourhood of this node", anchor=False)
        film.draw(class_film(view, subject, HOPS), index)
    st.header("From prior class to GDR class", anchor=False)
    flow = draw_flow(view, names, now)
    st.header("Relabelled nodes", anchor=False)
    show_ledger(view, graph, now, outcomes.draw(), node)
    export.show(now, [accuracy_figure(view, parts), flow], suffix=result.time_names[index])


with explorer:
    explore()
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(RELABEL_MATHEMATICS)
