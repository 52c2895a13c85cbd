"""Tables of records: one row each, numbers printed alike, with a text for those who cannot see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

if TYPE_CHECKING:
    import pandas as pd


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
