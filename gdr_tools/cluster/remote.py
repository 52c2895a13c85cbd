"""A worker of the cluster as the pool of a server sees it: to command, and messages that come.

It may begin anew. If its machine dies, Dask gives the task to another one, up to the number of
deaths that its scheduler allows; the new process is told everything once more, and a training run
goes on from the last checkpoint that the server has.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from gdr_tools.cluster.host import BEAT, GONE, HOSTED, LEAVE, STILL, host
from gdr_tools.cluster.joining import OTHER_VERSIONS, ClusterError, check_versions
from gdr_tools.cluster.parcel import Parcel, keep_checkpoint
from gdr_tools.jobs.kinds import TRAINING
from gdr_tools.jobs.process import Worker
from gdr_tools.jobs.wire import decode, encode

if TYPE_CHECKING:
    from gdr_tools.cluster.office import Office

_WAITING = "waiting for a worker of the cluster"
LOG = logging.getLogger(__name__)


class Wishes:
    """What a job has been told so far, in the fewest commands that say it."""

    def __init__(self) -> None:
        self.pace, self.running, self.steps, self.stopped = "", False, 0, False

    def add(self, command: str) -> None:
        """Take one command; see `gdr_tools.jobs.commands`."""
        word = command.partition(" ")[0]
        if word == "pace":
            self.pace = command
        elif word == "stop":
            self.stopped = True
        elif word == "step":
            self.running, self.steps = False, self.steps + 1
        else:
            self.running, self.steps = word == "resume", 0

    def commands(self) -> list[str]:
        """The commands for a process that has heard nothing.

        >>> wishes = Wishes()
        >>> for word in ("pace 2", "resume", "pause", "step", "step"):
        ...     wishes.add(word)
        >>> wishes.commands()
        ['pace 2', 'step', 'step']
        """
        turns = ["resume"] if self.running else ["step"] * self.steps
        return [*([self.pace] if self.pace else []), *turns, *(["stop"] if self.stopped else [])]


class RemoteWorker(Worker):
    """A process somewhere in the cluster that does one job. Nothing here waits: threads do."""

    def __init__(self, office: Office):
        self.office, self.name = office, f"gdr-{uuid4().hex}"
        self.forget()
        self.pid, self.host, self.machine = 0, "", ""
        self.wishes = Wishes()
        self.parcel: Parcel | None = None
        self.closed = False
        self.outgoing: SimpleQueue[tuple[str, dict[str, Any]]] = SimpleQueue()
        Thread(target=self._live, daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether it may still be used."""
        return not self.closed

    def begin(self, request: dict[str, Any]) -> None:
        """Give it its job; it begins when it is told to resume."""
        self.parcel = Parcel(request)
        waiting = {"text": _WAITING}
        training = request["kind"] == TRAINING
        self._say(
            {"kind": "stage"} | waiting
            if training
            else {"kind": "progress", "share": 0.0} | waiting
        )
        self._tell_all()

    def send(self, command: str) -> None:
        """Give a command."""
        self.wishes.add(command)
        if self.host and self.parcel is not None:
            self.outgoing.put((self.host, {"kind": command}))

    def close(self) -> None:
        """End the process; what it says from now on is not heard."""
        self.closed = True
        self.outgoing.put((self.host, {"kind": LEAVE}))

    def _tell_all(self) -> None:
        """Say everything to a process that has heard nothing yet."""
        if self.host and self.parcel is not None:
            self.outgoing.put((self.host, {"kind": "job", "request": self.parcel.packed()}))
            for each in self.wishes.commands():
                self.outgoing.put((self.host, {"kind": each}))

    # ------------------------------------------------------------ threads

    def _live(self) -> None:
        """Be in the cluster from the beginning to the end."""
        how = ""
        try:
            client = self.office.client()
            future = client.submit(
                host,
                self.name,
                key=self.name,
                workers=self.office.quietest(),
                allow_other_workers=True,
                pure=False,
            )
            Thread(target=self._speak, args=(client, future), daemon=True).start()
            how = self._listen(client, future)
        except Exception as error:
            how = sentence(error)
        finally:
            self.office.left(self.machine)
        if not self.closed:
            self.gone = how  # for whoever begins to listen only now
            self.on_exit(self, how)
            self.close()

    def _listen(self, client: Any, future: Any) -> str:
        """Hear messages until there are no more; how it ended."""
        from distributed import Queue

        inbox = Queue(self.name, client=client)
        while not self.closed:
            try:
                here, lines = inbox.get(timeout=BEAT / 2)
            except TimeoutError:
                if future.status != "pending":
                    raise _lost(future) from None
                continue
            for line in lines:
                if (message := decode(line))["kind"] == HOSTED:
                    self._arrive(message)
                elif here == self.host and message["kind"] == GONE:
                    return str(message["text"])
                elif here == self.host:
                    self._say(message)
        return ""

    def _arrive(self, message: dict[str, Any]) -> None:
        """A process is there, the first or one after a death."""
        check_versions(message["machine"], message["versions"])
        self.office.left(self.machine)
        self.office.came(message["machine"])
        self.machine, self.pid = message["machine"], int(message["pid"])
        self.host = message["host"]
        self._tell_all()

    def _say(self, message: dict[str, Any]) -> None:
        """Pass a message on to whoever has the job."""
        if message["kind"] == "epoch":
            self.wishes.steps = max(self.wishes.steps - 1, 0)
        folder = None if self.parcel is None else self.parcel.folder
        self.on_message(self, keep_checkpoint(message, folder))

    def _speak(self, client: Any, future: Any) -> None:
        """Send commands, and a sign of life where there are none."""
        from distributed import Queue

        with suppress(Exception):  # the cluster is gone: who listens tells of it
            put: dict[str, Callable[[bytes], None]] = {}
            while True:
                here, command = self._next_command()
                if here and here == self.host:
                    if here not in put:
                        put[here] = Queue(here, client=client).put
                    put[here](encode(command))
                if command["kind"] == LEAVE:
                    break
        with suppress(Exception):
            client.cancel([future])

    def _next_command(self) -> tuple[str, dict[str, Any]]:
        try:
            return self.outgoing.get(timeout=BEAT)
        except Empty:
            return self.host, {"kind": STILL}


def sentence(error: BaseException) -> str:
    """What visitors hear of a cluster that does not work; all of it goes to the server's log."""
    LOG.warning("the cluster: %s", error)
    public = error.public if isinstance(error, ClusterError) else "it failed"
    return (
        f"The cluster that computes for this server cannot be used: {public}. Nothing is computed "
        "on the server instead; its log tells whoever runs it more."
    )


def _lost(future: Any) -> ClusterError:
    """Why a task of the cluster has ended."""
    from distributed import KilledWorker

    if future.status != "error":
        return ClusterError("the connection is lost", "the connection is lost")
    error = future.exception()
    if isinstance(error, KilledWorker):
        return ClusterError(str(error), "each worker that was given this work died")
    if isinstance(error, ImportError):
        return ClusterError(f"a worker lacks this version of the package: {error}", OTHER_VERSIONS)
    return ClusterError(f"{type(error).__name__}: {error}")
