"""The processes that do all heavy work of a server, one at work a core, and their queue.

    pool = Pool()
    ticket = pool.submit("a visitor", Task("prior", {"dataset": "cora", "prior": "svm"}))
    result = ticket.wait(progress)

Training runs (see `registry`) stand in the same queue. One worker more than there are cores may
wait with everything imported, so that the next work begins at once; it is started when a page
says that work is likely, and leaves when none has come for some minutes. Closing the pool, or the
death of its process in any way, ends all workers.
"""

from __future__ import annotations

import atexit
import logging
import math
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from threading import Event, RLock, Thread
from typing import Any

from gdr_tools.jobs import memory
from gdr_tools.jobs.errand import Errand, Task, Ticket, TooManyTasks
from gdr_tools.jobs.process import Worker
from gdr_tools.jobs.turns import Turn, in_order, round_of, who_gives_way

_TICK = 0.25  # seconds between two rounds of the keeper
COMING_BACK = 3.0  # seconds that a page which runs again has to take its work up again
CALM = 2.0  # seconds after something has begun, in which no further worker is started
RETIRING = 5.0  # seconds that a worker has to end a job that nobody wants any more
LOG = logging.getLogger(__name__)


class Pool:
    """Workers and their queue. All methods may be called from any thread.

    slots         workers that compute at the same time; one a core by default, where there is
                  memory for them
    spare_for     seconds that a worker without work is kept after it was last expected to get some;
                  0 where none is kept
    patience      seconds without a question after which a task ends, if others wait for a core …
    memory_for    … and in any case
    most_of_one   tasks of one visitor at the same time
    most_near     tasks of one network address at the same time, be it one visitor or a class
    hire          starts a worker: a process of this machine, unless it is said otherwise
    """

    def __init__(
        self,
        *,
        slots: int | None = None,
        spare_for: float = 300.0,
        patience: float = 20.0,
        memory_for: float = 120.0,
        most_of_one: int = 4,
        most_near: int = 12,
        clock: Callable[[], float] = time.monotonic,
        hire: Callable[[], Worker] | None = None,
    ):
        self.hire = hire or (lambda: Worker())
        planned = memory.plan(max(workers() if slots is None else slots, 1))
        self.slots = planned.slots if slots is None else slots
        self.spare_for, self.patience, self.memory_for = spare_for, patience, memory_for
        self.most_of_one, self.most_near, self.clock = most_of_one, most_near, clock
        self.allowance, self.room_to_rest = planned.allowance, planned.resting
        self.lock = RLock()
        self.turns: dict[int, Turn] = {}  # by id(turn), in the order in which they came
        self.spare: Worker | None = None
        self.spare_wanted = -math.inf
        self.expecting = False
        self.begun = -math.inf
        self.retiring: dict[Worker, float] = {}  # and by when they have to be done
        self.numbers = count(1)
        self.round = 0  # that of what has begun last
        self.keepers: list[Callable[[], None]] = [self._tend]
        self.closers: list[Callable[[], None]] = []
        self.closed = Event()
        atexit.register(self.close)
        Thread(target=self._keep, daemon=True).start()

    # ------------------------------------------------------------ tasks

    def submit(
        self, owner: str, task: Task, address: str = "", data: Mapping[str, bytes] | None = None
    ) -> Ticket:
        """Ask for a task. Who asks for what another has asked for shares one computation.

        address   where the visitor's browser is, empty where that is not known
        data      what the worker is handed beside the arguments: each in a file whose name stands
                  in the argument of this name. The argument of the task itself tells the content
                  apart from others
        """
        with self.lock:
            errand = next((e for e in self._errands() if e.task == task and not e.ended), None)
            if errand is None:
                errand = self._new_errand(owner, task, address, data or {})
            ticket = errand.join(owner)
            self.schedule()
            return ticket

    def _new_errand(
        self, owner: str, task: Task, address: str, data: Mapping[str, bytes]
    ) -> Errand:
        if self.closed.is_set():
            raise TooManyTasks("the server is stopping")
        mine = [e for e in self._errands() if not e.ended and any(e.held_by(owner))]
        if len(mine) >= self.most_of_one:
            raise TooManyTasks(
                f"{self.most_of_one} computations of yours are under way; wait for one or cancel it"
            )
        near = [e for e in self._errands() if not e.ended and address and e.address == address]
        if len(near) >= self.most_near:
            raise TooManyTasks(
                f"{len(near)} computations from your network address are under way, which is as "
                "many as one address may have; wait for one of them"
            )
        errand = Errand(self, owner, task, address, data)
        self.add(errand)
        return errand

    def _errands(self) -> list[Errand]:
        return [turn for turn in self.turns.values() if isinstance(turn, Errand)]

    # ------------------------------------------------------------ the queue; the lock is held

    def add(self, turn: Turn) -> None:
        """Let a turn take part."""
        self.turns[id(turn)] = turn

    def drop(self, turn: Turn) -> None:
        """Forget a turn and end its worker."""
        self.let_go(turn)
        if isinstance(turn, Errand):
            turn.tidy()
        self.turns.pop(id(turn), None)

    def next_place(self, owner: str) -> tuple[int, int]:
        """Where in the queue comes what this visitor asks for now."""
        return round_of(owner, self.turns.values(), self.round), next(self.numbers)

    def position(self, turn: Turn) -> int | None:
        """Place in the queue, from 1; None where it does not wait."""
        if not turn.waits:
            return None
        return in_order(self.turns.values()).index(turn) + 1

    @property
    def at_work(self) -> int:
        """Cores that are taken."""
        return sum(turn.takes_a_core for turn in self.turns.values())

    @property
    def resting(self) -> int:
        """Workers that have a job and wait for a core."""
        return sum(t.worker is not None and not t.takes_a_core for t in self.turns.values())

    @property
    def most_resting(self) -> int:
        """Workers that may rest with a job, as far as there is memory for them."""
        return min(max(self.slots, 1), self.room_to_rest)

    @property
    def free(self) -> int:
        """Cores that nobody has."""
        return max(self.slots - self.at_work, 0)

    def schedule(self) -> None:
        """Start what is first in the queue while there are cores; who has had a core for long
        lets others go ahead."""
        if self.closed.is_set():
            return
        for turn in in_order(self.turns.values()):
            if not turn.is_watched:
                break
            if not self.free and not self._make_way(turn):
                break
            self.round = max(self.round, turn.waiting[0])
            turn.begin()

    def _make_way(self, first: Turn) -> bool:
        leaving = who_gives_way(self.turns.values(), first, self.clock()) if self.slots else None
        if leaving is not None:
            leaving.give_way(self.next_place(leaving.owner))
        return leaving is not None

    # ------------------------------------------------------------ processes; the lock is held

    def expect(self) -> None:
        """Work is likely to come soon: have a worker ready, which takes seconds to start."""
        if self.spare_for <= 0:
            return
        with self.lock:
            self.spare_wanted, self.expecting = self.clock(), True
            self._hire()

    def _hire(self) -> None:
        """Start the worker that is expected, but not in the way of work that has just begun."""
        calm = self.clock() - self.begun > CALM and not self.retiring
        if not self.expecting or not calm or not self.free or self.closed.is_set():
            return
        self.expecting = False
        if self.spare is None or not self.spare.alive:
            with suppress(OSError):  # who wants work done then hears of it
                self.spare = self.hire()

    def employ(
        self,
        turn: Turn,
        request: dict[str, Any],
        on_message: Callable[[Worker, dict[str, Any]], None],
        on_exit: Callable[[Worker, str], None],
    ) -> Worker:
        """Give a turn a worker and the worker its job; raises OSError where there is no process."""
        self.spare_wanted = self.begun = self.clock()
        spare, self.spare = self.spare, None
        worker = spare if spare is not None and spare.alive else self.hire()
        worker.on_message, worker.on_exit = on_message, on_exit
        turn.worker = worker
        worker.begin({**request, "memory": self.allowance})
        return worker

    def take_back(self, turn: Turn) -> None:
        """A worker has done its job and waits for the next: keep one such, end the others."""
        worker, turn.worker = turn.worker, None
        if worker is None:
            return
        worker.forget()
        self._keep_ready(worker)

    def _keep_ready(self, worker: Worker) -> None:
        recent = self.clock() - self.spare_wanted < self.spare_for
        if self.spare is None and recent and not self.closed.is_set():
            self.spare = worker
        else:
            worker.close()

    def retire(self, turn: Turn) -> None:
        """Nobody wants this work any more: have its worker end it and wait for other work."""
        worker, turn.worker = turn.worker, None
        if worker is None:
            return
        if self.spare is not None or self.closed.is_set():
            worker.close()
            return
        self.retiring[worker] = self.clock() + RETIRING
        worker.on_message, worker.on_exit = self._retired, lambda worker, how: None
        worker.send("stop")

    def _retired(self, worker: Worker, message: dict[str, Any]) -> None:
        with self.lock:
            if message["kind"] == "idle" and self.retiring.pop(worker, None) is not None:
                worker.forget()
                self._keep_ready(worker)
                self.schedule()

    def let_go(self, turn: Turn) -> None:
        """End a worker; what it says from now on is not heard."""
        worker, turn.worker = turn.worker, None
        if worker is not None:
            worker.close()

    def close(self) -> None:
        """End all workers and take no more work."""
        with self.lock:
            self.closed.set()
            for turn in list(self.turns.values()):
                self.drop(turn)
            self._dismiss_spare()
            for worker in self.retiring:
                worker.close()
            for act in self.closers:
                act()
        atexit.unregister(self.close)

    def _dismiss_spare(self) -> None:
        spare, self.spare = self.spare, None
        if spare is not None:
            spare.close()

    # ------------------------------------------------------------ the keeper's thread

    def _keep(self) -> None:
        while not self.closed.wait(_TICK):
            self.tend()

    def tend(self) -> None:
        """One round of the keeper."""
        with self.lock:
            for act in [*self.keepers, self.schedule]:
                try:
                    act()
                except Exception:  # without a keeper no run would ever pause, sleep or end
                    LOG.exception("a round of the keeper failed; the next one comes")

    def _tend(self) -> None:
        """End tasks that nobody asks about, and a spare worker that nobody expects to use."""
        now = self.clock()
        if now - self.spare_wanted > self.spare_for:
            self._dismiss_spare()
        for worker in [w for w, until in self.retiring.items() if now > until]:
            del self.retiring[worker]
            worker.close()
        for turn in list(self.turns.values()):
            if turn.worker is not None and turn.worker.gone:  # before it was told whom to tell
                turn.worker.on_exit(turn.worker, turn.worker.gone)
        self._hire()
        crowded = any(turn.waits for turn in self.turns.values())
        for errand in self._errands():
            left = errand.deserted is not None and now - errand.deserted > COMING_BACK
            if left or now - errand.asked > (self.patience if crowded else self.memory_for):
                self.drop(errand)


def workers() -> int:
    """Workers that compute at the same time: as `GDR_WORKERS` says, else one a core."""
    return memory.number_from(memory.WORKERS_VARIABLE) or cores()


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
