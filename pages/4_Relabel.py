"""Relabel: which nodes change their label as t_min moves, and why."""

from __future__ import annotations

from functools import partial

import streamlit as st

from gdr_app.computing.results import OutcomeLine, StoredResult, dataset_of, parts_of, t_min_of
from gdr_app.relabel.below import PARTS, Below, flow_picture
from gdr_app.relabel.card import WhyCard
from gdr_app.relabel.charts import accuracy_file
from gdr_app.relabel.ledger import outcome_pills
from gdr_app.relabel.style import CARD, HIGHEST, STYLE, TAKEN
from gdr_app.relabel.sweep import sweep_of, verdicts_of
from gdr_app.relabel.texts import RELABEL_MATHEMATICS, relabel_introduction
from gdr_app.state.pickers import Tabs
from gdr_app.widgets.export import export_of
from gdr_app.widgets.glossary import CURVE_TERMS, introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.later import Continuation, at_the_edge, tell_of_the_edge
from gdr_app.widgets.overview import COLOURINGS, Overview, moving_looks
from gdr_app.widgets.sidebar import start_explorer
from gdr_app.widgets.t_min import BAR, t_min_bar
from gdr_app.widgets.tiles import VERDICT_HELP

view = start_explorer("Relabel")
st.html(STYLE)
head_page("Which nodes change their label")
graph, stored = dataset_of(view), StoredResult(view)
result = stored.get()
introduce(relabel_introduction(result), "GDR", *CURVE_TERMS)
# What no step of t_min changes is made here, once for all the steps.
sweep, overview = t_min_bar(sweep_of(view), result.time_names), Overview(view.dataset)
looks = {each: moving_looks(view.dataset, graph, sweep.packed, each) for each in COLOURINGS}
colours, parts = (
    Tabs("Colour by", COLOURINGS, key="colours"),
    Tabs("Below the graph", tuple(PARTS), key="below"),
)
outcome, card = OutcomeLine(view), WhyCard(view, Continuation(view))
verdicts, at_edge = verdicts_of(view), at_the_edge(result)
outcomes, export, judged = outcome_pills(graph), export_of(view), parts_of(view)
del result  # a visit must not keep its large arrays alive


@st.fragment
def explore() -> None:
    """All that follows t_min and the chosen node; the sidebar's pickers are left alone."""
    result = stored.get()
    index = t_min_of(result)
    now = result.at(index)
    with st.container(key=BAR, gap=None):
        sweep.draw(index)
    outcome.draw(index)

    picture, words = st.columns([3, 2], gap="medium")
    with words, st.container(key=CARD):
        node = overview.choose_node()
        subject, why = card.subject(node)
        card.draw(subject, index, why)
    with picture:
        colouring = colours.draw()
        shown = looks[colouring].at(index)
        overview.draw(shown, node, height=HIGHEST, fills=TAKEN, coloured_by=colouring)
    st.markdown(verdicts[index], help=VERDICT_HELP)
    if at_edge:
        tell_of_the_edge(result)
    PARTS[parts.draw()](Below(view, graph, now, subject, node, outcomes))
    again = partial(stored.for_file, index)
    figures = [partial(accuracy_file, judged, again), lambda: flow_picture(graph, again())]
    export.show(now, figures, again=again, suffix=result.time_names[index], node=node)


explore()
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(RELABEL_MATHEMATICS)
