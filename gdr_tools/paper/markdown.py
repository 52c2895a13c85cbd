"""A table of results as Markdown."""

from __future__ import annotations

from collections.abc import Callable

from gdr_tools.paper.board import Number, Table


def grid(table: Table, head: Callable[[Number], str], show: Callable[[Number], str]) -> list[str]:
    """The lines of a table with one row for each of its rows.

    head   the name of the column that a number stands in
    show   the text of a number
    """
    first = [head(table.at(table.rows[0], column)) for column in table.columns]
    lines = ["| | " + " | ".join(first) + " |", "|---" * (len(first) + 1) + "|"]
    for row in table.rows:
        texts = [show(table.at(row, column)) for column in table.columns]
        lines.append(f"| {row} | " + " | ".join(texts) + " |")
    return lines
