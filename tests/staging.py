"""Workers and a clock that do as a test says, and what tests of real workers share."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gdr_core.datasets import load_dataset
from gdr_core.neural import Training, recommended
from gdr_tools.jobs import Job, Registry, Report
from gdr_tools.jobs.report import COLUMNS

ME, YOU = "me", "you"
PATIENCE = 60.0  # seconds; a busy machine imports torch slowly
SMALL = Job("karate", recommended("diff-gcn", epochs=40))
LONG = Job("karate", recommended("gcn", epochs=100_000))


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Puppet:
    """A worker without a process: the test says its lines."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.requests: list[dict[str, Any]] = []
        self.pid, self.alive, self.gone = 0, True, ""
        self.forget()

    def begin(self, request: dict[str, Any]) -> None:
        self.requests.append(request)
        self.send("job")

    def forget(self) -> None:
        self.on_message: Callable = lambda worker, message: None
        self.on_exit: Callable = lambda worker, how: None

    def send(self, command: str) -> None:
        self.told.append(command)

    def close(self) -> None:
        self.alive = False

    def says(self, kind: str, **fields: object) -> None:
        self.on_message(self, {"kind": kind, **fields})

    def trains(self, epoch: int) -> None:
        self.says("epoch", **(dict.fromkeys(COLUMNS, 0.5) | {"epoch": epoch}))

    def dies(self, how: str = "It was killed.") -> None:
        self.alive = False
        self.on_exit(self, how)


def wait(registry: Registry, run: str, until: Callable[[Report], bool]) -> Report:
    """Poll until the report is as wanted."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        report = registry.poll(run)
        if until(report):
            return report
        time.sleep(0.02)
    raise AssertionError(f"after {PATIENCE:g} s: {report}")


def ended(report: Report) -> bool:
    return report.ended


def eventually(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for something that another process brings about."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not collected does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def trained(job: Job, epochs: int | None = None) -> Training:
    """The same run in this process, without any worker."""
    training = Training(
        load_dataset(job.dataset, **job.load_options()), job.options, job.seed, "cpu"
    )
    for record in training.records():
        if record.epoch == epochs:
            break
    return training


def assert_same_result(report: Report, training: Training) -> None:
    assert report.result is not None
    assert training.best is not None
    np.testing.assert_array_equal(report.result.probabilities, training.probabilities())
    assert report.result.best["epoch"] == training.best.epoch
    for name, value in training.best_weights.items():
        np.testing.assert_array_equal(report.result.weights[name], value.numpy())
