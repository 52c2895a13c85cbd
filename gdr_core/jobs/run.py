"""One run inside the registry: what has been heard of it so far. Its lock is the registry's."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gdr_core.jobs.job import Job
from gdr_core.jobs.process import Worker
from gdr_core.jobs.report import (
    COLUMNS,
    DIVERGED,
    ENDED,
    QUEUED,
    RUNNING,
    STARTING,
    STOPPING,
    History,
    Picture,
    Report,
    Result,
    Scan,
)

OWNER, NOBODY = "owner", "nobody"
WHY_PAUSED = {OWNER: "", NOBODY: "Nobody was watching; it goes on now that somebody is."}
MOST_SCANS = 120


@dataclass(eq=False)
class Run:
    """A job with its worker, its history and its latest picture.

    paused_by   owner, nobody (nobody watched) or None
    waiting     the place in the queue is by this number; smaller is earlier
    since       when the present state began, by the registry's clock
    """

    id: str
    owner: str
    number: int
    name: str
    job: Job
    folder: Path
    watched: float
    since: float
    waiting: int
    pace: float = 0.0
    state: str = QUEUED
    reason: str = ""
    notice: str = ""
    paused_by: str | None = None
    worker: Worker | None = None
    ready: bool = False
    picture: Picture | None = None
    scans: list[Scan] = field(default_factory=list)
    result: Result | None = None
    saved: int | None = None
    rows: np.ndarray = field(init=False)
    done: int = 0

    def __post_init__(self) -> None:
        self.rows = np.full((self.job.options.epochs, len(COLUMNS)), math.nan)

    @property
    def ended(self) -> bool:
        """Whether it trains no more unless somebody asks for it."""
        return self.state in ENDED

    @property
    def takes_a_core(self) -> bool:
        """Whether its worker computes now."""
        return self.state in (STARTING, RUNNING)

    def hear(self, message: dict[str, Any], now: float) -> None:
        """Take in what the worker says."""
        kind = message.pop("kind")
        getattr(self, f"_hear_{kind}")(message, now)

    def _hear_ready(self, message: dict[str, Any], now: float) -> None:
        """Epochs after the checkpoint are trained once more, with the same numbers."""
        self.ready, self.done = True, min(self.done, int(message["epoch"]))
        self.scans = [scan for scan in self.scans if scan.epoch <= self.done]
        if self.state == STARTING:
            self.state = RUNNING

    def _hear_epoch(self, message: dict[str, Any], now: float) -> None:
        row = [math.nan if message[name] is None else message[name] for name in COLUMNS]
        self.rows[int(message["epoch"]) - 1] = row
        self.done = int(message["epoch"])

    def _hear_picture(self, message: dict[str, Any], now: float) -> None:
        self.picture = Picture(**message)

    def _hear_scan(self, message: dict[str, Any], now: float) -> None:
        scan = Scan(**message)
        if not self.scans or self.scans[-1].epoch < scan.epoch:
            self.scans.append(scan)
        if len(self.scans) > MOST_SCANS:
            self.scans = self.scans[::2]

    def _hear_saved(self, message: dict[str, Any], now: float) -> None:
        self.saved = int(message["epoch"])

    def _hear_notice(self, message: dict[str, Any], now: float) -> None:
        self.notice = str(message["text"])

    def _hear_result(self, message: dict[str, Any], now: float) -> None:
        self.result = Result(**message)

    def _hear_end(self, message: dict[str, Any], now: float) -> None:
        self.enter(str(message["state"]), now, str(message["reason"]))
        if self.state == DIVERGED:
            self.notice = ""

    def enter(self, state: str, now: float, reason: str = "") -> None:
        """Change state."""
        self.state, self.reason, self.since = state, reason, now

    def report(self, position: int | None) -> Report:
        """What may be told; arrays are views that nobody writes to."""
        return Report(
            id=self.id,
            name=self.name,
            number=self.number,
            job=self.job,
            pace=self.pace,
            state=self.state,
            reason=self.reason,
            notice=self.notice,
            position=position,
            history=History(self.rows[: self.done]),
            picture=self.picture,
            scans=tuple(self.scans),
            result=self.result,
            saved=self.saved,
            pid=None if self.worker is None else self.worker.pid,
        )


def stuck(run: Run, now: float, patience: float) -> bool:
    """Whether a worker that was told to stop has not answered."""
    return run.state == STOPPING and now - run.since > patience
