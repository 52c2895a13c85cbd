"""The three parts of the Directed page; each fits a screen, and the link says which is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import streamlit as st

from gdr_app.components.picture import show_picture
from gdr_app.directed import texts
from gdr_app.directed.choice import DirectedView
from gdr_app.directed.node import choose_unit, draw_readings, show_readings, verdict
from gdr_app.directed.rank import draw_ranks, draw_scatter, show_rank_table
from gdr_app.directed.results import show_tables
from gdr_app.directed.study import Studies, telling_node
from gdr_app.directed.walk import choose_walks, draw_walks, masses, show_film_table
from gdr_app.widgets.narrow import picture_first
from gdr_app.widgets.overview import Overview
from gdr_core.datasets import Dataset
from gdr_core.figures.directed import citation_picture, mass_over_steps

if TYPE_CHECKING:
    from gdr_app.widgets.export import Picture

    Figures: TypeAlias = Sequence[Picture]


@dataclass(frozen=True, eq=False)
class Scenery:
    """What all parts are about: the view, its graph, the three readings, the drawn graph."""

    view: DirectedView
    graph: Dataset
    studies: Studies
    overview: Overview

    def node(self) -> int:
        """The chosen node, or one about which the readings disagree."""
        chosen = self.overview.choose_node()
        return telling_node(self.graph, self.studies) if chosen is None else chosen


def _show_walk(about: Scenery) -> tuple[int, Figures]:
    """The film of a walk with and without jumps, and PageRank on the graph."""
    with picture_first("walks", controls=("walk-choice",), leading=("walk-film",)):
        found = choose_walks(about.view.method.alpha)
        draw_walks(found)
    with st.expander("Mass at every node after every step", icon=":material/table:"):
        show_film_table(found)
    st.header("Where a walker spends its time: PageRank φ", anchor=False)
    picker, words = st.columns([1, 3], gap="medium", vertical_alignment="bottom")
    with picker:
        node = about.node()
    words.markdown(texts.RANKS)
    draw_ranks(about.overview, about.view, about.graph, about.studies, node)
    return node, [partial(mass_over_steps, masses(found))]


def show_node(about: Scenery) -> tuple[int, Figures]:
    """One node read three ways, and its place among all."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row, st.container(width=260):
        node = about.node()
    with row, st.container(width=200):
        unit = choose_unit()
    row.markdown(verdict(about.graph, about.studies, node))
    readings = draw_readings(about.view, about.graph, about.studies, node, unit)
    show_readings(about.graph, about.studies, node)
    left, right = st.columns(2, gap="medium")
    with left:
        scatter = draw_scatter(about.graph, about.studies, node)
    with right:
        show_rank_table(about.view, about.graph, about.studies)
    return node, [readings, scatter]


def _show_results(about: Scenery) -> tuple[int, Figures]:
    """Tables 4 and 5, and what their words forward and backward mean."""
    show_tables()
    st.header("Which way does a citation point?", anchor=False)
    picture, words = st.columns(2, gap="medium", vertical_alignment="center")
    with picture:
        citation = show_picture(citation_picture("35", "1033"), key="citation")
    words.markdown(texts.WHICH_WAY)
    return telling_node(about.graph, about.studies), [citation]


PARTS: Final[dict[str, Callable[[Scenery], tuple[int, Figures]]]] = {
    "where a walk goes": _show_walk,
    "what changes for one node": show_node,
    "the tables": _show_results,
}
