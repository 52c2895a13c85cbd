"""Why a number of ours differs from the paper's: one paragraph for each visible difference.

Keys are (table, row, column) as in `comparison.Entry`. A note is shown only where the numbers do
differ by a point or more; a difference without a note is shown as such.
"""

from __future__ import annotations

NOTES: dict[tuple[str, str, str], str] = {}
