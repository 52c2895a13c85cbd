"""The accuracy curve under the slider of the Relabel page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.computing.results import result_of
from gdr_app.widgets.plots import draw_figure
from gdr_core.figures.relabel import accuracy_curve
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


def draw_accuracy(view: Method, parts: Sequence[str]) -> DeltaGenerator:
    """Accuracy along t_min, aligned with the slider above. Returns where the line at t_min goes.

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


@kept(most=24)
def accuracy_figure(view: Method, parts: tuple[str, ...]) -> go.Figure:
    """The curve itself, drawn once for a view."""
    return accuracy_curve(result_of(view), parts)
