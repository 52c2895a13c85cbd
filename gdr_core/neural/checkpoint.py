"""A training run on disk: enough to continue it with the same result as without the pause.

The file holds tensors, numbers and strings only and is read as such (`weights_only`): a file from
elsewhere can be refused but cannot run code.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from gdr_core.datasets.record import PARTS, Dataset
from gdr_core.neural.training import EpochRecord, Training

_FORMAT = "gdr-core training 1"


def save_checkpoint(path: str | Path, training: Training) -> None:
    """Write the run as it stands. The file is replaced in one move, so it is always whole."""
    path = Path(path)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    state = {
        "format": _FORMAT,
        "run": run_of(training),
        "epoch": training.epoch,
        "weights": training.network.state_dict(),
        "optimizer": training.optimizer.state_dict(),
        "generator": training.network.generator.get_state(),
        "best": None if training.best is None else asdict(training.best),
        "best_weights": training.best_weights,
        "average": training.average,
    }
    try:
        with partial.open("wb") as file:
            torch.save(state, file)
        partial.replace(path)
    except (OSError, RuntimeError) as error:
        partial.unlink(missing_ok=True)
        raise OSError(f"the checkpoint {path} could not be written: {error}") from error


def load_checkpoint(path: str | Path, training: Training) -> Training:
    """Put `training` where the saved run stood; a checkpoint of another run is refused."""
    state = read(Path(path), training.device)
    _refuse_another(Path(path), state["run"], run_of(training))
    training.network.load_state_dict(state["weights"])
    training.optimizer.load_state_dict(state["optimizer"])
    training.network.generator.set_state(state["generator"].cpu())
    training.epoch = state["epoch"]
    training.best = None if state["best"] is None else EpochRecord(**state["best"])
    training.best_weights = state["best_weights"]
    training.average = state["average"]
    return training


def read(path: Path, device: str) -> dict[str, Any]:
    """The file's content, or an error that says the file is not a checkpoint."""
    try:
        state = torch.load(path, map_location=device, weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError) as error:
        raise ValueError(f"{path} is not a checkpoint, or it is damaged") from error
    if not isinstance(state, dict) or state.get("format") != _FORMAT:
        raise ValueError(f"{path} is not a checkpoint of this version ({_FORMAT})")
    return state


def run_of(training: Training) -> dict[str, Any]:
    """What makes a run this run: data, options and seed. `epochs` and `patience` may change."""
    options = training.options.as_dict()
    for name in ("epochs", "patience"):
        del options[name]
    return {
        "dataset": training.dataset.name,
        "split": training.dataset.split.name,
        **options,
        "seed": training.seed,
        "data": fingerprint(training.dataset),
    }


def _refuse_another(path: Path, saved: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse a checkpoint whose run differs, and name the first differences."""
    differ = [name for name in wanted if saved.get(name) != wanted[name]]
    if differ:
        details = "; ".join(f"{key} {saved.get(key)!r}, not {wanted[key]!r}" for key in differ[:3])
        raise ValueError(
            f"{path} is a checkpoint of another run "
            f"({saved.get('model')} on {saved.get('dataset')}): {details}"
        )


def fingerprint(dataset: Dataset) -> str:
    """SHA-256 of everything a network learns from."""
    digest = hashlib.sha256()
    for matrix in (dataset.adjacency, dataset.features):
        for array in (matrix.indptr.astype("<i8"), matrix.indices.astype("<i8"), matrix.data):
            digest.update(array.tobytes())
    digest.update(dataset.labels.tobytes())
    for part in PARTS:
        digest.update(getattr(dataset.split, part).tobytes() + b"|")
    return digest.hexdigest()
