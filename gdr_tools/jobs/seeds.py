"""One seed of a network as a task: trained from its checkpoint if there is one."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdr_core.progress import Progress

if TYPE_CHECKING:
    from gdr_core.neural import Training

_SAVE_EVERY = 5.0  # seconds of training that the death of a worker may cost


def train_request(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Train with one seed.

    dataset, split   name and split
    options, seed    those of the training
    checkpoint       a file; training goes on from it, and keeps it until its result is taken
    """
    from gdr_core.datasets import load_dataset
    from gdr_core.neural import Training, TrainingOptions, load_checkpoint, use_one_thread

    use_one_thread()
    progress(0.0, f"loading {arguments['dataset']}")
    dataset = load_dataset(arguments["dataset"], split=arguments["split"])
    options = TrainingOptions(**arguments["options"])
    training = Training(dataset, options, arguments["seed"])
    file = Path(arguments["checkpoint"])
    if file.exists():
        load_checkpoint(file, training)
    start, before = time.perf_counter(), training.epoch
    _run(training, file, progress)
    return report_of(training, time.perf_counter() - start, training.epoch - before)


def _run(training: Training, file: Path, progress: Progress) -> None:
    from gdr_core.neural import save_checkpoint

    due = time.monotonic() + _SAVE_EVERY
    while not training.finished:
        record = training.step()
        progress(record.epoch / training.options.epochs, f"epoch {record.epoch}")
        if time.monotonic() >= due:
            with suppress(OSError):  # a full disk costs the chance to go on from here
                file.parent.mkdir(parents=True, exist_ok=True)
                save_checkpoint(file, training)
            due = time.monotonic() + _SAVE_EVERY


def report_of(training: Training, seconds: float, epochs: int) -> dict[str, Any]:
    """What a finished training has reached, as plain numbers.

    seconds, epochs   of this stay, which may have begun at a checkpoint
    """
    best = training.best
    assert best is not None
    return {
        "seed": training.seed,
        "epochs": training.epoch,
        "best_epoch": best.epoch,
        "validation_loss": best.validation_loss,
        "validation_accuracy": best.validation_accuracy,
        "test_accuracy": best.test_accuracy,
        "time": best.time,
        "relative_time": best.relative_time,
        "seconds": seconds,
        "seconds_per_epoch": seconds / max(epochs, 1),
    }
