"""Homophily that means something: three numbers, and what GDR gained on graphs of all kinds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.state.pickers import pick
from gdr_app.structure.figures_text import ALT
from gdr_app.structure.texts import HOMOPHILY_LINES
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import counted, percent
from gdr_core.datasets import Dataset
from gdr_core.figures import structure as figures
from gdr_core.graphs.homophily import homophily
from gdr_core.places import data_folder

if TYPE_CHECKING:
    import plotly.graph_objects as go

NEAR: Final = 0.1  # of homophily: graphs no farther away are of the same kind


def homophily_section(graph: Dataset) -> None:
    """The numbers with a line each, beside the gains on all datasets and on block models.

    Only classes that the graph shows count: those of test nodes do not while they are hidden.
    """
    found = asdict(homophily(graph))
    if np.isnan(found["edge"]):
        st.info("No edge joins two nodes whose classes are shown: there is no homophily to tell.")
        return
    words, picture = st.columns([2, 3], gap="medium")
    with words:
        for name, text in HOMOPHILY_LINES.items():
            st.metric(name.capitalize(), percent(found[_field(name)]))
            st.caption(f"{text.capitalize()}.")
        if np.isnan(found["adjusted"]):
            st.markdown("Only one class is shown, so there is no chance to compare with.")
        elif graph.test_hidden:
            st.caption("Only edges between nodes whose class is shown are counted.")
    with picture:
        with st.container(width=220):
            chosen = pick("Compare by", tuple(HOMOPHILY_LINES), key="measure")
        _draw_gains(chosen, found[_field(chosen)], graph.test_hidden)


def _field(measure: str) -> str:
    return measure.replace("-", "_")


def _draw_gains(measure: str, here: float, hidden: bool) -> None:
    stored = stored_gains(hidden)
    draw_figure(_gains(measure, here, hidden), key="gains", alt=ALT["gains"])
    st.markdown(gain_sentence(stored["graphs"], measure, here))
    st.caption(
        f"Every mark is one graph, judged on its {stored['judged']}; method: {stored['method']}. "
        f"Block models: 400 nodes, {stored['draws']} draws for each of eleven homophilies."
    )


@kept(most=64)
def _gains(measure: str, here: float, hidden: bool) -> go.Figure:
    part = "validation" if hidden else "test"
    return figures.gains_by_homophily(stored_gains(hidden)["graphs"], measure, here, part)


def gain_sentence(graphs: Sequence[dict[str, Any]], measure: str, here: float) -> str:
    """What GDR gained on the graphs whose homophily is close to that of this one."""
    if np.isnan(here):
        return f"The {measure} homophily is not defined here, so no graph is of the same kind."
    near = [g for g in graphs if abs(g[_field(measure)] - here) <= NEAR]
    if not near:
        return f"No graph of the chart lies within {NEAR} of this one by {measure} homophily."
    gains = np.array([100 * (g["gdr"] - g["prior"]) for g in near])
    return (
        f"Of the {counted(len(near), 'graph')} within {NEAR} of this one by {measure} homophily, "
        f"GDR gained on **{int((gains > 0).sum())}**; the gains run from {gains.min():+.1f} to "
        f"{gains.max():+.1f} points, with a median of **{np.median(gains):+.1f}**."
    )


@kept(most=2)
def stored_gains(hidden: bool) -> dict[str, Any]:
    """GDR's gain on every dataset and on block models, beside their homophilies.

    hidden   whether test is: then all of it, homophily included, is made without test classes
    """
    file = data_folder() / "results" / "studies" / "gains.json"
    found = json.loads(file.read_text(encoding="utf-8"))
    state = found["hidden" if hidden else "revealed"]
    return {"method": found["method"], "draws": found["draws"], **state}
