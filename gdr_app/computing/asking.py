"""What a page asks a worker for, and what of the visitor's own data the worker is given for it."""

from __future__ import annotations

import hashlib
from typing import Any

from gdr_app.components.owner_key import owner_key
from gdr_app.computing.runs import address
from gdr_app.state import own
from gdr_core.progress import Progress
from gdr_tools.jobs import Task
from gdr_tools.jobs.everybody import pool


def ask_worker(
    kind: str, request: dict[str, Any], progress: Progress, **data: bytes
) -> dict[str, Any]:
    """A worker's answer. A page that runs again takes up the work that it has asked for before.

    data   own data by the name of the argument that tells the worker where they lie; nobody but
           this session can ask for the same work
    """
    named = {name: _mark(content) for name, content in data.items()}
    ticket = pool().submit(owner_key(), Task(kind, {**request, **named}), address(), data)
    try:
        return ticket.wait(progress)
    finally:
        ticket.leave()


def _mark(content: bytes) -> str:
    return hashlib.blake2b(content, key=own.room().secret, digest_size=16).hexdigest()
