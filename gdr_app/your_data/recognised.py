"""How each file was understood, its first rows, and the controls that correct it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pandas as pd
import streamlit as st

from gdr_app.state.pickers import identity, moved
from gdr_app.widgets.plots import show_table
from gdr_app.wording import plain
from gdr_app.your_data.draft import Draft
from gdr_app.your_data.texts import COLUMN_NAMES
from gdr_core.datasets.own import COLUMNS, ROLES, SEPARATORS
from gdr_core.datasets.own.findings import short
from gdr_core.datasets.own.inspection import Seen

_NO_COLUMN: Final = "– none –"
_MOST_COLUMNS: Final = 300  # that a select box lists
TABLES: Final = ("table", "parquet")
MARKS: Final = {"source": "from", "target": "to", "id": "node", "part": "split"}
ROWS: Final = 4  # shown of each file


def show_file(now: Draft, seen: Seen) -> None:
    """One file: a sentence, a table, and what can be corrected."""
    with st.container(border=True):
        size = f"{seen.size / 1e6:.1f} MB" if seen.size >= 1e5 else f"{seen.size:,} bytes"
        st.markdown(f"**{plain(short(seen.name))}** · {size}")
        if seen.trouble:
            st.error(plain(seen.trouble), icon=":material/error:")
        if seen.summary:
            st.markdown(plain(seen.summary))
        if seen.format in TABLES and seen.role:
            _correct(now, seen)
        if seen.rows:
            _first_rows(seen)


def choose(
    label: str,
    options: list[Any],
    value: Any,
    take: Callable[[Any], None],
    *,
    key: str,
    names: Callable[[Any], str] = str,
    **more: Any,
) -> None:
    """A select box over the draft: it shows what holds, and tells the draft what is chosen."""
    control = identity(key, value, tuple(options))

    def change() -> None:
        moved(key, st.session_state[control])
        take(st.session_state[control])

    place = options.index(value) if value in options else 0
    st.selectbox(label, options, place, key=control, format_func=names, on_change=change, **more)


def _correct(now: Draft, seen: Seen) -> None:
    name = seen.name
    with st.container(horizontal=True, gap="small"):
        choose(
            "It holds",
            list(ROLES),
            seen.role,
            lambda role: now.decide_on(name, role=role),
            key=f"role of {name}",
            names=lambda role: ROLES[role].partition(":")[0].capitalize(),
            help="  \n".join(f"**{k}** {v.partition(': ')[2]}" for k, v in ROLES.items()),
            width=260,
        )
        if seen.separator is not None:
            _text_form(now, seen)
        for part in COLUMNS[seen.role]:
            if part in COLUMN_NAMES:
                with st.container(width=150):
                    _column(now, seen, part)


def _text_form(now: Draft, seen: Seen) -> None:
    name = seen.name
    marks, take = list(SEPARATORS), now.decide_on
    choose(
        "Separator",
        marks,
        seen.separator,
        lambda mark: take(name, separator=mark),
        key=f"separator of {name}",
        names=SEPARATORS.__getitem__,
        width=120,
    )
    header_names = {True: "names the columns", False: "is data"}
    key = f"header of {name}"
    choose(
        "First line",
        [True, False],
        seen.header,
        lambda header: take(name, header=header),
        key=key,
        names=header_names.__getitem__,
        width=180,
    )


def _column(now: Draft, seen: Seen, part: str) -> None:
    listed = list(range(min(len(seen.names), _MOST_COLUMNS)))
    value = seen.columns.get(part)
    if value is not None and value not in listed:
        listed.append(value)
    needed = part in ("source", "target", "feature")
    options: list[int | None] = [*listed] if needed else [None, *listed]
    choose(
        COLUMN_NAMES[part],
        options,
        value,
        lambda column: now.decide_column(seen.name, part, column),
        key=f"{part} of {seen.name}",
        names=lambda column: _NO_COLUMN if column is None else seen.names[column],
    )


def _first_rows(seen: Seen) -> None:
    """The first rows; names of columns say what each one is taken for."""
    width = len(seen.rows[0])
    used: dict[int, str] = {}
    for part, column in seen.columns.items():
        for each in column if isinstance(column, tuple) else (column,):
            if each is not None:
                used.setdefault(each, MARKS.get(part, part))
    heads = [f"{seen.names[i]}{_mark(used.get(i))}" for i in range(width)]
    if len(set(heads)) < width:
        heads = [f"{head} ({i + 1})" for i, head in enumerate(heads)]
    rows = [list(row[:width]) + [""] * (width - len(row)) for row in seen.rows[:ROWS]]
    show_table(
        pd.DataFrame(rows, columns=heads),
        key=f"rows of {seen.name}",
        alt=f"First rows of {short(seen.name)}.",
    )
    if len(seen.names) > width:
        st.caption(f"The first {width} of {len(seen.names):,} columns.")


def _mark(use: str | None) -> str:
    return f" → {use}" if use else ""
