"""Relabel: which nodes change their label as t_min moves, and why."""

from __future__ import annotations

from functools import partial

import streamlit as st

from gdr_app.components.t_min_bar import SentSweep
from gdr_app.computing.results import dataset_of, outcome_line, result_of
from gdr_app.relabel.below import PARTS, Below
from gdr_app.relabel.charts import accuracy_figure
from gdr_app.relabel.moving import flow_picture, outcome_pills, why_card
from gdr_app.relabel.story import example
from gdr_app.relabel.style import CARD, HIGHEST, STYLE, TAKEN
from gdr_app.relabel.sweep import sweep_of
from gdr_app.relabel.texts import RELABEL_MATHEMATICS, relabel_introduction
from gdr_app.state.pickers import Tabs
from gdr_app.widgets.export import export_of
from gdr_app.widgets.glossary import CURVE_TERMS, introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.later import Continuation, tell_of_the_edge
from gdr_app.widgets.overview import COLOURINGS, Overview, moving_looks
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.t_min import choose_t_min
from gdr_app.widgets.tiles import show_verdict

view = start_explorer("Relabel")
st.html(STYLE)
head_page("Which nodes change their label")
graph = dataset_of(view)
introduce(relabel_introduction(result_of(view)), "GDR", *CURVE_TERMS)
sweep, overview, later = (
    SentSweep(sweep_of(view), key="t_min"),
    Overview(view.dataset),
    Continuation(view),
)
colours, parts = (
    Tabs("Colour by", COLOURINGS, key="colours"),
    Tabs("Below the graph", tuple(PARTS), key="below"),
)
outcomes, export = outcome_pills(graph), export_of(view)


@st.fragment
def explore() -> None:
    """All that follows t_min and the chosen node; the sidebar's pickers are left alone."""
    result = result_of(view)  # from the store: a visit must not keep its large arrays alive
    index = choose_t_min(result, sweep)
    now = result.at(index)
    outcome_line(view, result, index)

    picture, words = st.columns([3, 2], gap="medium")
    with words, st.container(key=CARD):
        node = overview.choose_node()
        subject, why = example(view) if node is None else (node, "")
        why_card(view, later, now, subject, why)
    with picture:
        colouring = colours.draw()
        looks = moving_looks(view.dataset, graph, sweep.packed, index, colouring)
        overview.draw(looks, node, height=HIGHEST, fills=TAKEN, coloured_by=colouring)
    show_verdict(now)
    tell_of_the_edge(result)
    PARTS[parts.draw()](Below(view, now, subject, node, outcomes))
    figures = [partial(accuracy_figure, view), partial(flow_picture, view, now)]
    export.show(now, figures, suffix=result.time_names[index])


explore()
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(RELABEL_MATHEMATICS)
