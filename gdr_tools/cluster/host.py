"""A worker process on a machine of the cluster, as the server would have it on its own.

A task of Dask starts the same process that a server starts for itself (`gdr_tools.jobs.process`)
and passes on what is said: commands come in one queue of Dask, messages leave in another. The
process computes; the task waits, and gives its place among Dask's threads free. When the server
says nothing for `SILENCE` seconds it has died, and the process ends.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final
from uuid import uuid4

from gdr_tools.cluster.parcel import unpack, with_checkpoint
from gdr_tools.cluster.worker import versions
from gdr_tools.jobs import memory
from gdr_tools.jobs.process import Worker
from gdr_tools.jobs.wire import decode, encode

HOSTED, GONE = "hosted", "gone"  # kinds of messages: the process is there, it has ended
STILL, LEAVE = "still", "leave"  # commands: the server lives, it wants this process no more
BEAT: Final = 3.0  # seconds between two signs of life of the server
SILENCE: Final = 20.0
_GATHER = 0.05  # seconds in which messages are put together
_FOLDER = "gdr-explorer-hosted-"


def host(name: str) -> None:
    """Be the worker of this name until the server wants it no more, or has died.

    name   of the queue for messages; that for commands is told in the first of them
    """
    from distributed import Queue, get_client, get_worker, secede

    here, client = f"{name}-{uuid4().hex[:8]}", get_client()
    threads = int(get_worker().state.nthreads)
    messages, commands = Queue(name, client=client), Queue(here, client=client)
    secede()
    with TemporaryDirectory(prefix=_FOLDER, ignore_cleanup_errors=True) as made:
        folder, said = Path(made), SimpleQueue[dict[str, Any]]()
        process = Worker(
            lambda worker, message: said.put(with_checkpoint(message, folder)),
            lambda worker, how: said.put({"kind": GONE, "text": how}),
        )
        found = {"host": here, "pid": process.pid, "machine": get_worker().address}
        said.put({"kind": HOSTED, **found, "versions": versions()})
        Thread(target=_relay, args=(here, said, messages.put), daemon=True).start()
        try:
            allowed = memory.allowance(max(threads, len(os.sched_getaffinity(0)), 1))
            _obey(process, commands.get, lambda job: unpack(job, folder, allowed))
        finally:
            process.close()


def _obey(
    process: Worker,
    get: Callable[..., bytes],
    unpacked: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    """Pass commands on until the server says that it is enough, or nothing at all."""
    while True:
        try:
            command = decode(get(timeout=SILENCE))
        except TimeoutError:
            return
        if command["kind"] == LEAVE:
            return
        if command["kind"] == "job":
            process.begin(unpacked(command["request"]))
        elif command["kind"] != STILL:
            process.send(command["kind"])


def _relay(here: str, said: SimpleQueue[dict[str, Any]], put: Callable[[Any], None]) -> None:
    """Send messages, those of a moment together, until the process has ended."""
    going_on = True
    while going_on:
        batch = [said.get()]
        time.sleep(_GATHER)
        with suppress(Empty):
            while True:
                batch.append(said.get_nowait())
        going_on = batch[-1]["kind"] != GONE
        try:
            put([here, [encode(message) for message in batch]])
        except Exception:  # the cluster closes, and nobody listens
            return
