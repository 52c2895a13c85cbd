"""Homophily that means something: three numbers, and what GDR gained on graphs of all kinds."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.structure.figures_text import ALT
from gdr_app.structure.texts import HOMOPHILY_LINES
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import percent
from gdr_core.datasets import Dataset
from gdr_core.figures import structure as figures
from gdr_core.graphs.homophily import homophily
from gdr_core.places import data_folder


def homophily_section(graph: Dataset, measure: Callable[[], str]) -> None:
    """The numbers with a line each, beside the gains on all datasets and on block models.

    measure   chooses by which of them graphs are compared; it may draw a control
    """
    found = asdict(homophily(graph))
    words, picture = st.columns([2, 3], gap="medium")
    with words:
        for name, text in HOMOPHILY_LINES.items():
            st.metric(name.capitalize(), percent(found[name.replace("-", "_")]))
            st.caption(f"{text.capitalize()}.")
    with picture:
        with st.container(width=220):
            chosen = measure()
        _draw_gains(chosen, found[chosen.replace("-", "_")])


def _draw_gains(measure: str, here: float) -> None:
    stored = _gains()
    figure = figures.gains_by_homophily(stored["graphs"], measure, here)
    draw_figure(figure, key="gains", alt=ALT["gains"])
    st.caption(
        f"Every mark is one graph, judged on its {stored['judged']}; method: {stored['method']}. "
        f"Block models: 400 nodes, {stored['draws']} draws for each of eleven homophilies."
    )


@kept(most=1)
def _gains() -> dict[str, Any]:
    return json.loads(
        (data_folder() / "results" / "studies" / "gains.json").read_text(encoding="utf-8")
    )
