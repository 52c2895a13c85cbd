"""A whole training run in one small file, to be looked at epoch by epoch.

Labels change little from one epoch to the next, and confidences are told in fortieths, so that
three hundred epochs of Cora take about a hundred kilobytes. `data/example_run.py` makes the run
that the Train page opens with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gdr_tools.jobs.job import Job
from gdr_tools.jobs.report import FINISHED, History, Picture, Report, Scan

if TYPE_CHECKING:
    from gdr_core.neural import Training

LEVELS = 40  # of confidence: two for each bar of the page's histogram
SCAN_EVERY = 10  # epochs


@dataclass(frozen=True, eq=False)
class Recording:
    """A finished run.

    rows        one an epoch, with the columns of `History`
    labels      predicted classes, shape (epochs, nodes), uint8
    confidence  how sure the network is, in fortieths, same shape, uint8
    scans       validation accuracy at fixed times, now and then
    """

    job: Job
    rows: np.ndarray
    labels: np.ndarray
    confidence: np.ndarray
    scans: tuple[Scan, ...]

    def __post_init__(self) -> None:
        epochs = {len(self.rows), len(self.labels), len(self.confidence)}
        if len(epochs) != 1 or self.labels.shape != self.confidence.shape:
            raise ValueError(
                "a recording needs as many rows as pictures, got "
                f"{len(self.rows)}, {self.labels.shape} and {self.confidence.shape}"
            )

    def report(self) -> Report:
        """The run as the Train page knows runs."""
        return Report(
            id="example",
            name="Example",
            number=1,
            job=self.job,
            pace=0.0,
            state=FINISHED,
            reason="",
            stage="",
            stepping=False,
            notice="",
            position=None,
            history=History(self.rows.copy()),
            picture=self.pictures[-1],
            scans=self.scans,
            result=None,
            saved=None,
            pid=None,
            pictures=self.pictures,
        )

    @cached_property
    def pictures(self) -> tuple[Picture, ...]:
        """One an epoch."""
        sure = ((self.confidence + 0.5) / LEVELS).astype(np.float16)
        pairs = zip(self.labels, sure, strict=True)
        return tuple(Picture(k + 1, labels, level) for k, (labels, level) in enumerate(pairs))

    def write(self, path: Path) -> None:
        """Save it; differences between epochs are smaller than what they are between."""
        np.savez_compressed(
            path,
            job=np.array(self.job.to_json()),
            rows=self.rows.astype(np.float32),
            labels=_changes(self.labels),
            confidence=_changes(self.confidence),
            scan_epochs=np.array([scan.epoch for scan in self.scans]),
            scan_times=np.array([scan.relative_times for scan in self.scans]),
            scan_accuracy=np.array([scan.accuracy for scan in self.scans], dtype=np.float32),
        )

    @classmethod
    def read(cls, path: Path) -> Recording:
        """The recording that `write` has saved."""
        with np.load(path, allow_pickle=False) as file:
            parts = (file["scan_epochs"].tolist(), file["scan_times"], file["scan_accuracy"])
            return cls(
                job=Job.from_json(str(file["job"])),
                rows=file["rows"].astype(float),
                labels=_whole(file["labels"]),
                confidence=_whole(file["confidence"]),
                scans=tuple(Scan(*scan) for scan in zip(*parts, strict=True)),
            )


def record(job: Job, training: Training) -> Recording:
    """Train to the end and keep what every epoch says; the clock is left out."""
    from gdr_tools.jobs.commands import Commands
    from gdr_tools.jobs.report import COLUMNS
    from gdr_tools.jobs.training import Session

    said: list[dict] = []
    session = Session(training, Commands(), said.append, Path())
    rows = []
    while not training.finished:
        seen = vars(training.step())
        known = {**seen, "seconds": None, "elapsed": None}
        rows.append([np.nan if known[name] is None else known[name] for name in COLUMNS])
        session.picture()
        if training.epoch % SCAN_EVERY == 1:
            session.scan()
    pictures = [message for message in said if message["kind"] == "picture"]
    scans = [message for message in said if message["kind"] == "scan"]
    sure = np.array([message["confidence"] for message in pictures], dtype=float)
    return Recording(
        job=job,
        rows=np.array(rows, dtype=np.float32).astype(float),
        labels=np.array([message["labels"] for message in pictures]),
        confidence=np.clip(sure * LEVELS, 0, LEVELS - 1).astype(np.uint8),
        scans=tuple(Scan(m["epoch"], m["relative_times"], m["accuracy"]) for m in scans),
    )


def _changes(values: np.ndarray) -> np.ndarray:
    """The first row, then what is added from row to row, modulo 256; nodes before epochs."""
    return np.diff(values, axis=0, prepend=np.zeros_like(values[:1])).astype(np.uint8).T


def _whole(changes: np.ndarray) -> np.ndarray:
    return np.cumsum(changes.T, axis=0, dtype=np.uint8)
