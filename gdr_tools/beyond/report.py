"""Table 6 and the guard as Markdown, for the page and for the file beside the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gdr_tools.beyond import guard
from gdr_tools.beyond.methods import METHODS
from gdr_tools.beyond.table import KINDS, PUBLIC, Column, Entry, columns, points, standing

NOT_RUN = "not run"
HEAD = """# Beyond the paper

Written by `python -m gdr_core beyond --report`; do not edit by hand. What explicit diffusion
reaches beside what a user would pick instead. `cells.json` holds every run, `guard.json` the guard,
`tuning.json` the searches that settings come from.
"""
ABOUT = """Test accuracy in percent, mean ± standard deviation over ten seeds, or over ten splits;
one number where nothing is random. Settings were found on validation nodes of the public split and
serve all splits; only DGC's recipe chooses its weight decay anew on the validation nodes of each
split, and DeepWalk's settings come from no committed search. **Bold** is the diffusion method with
the best validation accuracy of its column; in brackets, a method minus that one, paired by split,
with a 95 % interval (Student's t; splits of one graph share nodes, so the truth is less certain).
Methods marked with a library's name are run as that library has them. What says “not run” was not
run."""


def document(results: dict[str, Any], guarded: dict[str, Any]) -> str:
    """The whole file."""
    found = columns(results)
    parts = [HEAD, "## Table 6\n", ABOUT, "", *(f"- {line}" for line in standing(found)), ""]
    for kind, title in KINDS.items():
        parts += [f"### {title}\n", accuracies(found, kind), "", missing(found, kind), ""]
    parts += ["### Seconds of one core for one run\n", seconds(found), ""]
    parts += [
        "## Should the graph be trusted?\n",
        guard.statement(guarded),
        "",
        guard.table(guarded),
    ]
    return "\n".join(parts) + "\n"


def accuracies(found: Sequence[Column], kind: str) -> str:
    """One table: a row for each method that was run, a column for each dataset."""
    shown = [column for column in found if column.kind == kind and column.entries]
    return _grid(shown, _accuracy)


def seconds(found: Sequence[Column]) -> str:
    """How long one run takes: the median of ten random splits, where they were run."""
    merged: dict[str, dict[str, Entry]] = {}
    for column in found:
        merged.setdefault(column.dataset, {}).update(column.entries)
    shown = [Column(dataset, PUBLIC, entries) for dataset, entries in merged.items() if entries]
    return _grid(shown, _seconds)


def missing(found: Sequence[Column], kind: str) -> str:
    """A sentence on datasets that nothing was run on with this kind of split."""
    empty = [column.dataset for column in found if column.kind == kind and not column.entries]
    return f"Not run at all: {', '.join(empty)}." if empty else ""


def _grid(shown: Sequence[Column], text: Any) -> str:
    if not shown:
        return "Nothing was run."
    heads = [column.dataset for column in shown]
    lines = [f"| method | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    return "\n".join([*lines, *_rows(shown, text)])


def _rows(shown: Sequence[Column], text: Any) -> Iterator[str]:
    for method, contender in METHODS.items():
        if any(method in column.entries for column in shown):
            yield f"| {contender.label} | {' | '.join(text(c, method) for c in shown)} |"


def _accuracy(column: Column, method: str) -> str:
    entry = column.entries.get(method)
    if entry is None:
        return NOT_RUN
    number = f"{entry.mean:.1f}" + ("" if entry.spread is None else f" ± {entry.spread:.1f}")
    if entry is column.best:
        return f"**{number}**"
    if column.kind == PUBLIC or (gap := column.difference(method)) is None:
        return number
    return f"{number} ({points(gap.mean)}: {points(gap.low)} to {points(gap.high)})"


def _seconds(column: Column, method: str) -> str:
    entry = column.entries.get(method)
    if entry is None:
        return NOT_RUN
    return f"{entry.seconds:.0f}" if entry.seconds >= 10 else f"{entry.seconds:.2f}"
