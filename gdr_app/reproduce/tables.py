"""Which table of the paper is shown: the one that holds the chosen number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from gdr_app.reproduce.cell import FIRST, chosen_name, select_number
from gdr_app.state.pickers import identity, moved
from gdr_tools.paper.board import Number, Table

_CONTROL: Final = "table shown"


def choose_table(boards: Sequence[Table]) -> Table:
    """A row of tabs, one a table; another table chooses the number in the same place there."""
    chosen = chosen_name()
    shown = table_of(boards, chosen)
    control = identity(_CONTROL, shown.title, tuple(table.title for table in boards))

    def take() -> None:
        moved(_CONTROL, st.session_state[control])
        table = next(table for table in boards if table.title == st.session_state[control])
        select_number(counterpart(table, shown, chosen).name)

    st.segmented_control(
        "Table",
        [table.title for table in boards],
        default=shown.title,
        key=control,
        format_func=lambda title: title.removeprefix("Table "),
        required=True,
        label_visibility="collapsed",
        on_change=take,
    )
    return shown


def table_of(boards: Sequence[Table], name: str) -> Table:
    """The table that holds a number; the one of the first number where none does."""
    found = {number.name: table for table in boards for number in table.numbers}
    return found.get(name, found[FIRST])


def counterpart(table: Table, before: Table, name: str) -> Number:
    """The number in the row and column of another table's number; the first where none is there."""
    place = {number.name: (number.row, number.group, number.column) for number in before.numbers}
    here = {(number.row, number.group, number.column): number for number in table.numbers}
    return here.get(place.get(name, ("", "", "")), table.numbers[0])
