"""Work with one result: a prior, a cell of a table. Who asks for it holds a ticket.

Visitors who ask for the same thing hold tickets of the same errand. It ends when all of them have
cancelled, or have not asked about it for a while: who leaves takes the work along.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdr_core.progress import Progress
from gdr_tools.jobs.handover import hand_over
from gdr_tools.jobs.turns import Turn

if TYPE_CHECKING:
    from gdr_tools.jobs.pool import Pool
    from gdr_tools.jobs.process import Worker

_ASK = 0.02  # seconds between two questions of somebody who waits …
_SAY = 0.2  # … and between two reports, each of which a page draws
STARTING = "starting a worker"


class TaskFailed(RuntimeError):
    """A task has no result; the message says why, in one or more sentences."""


class TaskRefused(ValueError):
    """A task cannot be done as it was asked for; the message is that of a ValueError."""


class TooManyTasks(RuntimeError):
    """No further task is taken; the message says what would help."""


@dataclass(frozen=True, init=False)
class Task:
    """What a worker is asked for: a kind of work (see `kinds`) and its arguments as JSON."""

    kind: str
    arguments: str

    def __init__(self, kind: str, arguments: dict[str, Any]):
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "arguments", json.dumps(arguments, sort_keys=True))


@dataclass(frozen=True)
class State:
    """How a task stands.

    ahead     work that gets a core before it, None once it has one
    share     of the work that is done, from 0 to 1, and in `text` what is being done
    result    what it gives, None until then
    trouble   why there will be no result, empty if nothing is wrong
    refused   whether the trouble is in what was asked for
    """

    ahead: int | None = None
    share: float = 0.0
    text: str = STARTING
    result: dict[str, Any] | None = None
    trouble: str = ""
    refused: bool = False

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.result is not None or bool(self.trouble)

    @property
    def words(self) -> str:
        """What it is doing, or what it waits for."""
        if self.ahead is None:
            return self.text
        return "waiting for a free core, " + (
            "next in the queue" if self.ahead == 0 else f"{self.ahead} before it in the queue"
        )


class Errand(Turn):
    """A task inside the pool, whose lock it uses. Data of a visitor's own stay in memory, and are
    in a file only from when a worker is given the task until it has read them."""

    short = True

    def __init__(
        self,
        pool: Pool,
        owner: str,
        task: Task,
        address: str = "",
        data: Mapping[str, bytes] | None = None,
    ):
        self.pool, self.owner, self.task, self.address = pool, owner, task, address
        self.data, self.handed = dict(data or {}), list[Path]()
        self.waiting, self.since = pool.next_place(owner), pool.clock()
        self.asked = self.since
        self.worker: Worker | None = None
        self.tickets: list[Ticket] = []
        self.deserted: float | None = None
        self.state = State()
        self.working = False

    @property
    def ended(self) -> bool:
        """Whether it has a result or never will."""
        return self.state.ended

    @property
    def waits(self) -> bool:
        """Whether it stands in the queue."""
        return not self.working and not self.ended

    @property
    def takes_a_core(self) -> bool:
        """Whether its worker computes now."""
        return self.working

    @property
    def is_watched(self) -> bool:
        """Whether somebody has asked about it of late."""
        return self.pool.clock() - self.asked <= self.pool.patience

    @property
    def can_give_way(self) -> bool:
        """Whether it can be interrupted: its worker stops at its next report of progress. Not
        where many rest already, for they keep their memory."""
        return self.working and self.pool.resting < self.pool.most_resting

    def held_by(self, owner: str) -> Iterator[Ticket]:
        """The tickets of one visitor."""
        return (ticket for ticket in self.tickets if ticket.owner == owner)

    def begin(self) -> None:
        """Take a core."""
        self.working, self.since = True, self.pool.clock()
        if self.worker is None:
            try:
                arguments = self._with_data(json.loads(self.task.arguments))
            except OSError as error:  # no room
                self._end(trouble=f"The server has no room for your data: {error.strerror}.")
                return
            request = {"kind": self.task.kind, "arguments": arguments}
            try:
                self.pool.employ(self, request, self._hear, self._leave)
            except OSError as error:  # no memory, no more processes
                self._end(trouble=f"No process could be started: {error.strerror or error}.")
                return
        assert self.worker is not None
        self.worker.send("resume")

    def _with_data(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments with the names of files that hold the data, which leave this process."""
        for name, content in self.data.items():
            self.handed.append(hand_over(content))
            arguments[name] = str(self.handed[-1])
        self.data = {}
        return arguments

    def tidy(self) -> None:
        """Nobody will read the data any more."""
        self.data = {}
        while self.handed:
            with suppress(OSError):
                self.handed.pop().unlink(missing_ok=True)

    def give_way(self, waiting: tuple[int, int]) -> None:
        """Let another go first."""
        self.working, self.waiting, self.since = False, waiting, self.pool.clock()
        if self.worker is not None:
            self.worker.send("pause")

    def _hear(self, worker: Worker, message: dict[str, Any]) -> None:
        with self.pool.lock:
            if self.worker is not worker:
                return
            kind = message["kind"]
            if kind == "progress":
                self.state = replace(self.state, share=message["share"], text=message["text"])
            elif kind == "result":
                self._end(share=1.0, result=message["result"])
            elif kind == "error":
                text = f"{str(message['text']).rstrip('.')}."
                self._end(trouble=text, refused=bool(message["refused"]))
            elif kind == "idle":
                self.pool.take_back(self)
                self.pool.schedule()  # now, and not when it ended: this worker does what is next

    def _leave(self, worker: Worker, how: str) -> None:
        with self.pool.lock:
            if self.worker is worker:
                self.pool.let_go(self)
                if not self.ended:
                    self._end(trouble=how)
                self.pool.schedule()

    def _end(self, **changes: Any) -> None:
        self.state, self.working = replace(self.state, **changes), False
        self.since = self.pool.clock()
        self.tidy()

    def join(self, owner: str) -> Ticket:
        """A further ticket."""
        ticket = Ticket(self, owner)
        self.tickets.append(ticket)
        self.deserted, self.asked = None, self.pool.clock()
        return ticket

    def forsake(self, ticket: Ticket) -> None:
        """One visitor wants it no more; without any it ends when nobody comes back at once."""
        if ticket in self.tickets:
            self.tickets.remove(ticket)
        if not self.tickets and self.deserted is None:
            self.deserted = self.pool.clock()


class Ticket:
    """A visitor's share in an errand."""

    def __init__(self, errand: Errand, owner: str):
        self._errand, self.owner = errand, owner

    @property
    def state(self) -> State:
        """How the work stands. Whoever asks keeps it alive."""
        errand, pool = self._errand, self._errand.pool
        with pool.lock:
            if id(errand) not in pool.turns and not errand.ended:
                raise TaskFailed(_forgotten(pool))
            errand.asked = pool.clock()
            position = pool.position(errand)
            return replace(errand.state, ahead=None if position is None else position - 1)

    def wait(self, progress: Progress) -> dict[str, Any]:
        """The result. If `progress` raises, the work goes on and can be taken up again."""
        due = 0.0
        while not (state := self.state).ended:
            if (now := time.monotonic()) >= due:
                progress(state.share, state.words)
                due = now + _SAY
            time.sleep(_ASK)
        self.leave()
        if state.result is not None:
            return state.result
        raise TaskRefused(state.trouble.rstrip(".")) if state.refused else TaskFailed(state.trouble)

    def leave(self) -> None:
        """Go away: the work ends unless somebody else wants it, or asks for it again at once."""
        with self._errand.pool.lock:
            self._errand.forsake(self)

    def cancel(self) -> None:
        """Want it no more: the work ends now unless somebody else wants it."""
        errand, pool = self._errand, self._errand.pool
        with pool.lock:
            errand.forsake(self)
            if not errand.tickets:
                pool.drop(errand)
                pool.schedule()


def _forgotten(pool: Pool) -> str:
    return (
        "The server no longer knows this run. A run ends when nobody looks at it for "
        f"{pool.memory_for / 60:.0f} minutes ({pool.patience:.0f} seconds if others wait), or when "
        "the server starts anew. Start it again."
    )
