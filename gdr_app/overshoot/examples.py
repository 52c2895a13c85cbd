"""Lists of example nodes, and how to walk along one."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.computing.results import result_of, selected_node
from gdr_app.overshoot.empty import why_empty
from gdr_app.state import link
from gdr_app.state.pickers import pick
from gdr_app.widgets.overview import select_node
from gdr_core.explanation.highlights import HIGHLIGHTS, Ranking, Summits, ranking, summits
from gdr_core.method import Method

LIST: Final = "list"
_FIRST_LIST: Final = "clear overshoots"
LONGEST: Final = 200


@kept(most=8)
def _summits(view: Method, index: int) -> Summits:
    return summits(result_of(view), index)


def ranked(view: Method, index: int, name: str) -> Ranking:
    """One of the lists, at most LONGEST nodes of it."""
    return ranking(_summits(view, index), name, LONGEST)


def node_or_default(view: Method) -> int:
    """The chosen node, or else an example; moving t_min does not change it."""
    node = selected_node(view)
    if node is not None:
        return node
    index = result_of(view).chosen
    for name in (_asked_list(), "largest overshoot"):
        if (found := ranked(view, index, name)).nodes.size:
            return int(found.nodes[0])
    return 0


def example_node(view: Method) -> tuple[int, str]:
    """A node that shows what the page is about, and what makes it an example. No truth is used."""
    result = result_of(view)
    return example_of(_summits(view, result.chosen))


def example_of(found: Summits) -> tuple[int, str]:
    """The same of one result, at its chosen t_min."""
    result = found.result
    for node in ranking(found, _FIRST_LIST, 1).nodes.tolist():
        if found.relabelled_by_any[node]:
            return node, _CLEAREST if found.relabelled_by_it[node] else _ANY_TIME
    moved = result.predictions() != result.prior_labels
    if moved.any():
        return int(np.flatnonzero(moved)[found.margin[moved].argmax()]), WIDEST
    free = np.setdiff1d(np.arange(moved.size), result.split.train)
    return int(free[found.margin[free].argmax()]) if free.size else 0, _NONE_MOVED


_CLEAREST: Final = (
    "an **example**: at the t_min that GDR chose, its new class rises above π after t_min and "
    "falls back more clearly than at any other node that changes its label"
)
_ANY_TIME: Final = (
    "an **example**: of the nodes that change their label at the t_min that GDR chose, the one "
    "whose new class, seen from t = 0 on, most clearly rises above π and falls back; after that "
    "t_min the new class of no such node visibly does so"
)
WIDEST: Final = (
    "an **example**: of the nodes that change their label at the t_min that GDR chose, the one "
    "with the largest margin"
)
_NONE_MOVED: Final = (
    "an **example**: at the t_min that GDR chose no node changes its label; this one has the "
    "largest margin"
)


def _asked_list() -> str:
    """The list that the select box will show: it is drawn later."""
    asked = link.recall(LIST)
    return asked if asked in HIGHLIGHTS else _FIRST_LIST


def choose_list(view: Method, index: int) -> Ranking:
    """A select box with the lists; choosing one chooses its first node."""

    def open_list(name: str) -> None:
        if (found := ranked(view, index, name)).nodes.size:
            select_node(view.dataset, int(found.nodes[0]))

    name = pick(
        "Example nodes",
        tuple(HIGHLIGHTS),
        key=LIST,
        default=_FIRST_LIST,
        on_choose=open_list,
        help="\n".join(f"- **{name}**: {entry.explanation}" for name, entry in HIGHLIGHTS.items()),
    )
    return ranked(view, index, name)


def walk_list(view: Method, found: Ranking, node: int, index: int) -> None:
    """Where on a list the node is, and buttons that go through the list; or why it is empty."""
    if not found.total:
        st.markdown(why_empty(result_of(view), found.name, index))
        return
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
    if place < 0:
        return f"{_length(found)} on the list"
    unit = HIGHLIGHTS[found.name].unit
    return f"{place + 1:,} of {_length(found)} · {unit} **{found.values[place]:.3g}**"


def _length(found: Ranking) -> str:
    """How many can be walked through, and how many there are."""
    walked = found.nodes.size
    if walked == found.total:
        return f"{found.total:,}"
    return f"the first {walked:,} of {found.total:,}"
