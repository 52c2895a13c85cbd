"""Lists of nodes worth seeing, and how to walk along one."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from gdr_core.gdr.highlights import HIGHLIGHTS, Ranking, Summits, ranking, summits
from pages.shared import link
from pages.shared.overview import select_node
from pages.shared.pickers import report_unknown
from pages.shared.results import result_of, selected_node
from pages.shared.sidebar import View

LIST: Final = "list"
FIRST_LIST: Final = "textbook cases"
LONGEST: Final = 200


@st.cache_resource(max_entries=8, show_spinner=False)
def _summits(view: View, index: int) -> Summits:
    return summits(result_of(view), index)


def ranked(view: View, index: int, name: str) -> Ranking:
    """One of the lists, at most LONGEST nodes of it."""
    return ranking(_summits(view, index), name, LONGEST)


def node_or_default(view: View) -> int:
    """The chosen node, or else one that is worth seeing; moving t_min does not change it."""
    node = selected_node(view)
    if node is not None:
        return node
    index = result_of(view).chosen
    for name in (_asked_list(), "largest overshoot"):
        if (found := ranked(view, index, name)).nodes.size:
            return int(found.nodes[0])
    return 0


def _asked_list() -> str:
    """The list that the select box will show: it is drawn later, the link is there already."""
    asked = st.session_state.get(LIST, st.query_params.get(LIST))
    return asked if asked in HIGHLIGHTS else FIRST_LIST


def choose_list(view: View, index: int) -> Ranking:
    """A select box with the lists; choosing one chooses its first node."""
    names = tuple(HIGHLIGHTS)
    link.carry(LIST, FIRST_LIST)
    report_unknown("list", LIST, names, FIRST_LIST)
    if st.session_state.get(LIST) not in names:
        st.session_state.pop(LIST, None)

    def open_list() -> None:
        if (found := ranked(view, index, st.session_state[LIST])).nodes.size:
            select_node(view.dataset, int(found.nodes[0]))

    name = st.selectbox(
        "Worth seeing",
        names,
        names.index(FIRST_LIST),
        key=LIST,
        bind="query-params",
        on_change=open_list,
        help="\n".join(f"- **{name}**: {entry.explanation}" for name, entry in HIGHLIGHTS.items()),
    )
    return ranked(view, index, name)


def walk_list(view: View, found: Ranking, node: int) -> None:
    """Where on a list the node is, and buttons that go through the list."""
    here = np.flatnonzero(found.nodes == node)
    place = int(here[0]) if here.size else -1

    def go(to: int) -> None:
        select_node(view.dataset, int(found.nodes[to]))

    st.markdown(_whereabouts(found, place), width="content")
    with st.container(horizontal=True, width="content", gap="small"):  # they wrap together
        st.button(
            "Previous",
            icon=":material/chevron_left:",
            disabled=place <= 0,
            on_click=go,
            args=(place - 1,),
        )
        st.button(
            "Next",
            icon=":material/chevron_right:",
            disabled=place + 1 >= found.nodes.size,
            on_click=go,
            args=(place + 1,),
        )


def _whereabouts(found: Ranking, place: int) -> str:
    if not found.total:
        return "No node is on this list"
    if place < 0:
        return f"{_length(found)} on the list"
    unit = HIGHLIGHTS[found.name].unit
    return f"{place + 1:,} of {_length(found)} · {unit} **{found.values[place]:.3g}**"


def _length(found: Ranking) -> str:
    """How many can be walked through, and how many there are."""
    walked = found.nodes.size
    if walked == found.total:
        return f"{found.total:,}"
    return f"the first {walked:,} ({found.total:,} in all)"
