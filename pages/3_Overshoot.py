"""Overshoot: one node's beliefs over time, and a single impulse spreading."""

from __future__ import annotations

from functools import partial

import streamlit as st

from gdr_app.components.neighbourhood import NeighbourhoodView
from gdr_app.computing.results import OutcomeLine, StoredResult, dataset_of, t_min_of
from gdr_app.overshoot.examples import choose_list, node_or_default
from gdr_app.overshoot.modes import MODES, Scene
from gdr_app.overshoot.overlay import ALONE, choose_overlay
from gdr_app.state.pickers import Tabs
from gdr_app.widgets import around
from gdr_app.widgets.export import export_of
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.later import Continuation
from gdr_app.widgets.overview import Overview, class_looks
from gdr_app.widgets.sidebar import start_explorer

view = start_explorer("Overshoot")
tabs = Tabs("Show", tuple(MODES), key="mode")
head_page("Beliefs over time", tabs=tabs)
dataset_of(view)
outcome, later, film = OutcomeLine(view), Continuation(view), NeighbourhoodView()
overview, stored = Overview(view.dataset), StoredResult(view)


@st.fragment
def explore() -> None:
    """All that follows the chosen node and t_min; the sidebar's pickers are left alone."""
    graph, result = dataset_of(view), stored.get()
    index = t_min_of(result)
    outcome.draw(index)
    node = node_or_default(view)
    mode = MODES[tabs.chosen]
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        with st.container(width=250):
            chosen = overview.choose_node()
        with st.container(width=250):
            found = choose_list(view, index)
        with st.container(width=110):
            hops = around.choose_hops()
        overlay = choose_overlay() if mode.overlays else ALONE
    again = partial(stored.for_file, index)
    scene = Scene(view, later, film, graph, result, index, node, hops, found, overlay, again)
    figure = mode.show(scene)
    introduce(mode.introduction, *mode.terms)
    st.header("The whole graph, by true class", anchor=False)
    overview.draw(class_looks(graph), node, height=420)
    with st.expander("The mathematics", icon=":material/function:"):
        st.markdown(mode.mathematics)
    now, suffix = result.at(index), result.time_names[index]
    lines = mode.python(scene)
    export_of(view).show(now, [figure], again=again, suffix=suffix, lines=lines, node=chosen)


explore()
