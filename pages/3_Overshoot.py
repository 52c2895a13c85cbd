"""Overshoot: one node's beliefs over time, and a single impulse spreading."""

from __future__ import annotations

import streamlit as st

from pages.shared import around, node_story
from pages.shared.export import show_export
from pages.shared.later import later_of
from pages.shared.neighbourhood import send_library
from pages.shared.overlay import ALONE, choose_overlay
from pages.shared.overshoot_modes import MODES, Scene
from pages.shared.overview import choose_node, class_looks, draw_overview, send_overview
from pages.shared.pickers import pick
from pages.shared.results import dataset_of, outcome_line, result_of, t_min_of
from pages.shared.sidebar import start_explorer
from pages.shared.worth_seeing import choose_list, node_or_default, walk_list

view = start_explorer("Overshoot")
st.title("Beliefs over time", anchor=False)
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
    introduction.markdown(mode.introduction)
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
