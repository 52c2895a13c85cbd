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
    add("--guard", action="store_true", help="the guard over homophily instead: table and figure")
    add("--split", choices=("own", "random"), help="only the dataset's own splits, or only random")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run what is missing."""
    if arguments.guard:
        return _guard(Path(arguments.out))
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


def _guard(out: Path) -> int:
    """Every homophily, kept as JSON, with a figure beside it and the table on standard output."""
    import json

    from gdr_tools.beyond.guard import LEVELS, figure, run_level, table

    levels = []
    for homophily in LEVELS:
        levels.append(run_level(homophily))
        out.write_text(json.dumps(levels, indent=1) + "\n", encoding="utf-8")
        print(f"homophily {homophily:g}", file=sys.stderr, flush=True)
    out.with_suffix(".svg").write_text(figure(levels) + "\n", encoding="utf-8")
    print(table(levels))
    return 0
