"""Charts and tables, each with a text for those who cannot see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import streamlit as st

from gdr_app.state import link
from gdr_app.widgets.presenting import PRESENT
from gdr_app.widgets.sidebar import PICTURE, PICTURES

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

_PRESENTED: Final = 18  # pixels of the letters of a chart on a projector


def draw_figure(
    figure: go.Figure, *, key: str, alt: str, choose: Callable[[], None] | None = None
) -> go.Figure:
    """Show a figure; its mode bar saves it as PNG or SVG, whichever the sidebar says.

    choose   called when a visitor clicks something in it; without it nothing can be clicked
    """
    saved = {"format": link.recall(PICTURE) or PICTURES[0], "filename": key, "scale": 2}
    config = {
        "displaylogo": False,
        "toImageButtonOptions": saved,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "zoomIn2d", "zoomOut2d"],
    }
    clicking: dict[str, Any] = {"on_select": choose, "selection_mode": "points"}
    st.plotly_chart(
        as_large(figure), key=key, alt=alt, config=config, **({} if choose is None else clicking)
    )
    return figure


def as_large(figure: go.Figure) -> go.Figure:
    """The figure as this view shows it: a presenter's has larger letters."""
    if link.recall("view") != PRESENT:
        return figure
    return type(figure)(figure).update_layout(font={"size": _PRESENTED})


def show_table(
    table: pd.DataFrame,
    *,
    key: str,
    alt: str,
    height: int | Literal["content"] = "content",
    formats: Mapping[str, Any] | None = None,
    choose: Callable[[], None] | None = None,
) -> None:
    """Show a table; what it does not know is a dash.

    formats   how columns of numbers are printed, such as `%.3f`, or a column of Streamlit's
    choose    called when a visitor ticks a row; without it rows cannot be ticked
    """
    ticking: dict[str, Any] = {"on_select": choose, "selection_mode": "single-row"}
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=height,
        column_config={name: _column(each) for name, each in (formats or {}).items()},
        placeholder="–",
        alt=alt,
        **({} if choose is None else ticking),
    )


def _column(how: Any) -> Any:
    return st.column_config.NumberColumn(format=how) if isinstance(how, str) else how


def draw_numbers(table: pd.DataFrame, *, key: str, digits: int, alt: str) -> None:
    """Show a small table whose columns are numbers, but for the first."""
    show_table(
        table,
        key=key,
        formats=dict.fromkeys(table.columns[1:], f"%.{digits}f"),
        alt=alt,
    )
