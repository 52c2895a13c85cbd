"""The two halves of the Overshoot page: one node's classes, and a single impulse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import streamlit as st

from gdr_app.components.neighbourhood import NeighbourhoodView
from gdr_app.overshoot import impulse, node_story
from gdr_app.overshoot.examples import walk_list
from gdr_app.overshoot.overlay import overlay_of
from gdr_app.overshoot.texts import (
    IMPULSE_INTRODUCTION,
    IMPULSE_MATHEMATICS,
    IMPULSE_TERMS,
    OVERSHOOT_INTRODUCTION,
    OVERSHOOT_MATHEMATICS,
)
from gdr_app.widgets import around
from gdr_app.widgets.export import python_for_impulse
from gdr_app.widgets.glossary import CURVE_TERMS
from gdr_app.widgets.later import Continuation, about_lines, at_the_edge, tell_of_the_edge
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import readable
from gdr_core.datasets import Dataset
from gdr_core.explanation.highlights import Ranking
from gdr_core.figures.overshoot import kinds_by_distance, overlaid_curves
from gdr_core.gdr import GDRResult, Relabelling
from gdr_core.graphs.neighbourhood import Neighbourhood
from gdr_core.method import Method

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, eq=False)
class Scene:
    """All that a mode needs to draw itself.

    overlay   what is drawn together with the node, one of `overlay.OVERLAYS`
    again     the result at this t_min, when a file of it is asked for
    found     the list that is being walked along
    hops      how far the neighbourhood reaches
    """

    view: Method
    later: Continuation
    film: NeighbourhoodView
    graph: Dataset
    result: GDRResult
    index: int
    node: int
    hops: int
    found: Ranking
    overlay: str
    again: Callable[[], Relabelling]

    @cached_property
    def near(self) -> Neighbourhood:
        """The neighbourhood of the node."""
        return around.surroundings(self.view.dataset, self.node, self.hops)


def _head(scene: Scene) -> None:
    """Whose curves they are, and the way along the list."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(node_story.headline(scene.graph, scene.result, scene.node, scene.index))
        walk_list(scene.view, scene.found, scene.node, scene.index)


def show_node(scene: Scene) -> Callable[[], go.Figure]:
    """The curves and what they decide, the film of classes, the numbers; makes a file's figure."""
    graph, result, node, index = scene.graph, scene.result, scene.node, scene.index
    drawn = overlay_of(scene.view.dataset, graph, node, scene.overlay, scene.found)
    curves_of = scene.later.drawn(drawn.nodes)
    curves, picture = st.columns([3, 2], gap="medium")
    with curves:
        node_story.draw_curves(graph, result, drawn.nodes, curves_of, index)
        _head(scene)
        st.markdown(node_story.reason(graph, result, node, index))
        st.markdown(about_lines(result, curves_of, node))
        if drawn.caption:
            st.markdown(drawn.caption)
    with picture:
        scene.film.draw(around.class_film(scene.view, node, scene.hops), index)
    if at_the_edge(result):
        tell_of_the_edge(result)
    node_story.show_numbers(graph, result, node, index)
    names, again = [readable(name) for name in graph.class_names], scene.again
    return lambda: overlaid_curves(again().result, drawn.nodes, index, names, curves_of)


def _show_impulse(scene: Scene) -> go.Figure:
    """Who responds how: curves, film, counts by distance, table."""
    view, graph, near = scene.view, scene.graph, scene.near
    sample = impulse.sample_of(view, scene.node)
    everyone = impulse.responses_of(view, near, sample)
    shown = everyone.of(sample.nodes)
    curves, picture = st.columns([3, 2], gap="medium")
    with curves:
        drawn = impulse.impulse_curves(graph, shown)
        impulse.draw_impulse_curves(drawn, graph.node_names[scene.node], shown.first_wave)
        _head(scene)
    with picture:
        around_it = everyone.of(near.nodes)
        film = around.impulse_film(view.dataset, graph, near, around_it)
        scene.film.draw(film, around_it.first_wave)
    impulse.impulse_tiles(view, shown)
    left, right = st.columns(2, gap="medium")
    with left:
        figure = draw_figure(
            kinds_by_distance(shown),
            key="kinds",
            alt="How many nodes respond in which way, by distance from the source.",
        )
    with right:
        impulse.show_responses(graph, shown)
    return figure


def _impulse_lines(scene: Scene) -> str:
    """The lines of Python that give the responses around the source."""
    name = scene.graph.node_names[scene.node]
    hops = max(int(scene.near.distances.max()), 1)
    return python_for_impulse(scene.view, scene.node, hops, impulse.EACH, name)


@dataclass(frozen=True)
class Mode:
    """A half of the page and its texts.

    terms      those that the tooltip of the introduction defines
    overlays   whether other nodes can be drawn too
    python     the lines for this half; None for those of the whole view
    """

    introduction: str
    terms: tuple[str, ...]
    mathematics: str
    show: Callable[[Scene], go.Figure | Callable[[], go.Figure]]
    overlays: bool
    python: Callable[[Scene], str | None] = lambda scene: None


MODES: Final = {
    "one node": Mode(
        OVERSHOOT_INTRODUCTION,
        CURVE_TERMS,
        OVERSHOOT_MATHEMATICS,
        show_node,
        overlays=True,
    ),
    "delta impulse": Mode(
        IMPULSE_INTRODUCTION,
        IMPULSE_TERMS,
        IMPULSE_MATHEMATICS,
        _show_impulse,
        overlays=False,
        python=_impulse_lines,
    ),
}
