"""All training runs of a server, each with an owner; their workers are those of the pool.

A run that nobody polls for half a minute pauses and goes on when somebody does. The worker of a
run that rests is let go after a minute, or at once where more rest than there are cores: the run
continues from the checkpoint, with the same numbers. Where all places are taken, runs that nobody
watches give theirs away and keep their checkpoint. Runs that nobody has looked at for hours are
forgotten.
"""

from __future__ import annotations

import math
import secrets
import shutil
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Condition
from typing import Any

import numpy as np

from gdr_tools.jobs.handover import hand_over
from gdr_tools.jobs.job import Job
from gdr_tools.jobs.kinds import TRAINING
from gdr_tools.jobs.pool import Pool
from gdr_tools.jobs.process import Worker
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
from gdr_tools.jobs.run import NEVER_SAVED, NOBODY, OWNER, WHY_PAUSED, Run
from gdr_tools.jobs.shelter import Shelter

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 12  # 59 bits: nobody finds a run by trying
_NO_ANSWER = "The worker did not answer to Stop and was ended, so the run has no result yet."
_SHELVED_FOR_EACH_PLACE = 4  # runs that have given their place away are kept up to this number
_OF_ONE_ADDRESS = 0.75  # of all places; the others are for everybody else


class UnknownRun(LookupError):
    """There is no such run, or no longer."""

    def __init__(self, run: str):
        super().__init__(
            f"there is no training run {run!r} on this server; runs are forgotten when the server "
            "stops, when they are removed, and after hours without a visitor"
        )


class NotTheOwner(PermissionError):
    """A run is changed only by whoever started it."""


class TooManyRuns(RuntimeError):
    """No further run is taken; the message says what would help."""


class NoFreeCore(RuntimeError):
    """A paused run cannot step: all cores are at work for others."""

    def __init__(self, cores: int):
        busy = "the only core is" if cores == 1 else f"all {cores} cores are"
        super().__init__(
            f"{busy} at work for others, so this run stays paused; press Resume and it waits in "
            "the queue, or step when something else has ended or paused"
        )


class Registry:
    """Training runs by id. All methods may be called from any thread.

    pool        whose workers train; one of its own with `slots` cores and `clock` if none is given
    unwatched   seconds without a poll after which a run pauses
    idle        seconds after which the worker of a paused run is let go
    age         seconds without a poll after which a run is forgotten
    abandoned   runs to forget in the next round, their sessions being over; any thread may add
    most        runs that have a place at once, of everybody and of one owner
    shelter     where their files are
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
        self.pool = Pool(slots=slots, clock=clock) if pool is None else pool
        self.unwatched, self.idle, self.age = unwatched, idle, age
        self.most, self.most_of_one, self.clock = most, most_of_one, self.pool.clock
        self.lock = self.pool.lock
        self.moved = Condition(self.lock)
        self.runs: dict[str, Run] = {}
        self.abandoned: deque[str] = deque()
        self.shelter = Shelter() if shelter is None else shelter
        self.pool.keepers.append(self._tend)
        self.swept = -math.inf
        self.pool.closers.append(self._clean_up)

    # ------------------------------------------------------------ asking

    def poll(self, run: str) -> Report:
        """How a run stands. Whoever polls watches: a run that paused for want of it goes on, and
        one whose server has died goes on here."""
        self._take_over(run)
        with self.lock:
            found = self._known(run)
            found.watched = self.clock()
            if found.shelved and self._free_a_place(found):
                found.shelved = False
            if found.state == PAUSED and found.paused_by == NOBODY and not found.shelved:
                self._enqueue(found)
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
            self._take_over(run)
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
            self._note(found)
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
            return found.id

    def _admit(self, owner: str, job: Job, name: str, address: str, *, private: bool) -> Run:
        """A new run with a place and a folder; it does not stand in the queue yet.

        private   whether it is about a visitor's own data, of which other servers never hear
        """
        self._make_room(owner, address)
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
                self._pause(found, OWNER)

    def resume(self, run: str, owner: str) -> None:
        """Go on after a pause, when a core is free."""
        with self.lock:
            found = self._mine(run, owner)
            if found.state == PAUSED:
                self._take_place(found)
                self._enqueue(found)

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
            self._take_place(found)
            found.steps += 1
            # To a worker that is paused already, `pause` would only cancel the steps it still owes.
            self._pause(found, OWNER, tell=found.state != PAUSED)
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
            self._take_place(found)
            self._let_go(found)  # a worker that has just failed may not have said good-bye yet
            found.notice = "" if found.saved else NEVER_SAVED
            self._enqueue(found)

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
            self._note(found)

    def remove(self, run: str, owner: str) -> None:
        """Forget a run, with its worker and its files."""
        with self.lock:
            self._forget(self._mine(run, owner))
            self.pool.schedule()

    def close(self) -> None:
        """End all workers and delete all files."""
        self.pool.close()

    def _clean_up(self) -> None:
        self.shelter.release(run.folder for run in self.runs.values())
        self.runs.clear()

    # ------------------------------------------------------------ other servers

    def _take_over(self, run: str) -> None:
        """Have a run that another server has left. Without the lock: it may take seconds."""
        if run in self.runs or (found := self.shelter.take_over(run)) is None:
            return
        with self.lock:
            self.runs[run] = Run.left(self, self.shelter.folder / run, found, self.clock())
            self.runs[run].waiting = self.pool.next_place(found.owner)
            self.pool.add(self.runs[run])

    def _note(self, run: Run, *, history: bool = False) -> None:
        """Write down what another server would have to know of a run."""
        if not run.private:
            self.shelter.tell(
                run.folder, run.about, run.rows[: run.saved or 0] if history else None
            )

    def _beat(self) -> None:
        """Say that this server lives; runs that another one has taken are no longer ours."""
        for run in self.shelter.beat([(run.id, run.folder) for run in self.runs.values()]):
            self.pool.drop(self.runs.pop(run))
            self.moved.notify_all()

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

    def _make_room(self, owner: str, address: str) -> None:
        if self.pool.closed.is_set():
            raise TooManyRuns("the server is stopping")
        if len(self.owned(owner)) >= self.most_of_one:
            raise TooManyRuns(f"{self.most_of_one} runs are kept for each visitor; remove one")
        near = [run for run in self._placed() if address and run.address == address]
        if len(near) >= max(_OF_ONE_ADDRESS * self.most, 1) and not self._evict(near):
            raise TooManyRuns(
                f"{len(near)} runs from your network address are watched or train here, which is "
                "as many as one address may have; a place comes back when one of them is removed, "
                f"or when nobody has watched it for {self.unwatched:.0f} seconds"
            )
        if not self._free_a_place():
            raise TooManyRuns(self._all_taken())

    def _all_taken(self) -> str:
        return (
            f"all {self.most} places of this server are taken by runs that somebody watches; a "
            "place comes back when one of them is removed, or when nobody has watched it for "
            f"{self.unwatched:.0f} seconds"
        )

    def _placed(self) -> list[Run]:
        return [run for run in self.runs.values() if not run.shelved]

    def _take_place(self, run: Run) -> None:
        """A run whose place went to others needs one again."""
        if run.shelved and not self._free_a_place(run):
            raise TooManyRuns(self._all_taken())
        run.shelved = False

    def _free_a_place(self, wanted: Run | None = None) -> bool:
        """Whether there is a place, now or because a run that nobody watches gave up its own."""
        others = [run for run in self._placed() if run is not wanted]
        return len(others) < self.most or self._evict(others)

    def _evict(self, runs: list[Run]) -> bool:
        """Take the place of a run that nobody watches: one that has ended, or else one that does
        not train. Its checkpoint, its history and its result are kept."""
        idle = [r for r in runs if not r.is_watched and (r.ended or r.state in (PAUSED, QUEUED))]
        if not idle:
            return False
        leaving = min(idle, key=lambda run: (not run.ended, run.watched))
        if not leaving.ended:
            self._pause(leaving, leaving.paused_by or NOBODY)
        self.pool.let_go(leaving)
        leaving.ready, leaving.shelved = False, True
        self._thin_shelf()
        return True

    def _thin_shelf(self) -> None:
        shelf = sorted((r for r in self.runs.values() if r.shelved), key=lambda run: run.watched)
        for run in shelf[: max(len(shelf) - _SHELVED_FOR_EACH_PLACE * self.most, 0)]:
            self._forget(run)

    def _next_number(self, owner: str) -> int:
        """Runs are counted for each owner."""
        return 1 + max((self.runs[run].number for run in self.owned(owner)), default=0)

    def _enqueue(self, run: Run) -> None:
        run.paused_by, run.waiting = None, self.pool.next_place(run.owner)
        run.enter(QUEUED, self.clock())
        self._note(run)
        self.pool.schedule()

    def worker_of(self, run: Run) -> Worker | None:
        """The worker of a run, a new one where it has none; None, and a run that has failed, where
        the system gives no further process."""
        if run.worker is None:
            run.ready = False
            request = {"kind": TRAINING, "folder": str(run.folder)}
            ears = partial(self._heard, run), partial(self._gone, run)
            try:
                if run.data is not None:
                    request["own"] = str(hand_over(run.data))
                self.pool.employ(run, request, *ears).send(f"pace {run.pace:g}")
            except OSError as error:
                run.enter(FAILED, self.clock(), _no_process(error))
        return run.worker

    def _pause(self, run: Run, by: str, tell: bool = True) -> None:
        run.paused_by = by
        run.enter(PAUSED, self.clock(), WHY_PAUSED[by])
        self._note(run)
        if run.worker is not None and tell:
            run.worker.send("pause")
        self.pool.schedule()

    def _forget(self, run: Run) -> None:
        if run.ready:
            self.pool.retire(run)
        self.pool.drop(run)
        self.runs.pop(run.id, None)
        self.moved.notify_all()
        shutil.rmtree(run.folder, ignore_errors=True)

    def _forget_quietly(self, run: str) -> None:
        if run in self.runs:
            self._forget(self.runs[run])

    def _let_go(self, run: Run) -> None:
        run.ready = False
        self.pool.let_go(run)

    # ------------------------------------------------------------ threads

    def _heard(self, run: Run, worker: Worker, message: dict[str, Any]) -> None:
        with self.lock:
            if run.worker is not worker:
                return
            if message["kind"] == "idle":
                run.ready = False
                self.pool.take_back(run)
                self.pool.schedule()  # now, and not when it ended: this worker does what is next
            else:
                saved = message["kind"] == "saved"
                run.hear(message, self.clock())
                if saved:
                    self._note(run, history=True)
            self.moved.notify_all()

    def _gone(self, run: Run, worker: Worker, how: str) -> None:
        with self.lock:
            if run.worker is not worker:
                return
            self._let_go(run)
            if not run.ended:
                run.enter(LOST, self.clock(), how)
            self.moved.notify_all()
            self.pool.schedule()

    def _tend(self) -> None:
        """One round of the keeper."""
        self._beat()
        now = self.clock()
        if now - self.swept > self.age / 8:
            self.swept = now
            self.shelter.sweep(self.age)
        while self.abandoned:
            self._forget_quietly(self.abandoned.popleft())
        for run in list(self.runs.values()):
            if now - run.watched > self.age:
                self._forget(run)
            elif run.state in (STARTING, RUNNING) and not run.is_watched:
                self._pause(run, NOBODY)
            elif run.has_rested(now, self.idle):
                self._let_go(run)
            elif run.is_stuck(now):
                self._let_go(run)
                run.enter(LOST, now, _NO_ANSWER)
        resting = sorted((r for r in self.runs.values() if r.rests), key=lambda run: run.since)
        for run in resting[: max(len(resting) - self.pool.most_resting, 0)]:
            self._let_go(run)  # a worker that only rests keeps its memory


def _no_process(error: OSError) -> str:
    """Why a run has no worker, in sentences."""
    return (
        f"The server could not start a process for this run ({error.strerror or error}). "
        "Resume it in a while: nothing is lost."
    )


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())
