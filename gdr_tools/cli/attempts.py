"""`attempts`: one more search for the numbers of the paper that ours fall short of."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

DESCRIPTION = """For each number that falls short of the paper's, run a grid of settings that the
authors may have had, choose one on the validation nodes and read its test accuracy. Runs are kept
as they are done: stopped, it goes on where it was. A report is written beside them."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "attempts", help="numbers that fall short of the paper's", description=DESCRIPTION
    )
    add = parser.add_argument
    add("numbers", nargs="*", metavar="NUMBER", help="svm-cora, …; default: all")
    add("--out", metavar="FILE", help="default: shortfalls/attempts.json beside the results")
    add("--most", type=int, metavar="N", help="stop after so many runs of a number")
    add("--report", action="store_true", help="run nothing, write the report only")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run what is missing, and write the report where all is there."""
    from gdr_tools.cli import UsageError
    from gdr_tools.paper.attempts.grids import SHORTFALLS
    from gdr_tools.paper.attempts.report import write_report
    from gdr_tools.paper.attempts.search import Attempts, own_path

    if unknown := [name for name in arguments.numbers if name not in SHORTFALLS]:
        raise UsageError(f"no search for {unknown[0]!r}; there are {', '.join(SHORTFALLS)}")
    attempts = Attempts(Path(arguments.out) if arguments.out else own_path())
    for name in () if arguments.report else arguments.numbers or SHORTFALLS:
        _search(name, attempts, arguments.most)
    print(write_report(attempts))
    return 0


def _search(name: str, attempts: object, most: int | None) -> None:
    from gdr_core.datasets import load_dataset
    from gdr_tools.paper.attempts.grids import SHORTFALLS
    from gdr_tools.paper.attempts.run import run_setting
    from gdr_tools.paper.attempts.search import Attempts, search
    from gdr_tools.paper.run import versions

    assert isinstance(attempts, Attempts)
    shortfall = SHORTFALLS[name]
    split = load_dataset(shortfall.dataset, split=shortfall.split).split
    attempts.nodes[name] = {"validation": len(split.validation), "test": len(split.test)}
    attempts.versions = versions()
    search(shortfall, attempts, run_setting, _tell, most)


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
