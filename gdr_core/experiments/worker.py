"""`python -m gdr_core.experiments.worker REQUEST`: run one cell, with JSON lines of progress.

The request is a JSON object with `cell` (the fields of a `Cell`) and `seeds`. Messages go to
standard output (see `gdr_core.jobs.wire`): `progress`, and at the end `result` or `error`.
Standard input carries nothing. When it closes, or when the parent dies, the process ends at once.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from typing import Any

from gdr_core.experiments.cells import Cell
from gdr_core.jobs.commands import Commands
from gdr_core.jobs.wire import Send, sender, take_stdout
from gdr_core.jobs.worker import step_back
from gdr_core.progress import Progress

EVERY = 0.1  # seconds between two reports; a page draws no more than a few a second


def main(arguments: list[str]) -> int:
    """Run the cell that the one argument asks for; 1 if that failed."""
    send = sender(take_stdout())
    Commands().listen()  # before anything slow is imported
    step_back()
    try:
        cell, seeds = parse(arguments)
        send({"kind": "result", "result": compute(cell, seeds, reporter(send))})
    except Exception as error:
        traceback.print_exc()
        send({"kind": "error", "text": reason(error)})
        return 1
    return 0


def parse(arguments: list[str]) -> tuple[Cell, int]:
    """The cell and the number of seeds that are asked for."""
    if len(arguments) != 1:
        raise ValueError(f"one request is needed, got {len(arguments)} arguments")
    request = json.loads(arguments[0])
    return Cell(**request["cell"]), int(request["seeds"])


def compute(cell: Cell, seeds: int, progress: Progress) -> dict[str, Any]:
    """The result of the cell."""
    progress(0.0, "starting")
    from gdr_core.experiments.run import run_cell

    return run_cell(cell, seeds, progress)


def reporter(send: Send) -> Progress:
    """A progress callback that sends, but not more often than anybody can see."""
    due = 0.0

    def report(share: float, text: str) -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + EVERY
            send({"kind": "progress", "share": share, "text": text})

    return report


def reason(error: Exception) -> str:
    """Why a run failed. Messages of our own say it all, others need the name of the error."""
    if isinstance(error, ValueError | OSError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(code)  # Python's tidying up would wait for the thread that reads standard input
