"""`data`: list the datasets, fetch those that are not stored here, verify those that are."""

from __future__ import annotations

import argparse
import json
import sys

from gdr_tools.cli import own

COLUMNS = (
    "name",
    "nodes",
    "edges",
    "classes",
    "features",
    "train",
    "validation",
    "test",
    "available",
)


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `data` with its own sub-commands."""
    text = "list, fetch and verify the datasets"
    data = subparsers.add_parser("data", help=text, description=text.capitalize() + ".")
    data.add_argument("--json", action="store_true", help="print the list as JSON")
    data.set_defaults(run=list_datasets)
    actions = data.add_subparsers(title="sub-commands", metavar="ACTION")
    fetch = actions.add_parser("fetch", help="download a dataset that is not stored here")
    fetch.add_argument("name", metavar="NAME", help="a dataset, e.g. wikipedia")
    fetch.set_defaults(run=_fetch_dataset)
    verify = actions.add_parser("verify", help="check the stored and downloaded files")
    verify.set_defaults(run=_verify_datasets)
    own.add_check(actions)


def list_datasets(arguments: argparse.Namespace) -> int:
    """Print every dataset with its sizes, as a table or as JSON."""
    from gdr_core.datasets import describe, names

    descriptions = [describe(name) for name in names()]
    records = [{column: getattr(d, column) for column in COLUMNS} for d in descriptions]
    print(json.dumps(records, indent=2) if arguments.json else _table(records))
    return 0


def _fetch_dataset(arguments: argparse.Namespace) -> int:
    """Download the files of a dataset, unless they are here already."""
    from gdr_core.datasets import spec_of
    from gdr_tools.cli import UsageError

    try:
        download = spec_of(arguments.name).download
    except ValueError as error:
        raise UsageError(str(error)) from error
    if download is None:
        print(f"{arguments.name} needs no download.")
        return 0
    for path in download.fetch(progress=_report):
        print(path)
    return 0


def _verify_datasets(arguments: argparse.Namespace) -> int:
    """Check every stored file against the manifest; print one line for each finding."""
    from gdr_core.datasets import verification
    from gdr_tools.cli import CommandError

    failures = []
    for finding in verification.findings():
        print(f"{finding.subject}: {finding.summary}")
        if finding.failure:
            failures.append(finding.failure)
    if failures:
        raise CommandError("; ".join(failures))
    return 0


def _report(fraction: float, message: str) -> None:
    print(f"{fraction:4.0%}  {message}", file=sys.stderr)


def _table(records: list[dict[str, object]]) -> str:
    rows = [list(COLUMNS), *([_cell(r[column]) for column in COLUMNS] for r in records)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
