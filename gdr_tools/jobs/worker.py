"""`python -m gdr_tools.jobs.worker`: a process that waits, with everything imported, for jobs.

Messages go to standard output, commands come in on standard input (see `wire` and `commands`).
After each job it says `idle` and waits for the next one, or leaves if the job has made it large.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from gdr_core.progress import Progress
from gdr_tools.jobs import memory
from gdr_tools.jobs.commands import Commands
from gdr_tools.jobs.handover import lay_aside, take
from gdr_tools.jobs.kinds import ANSWER, KINDS, TRAINING
from gdr_tools.jobs.wire import Send, sender, take_stdout

_NICENESS = 19  # pages come first: a worker takes what they leave …
_NICENESS_VARIABLE = "GDR_WORKER_NICENESS"  # … unless the machine has other work that may wait
_AUTOGROUP = Path("/proc/self/autogroup")
_MOMENT = 0.1  # seconds in which a job comes that a worker was started for …
_PAUSE = 2.0  # … and in which another one follows a job
EVERY = 0.1  # seconds between two reports; a page draws no more than a few a second
_IMPORT = (
    256 << 20
)  # bytes that none of these adds: torch comes to about 180 MB, sklearn.svm to 110
# torch imports its compiler with the first step of an optimiser, which takes as long as itself.
_WARMTH = (
    "torch",
    "torch._dynamo",
    "gdr_core.neural.training",
    "gdr_core.neural.fixed_times",
    "gdr_tools.paper.run",
    "sklearn.svm",
    "sklearn.ensemble",
)


def main() -> int:
    """Do jobs until nobody is there to give any."""
    send = sender(take_stdout())
    commands = Commands()
    commands.listen()  # before torch is imported, which takes seconds
    _step_back()
    _warm_up(commands, _MOMENT)
    while True:
        do(commands.next_job(), commands, send)
        if memory.resident() > memory.LARGE:
            return 0
        send({"kind": "idle"})
        memory.release()
        _warm_up(commands, _PAUSE)  # what it has not imported because a job was there


def _step_back() -> None:
    """Let every other process go first.

    Where Linux schedules by session ("autogroup"), the niceness of a process counts only among
    processes of its own session. A worker has a session of its own, so it is the session's
    niceness that yields to the server and to browsers on the same machine.
    """
    os.nice(niceness())
    with suppress(OSError):  # another system, a container that does not allow it
        _AUTOGROUP.write_text(str(niceness()), encoding="ascii")


def niceness() -> int:
    """How far a worker steps back, from 0 to 19."""
    chosen = os.environ.get(_NICENESS_VARIABLE, "")
    return min(int(chosen), _NICENESS) if chosen.isdecimal() else _NICENESS


def _warm_up(commands: Commands, moment: float) -> None:
    """Import what jobs need, as long as none is waiting and none comes within a moment.

    What would make a worker larger than one that waits may be is left to the job that needs it.
    """
    for within, name in zip(chain([moment], repeat(0.0)), _WARMTH, strict=False):
        if commands.has_job(within) or memory.resident() + _IMPORT > memory.LARGE:
            return
        with suppress(ImportError, MemoryError):  # a job that needs it will say so
            import_module(name)


def do(request: dict[str, Any], commands: Commands, send: Send) -> None:
    """One job."""
    memory.hold_to(int(request["memory"]))
    if request["kind"] == TRAINING:
        from gdr_tools.jobs.training import train

        own = take(request["own"]) if "own" in request else None
        train(Path(request["folder"]), int(request["memory"]), commands, send, own)
        return
    try:
        work = find(request["kind"])
        commands.wait_for_turn()
        result = work(request["arguments"], _reporter(commands, send))
        if (place := request.get(ANSWER)) is not None:
            result = lay_aside(result, place)
        send({"kind": "result", "result": result})
    except Exception as error:
        traceback.print_exc()
        refused = isinstance(error, ValueError)
        send({"kind": "error", "text": reason(error), "refused": refused})


def find(kind: str) -> Callable[[dict[str, Any], Progress], dict[str, Any]]:
    """The function that does a kind of work."""
    module, _, name = KINDS[kind].partition(":")
    return getattr(import_module(module), name)


def _reporter(commands: Commands, send: Send) -> Progress:
    """A progress callback that sends, but not more often than anybody can see, and that waits
    while others go first."""
    due = 0.0

    def report(share: float, text: str) -> None:
        nonlocal due
        commands.wait_for_turn()
        if (now := time.monotonic()) >= due:
            due = now + EVERY
            send({"kind": "progress", "share": share, "text": text})

    return report


def reason(error: Exception) -> str:
    """Why a job failed. Messages of our own say it all, others need the name of the error."""
    if isinstance(error, MemoryError):
        return "It needs more memory than a worker of this server may take"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror  # and not the name of the file: where it lies is the server's matter
    if isinstance(error, ValueError | OSError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _run() -> None:
    """Leave without Python's tidying up, which would wait for the thread that reads commands."""
    try:
        code = main()
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _run()
