"""`beyond`: table 6, what diffusion reaches today beside its peers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

DESCRIPTION = """Run the cells of table 6 that are not in the file yet, and keep each as it is done;
stopped, it goes on where it was. Peers of other libraries need the packages for development."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "beyond", help="table 6: beyond the paper", description=DESCRIPTION
    )
    add = parser.add_argument
    add("--out", default="beyond.json", metavar="FILE", help="default: beyond.json")
    add("--datasets", nargs="+", metavar="NAME", help="default: all of the table")
    add("--methods", nargs="+", metavar="NAME", help="default: all of the table")
    add("--guard", action="store_true", help="the guard over homophily instead")
    add("--prior", default="linear", metavar="NAME", help="of --guard; default: linear")
    add("--split", choices=("own", "random"), help="only the dataset's own splits, or only random")
    add("--report", action="store_true", help="keep complete numbers of FILE and write the tables")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run what is missing."""
    if arguments.guard:
        return _guard(Path(arguments.out), arguments.prior)
    if arguments.report:
        return _report(Path(arguments.out))
    from gdr_tools.beyond.methods import METHODS
    from gdr_tools.beyond.run import DATASETS, Store, cells, run_cell
    from gdr_tools.cli import UsageError

    for given, allowed in ((arguments.datasets, DATASETS), (arguments.methods, METHODS)):
        if unknown := [name for name in given or () if name not in allowed]:
            raise UsageError(f"table 6 has no {unknown[0]!r}; it has {', '.join(allowed)}")
    store = Store(Path(arguments.out))
    wanted = cells(arguments.datasets or DATASETS, arguments.methods or METHODS)
    for cell in wanted:
        if arguments.split and (cell.split == "random") != (arguments.split == "random"):
            continue
        if cell.key not in store.results:
            result = run_cell(cell)
            store.put(cell.key, result)
            print(f"{cell.key}  test {result['test']:.1%}", file=sys.stderr, flush=True)
    return 0


def _guard(out: Path, prior: str) -> int:
    """Every homophily and every heterophilous graph, kept as it is done; the table at the end."""
    import json
    from functools import partial
    from typing import Any

    from gdr_core.priors import PRIORS
    from gdr_tools.beyond.guard import LEVELS, run_graph, run_level, statement, table
    from gdr_tools.beyond.run import HETEROPHILOUS
    from gdr_tools.cli import UsageError

    if prior not in PRIORS:
        raise UsageError(f"there is no prior {prior!r}; there are {', '.join(PRIORS)}")
    found: dict[str, list] = {"levels": [], "graphs": []}
    runs: list[tuple[str, object, Any]] = [
        ("levels", level, partial(run_level, level, prior)) for level in LEVELS
    ]
    runs += [("graphs", name, partial(run_graph, name, prior)) for name in HETEROPHILOUS]
    for part, what, run_one in runs:
        found[part].append(run_one())
        out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{part}: {what}", file=sys.stderr, flush=True)
    print(f"{table(found)}\n\n{statement(found)}")
    return 0


def _report(source: Path) -> int:
    """Keep the runs of complete numbers beside the other results, and write the tables anew."""
    from gdr_tools.beyond import guard, report
    from gdr_tools.beyond.run import Store
    from gdr_tools.beyond.table import FOLDER, complete

    store = Store(FOLDER / "cells.json")
    if source.exists():
        store.replace(complete({**store.results, **Store(source).results}))
    text = report.document(store.results, guard.stored())
    (FOLDER / "README.md").write_text(text, encoding="utf-8")
    print(FOLDER / "README.md")
    return 0
