"""One run that a keeper has: what has been heard of it so far. Its lock is the keeper's."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gdr_tools.jobs.job import Job
from gdr_tools.jobs.process import Worker
from gdr_tools.jobs.report import (
    COLUMNS,
    DIVERGED,
    ENDED,
    FINISHED,
    PAUSED,
    QUEUED,
    RUNNING,
    STARTING,
    STOPPED,
    STOPPING,
    History,
    Picture,
    Report,
    Result,
    Scan,
)
from gdr_tools.jobs.shelter import HANDED_ON, Found
from gdr_tools.jobs.turns import Turn

if TYPE_CHECKING:
    from gdr_tools.jobs.keeper import Keeper

OWNER, NOBODY = "owner", "nobody"
WHY_PAUSED = {OWNER: "", NOBODY: "Nobody was watching; it goes on now that somebody is."}
MOVED = "The server that trained it has stopped; it goes on from its last checkpoint here."
_NO_PLACE = "It made room for others while nobody watched, and goes on when a place is free."
STARTING_WORKER = "starting a worker"
_FIRST_ROWS = 256
_FOR_GOOD = (FINISHED, STOPPED, DIVERGED)  # nothing resumes a run from there
NEVER_SAVED = "It starts from the beginning: the run had not been saved yet."
_MOST_SCANS = 120
_MOST_PICTURES = 48
_STOP_PATIENCE = 10.0  # seconds for a worker to hand over its result
_START_PATIENCE = 60.0  # seconds for one that has to import torch and read its data before that


@dataclass(eq=False)
class Run(Turn):
    """A job with its worker, its history and its latest picture.

    address     where its owner's browser is, empty where that is not known
    paused_by   owner, nobody (nobody watched) or None
    waiting     the place in the queue is by this; smaller is earlier
    since       when the present state began, by the keeper's clock
    steps       epochs that a paused run was asked for and has not trained yet
    stage       what its worker does before the first epoch
    shelved     whether it has given its place to another run; its checkpoint is kept
    stored      bytes of its checkpoint
    data        the visitor's own dataset that it trains on, packed; none once it cannot go on
    private     whether it is about own data: no other server hears of it
    """

    keeper: Keeper
    id: str
    owner: str
    address: str
    number: int
    name: str
    job: Job
    folder: Path
    watched: float
    since: float
    waiting: tuple[int, int]
    pace: float = 0.0
    state: str = QUEUED
    reason: str = ""
    notice: str = ""
    paused_by: str | None = None
    steps: int = 0
    stage: str = STARTING_WORKER
    shelved: bool = False
    worker: Worker | None = None
    ready: bool = False
    picture: Picture | None = None
    pictures: list[Picture] = field(default_factory=list)
    scans: list[Scan] = field(default_factory=list)
    result: Result | None = None
    saved: int | None = None
    stored: int = 0
    data: bytes | None = None
    private: bool = False
    rows: np.ndarray = field(init=False)
    done: int = 0

    def __post_init__(self) -> None:
        first = min(self.job.options.epochs, _FIRST_ROWS)
        self.rows = np.full((first, len(COLUMNS)), math.nan)

    @classmethod
    def left(cls, keeper: Keeper, folder: Path, found: Found, now: float) -> Run:
        """A run that another server has left; it goes on when somebody looks, unless its owner
        had paused it."""
        run = cls(
            keeper=keeper,
            folder=folder,
            job=found.job,
            id=found.id,
            watched=now,
            since=now,
            waiting=(0, 0),
            **{name: getattr(found, name) for name in HANDED_ON},
        )
        by = OWNER if found.paused else NOBODY
        run.paused_by = by
        run.enter(PAUSED, now, MOVED)
        if found.rows.size:
            run.rows, run.done = found.rows.copy(), len(found.rows)
            run.saved = run.done
        return run

    @property
    def about(self) -> dict[str, object]:
        """What another server would have to know to go on with it, as JSON can hold it."""
        told = {name: getattr(self, name) for name in HANDED_ON}
        return told | {"paused": self.state == PAUSED and self.paused_by == OWNER}

    @property
    def ended(self) -> bool:
        """Whether it trains no more unless somebody asks for it."""
        return self.state in ENDED

    @property
    def waits(self) -> bool:
        """Whether it stands in the queue."""
        return self.state == QUEUED

    @property
    def takes_a_core(self) -> bool:
        """Whether its worker computes now."""
        return self.state in (STARTING, RUNNING) or self.steps > 0

    @property
    def is_watched(self) -> bool:
        """Whether somebody has polled it of late."""
        return self.keeper.clock() - self.watched <= self.keeper.unwatched

    @property
    def can_give_way(self) -> bool:
        """Whether it can be interrupted now."""
        return self.state == RUNNING

    def begin(self) -> None:
        """Take a core."""
        if (worker := self.keeper.worker_of(self)) is not None:
            self.enter(RUNNING if self.ready else STARTING, self.keeper.clock())
            worker.send("resume")

    def give_way(self, waiting: tuple[int, int]) -> None:
        """Let another go first; the worker rests and keeps everything."""
        self.waiting = waiting
        self.enter(QUEUED, self.keeper.clock())
        if self.worker is not None:
            self.worker.send("pause")

    @property
    def rests(self) -> bool:
        """Whether its worker does nothing, and can be let go without a loss."""
        resting = self.state in (PAUSED, QUEUED) and not self.steps and self.worker is not None
        return resting and (self.saved or 0) == self.done

    def has_rested(self, now: float, idle: float) -> bool:
        """Whether it has been paused for long, and its worker can be let go without a loss."""
        return self.state == PAUSED and self.rests and now - self.since > idle

    def is_stuck(self, now: float) -> bool:
        """Whether a worker that was told to stop has not answered in good time."""
        patience = _STOP_PATIENCE if self.ready else _START_PATIENCE
        return self.state == STOPPING and now - self.since > patience

    def hear(self, message: dict[str, Any], now: float) -> None:
        """Take in what the worker says."""
        kind = message.pop("kind")
        getattr(self, f"_hear_{kind}")(message, now)

    def _hear_stage(self, message: dict[str, Any], now: float) -> None:
        self.stage = str(message["text"])

    def _hear_ready(self, message: dict[str, Any], now: float) -> None:
        """Epochs after the checkpoint are trained once more, with the same numbers."""
        self.ready, self.done = True, min(self.done, int(message["epoch"]))
        self.scans = [scan for scan in self.scans if scan.epoch <= self.done]
        if self.state == STARTING:
            self.state = RUNNING
        elif self.state == STOPPING:
            self.since = now  # only now can it hand over what it has

    def _hear_epoch(self, message: dict[str, Any], now: float) -> None:
        row = [math.nan if message[name] is None else message[name] for name in COLUMNS]
        self.done = int(message["epoch"])
        if self.done > len(self.rows):  # in a new array: reports are views of the old one
            more = np.full((max(self.done, len(self.rows)), len(COLUMNS)), math.nan)
            self.rows = np.concatenate([self.rows, more])
        self.rows[self.done - 1] = row
        self.steps = max(self.steps - 1, 0)

    def _hear_picture(self, message: dict[str, Any], now: float) -> None:
        self.picture = Picture(**message)
        self.pictures = [one for one in self.pictures if one.epoch < self.picture.epoch]
        if len(self.pictures) >= _MOST_PICTURES:
            self.pictures = self.pictures[::2]
        self.pictures.append(self.picture)

    def _hear_scan(self, message: dict[str, Any], now: float) -> None:
        scan = Scan(**message)
        if not self.scans or self.scans[-1].epoch < scan.epoch:
            self.scans.append(scan)
        if len(self.scans) > _MOST_SCANS:
            self.scans = self.scans[::2]

    def _hear_saved(self, message: dict[str, Any], now: float) -> None:
        self.saved, self.notice = int(message["epoch"]), ""

    def _hear_notice(self, message: dict[str, Any], now: float) -> None:
        self.notice = str(message["text"])

    def _hear_result(self, message: dict[str, Any], now: float) -> None:
        self.result = Result(**message)

    def _hear_end(self, message: dict[str, Any], now: float) -> None:
        self.enter(str(message["state"]), now, str(message["reason"]))
        if self.state == DIVERGED:
            self.notice = ""

    def enter(self, state: str, now: float, reason: str = "") -> None:
        """Change state; what leaves its pause owes no steps any more."""
        self.state, self.reason, self.since = state, reason, now
        if state != PAUSED:
            self.steps = 0
        if state == STARTING:
            self.stage = STARTING_WORKER
        if state in _FOR_GOOD:
            self.data = None

    def report(self, position: int | None) -> Report:
        """What may be told; arrays are views that nobody writes to."""
        return Report(
            id=self.id,
            name=self.name,
            number=self.number,
            job=self.job,
            pace=self.pace,
            state=self.state,
            reason=_NO_PLACE if self.shelved and not self.ended else self.reason,
            stage=self.stage,
            stepping=self.steps > 0,
            notice=self.notice,
            position=position,
            history=History(self.rows[: self.done]),
            picture=self.picture,
            pictures=tuple(self.pictures),
            scans=tuple(self.scans),
            result=self.result,
            saved=self.saved,
            pid=None if self.worker is None else self.worker.pid,
        )
