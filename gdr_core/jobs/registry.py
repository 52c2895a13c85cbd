"""All training runs of a server: one worker a core, the rest in a queue, each with an owner.

A run that nobody polls for half a minute pauses and goes on when somebody does. A worker that has
been paused for a minute is let go: its run continues from the checkpoint, with the same numbers.
Runs that nobody has looked at for hours are forgotten. Closing the registry, or the death of its
process in any way, ends all workers.
"""

from __future__ import annotations

import atexit
import logging
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event, RLock, Thread
from typing import Any

from gdr_core.jobs.job import JOB, Job
from gdr_core.jobs.process import Worker
from gdr_core.jobs.report import (
    FAILED,
    LOST,
    PAUSED,
    QUEUED,
    RUNNING,
    STARTING,
    STOPPED,
    STOPPING,
    Report,
)
from gdr_core.jobs.run import NEVER_SAVED, NOBODY, OWNER, WHY_PAUSED, Run

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 12  # 59 bits: nobody finds a run by trying
FOLDER = "gdr-explorer-runs-"
TICK = 0.25  # seconds between two rounds of the keeper
NO_ANSWER = "The worker did not answer to Stop and was ended, so the run has no result yet."
LOG = logging.getLogger(__name__)


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
            f"{busy} at work for other runs, so this one stays paused; press Resume and it waits "
            "in the queue, or step when another run has ended or paused"
        )


class Registry:
    """Training runs by id. All methods may be called from any thread.

    slots       workers that compute at the same time; one a core by default
    unwatched   seconds without a poll after which a run pauses
    idle        seconds after which the worker of a paused run is let go
    age         seconds without a poll after which a run is forgotten
    most        runs kept at once, of everybody and of one owner
    """

    def __init__(
        self,
        *,
        slots: int | None = None,
        unwatched: float = 30.0,
        idle: float = 60.0,
        age: float = 2 * 3600.0,
        most: int = 48,
        most_of_one: int = 8,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.slots = cores() if slots is None else slots
        self.unwatched, self.idle, self.age = unwatched, idle, age
        self.most, self.most_of_one, self.clock = most, most_of_one, clock
        self.lock = RLock()
        self.runs: dict[str, Run] = {}
        self.spare: Worker | None = None
        self.spare_wanted = 0.0
        self.queue_numbers = count(1)
        self.files: Path | None = None
        self.closed = Event()
        atexit.register(self.close)
        Thread(target=self._keep, daemon=True).start()

    @property
    def folder(self) -> Path:
        """Where checkpoints are. It is made when the first job comes: until then a full disk is
        nobody's trouble."""
        with self.lock:
            if self.files is None:
                sweep_folders()
                self.files = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))
            return self.files

    # ------------------------------------------------------------ asking

    def poll(self, run: str) -> Report:
        """How a run stands. Whoever polls watches: a run that paused for want of it goes on."""
        with self.lock:
            found = self._known(run)
            found.watched = self.clock()
            if found.state == PAUSED and found.paused_by == NOBODY:
                self._enqueue(found)
            return found.report(self._position(found))

    def owned(self, owner: str) -> list[str]:
        """The runs of one owner, the oldest first."""
        with self.lock:
            return [run.id for run in self.runs.values() if _same(run.owner, owner)]

    def is_owner(self, run: str, owner: str) -> bool:
        """Whether this owner may pause, stop or remove the run."""
        with self.lock:
            return run in self.runs and _same(self.runs[run].owner, owner)

    @property
    def crowding(self) -> float:
        """Runs that somebody is waiting for, for each core."""
        with self.lock:
            waited_for = (r for r in self.runs.values() if not r.ended and r.state != PAUSED)
            return sum(self._is_watched(run) for run in waited_for) / self.slots

    # ------------------------------------------------------------ changing

    def expect(self) -> None:
        """A job is likely to come soon: have a worker ready, which takes seconds to start."""
        with self.lock:
            self.spare_wanted = self.clock()
            if self.spare is None and self._free_cores() > 0 and not self.closed.is_set():
                with suppress(OSError):  # who starts a run then hears of it
                    self.spare = Worker()

    def submit(self, owner: str, job: Job, name: str = "", pace: float = 0.0) -> str:
        """Put a job into the queue; the id of its run, which cannot be guessed."""
        with self.lock:
            self._make_room(owner)
            run = "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))
            folder = self.folder / run
            write_job(folder, job)
            now, number = self.clock(), self._next_number(owner)
            self.runs[run] = Run(
                id=run,
                owner=owner,
                number=number,
                name=name or f"{job.options.model} {number}",
                job=job,
                folder=folder,
                watched=now,
                since=now,
                waiting=next(self.queue_numbers),
                pace=float(pace),
            )
            self._schedule()
            return run

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
            if found.state == PAUSED and not found.steps and not self._free_cores():
                raise NoFreeCore(self.slots)
            found.steps += 1
            # To a worker that is paused already, `pause` would only cancel the steps it still owes.
            self._pause(found, OWNER, tell=found.state != PAUSED)
            if (worker := self._worker_of(found)) is not None:
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
            if (worker := self._worker_of(found)) is not None:
                worker.send("stop")
            self._schedule()

    def resume_from_checkpoint(self, run: str, owner: str) -> None:
        """Continue a run whose worker died or failed; the result is that of a run that was never
        interrupted."""
        with self.lock:
            found = self._mine(run, owner)
            if found.state not in (LOST, FAILED):
                return
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
            self._mine(run, owner).name = name[:60]

    def remove(self, run: str, owner: str) -> None:
        """Forget a run, with its worker and its files."""
        with self.lock:
            self._forget(self._mine(run, owner))
            self._schedule()

    def close(self) -> None:
        """End all workers and delete all files."""
        with self.lock:
            self.closed.set()
            for run in list(self.runs.values()):
                self._forget(run)
            self._dismiss_spare()
        if self.files is not None:
            shutil.rmtree(self.files, ignore_errors=True)
        atexit.unregister(self.close)

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

    def _make_room(self, owner: str) -> None:
        if self.closed.is_set():
            raise TooManyRuns("the server is stopping")
        if len(self.owned(owner)) >= self.most_of_one:
            raise TooManyRuns(f"{self.most_of_one} runs are kept for each visitor; remove one")
        over = [run for run in self.runs.values() if run.ended and not self._is_watched(run)]
        if len(self.runs) >= self.most:
            if not over:
                raise TooManyRuns(
                    f"all {self.most} places of this server are taken; try again in a few minutes"
                )
            self._forget(min(over, key=lambda run: run.watched))

    def _next_number(self, owner: str) -> int:
        """Runs are counted for each owner."""
        return 1 + max((self.runs[run].number for run in self.owned(owner)), default=0)

    def _position(self, run: Run) -> int | None:
        queue = self._queue()
        return queue.index(run) + 1 if run in queue else None

    def _queue(self) -> list[Run]:
        waiting = (run for run in self.runs.values() if run.state == QUEUED)
        return sorted(waiting, key=lambda run: run.waiting)

    def _enqueue(self, run: Run) -> None:
        run.paused_by, run.waiting = None, next(self.queue_numbers)
        run.enter(QUEUED, self.clock())
        self._schedule()

    def _schedule(self) -> None:
        """Start what is first in the queue while there are cores; who is not watched lets others
        go ahead."""
        ready = [run for run in self._queue() if self._is_watched(run)]
        for run in ready[: self._free_cores()]:
            if (worker := self._worker_of(run)) is not None:
                run.enter(RUNNING if run.ready else STARTING, self.clock())
                worker.send("resume")

    def _free_cores(self) -> int:
        return max(self.slots - sum(run.takes_a_core for run in self.runs.values()), 0)

    def _worker_of(self, run: Run) -> Worker | None:
        """The worker of a run, a new one where it has none; None, and a run that has failed, where
        the system gives no further process."""
        if run.worker is None:
            try:
                self._give_worker(run)
            except OSError as error:
                run.enter(FAILED, self.clock(), no_process(error))
        return run.worker

    def _give_worker(self, run: Run) -> None:
        run.ready = False
        spare, self.spare = self.spare, None
        run.worker = spare if spare is not None and spare.alive else Worker()
        run.worker.on_message = partial(self._heard, run)
        run.worker.on_exit = partial(self._gone, run)
        run.worker.begin(run.folder)
        run.worker.send(f"pace {run.pace:g}")

    def _pause(self, run: Run, by: str, tell: bool = True) -> None:
        run.paused_by = by
        run.enter(PAUSED, self.clock(), WHY_PAUSED[by])
        if run.worker is not None and tell:
            run.worker.send("pause")
        self._schedule()

    def _is_watched(self, run: Run) -> bool:
        return self.clock() - run.watched <= self.unwatched

    def _forget(self, run: Run) -> None:
        self._let_go(run)
        self.runs.pop(run.id, None)
        shutil.rmtree(run.folder, ignore_errors=True)

    def _let_go(self, run: Run) -> None:
        """End the worker; what it says from now on is not heard."""
        worker, run.worker, run.ready = run.worker, None, False
        if worker is not None:
            worker.close()

    def _dismiss_spare(self) -> None:
        spare, self.spare = self.spare, None
        if spare is not None:
            spare.close()

    # ------------------------------------------------------------ threads

    def _heard(self, run: Run, worker: Worker, message: dict[str, Any]) -> None:
        with self.lock:
            if run.worker is worker:
                run.hear(message, self.clock())
                if run.ended:
                    self._schedule()

    def _gone(self, run: Run, worker: Worker, how: str) -> None:
        with self.lock:
            if run.worker is not worker:
                return
            self._let_go(run)
            if not run.ended:
                run.enter(LOST, self.clock(), how)
            self._schedule()

    def _keep(self) -> None:
        while not self.closed.wait(TICK):
            with self.lock:
                try:
                    self._tend()
                except Exception:  # without a keeper no run would ever pause, sleep or end
                    LOG.exception("a round of the keeper failed; the next one comes")

    def _tend(self) -> None:
        """One round of the keeper."""
        now = self.clock()
        if now - self.spare_wanted > self.idle:
            self._dismiss_spare()
        for run in list(self.runs.values()):
            if now - run.watched > self.age:
                self._forget(run)
            elif run.state in (STARTING, RUNNING) and not self._is_watched(run):
                self._pause(run, NOBODY)
            elif run.has_rested(now, self.idle):
                self._let_go(run)
            elif run.is_stuck(now):
                self._let_go(run)
                run.enter(LOST, now, NO_ANSWER)
        self._schedule()


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def write_job(folder: Path, job: Job) -> None:
    """Make the folder of a run, whole or not at all."""
    folder.mkdir()
    try:
        (folder / JOB).write_text(job.to_json(), encoding="utf-8")
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def no_process(error: OSError) -> str:
    """Why a run has no worker, in sentences."""
    return (
        f"The server could not start a process for this run ({error.strerror or error}). "
        "Resume it in a while: nothing is lost."
    )


def sweep_folders() -> None:
    """Delete what servers that were killed have left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(ValueError, OSError):
            if not _alive(int(folder.name[len(FOLDER) :].split("-")[0])):
                shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())
