"""Charts and small tables of numbers, each with a text for those who cannot see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from gdr_app.state import link
from gdr_app.widgets.presenting import PRESENT
from gdr_app.widgets.sidebar import PICTURE, PICTURES
from gdr_app.widgets.tables import show_table

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

PRESENTED: Final = 18  # pixels of the letters of a chart on a projector


def draw_figure(figure: go.Figure, *, key: str, alt: str) -> go.Figure:
    """Show a figure; its mode bar saves it as PNG or SVG, whichever the sidebar says."""
    saved = {"format": link.recall(PICTURE) or PICTURES[0], "filename": key, "scale": 2}
    config = {
        "displaylogo": False,
        "toImageButtonOptions": saved,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "zoomIn2d", "zoomOut2d"],
    }
    st.plotly_chart(as_large(figure), key=key, alt=alt, config=config)
    return figure


def as_large(figure: go.Figure) -> go.Figure:
    """The figure as this view shows it: a presenter's has larger letters."""
    if link.recall("view") != PRESENT:
        return figure
    return type(figure)(figure).update_layout(font={"size": PRESENTED})


def draw_numbers(table: pd.DataFrame, *, key: str, digits: int, alt: str) -> None:
    """Show a small table whose columns are numbers, but for the first."""
    show_table(
        table,
        key=key,
        formats=dict.fromkeys(table.columns[1:], f"%.{digits}f"),
        alt=alt,
    )
