"""Charts of the Relabel page: the accuracy curve under the slider, the flow between classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import streamlit as st

from gdr_app.components.picture import show_picture
from gdr_app.computing.results import result_of
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import plain, readable
from gdr_core.datasets import Dataset
from gdr_core.figures.relabel import accuracy_curve, class_flow
from gdr_core.gdr import GDRResult, Relabelling
from gdr_core.method import Method

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from streamlit.delta_generator import DeltaGenerator

# Redrawing a chart costs more than all else on the page together. So the curve is drawn outside the
# part that follows t_min, and before it, where the style puts the slider first again; the line at
# t_min lies over it.
STYLE: Final = """
<style>
.st-key-explore > :has(> .stVerticalBlock > [class*="st-key-t_min-slider"]),
.st-key-explore > * > .stVerticalBlock:has(> [class*="st-key-t_min-slider"]) { display: contents; }
.st-key-explore > :has(> .st-key-accuracy) { order: -1; }
.st-key-explore [class*="st-key-t_min-slider"] { order: -2; }
.st-key-accuracy { position: relative; }
.st-key-accuracy .stElementContainer:has(.t-min-line) { position: static; }
@container (max-width: 46rem) { .st-key-accuracy .modebar-container { display: none; } }
.t-min-line { position: absolute; top: 20px; bottom: 24px; width: 0; pointer-events: none;
  border-left: 2px solid currentColor; opacity: 0.65; }
</style>
"""
LINE: Final = '<div class="t-min-line" style="left: {place:.3f}%"></div>'


def draw_accuracy(view: Method, parts: Sequence[str]) -> DeltaGenerator:
    """Accuracy along t_min, aligned with the slider above. Returns where `mark_t_min` draws.

    To be called in a container with the key `explore`, before the fragment with the slider.
    """
    st.html(STYLE)
    with st.container(key="accuracy", gap=None):
        draw_figure(
            accuracy_figure(view, tuple(parts)),
            key="accuracy-curve",
            alt="Accuracy for every t_min, with the chosen one marked by a diamond.",
        )
        return st.empty()


def mark_t_min(place: DeltaGenerator, result: GDRResult, index: int) -> None:
    """Move the line at the current t_min."""
    place.html(LINE.format(place=100 * index / (result.times.size - 1)))


@st.cache_resource(max_entries=24, show_spinner=False)
def accuracy_figure(view: Method, parts: tuple[str, ...]) -> go.Figure:
    """The curve itself, drawn once for a view."""
    return accuracy_curve(result_of(view), parts)


def draw_flow(graph: Dataset, now: Relabelling) -> str:
    """From the prior's classes to those after reclassification."""
    names, counts = list(map(readable, graph.class_names)), now.flows
    picture, words = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with words:
        st.markdown(_largest_moves(counts, names))
    with picture:
        return show_picture(class_flow(counts, names), key="class-flow")


def _largest_moves(counts: np.ndarray, names: Sequence[str]) -> str:
    """The widest bands of the flow in words."""
    moves = counts - np.diag(np.diag(counts))
    order = np.argsort(-moves, axis=None, kind="stable")[:MOST_MOVES]
    pairs = [divmod(int(place), len(names)) for place in order if moves.flat[place]]
    if not pairs:
        return "At this t_min no node moves."
    rows = [f"- {plain(names[a])} → {plain(names[b])}: **{moves[a, b]:,}**" for a, b in pairs]
    return "\n".join(["**Most frequent moves**", "", *rows, "", STAYING])


MOST_MOVES: Final = 6
STAYING: Final = "Grey bands are nodes that keep the prior's class."
