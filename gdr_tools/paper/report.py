"""The report beside the results: protocol, tables with the paper's numbers, differences."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from gdr_core.places import made
from gdr_tools.paper.board import Number, Table, tables
from gdr_tools.paper.gains import standing
from gdr_tools.paper.markdown import grid
from gdr_tools.paper.notes import VISIBLE
from gdr_tools.paper.remarks import attempt_of, written_note
from gdr_tools.paper.store import Store

_SHOWN_RULES = ("overshoot", "reference")

PROTOCOL = """# Results

Written by `python -m gdr_core reproduce`; do not edit by hand. Numbers are test accuracy in
percent, ours as mean ± standard deviation over the seeds 0, 1, 2, … (10 where training is random,
one run where it is not). The JSON files beside this one hold every run with its settings, seeds,
versions, t_min and time.

## Protocol

- **Training labels** enter priors, networks and the start of the diffusion.
- **Validation labels** choose t_min, for networks the epoch whose weights are kept (lowest
  validation loss), for Planetoid the round (highest validation accuracy). Settings that the paper
  leaves open were compared on validation data; they are stored with each result. One set serves all
  datasets, but for diff-GCN: its initial diffusion time on Pubmed, and initial time, learning rate,
  weight decay and number of epochs on Wikipedia, were set by the validation loss of that dataset.
- **Test labels** are compared with and choose nothing.
- t_min is chosen from 200 times, spaced evenly in log t up to one relaxation time (twenty for
  directed graphs): the one with the best validation accuracy, averaged over t_min up to a factor √2
  away.
- All three decision rules were run; the tables show `overshoot` (the paper's equations) and
  `reference` (what the published code does). π is the mean over the whole graph. The Laplacian is
  the combinatorial one, for directed graphs Chung's with α = 0.85.
- Tables 4 and 5: the paper's directed numbers belong to a split by row order (`paper-directed`);
  the public split is given beside it.
"""


def write_report(store: Store) -> Path:
    """Write README.md beside the results and return its path."""
    path = report_path(store)
    fresh = path.with_suffix(f".{os.getpid()}.part")
    fresh.write_text("\n".join(sections(store)) + "\n", encoding="utf-8")
    fresh.replace(path)
    return path


def report_path(store: Store) -> Path:
    """Where the report goes; refused where nothing can be written, and where a file stands that no
    report has been written to."""
    path = made(store.folder) / "README.md"
    if path.exists() and not _is_report(path):
        raise FileExistsError(
            f"{path} was not written by `reproduce` and is left alone; choose another folder for "
            "the results with --folder"
        )
    return path


def _is_report(path: Path) -> bool:
    """Whether the file begins as every report does."""
    begins = PROTOCOL[: PROTOCOL.index(";")].encode()
    return path.is_file() and path.read_bytes().startswith(begins)


def sections(store: Store) -> list[str]:
    """The report, part by part."""
    found = tables(store)
    return [
        PROTOCOL,
        *_grids(found),
        *_IN_SHORT,
        *counts(found),
        *_DIFFERENCES,
        *differences(found),
    ]


def _grids(found: Sequence[Table]) -> Iterator[str]:
    for table in found:
        title, note = _HEADS[table.key]
        yield f"{'' if table is found[0] else _NEW_LINE}## {title}\n"
        if note:
            yield f"{note}\n"
        yield from grid(table, lambda number: number.head, shown)


def readings(number: Number) -> list[Number]:
    """A number by each rule that the report shows; the number itself where there is no rule."""
    if number.rule is None:
        return [number]
    return [number.with_rule(rule) for rule in _SHOWN_RULES]


def best(number: Number) -> Number:
    """The highest of its readings."""
    return max(readings(number), key=lambda each: -math.inf if each.ours is None else each.ours)


def shown(number: Number) -> str:
    """The paper's number and our readings."""
    return " \\| ".join([_text(number, number.paper), *map(_reading, readings(number))])


def _reading(number: Number) -> str:
    """Ours with its spread; bold where an accuracy is at or above the paper's."""
    text = _text(number, number.ours) + (f" ± {number.spread:.1f}" if number.spread else "")
    if number.counted or number.ours is None or number.paper is None:
        return text
    return f"**{text}**" if round(number.ours, 1) >= number.paper else text


def _text(number: Number, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if number.counted else f"{value:.1f}"


def counts(found: Sequence[Table]) -> Iterator[str]:
    """How many cells reach the paper, by table."""
    for table in found:
        stands = standing([best(number) for number in table.numbers])
        if stands.mean_difference is not None:
            yield (
                f"- Table {table.key}: {stands.reached} of {stands.compared} cells within a point "
                f"of the paper or above it; mean difference {stands.mean_difference:+.1f}."
            )


def differences(found: Sequence[Table]) -> list[str]:
    """One paragraph for each accuracy that differs visibly from the paper's."""
    lines = []
    for number in (best(number) for table in found for number in table.numbers):
        gap = number.difference
        if number.counted or gap is None or abs(gap) < VISIBLE:
            continue
        told = (
            f"- **Table {number.table}, {number.row}, {number.head}**: the paper "
            f"{number.paper:.1f}, ours {number.ours:.1f} ({gap:+.1f}).",
            written_note(number),
            attempt_of(number),
        )
        lines.append(" ".join(filter(None, told)))
    return lines or ["None."]


_NEW_LINE = "\n"
_IN_SHORT = ("\n## In short\n",)
_DIFFERENCES = ("\n## Differences of a point or more\n",)
_BY_RULE = "Each cell: the paper's number | rule `overshoot` | rule `reference`."
_HEADS = {
    "1": (
        "Table 1: sizes",
        "Each cell: the paper's number | ours. The paper's edge counts include repeated edges and "
        "self-loops.",
    ),
    "2 prior": ("Table 2: priors, before GDR", ""),
    "2 GDR": ("Table 2: after GDR", _BY_RULE),
    "3": ("Table 3: networks", ""),
    "4": ("Table 4: GDR on Cora with directions", _BY_RULE),
    "5": ("Table 5: networks on Cora with directions", ""),
}
