"""Training in a worker: one message an epoch, as commanded.

The only thing on disk is the checkpoint. If it cannot be written, training goes on and a notice
says so: what a full disk costs is the chance to continue after a crash.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gdr_tools.jobs import memory
from gdr_tools.jobs.commands import Commands
from gdr_tools.jobs.job import CHECKPOINT, JOB, Job
from gdr_tools.jobs.wire import Send

if TYPE_CHECKING:
    from gdr_core.neural import EpochRecord, Training

SHARE = 0.08  # of the time at most that pictures, and as much again that scans, may take
PICTURE_EVERY, SCAN_EVERY, SAVE_EVERY = 0.8, 1.0, 2.0  # seconds
_LONG_SCAN = 1.0  # seconds; a scan that takes longer does not hold up a pause
SCAN_REACH, SCAN_POINTS = 4.0, 13  # fixed times from t/4 to 4t of the initial t


def train(
    folder: Path, allowed: int, commands: Commands, send: Send, own: bytes | None = None
) -> None:
    """Train the job in this folder until it ends or the registry wants no more.

    own   the dataset itself, packed, where it is not one of the list
    """
    try:
        work(folder, allowed, commands, send, own)
    except (ValueError, OSError) as error:
        # Where the server keeps its files is nobody's business.
        text = str(error).replace(f"{folder}{os.sep}", "")
        send({"kind": "end", "state": "failed", "reason": f"The run cannot go on: {text}."})
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate" not in str(error):
            raise
        send({"kind": "end", "state": "failed", "reason": _no_memory(allowed)})


def _no_memory(allowed: int) -> str:
    """Why a run that outgrew its worker has ended."""
    return (
        f"The run needs more than the {allowed / 1e9:.1f} GB of memory that a run may take on this "
        "server. Choose fewer hidden units."
    )


def work(
    folder: Path, allowed: int, commands: Commands, send: Send, own: bytes | None = None
) -> None:
    """Build the network, continue from the checkpoint if there is one, train, hand over."""
    from gdr_core.datasets import load_dataset
    from gdr_core.datasets.own.packing import unpack

    job = Job.from_json((folder / JOB).read_text(encoding="utf-8"))
    send({"kind": "stage", "text": f"loading {job.dataset if own is None else 'your data'}"})
    dataset = load_dataset(job.dataset, **job.load_options()) if own is None else unpack(own)[0]
    memory.check(dataset, job.options, allowed)
    send({"kind": "stage", "text": "building the network"})
    from gdr_core.neural import Training, load_checkpoint, use_one_thread

    use_one_thread()
    training = Training(dataset, job.options, job.seed, device="cpu")
    checkpoint = folder / CHECKPOINT
    if checkpoint.exists():
        load_checkpoint(checkpoint, training)
    send({"kind": "ready", "epoch": training.epoch})
    Session(training, commands, send, checkpoint).run()


class Session:
    """One stay of a training run in a worker."""

    def __init__(self, training: Training, commands: Commands, send: Send, checkpoint: Path):
        self.training, self.commands, self.send = training, commands, send
        self.checkpoint = checkpoint
        self.start, self.away, self.rested = time.perf_counter(), 0.0, False
        self.told = self.saved_at = training.epoch
        self.trouble = ""
        initial = training.options.initial_time
        self.times = np.geomspace(initial / SCAN_REACH, initial * SCAN_REACH, SCAN_POINTS)
        self.scanning = Duty(self.scan, SCAN_EVERY, SHARE)
        self.duties = [
            Duty(self.picture, PICTURE_EVERY, SHARE),
            self.scanning,
            Duty(self.save, SAVE_EVERY, SHARE),
        ]

    def run(self) -> None:
        """Epoch after epoch, as commanded."""
        state = "finished"
        while not self.training.finished:
            if not self.wait():
                state = "stopped"
                break
            try:
                record = self.training.step()
            except ValueError as error:
                self.send({"kind": "end", "state": "diverged", "reason": self.why_diverged(error)})
                return
            self.tell(record)
        self.rest()
        self.hand_over()
        reason = self.why_early() if state == "finished" else ""
        self.send({"kind": "end", "state": state, "reason": reason})

    def why_diverged(self, error: ValueError) -> str:
        """Which number has left its range, and at which epoch: training again would end there
        again."""
        from gdr_core.neural import Diverged

        if isinstance(error, Diverged):
            return _sentence(error)
        return _sentence(
            f"{error}, at epoch {self.told + 1}; use a smaller initial time or a smaller learning "
            "rate of t"
        )

    def why_early(self) -> str:
        """Why it finished before its last epoch, or nothing if it did not."""
        options = self.training.options
        if self.training.epoch >= options.epochs:
            return ""
        return f"No lower validation loss for {options.patience} epochs."

    def wait(self) -> bool:
        """Wait until it may go on; False if it is to stop. Pauses do not count as elapsed."""
        asked, self.rested = time.perf_counter(), False
        going_on = self.commands.may_train(self.rest)
        if self.rested:
            self.away += time.perf_counter() - asked
        return going_on

    def tell(self, record: EpochRecord) -> None:
        """Tell of an epoch, and do what is due."""
        elapsed = time.perf_counter() - self.start - self.away
        self.send({"kind": "epoch", **asdict(record), "elapsed": elapsed})
        self.told = record.epoch
        for duty in self.duties:
            duty.do_if_due()

    def rest(self) -> None:
        """Before a pause or the end: leave everything as it stands now."""
        self.rested = True
        if self.training.epoch:
            self.picture()
            if self.scanning.took < _LONG_SCAN:
                self.scan()
        if self.training.epoch != self.saved_at:
            self.save()

    def picture(self) -> None:
        """Every node's class and confidence."""
        import torch

        training = self.training
        with training.judging(), torch.no_grad():
            best = training.logits().softmax(dim=1).max(dim=1)
        labels, confidence = (
            training.arrangement.restore(part.cpu().numpy()) for part in (best.indices, best.values)
        )
        self.send(
            {
                "kind": "picture",
                "epoch": training.epoch,
                "labels": labels.astype(np.uint8),
                "confidence": confidence.astype(np.float16),
            }
        )

    def scan(self) -> None:
        """Validation accuracy of the present weights at fixed times."""
        if self.training.network.propagation.time is None or not self.times.size:
            return
        from gdr_core.neural.fixed_times import validation_at

        try:
            accuracy = validation_at(self.training, self.times)
        except ValueError:  # 4t can be out of range where t is not: a run without this picture
            self.times = self.times[:0]
            return
        if not math.isnan(accuracy[0]):
            found = {"relative_times": self.times, "accuracy": accuracy}
            self.send({"kind": "scan", "epoch": self.training.epoch, **found})

    def save(self) -> None:
        """The checkpoint; a disk that takes none is reported once, and the run goes on."""
        from gdr_core.neural import save_checkpoint

        try:
            save_checkpoint(self.checkpoint, self.training)
        except OSError as error:
            trouble = self.unsaved(error)
        else:
            trouble, self.saved_at = "", self.training.epoch
            self.send({"kind": "saved", "epoch": self.training.epoch})
        if trouble != self.trouble:
            self.trouble = trouble
            self.send({"kind": "notice", "text": trouble})

    def unsaved(self, error: OSError) -> str:
        """What it means that the checkpoint was not written."""
        cause = error.__cause__
        why = cause.strerror if isinstance(cause, OSError) else None
        kept = self.saved_at and self.checkpoint.exists()
        cost = f"take this run back to epoch {self.saved_at}" if kept else "lose this run"
        return (
            f"The checkpoint could not be written: {why or 'the file could not be completed'}. "
            f"Training goes on; a crash now would {cost}."
        )

    def hand_over(self) -> None:
        """Probabilities and weights of the best epoch."""
        training = self.training
        if training.best is None:
            return
        weights = {name: value.cpu().numpy() for name, value in training.best_weights.items()}
        found = {"probabilities": training.probabilities(), "weights": weights}
        self.send({"kind": "result", "best": asdict(training.best), **found})


class Duty:
    """Something done now and then: no more often than `every` seconds, and so seldom that it
    takes no more than a share of the time."""

    def __init__(self, act: Callable[[], None], every: float, share: float):
        self.act, self.every, self.share = act, every, share
        self.due, self.took = time.perf_counter(), 0.0

    def do_if_due(self) -> None:
        """Do it, unless it was done a moment ago."""
        start = time.perf_counter()
        if start >= self.due:
            self.act()
            self.took = time.perf_counter() - start
            self.due = start + self.took + max(self.every, self.took / self.share)


def _sentence(error: Exception | str) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
