"""Charts of the Relabel page: the accuracy curve under the slider, the flow between classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import streamlit as st

from gdr_core.datasets import Dataset
from gdr_core.figures.relabel import accuracy_curve, class_flow
from gdr_core.gdr import GDRResult
from gdr_core.ledger import flows
from pages.shared.picture import show_picture
from pages.shared.plots import draw_figure
from pages.shared.results import result_of
from pages.shared.sidebar import View
from pages.shared.wording import plain, readable

if TYPE_CHECKING:
    import plotly.graph_objects as go

# The line at t_min lies over the chart: moving it costs nothing, redrawing the chart would.
LINE: Final = """
<style>
.st-key-accuracy {{ position: relative; }}
.st-key-accuracy .stElementContainer:has(.t-min-line) {{ position: static; }}
.t-min-line {{ position: absolute; top: 20px; bottom: 24px; width: 0; pointer-events: none;
  border-left: 2px solid currentColor; opacity: 0.65; left: {place:.3f}%; }}
</style>
<div class="t-min-line"></div>
"""


def draw_accuracy(view: View, result: GDRResult, index: int, parts: Sequence[str]) -> go.Figure:
    """Accuracy along t_min, aligned with the slider above; a line marks the current t_min."""
    figure = _accuracy_curve(view, tuple(parts))
    with st.container(key="accuracy", gap=None):
        draw_figure(
            figure,
            key="accuracy-curve",
            alt="Accuracy for every t_min, with the chosen one marked by a diamond.",
        )
        st.html(LINE.format(place=100 * index / (result.times.size - 1)))
    return figure


@st.cache_resource(max_entries=24, show_spinner=False)
def _accuracy_curve(view: View, parts: tuple[str, ...]) -> go.Figure:
    return accuracy_curve(result_of(view), parts)


def draw_flow(graph: Dataset, result: GDRResult, index: int) -> str:
    """Who goes where: from the prior's classes to those after reclassification."""
    names = [readable(name) for name in graph.class_names]
    counts = flows(result, index)
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
