"""`fuzz`: hostile input by the thousand; nothing but results and clear refusals may come of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gdr_tools.fuzz import Finding, Tally

DESCRIPTION = """Try random input of every kind on the library, the readers, the command line,
links and checkpoints. Each input gives a result or one sentence; anything else (another exception,
a crash, more than ten seconds of work) is printed, kept, and makes the exit code 1."""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the sub-command."""
    from gdr_tools.fuzz.kinds import KINDS

    parser = subparsers.add_parser("fuzz", help="try hostile input", description=DESCRIPTION)
    add = parser.add_argument
    add("--inputs", type=int, default=10_000, metavar="N", help="of all kinds; default: 10000")
    add("--seed", type=int, default=0, help="other inputs; default: 0")
    add("--kind", choices=list(KINDS), action="append", help="only this kind; default: all")
    add("--keep", type=Path, metavar="FOLDER", help="write inputs that went wrong here")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run every kind in turn, print a line for each and what went wrong."""
    from gdr_tools import fuzz
    from gdr_tools.cli import UsageError

    if not 1 <= arguments.inputs <= 10**9:
        raise UsageError(f"--inputs must lie between 1 and {10**9}, got {arguments.inputs}")
    shares, findings = _shares(arguments.kind or list(fuzz.KINDS), arguments.inputs), 0
    for kind, inputs in shares.items():
        tally = fuzz.run(kind, inputs, arguments.seed, report=_progress(kind, inputs))
        print(f"{kind:<12}{tally.inputs:>10,} inputs: {_counts(tally)}", flush=True)
        for finding in tally.findings:
            print(f"  {finding.number}: {finding.outcome}", flush=True)
            _keep(arguments.keep, finding)
        findings += len(tally.findings)
    return 1 if findings else 0


# Links and files take a millisecond, command lines and checkpoints many: so each kind gets its
# share of the inputs.
_WEIGHTS = {"library": 30, "files": 30, "own": 20, "commands": 5, "links": 30, "checkpoints": 5}


def _shares(kinds: list[str], inputs: int) -> dict[str, int]:
    total = sum(_WEIGHTS[kind] for kind in kinds)
    shares = {kind: max(1, inputs * _WEIGHTS[kind] // total) for kind in kinds}
    shares[kinds[0]] += max(0, inputs - sum(shares.values()))
    return shares


def _counts(tally: Tally) -> str:
    return ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(tally.outcomes.items()))


def _keep(folder: Path | None, finding: Finding) -> None:
    if folder is not None:
        place = folder / finding.kind
        place.mkdir(parents=True, exist_ok=True)
        (place / str(finding.number)).write_bytes(finding.case)


def _progress(kind: str, inputs: int) -> Callable[[Tally], None]:
    def report(tally: Tally) -> None:
        if sys.stderr.isatty() or tally.inputs % 5000 < 200:
            print(f"{kind}: {tally.inputs:,} of {inputs:,}", file=sys.stderr, flush=True)

    return report
