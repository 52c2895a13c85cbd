"""Overshoot: one node's beliefs over time, and a single impulse spreading."""

from __future__ import annotations

import streamlit as st

from gdr_app.components.neighbourhood import send_library
from gdr_app.computing.results import dataset_of, outcome_line, result_of, t_min_of
from gdr_app.overshoot import node_story
from gdr_app.overshoot.examples import choose_list, node_or_default, walk_list
from gdr_app.overshoot.modes import MODES, Scene
from gdr_app.overshoot.overlay import ALONE, choose_overlay
from gdr_app.state.pickers import pick
from gdr_app.widgets import around
from gdr_app.widgets.export import show_export
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.heading import head_page
from gdr_app.widgets.later import later_of
from gdr_app.widgets.overview import choose_node, class_looks, draw_overview, send_overview
from gdr_app.widgets.sidebar import start_explorer

view = start_explorer("Overshoot")
head_page("Beliefs over time")
introduction = st.empty()
dataset_of(view)
result_of(view)
later_of(view)
send_library()
send_overview(view.dataset)


@st.fragment
def explore() -> None:
    """All that follows the chosen node and t_min; the sidebar's pickers are left alone."""
    graph, result = dataset_of(view), result_of(view)
    index = t_min_of(result)
    outcome_line(view, result, index)
    node = node_or_default(view)
    with st.container(horizontal=True, gap="small"):
        with st.container(width=145):
            mode = MODES[pick("Show", tuple(MODES), key="mode")]
        with st.container(width=195):
            choose_node(view.dataset)
        with st.container(width=195):
            found = choose_list(view, index)
        with st.container(width=110):
            near = around.surroundings(view.dataset, node, around.choose_hops())
        overlay = choose_overlay() if mode.overlays else ALONE
    introduce(mode.introduction, *mode.terms, place=introduction)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(node_story.headline(graph, result, node, index))
        walk_list(view, found, node)
    scene = Scene(view, graph, result, index, node, near, found, overlay)
    figure = mode.show(scene)
    st.header("The whole graph, by true class", anchor=False)
    draw_overview(view.dataset, graph, class_looks(graph), node, height=420, sent=True)
    with st.expander("The mathematics", icon=":material/function:"):
        st.markdown(mode.mathematics)
    show_export(view, result, index, [figure], mode.python(scene))


explore()
