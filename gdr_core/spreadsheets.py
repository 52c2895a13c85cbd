"""Cells that a spreadsheet shows and does not run."""

from __future__ import annotations

# A spreadsheet runs what begins with one of these as a formula; some skip blanks before it.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_FORMULA_STARTS) else text
