"""What is known about a run, as records that may be read at leisure: nothing in them changes."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gdr_tools.jobs.job import Job

QUEUED, STARTING, RUNNING, PAUSED = "queued", "starting", "running", "paused"
STOPPING, FINISHED, STOPPED = "stopping", "finished", "stopped"
DIVERGED, FAILED, LOST = "diverged", "failed", "lost"
ENDED: Final = (FINISHED, STOPPED, DIVERGED, FAILED, LOST)

COLUMNS: Final = (
    "epoch",
    "train_loss",
    "validation_loss",
    "train_accuracy",
    "validation_accuracy",
    "test_accuracy",
    "time",
    "relative_time",
    "seconds",
    "elapsed",
)
_RATE_OVER = 30  # epochs


class History:
    """One row for each epoch that was trained; columns are those of `EpochRecord`, and `elapsed`,
    the seconds that the worker has been training. NaN stands for what there is not."""

    def __init__(self, rows: np.ndarray):
        self.rows = rows
        self.rows.flags.writeable = False

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, column: str) -> np.ndarray:
        return self.rows[:, COLUMNS.index(column)]

    @property
    def best(self) -> int | None:
        """The row with the lowest validation loss, the last one where nothing validates."""
        if not len(self):
            return None
        losses = self["validation_loss"]
        return len(self) - 1 if np.isnan(losses).all() else int(np.nanargmin(losses))

    @property
    def rate(self) -> float:
        """Epochs a second of late, with everything a worker does in between; NaN at first."""
        elapsed = self["elapsed"][-_RATE_OVER:]
        span = elapsed[-1] - elapsed[0] if len(elapsed) > 1 else 0.0
        return (len(elapsed) - 1) / span if span > 0 else math.nan

    def to_csv(self, test: bool = False) -> str:
        """The table as text; accuracies on test nodes only if asked for."""
        hidden = {"elapsed"} if test else {"elapsed", "test_accuracy"}
        names = [name for name in COLUMNS if name not in hidden]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        for row in zip(*(self[name] for name in names), strict=True):
            writer.writerow([_cell(value) for value in row])
        return text.getvalue()


def _cell(value: float) -> str:
    if math.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) >= 1 else repr(float(value))


@dataclass(frozen=True, eq=False)
class Picture:
    """Every node's predicted class and how sure the network is of it, at one epoch."""

    epoch: int
    labels: np.ndarray
    confidence: np.ndarray


@dataclass(frozen=True, eq=False)
class Scan:
    """Validation accuracy at one epoch with t replaced by fixed values; see `fixed_times`."""

    epoch: int
    relative_times: np.ndarray
    accuracy: np.ndarray


@dataclass(frozen=True, eq=False)
class Result:
    """What a run leaves: class probabilities of the best weights, those weights, their record."""

    probabilities: np.ndarray
    weights: dict[str, np.ndarray]
    best: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Report:
    """A run as it stands.

    state       queued, starting, running, paused, stopping; then finished, stopped, diverged,
                failed (the worker says why) or lost (the worker is gone)
    reason      one sentence on why it is paused or ended, or ""
    stage       what its worker does before the first epoch
    stepping    whether a paused run still owes an epoch that it was asked for
    notice      a trouble that does not end the run, such as a full disk, or ""
    position    place in the queue, from 1; None where it does not wait
    saved       epoch of the last checkpoint, None without one
    pid         of the worker, None where there is none
    pictures    those that were kept on the way, the latest last
    """

    id: str
    name: str
    number: int
    job: Job
    pace: float
    state: str
    reason: str
    stage: str
    stepping: bool
    notice: str
    position: int | None
    history: History
    picture: Picture | None
    scans: tuple[Scan, ...]
    result: Result | None
    saved: int | None
    pid: int | None
    pictures: tuple[Picture, ...] = ()

    @property
    def ended(self) -> bool:
        """Whether no epoch will follow unless somebody asks for it."""
        return self.state in ENDED

    @property
    def epoch(self) -> int:
        """The last epoch that was trained."""
        return int(self.history["epoch"][-1]) if len(self.history) else 0

    def picture_at(self, epoch: int) -> Picture | None:
        """The latest picture that was taken up to an epoch; the earliest where none was."""
        kept = self.pictures or (() if self.picture is None else (self.picture,))
        before = [picture for picture in kept if picture.epoch <= epoch]
        return before[-1] if before else (kept[0] if kept else None)
