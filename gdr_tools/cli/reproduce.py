"""`reproduce`: the paper's tables, cell by cell; a stopped run continues where it was."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdr_tools.cli.cluster import add_cluster, said

if TYPE_CHECKING:
    from gdr_tools.paper.cells import Cell
    from gdr_tools.paper.store import Store

DESCRIPTION = """Compute the tables of the paper again and write each cell's result to a JSON file
as soon as it is there, then the report beside them. Cells that have a result are left alone."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "reproduce", help="compute the paper's tables again", description=DESCRIPTION
    )
    add = parser.add_argument
    add("--table", choices=("1", "2", "3", "4", "5", "all"), default="all")
    add("--dataset", help="only cells of this dataset")
    add("--prior", metavar="METHOD", help="only cells of this prior or network")
    add("--seeds", type=positive, default=10, help="seeds where training is random; default: 10")
    add("--jobs", type=positive, default=1, help="cells computed at the same time; default: 1")
    add_cluster(parser)
    add("--again", action="store_true", help="compute cells that already have a result, too")
    add("--folder", type=Path, help="where results are kept; default: data/results")
    add("--report-only", action="store_true", help="write the report from what is there")
    parser.set_defaults(run=run)


def positive(text: str) -> int:
    """A whole number above zero."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {value}")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Compute what is missing, then write the report."""
    from gdr_tools.paper.report import report_path, write_report
    from gdr_tools.paper.store import FOLDER, Store

    store = Store(arguments.folder or FOLDER)
    report_path(store)  # refused now, rather than when hours have been spent
    if not arguments.report_only:
        compute(wanted(arguments, store), arguments, store)
    print(f"report: {write_report(store)}")
    return 0


def wanted(arguments: argparse.Namespace, store: Store) -> list[Cell]:
    """The cells asked for that have no result yet and whose data are here."""
    from gdr_core.datasets import available
    from gdr_tools.cli import UsageError
    from gdr_tools.paper.cells import of_table

    cells = of_table(arguments.table)
    for option, field in (("dataset", "dataset"), ("prior", "method")):
        chosen = getattr(arguments, option)
        there = sorted({getattr(cell, field) for cell in cells})
        if chosen and chosen not in there:
            raise UsageError(f"no cell has the {option} {chosen!r}; there are {', '.join(there)}")
        cells = [cell for cell in cells if chosen in (None, getattr(cell, field))]
    absent = {cell.dataset for cell in cells if not available(cell.dataset)}
    for name in sorted(absent):
        print(f"{name} is left out: `python -m gdr_core data fetch {name}`", file=sys.stderr)
    cells = [cell for cell in cells if cell.dataset not in absent]
    return cells if arguments.again else [cell for cell in cells if store.get(cell) is None]


def compute(cells: list[Cell], arguments: argparse.Namespace, store: Store) -> None:
    """Run the cells, one or several at a time, and store each result as it comes."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    if arguments.cluster:
        _on_cluster(cells, arguments, store)
        return
    if arguments.jobs == 1:
        for done, cell in enumerate(cells):
            store.put(cell, one(cell, arguments.seeds, Bar(done, len(cells), cell.key)))
        return
    with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(one, cell, arguments.seeds): cell for cell in cells}
        for done, future in enumerate(as_completed(futures), 1):
            cell = futures[future]
            store.put(cell, future.result())
            Bar(done - 1, len(cells), cell.key)(1.0, "")


def _on_cluster(cells: list[Cell], arguments: argparse.Namespace, store: Store) -> None:
    """The same on a cluster, whose workers keep what they have until it is stored here.

    A result that a worker kept when the last client was killed is taken first.
    """
    from gdr_tools.cluster import Parts
    from gdr_tools.jobs.kinds import CELL
    from gdr_tools.paper.worker import request_of

    parts = Parts(store.folder / "parts")
    by_key = {f"{cell.group}/{cell.key}, {arguments.seeds} seeds": cell for cell in cells}
    if arguments.again:
        for key in by_key:
            parts.drop(key)
    requests = {key: request_of(cell, arguments.seeds) for key, cell in by_key.items()}
    for key, result in said(arguments, CELL, requests, parts):
        store.put(by_key[key], result)
        parts.drop(key)


def one(cell: Cell, seeds: int, progress: Any = None) -> dict[str, Any]:
    """One cell; in a process of its own it uses one thread, so that jobs do not fight."""
    from gdr_core.progress import ignore
    from gdr_tools.paper.run import run_cell

    if progress is None:
        import torch

        torch.set_num_threads(1)
    return run_cell(cell, seeds, progress or ignore)


class Bar:
    """A progress bar over all cells, drawn on one line of a terminal."""

    width = 30

    def __init__(self, done: int, total: int, title: str):
        self.done, self.total, self.title = done, total, title
        self.drawn = -1

    def __call__(self, fraction: float, message: str) -> None:
        """Draw, if there is anything new to see."""
        whole = (self.done + fraction) / max(self.total, 1)
        step = int(1000 * whole)
        if step == self.drawn and fraction < 1:
            return
        self.drawn = step
        filled = int(self.width * whole)
        bar = "█" * filled + "·" * (self.width - filled)
        end = "\r" if sys.stderr.isatty() else "\n"
        if sys.stderr.isatty() or fraction >= 1:
            text = f"{self.title} {message}"
            print(f"{bar} {whole:6.1%} {text:<70.70}", end=end, file=sys.stderr, flush=True)
