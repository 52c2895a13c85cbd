"""Charts of the dataset, each with a text for those who cannot see it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from gdr_app.computing import cached
from gdr_app.dataset.texts import HOW_TO_READ
from gdr_app.widgets.plots import as_large
from gdr_core.datasets import DatasetChoice
from gdr_core.graphs.statistics import Summary

_CHART_TEXTS: Final = {
    "classes": "Bar chart: nodes in each class, by part of the split.",
    "degrees": "Chart: how many nodes have how many neighbours.",
    "components": "Bar chart: size of each connected component, largest first.",
}
_CHART_CONFIG: Final = {"displaylogo": False, "displayModeBar": False}


def _draw_chart(kind: str, choice: DatasetChoice) -> None:
    """One of the figures of a dataset."""
    st.plotly_chart(
        as_large(cached.figure(kind, choice)),
        key=f"chart-{kind}",
        alt=_CHART_TEXTS[kind],
        config=_CHART_CONFIG,
    )


def draw_distributions(choice: DatasetChoice, numbers: Summary) -> None:
    """Classes and degrees, then components; a connected graph needs a sentence, not a chart."""
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_chart("classes", choice)
    with right:
        _draw_chart("degrees", choice)
    if numbers.components == 1:
        st.markdown(f"The graph is **connected**: one component of {numbers.nodes:,} nodes.")
        st.markdown(HOW_TO_READ)
        return
    left, right = st.columns(2, gap="medium", vertical_alignment="center")
    with left:
        _draw_chart("components", choice)
    right.markdown(HOW_TO_READ)
