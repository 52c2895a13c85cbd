"""A table of the paper with ours: difference by colour and sign, settings on hover, cells to click.

    results_table(table, key="table-3", chosen=name, on_choose=choose)

Each number is a button: with the keyboard, arrows move from cell to cell and Enter chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from gdr_app.components.mounts import component
from gdr_tools.paper.board import Number, Table
from gdr_tools.paper.document import printed, shade, shown, signed
from gdr_tools.paper.remarks import settings_of

_HERE = Path(__file__).parent
_component = component("results_table", _HERE / "table.js", _HERE / "table.css")


def results_table(
    table: Table,
    *,
    key: str,
    on_choose: Callable[[str], None],
    chosen: str | None = None,
) -> None:
    """Draw the table; a click on a number calls `on_choose(name)` before the page runs again."""
    names = {number.name for number in table.numbers}

    def tell() -> None:
        name = (st.session_state.get(key) or {}).get("chosen")
        if name in names:
            on_choose(name)

    data = {**payload(table), "chosen": chosen}
    _component(key=key, data=data, on_chosen_change=tell, height="content")


def payload(table: Table) -> dict[str, Any]:
    """The table as JSON carries it."""
    return {
        "title": table.title,
        "columns": [{"group": group, "name": name} for group, name in table.columns],
        "rows": [
            {"name": row, "numbers": [_number(table.at(row, column)) for column in table.columns]}
            for row in table.rows
        ],
    }


def _number(number: Number) -> dict[str, Any]:
    return {
        "name": number.name,
        "ours": shown(number),
        "paper": printed(number),
        "printed": number.paper is not None,
        "difference": signed(number),
        "shade": shade(number),
        "missing": number.ours is None,
        "details": [list(line) for line in settings_of(number)],
    }
