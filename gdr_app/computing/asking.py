"""What a page asks a worker for, and what of the visitor's own data the worker is given for it."""

from __future__ import annotations

import hashlib
import time
from typing import Any, Final

from gdr_app.components.owner_key import owner_key
from gdr_app.computing.runs import address
from gdr_app.computing.working import outside
from gdr_app.state import own
from gdr_core.progress import Progress
from gdr_tools.jobs import Task, Ticket, TooManyTasks
from gdr_tools.jobs.everybody import pool

NOBODY: Final = "no visitor"  # who asks outside of any page
_AGAIN: Final = 0.5  # seconds after which who was told to wait asks again


def ask_worker(
    kind: str,
    request: dict[str, Any],
    progress: Progress,
    private: bool = True,
    patience: float = 0.0,
    **data: bytes,
) -> dict[str, Any]:
    """A worker's answer. A page that runs again takes up the work that it has asked for before.

    private    whether the data are the visitor's own: then nobody but this session can ask for the
               same work
    patience   seconds to wait for a place where as much is under way as one may ask for at a time
    data       what is handed over, by the name of the argument that tells the worker where it lies
    """
    key = own.room().secret if private and data else b""
    named = {name: _mark(content, key) for name, content in data.items()}
    ticket = _ticket(Task(kind, {**request, **named}), data, progress, patience)
    try:
        return ticket.wait(progress)
    finally:
        ticket.leave()


def _ticket(task: Task, data: dict[str, bytes], progress: Progress, patience: float) -> Ticket:
    end = time.monotonic() + patience
    while True:
        try:
            owner, place = (NOBODY, "") if outside() else (owner_key(), address())
            return pool().submit(owner, task, place, data)
        except TooManyTasks:
            if time.monotonic() >= end:
                raise
        progress(0.0, "waiting until other computations of yours have ended")
        time.sleep(_AGAIN)


def _mark(content: bytes, key: bytes) -> str:
    return hashlib.blake2b(content, key=key, digest_size=16).hexdigest()
