"""Table 6 and the guard as Markdown, for the page and for the file beside the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gdr_tools.beyond import guard
from gdr_tools.beyond.methods import METHODS
from gdr_tools.beyond.run import CITATIONS
from gdr_tools.beyond.table import KINDS, PUBLIC, Column, Entry, columns, points, standing
from gdr_tools.paper.attempts.outcome import sampling_error

_NOT_RUN = "not run"
HEAD = """# Beyond the paper

Written by `python -m gdr_core beyond --report`; do not edit by hand. What explicit diffusion
reaches beside what a user would pick instead. `cells.json` holds every run, `guard.json` the guard,
`tuning.json` the searches that settings come from. `others` are the options that a search did not
try, as they were when it was made, null where they were not recorded. `command` tries the same grid
with these options as they are today: where they have changed since, as for the time of heat-net on
Pubmed, other numbers come of it.
"""
ABOUT = """Test accuracy in percent, mean ± standard deviation over ten seeds, or over ten splits;
one number where nothing is random, and “(of 2)” behind a mean of two runs, which show no spread.

Where settings come from. A search on a grid (`gdr tune`, kept in `tuning.json`) was made on Cora,
Citeseer and Pubmed, on validation nodes of the public split: for linear (also where it is the prior
of GDR), heat-linear, SGC, heat-net and Correct and Smooth, and on Cora and Citeseer for
semi-supervised embedding. The grids hold some options only. Set without a grid were, of heat-net,
hidden units, epochs, patience, self-loops, the fixed time, sharpening (but on Pubmed), warm-up (but
on Citeseer) and, on Pubmed, the learning rate, which was compared by hand; of semi-supervised
embedding its weight decay. These settings serve the random splits of the same graph, too:
validation nodes of the public split may be test nodes of a random one, which flatters what was
searched for. No search on a grid was made for GCN, APPNP, diff-GCN or DeepWalk, for the methods of
other libraries (at defaults or usual values), or for any method on another graph. On the validation
nodes of each split GDR chooses t_min, auto also rule and Laplacian, and DGC's recipe its weight
decay; some networks stop early by them.

**Bold** is the diffusion method with the best validation accuracy of its column; in brackets, a
method minus that one, paired by split, with a 95 % interval (Student's t; splits of one graph share
nodes, so the truth is less certain). Methods marked with a library's name are run as that library
has them. What says “not run” was not run."""
_DGC_PUBLISHED = 83.3  # Wang et al. (2021), Cora, public split
PUBLIC_TEST_NODES = 1000  # of each citation graph
_FEWEST = 3  # runs that show a spread


def document(results: dict[str, Any], guarded: dict[str, Any]) -> str:
    """The whole file."""
    found = columns(results)
    said = [*standing(found), *remarks(found)]
    parts = [HEAD, "## Table 6\n", ABOUT, "", *(f"- {line}" for line in said), ""]
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


def remarks(found: Sequence[Column]) -> list[str]:
    """What the leads must be read with."""
    return [*_of_dgc(found), *_of_chance(found)]


def _of_dgc(found: Sequence[Column]) -> Iterator[str]:
    for column in found:
        entry = column.entries.get("dgc")
        if (column.dataset, column.kind) == ("cora", PUBLIC) and entry is not None:
            yield (
                f"DGC's recipe, run again here, reaches {entry.mean:.1f} % on Cora's public split; "
                f"its authors report {_DGC_PUBLISHED} %. Leads over it are over what was run here."
            )


def _of_chance(found: Sequence[Column]) -> Iterator[str]:
    """How far a number of a public split may lie from that of other test nodes."""
    best = {
        column.dataset.capitalize(): column.best.mean
        for column in found
        if column.dataset in CITATIONS and column.kind == PUBLIC and column.best is not None
    }
    if best:
        errors = (
            f"{sampling_error(mean, PUBLIC_TEST_NODES):.1f} points for {mean:.1f} % on {name}"
            for name, mean in best.items()
        )
        yield (
            f"All numbers of a public split are of the same {PUBLIC_TEST_NODES:,} test nodes, "
            "whatever the seeds: as a sample of nodes these leave an error √(p(1 − p)/n) of "
            f"{', '.join(errors)}. Smaller differences there may be chance."
        )


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
    """A sentence on datasets and methods that nothing was run of with this kind of split."""
    of_kind = [column for column in found if column.kind == kind]
    empty = [column.dataset for column in of_kind if not column.entries]
    run = {method for column in of_kind for method in column.entries}
    empty += [one.label for method, one in METHODS.items() if run and method not in run]
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
        return _NOT_RUN
    runs = len(entry.test)
    number = f"{entry.mean:.1f}"
    if runs >= _FEWEST:
        number += f" ± {entry.spread:.1f}"
    elif runs > 1:
        number += f" (of {runs})"
    if entry is column.best:
        return f"**{number}**"
    if column.kind == PUBLIC or (gap := column.difference(method)) is None:
        return number
    return f"{number} ({points(gap.mean)}: {points(gap.low)} to {points(gap.high)})"


def _seconds(column: Column, method: str) -> str:
    entry = column.entries.get(method)
    if entry is None:
        return _NOT_RUN
    return f"{entry.seconds:.0f}" if entry.seconds >= 10 else f"{entry.seconds:.2f}"
