"""Runs and their workers: what is done to a run, whoever asks for it.

A run that nobody polls for half a minute pauses and goes on when somebody does. The worker of a
run that rests is let go after a minute, or at once where more rest than there are cores: the run
continues from the checkpoint, with the same numbers. Runs that nobody has looked at for hours are
forgotten. The registry decides who may ask for what (see `registry`).
"""

from __future__ import annotations

import math
import shutil
from collections import deque
from functools import partial
from threading import Condition
from typing import Any

from gdr_tools.jobs.handover import hand_over, handed_in
from gdr_tools.jobs.holdings import Holdings
from gdr_tools.jobs.kinds import TRAINING
from gdr_tools.jobs.pool import Pool
from gdr_tools.jobs.process import Worker
from gdr_tools.jobs.report import FAILED, LOST, PAUSED, QUEUED, RUNNING, STARTING
from gdr_tools.jobs.run import NOBODY, WHY_PAUSED, Run
from gdr_tools.jobs.shelter import Shelter

_NO_ANSWER = "The worker did not answer to Stop and was ended, so the run has no result yet."


class Keeper:
    """Keeps runs by id. But for `take_over`, methods want the lock, which is the pool's.

    pool        whose workers train
    unwatched   seconds without a poll after which a run pauses
    idle        seconds after which the worker of a paused run is let go
    age         seconds without a poll after which a run is forgotten
    abandoned   runs to forget in the next round, their sessions being over; any thread may add
    shelter     where their files are
    """

    def __init__(self, pool: Pool, shelter: Shelter, unwatched: float, idle: float, age: float):
        self.pool, self.shelter = pool, shelter
        self.unwatched, self.idle, self.age = unwatched, idle, age
        self.lock, self.clock = pool.lock, pool.clock
        self.moved = Condition(self.lock)
        self.runs: dict[str, Run] = {}
        self.holdings = Holdings(self)
        self.abandoned: deque[str] = deque()
        self.swept = -math.inf
        pool.keepers.append(self._tend)
        pool.closers.append(self._clean_up)

    def take_over(self, run: str) -> None:
        """Have a run that another server has left. Without the lock: it may take seconds."""
        if run in self.runs or (found := self.shelter.take_over(run)) is None:
            return
        with self.lock:
            self.runs[run] = Run.left(self, self.shelter.folder / run, found, self.clock())
            self.runs[run].waiting = self.pool.next_place(found.owner)
            self.pool.add(self.runs[run])
            self.holdings.settle(self.runs[run])

    def note(self, run: Run, *, history: bool = False) -> None:
        """Write down what another server would have to know of a run."""
        if not run.private:
            self.shelter.tell(
                run.folder, run.about, run.rows[: run.saved or 0] if history else None
            )

    def enqueue(self, run: Run) -> None:
        """Let it wait for a core."""
        run.paused_by, run.waiting = None, self.pool.next_place(run.owner)
        run.enter(QUEUED, self.clock())
        self.note(run)
        self.pool.schedule()

    def hold(self, run: Run, by: str, tell: bool = True) -> None:
        """Pause, on behalf of somebody; the core is free for others."""
        run.paused_by = by
        run.enter(PAUSED, self.clock(), WHY_PAUSED[by])
        self.note(run)
        if run.worker is not None and tell:
            run.worker.send("pause")
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
                for place in handed_in(request):
                    place.unlink(missing_ok=True)
                run.enter(FAILED, self.clock(), _no_process(error))
        return run.worker

    def let_go(self, run: Run) -> None:
        """Its worker may go; the run continues from its checkpoint with another."""
        run.ready = False
        self.pool.let_go(run)

    def forget(self, run: Run) -> None:
        """It goes, with its worker and its files."""
        if run.ready:
            self.pool.retire(run)
        self.pool.drop(run)
        self.runs.pop(run.id, None)
        self.moved.notify_all()
        shutil.rmtree(run.folder, ignore_errors=True)

    def _heard(self, run: Run, worker: Worker, message: dict[str, Any]) -> None:
        with self.lock:
            if run.worker is not worker:
                return
            if message["kind"] == "idle":
                run.ready = False
                self.pool.take_back(run)
                self.pool.schedule()  # now, and not when it ended: this worker does what is next
            else:
                kind = message["kind"]
                run.hear(message, self.clock())
                if kind == "saved":
                    self.note(run, history=True)
                if kind in ("saved", "result"):
                    self.holdings.settle(run)
            self.moved.notify_all()

    def _gone(self, run: Run, worker: Worker, how: str) -> None:
        with self.lock:
            if run.worker is not worker:
                return
            self.let_go(run)
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
                self.forget(run)
            elif run.state in (STARTING, RUNNING) and not run.is_watched:
                self.hold(run, NOBODY)
            elif run.has_rested(now, self.idle):
                self.let_go(run)
            elif run.is_stuck(now):
                self.let_go(run)
                run.enter(LOST, now, _NO_ANSWER)
        resting = sorted((r for r in self.runs.values() if r.rests), key=lambda run: run.since)
        for run in resting[: max(len(resting) - self.pool.most_resting, 0)]:
            self.let_go(run)  # a worker that only rests keeps its memory

    def _beat(self) -> None:
        """Say that this server lives; runs that another one has taken are no longer ours."""
        for run in self.shelter.beat([(run.id, run.folder) for run in self.runs.values()]):
            self.pool.drop(self.runs.pop(run))
            self.moved.notify_all()

    def _forget_quietly(self, run: str) -> None:
        if run in self.runs:
            self.forget(self.runs[run])

    def _clean_up(self) -> None:
        self.shelter.release(run.folder for run in self.runs.values())
        self.runs.clear()


def _no_process(error: OSError) -> str:
    """Why a run has no worker, in sentences."""
    return (
        f"The server could not start a process for this run ({error.strerror or error}). "
        "Resume it in a while: nothing is lost."
    )
