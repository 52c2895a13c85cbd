"""All training runs of a server, each with an owner; their workers are those of the pool.

Whoever has a run's id may look at it; only its owner may change it. What becomes of runs that
nobody asks for is said in `keeper`, how many there are at once in `places`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

import numpy as np

from gdr_tools.jobs.job import Job
from gdr_tools.jobs.keeper import Keeper
from gdr_tools.jobs.places import Places
from gdr_tools.jobs.pool import Pool
from gdr_tools.jobs.refusals import NoFreeCore, NotTheOwner, UnknownRun
from gdr_tools.jobs.report import (
    FAILED,
    FINISHED,
    LOST,
    PAUSED,
    QUEUED,
    RUNNING,
    STARTING,
    STOPPED,
    STOPPING,
    Picture,
    Report,
    Result,
)
from gdr_tools.jobs.run import NEVER_SAVED, NOBODY, OWNER, Run
from gdr_tools.jobs.shelter import Shelter

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 12  # 59 bits: nobody finds a run by trying


class Registry(Keeper):
    """Training runs by id. All methods may be called from any thread.

    pool          one of its own with `slots` cores and `clock` if none is given
    most          runs that have a place at once, of everybody
    most_of_one   and of one owner

    The others are those of `Keeper`.
    """

    def __init__(
        self,
        pool: Pool | None = None,
        *,
        slots: int | None = None,
        unwatched: float = 30.0,
        idle: float = 60.0,
        age: float = 2 * 3600.0,
        most: int = 48,
        most_of_one: int = 8,
        clock: Callable[[], float] = time.monotonic,
        shelter: Shelter | None = None,
    ):
        chosen = Pool(slots=slots, clock=clock) if pool is None else pool
        super().__init__(chosen, shelter or Shelter(), unwatched, idle, age)
        self.places = Places(self, most, most_of_one)

    # ------------------------------------------------------------ asking

    def poll(self, run: str) -> Report:
        """How a run stands. Whoever polls watches: a run that paused for want of it goes on, and
        one whose server has died goes on here."""
        self.take_over(run)
        with self.lock:
            found = self._known(run)
            found.watched = self.clock()
            if found.shelved and self.places.free(found):
                found.shelved = False
            if found.state == PAUSED and found.paused_by == NOBODY and not found.shelved:
                self.enqueue(found)
            return found.report(self.pool.position(found))

    def await_epoch(self, run: str, after: int, patience: float) -> None:
        """Wait until a run has trained a later epoch or has ended, but not for long."""
        with self.moved:
            self.moved.wait_for(lambda: self._is_past(run, after), patience)

    def _is_past(self, run: str, epoch: int) -> bool:
        found = self.runs.get(run)
        return found is None or found.ended or found.done > epoch

    def owned(self, owner: str) -> list[str]:
        """The runs of one owner, the oldest first."""
        for run in self.shelter.left_by_others(owner):
            self.take_over(run)
        with self.lock:
            return [run.id for run in self.runs.values() if _same(run.owner, owner)]

    def is_elsewhere(self, run: str) -> bool:
        """Whether a run trains on another server that shares its folder with this one."""
        return run not in self.runs and self.shelter.is_elsewhere(run)

    def is_owner(self, run: str, owner: str) -> bool:
        """Whether this owner may pause, stop or remove the run."""
        with self.lock:
            return run in self.runs and _same(self.runs[run].owner, owner)

    @property
    def crowding(self) -> float:
        """Runs that somebody is waiting for, for each core."""
        with self.lock:
            waited_for = (r for r in self.runs.values() if not r.ended and r.state != PAUSED)
            return sum(run.is_watched for run in waited_for) / max(self.pool.slots, 1)

    # ------------------------------------------------------------ changing

    def submit(
        self,
        owner: str,
        job: Job,
        name: str = "",
        pace: float = 0.0,
        address: str = "",
        data: bytes | None = None,
    ) -> str:
        """Put a job into the queue; the id of its run, which cannot be guessed.

        data   the dataset of a visitor's own, packed: it stays in memory, and is in a file only
               until a worker has read it
        """
        with self.lock:
            found = self._admit(owner, job, name, address, private=data is not None)
            found.pace, found.data = float(pace), data
            self.pool.add(found)
            self.note(found)
            self.pool.schedule()
            return found.id

    def restore(
        self,
        owner: str,
        job: Job,
        name: str,
        rows: np.ndarray,
        result: Result,
        address: str = "",
    ) -> str:
        """Take back a run that was trained before and saved; the id that it has from now on."""
        with self.lock:
            found = self._admit(owner, job, name, address, private=True)
            found.rows, found.done, found.result = rows.copy(), len(rows), result
            labels = result.probabilities.argmax(axis=1).astype(np.uint8)
            sure = result.probabilities.max(axis=1).astype(np.float16)
            found.picture = Picture(int(result.best["epoch"]), labels, sure)
            found.enter(FINISHED, self.clock(), "It was trained before and came with a project.")
            self.holdings.settle(found)
            return found.id

    def _admit(self, owner: str, job: Job, name: str, address: str, *, private: bool) -> Run:
        """A new run with a place and a folder; it does not stand in the queue yet.

        private   whether it is about a visitor's own data, of which other servers never hear
        """
        self.places.make_room(len(self.owned(owner)), address)
        run = "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))
        folder = self.shelter.open(run, job, private=private)
        now, number = self.clock(), self._next_number(owner)
        self.runs[run] = Run(
            keeper=self,
            id=run,
            owner=owner,
            address=address,
            number=number,
            name=name or f"{job.options.model} {number}",
            job=job,
            folder=folder,
            watched=now,
            since=now,
            waiting=self.pool.next_place(owner),
            private=private,
        )
        return self.runs[run]

    def pause(self, run: str, owner: str) -> None:
        """Pause; the core is free for others, and the run stays paused until `resume`."""
        with self.lock:
            found = self._mine(run, owner)
            if found.state in (QUEUED, STARTING, RUNNING):
                self.hold(found, OWNER)

    def resume(self, run: str, owner: str) -> None:
        """Go on after a pause, when a core is free."""
        with self.lock:
            found = self._mine(run, owner)
            if found.state == PAUSED:
                self.places.take(found)
                self.enqueue(found)

    def step(self, run: str, owner: str) -> None:
        """Train one epoch and pause.

        A run that waits in the queue keeps its place and does not step. A paused run needs a free
        core for it and raises `NoFreeCore` without one.
        """
        with self.lock:
            found = self._mine(run, owner)
            if found.ended or found.state in (STOPPING, QUEUED):
                return
            if found.state == PAUSED and not found.steps and not self.pool.free:
                raise NoFreeCore(self.pool.slots)
            self.places.take(found)
            found.steps += 1
            # To a worker that is paused already, `pause` would only cancel the steps it still owes.
            self.hold(found, OWNER, tell=found.state != PAUSED)
            if (worker := self.worker_of(found)) is not None:
                worker.send("step")

    def stop(self, run: str, owner: str) -> None:
        """End the run; the best weights so far are its result."""
        with self.lock:
            found = self._mine(run, owner)
            if found.ended or found.state == STOPPING:
                return
            if not found.done and found.worker is None:
                found.enter(STOPPED, self.clock(), "It had not begun.")
                return
            found.enter(STOPPING, self.clock())
            if (worker := self.worker_of(found)) is not None:
                worker.send("stop")
            self.pool.schedule()

    def resume_from_checkpoint(self, run: str, owner: str) -> None:
        """Continue a run whose worker died or failed; the result is that of a run that was never
        interrupted."""
        with self.lock:
            found = self._mine(run, owner)
            if found.state not in (LOST, FAILED):
                return
            self.places.take(found)
            self.let_go(found)  # a worker that has just failed may not have said good-bye yet
            found.notice = "" if found.saved else NEVER_SAVED
            self.enqueue(found)

    def set_pace(self, run: str, owner: str, pace: float) -> None:
        """At most so many epochs a second, to see them go by; 0 for as many as it can."""
        with self.lock:
            found = self._mine(run, owner)
            found.pace = float(pace)
            if found.worker is not None:
                found.worker.send(f"pace {found.pace:g}")

    def rename(self, run: str, owner: str, name: str) -> None:
        """Give a run another name."""
        with self.lock:
            found = self._mine(run, owner)
            found.name = name[:60]
            self.note(found)

    def remove(self, run: str, owner: str) -> None:
        """Forget a run, with its worker and its files."""
        with self.lock:
            self.forget(self._mine(run, owner))
            self.pool.schedule()

    def close(self) -> None:
        """End all workers and delete all files."""
        self.pool.close()

    # ------------------------------------------------------------ inside, with the lock held

    def _known(self, run: str) -> Run:
        if run not in self.runs:
            raise UnknownRun(run)
        return self.runs[run]

    def _mine(self, run: str, owner: str) -> Run:
        found = self._known(run)
        if not _same(found.owner, owner):
            raise NotTheOwner(f"the run {found.name!r} belongs to somebody else")
        return found

    def _next_number(self, owner: str) -> int:
        """Runs are counted for each owner."""
        return 1 + max((self.runs[run].number for run in self.owned(owner)), default=0)


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())
