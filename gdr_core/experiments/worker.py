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
from collections.abc import Callable
from typing import Any, BinaryIO

from gdr_core.experiments.cells import Cell
from gdr_core.jobs.commands import Commands
from gdr_core.jobs.wire import encode
from gdr_core.jobs.worker import step_back
from gdr_core.progress import Progress

EVERY = 0.1  # seconds between two reports; a page draws no more than a few a second
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

Send = Callable[[dict[str, Any]], None]


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
    """The result of the cell, on one thread."""
    # `LiveRuns` sets these before the process starts; for a call by hand, torch is still to come.
    os.environ.update(dict.fromkeys(THREADS, "1"))
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


def take_stdout() -> BinaryIO:
    """The pipe to the server; what libraries print goes to standard error from now on."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def sender(pipe: BinaryIO) -> Send:
    """A function that writes one message; the process ends if nobody listens any more."""

    def send(message: dict[str, Any]) -> None:
        try:
            pipe.write(encode(message))
            pipe.flush()
        except BrokenPipeError:
            os._exit(0)

    return send


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(code)  # Python's tidying up would wait for the thread that reads standard input
