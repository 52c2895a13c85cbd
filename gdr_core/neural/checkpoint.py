"""A training run on disk: enough to continue it with the same result as without the pause.

The file holds tensors, numbers and strings only and is read as such (`weights_only`): a file from
elsewhere can be refused but cannot run code. Everything in it is compared with the run that it is
to continue before any of it is taken over.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import torch

from gdr_core import gate
from gdr_core.datasets.record import PARTS, Dataset
from gdr_core.neural.options import LARGEST_EPOCHS
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
    path = Path(path)
    state = read(path, training.device)
    _refuse_another(path, state.get("run"), run_of(training))
    if (odd := next(_misfits(state, training), None)) is not None:
        raise ValueError(f"{path} is a damaged checkpoint: its {odd} does not fit the run")
    generator = training.network.generator
    before = generator.get_state()
    try:
        generator.set_state(state["generator"].cpu())
    except RuntimeError as error:
        generator.set_state(before)
        raise ValueError(f"{path} is a damaged checkpoint: its random state is none") from error
    training.network.load_state_dict(state["weights"])
    groups = training.optimizer.state_dict()["param_groups"]
    training.optimizer.load_state_dict(
        {"state": state["optimizer"]["state"], "param_groups": groups}
    )
    training.epoch = state["epoch"]
    training.best = None if state["best"] is None else EpochRecord(**state["best"])
    training.best_weights = state["best_weights"]
    training.average = state["average"]
    return training


def read(path: Path, device: str) -> dict[str, Any]:
    """The file's content, or an error that says the file is not a checkpoint."""
    _check_archive(path)
    try:
        state = torch.load(path, map_location=device, weights_only=True)
    except Exception as error:  # torch parses a language of its own, and fails in many ways
        raise ValueError(f"{path} is not a checkpoint, or it is damaged") from error
    if not isinstance(state, dict) or state.get("format") != _FORMAT:
        raise ValueError(f"{path} is not a checkpoint of this version ({_FORMAT})")
    return state


def _check_archive(path: Path) -> None:
    """Refuse what is no whole archive, before torch maps it: its members are stored as they are,
    so that none can claim more than the file has, and each has a checksum."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no checkpoint {path}")
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            plain = all(m.compress_type == zipfile.ZIP_STORED for m in members)
            whole = sum(m.file_size for m in members) <= path.stat().st_size
            if plain and whole and archive.testzip() is None:
                return
    except Exception as error:  # zipfile raises half a dozen kinds
        raise ValueError(f"{path} is not a checkpoint, or it is damaged") from error
    raise ValueError(f"{path} is not a checkpoint, or it is damaged")


def _misfits(state: dict[str, Any], training: Training) -> Iterator[str]:
    """The names of what is missing or is not of the form that the run has."""
    own = training.network.state_dict()
    for name in ("weights", "best_weights", "average"):
        if not _is_like(state.get(name), own):
            yield name
    if not _is_optimizer(state.get("optimizer"), training):
        yield "optimizer"
    if not _is_tensor(state.get("generator"), training.network.generator.get_state()):
        yield "generator"
    epoch = state.get("epoch")
    if type(epoch) is not int or not 0 <= epoch <= LARGEST_EPOCHS:
        yield "epoch"
    if "best" not in state or not _is_record(state["best"]):
        yield "best"


def _is_like(given: Any, own: dict[str, torch.Tensor]) -> bool:
    return (
        isinstance(given, dict)
        and given.keys() == own.keys()
        and all(_is_tensor(given[name], own[name]) for name in own)
    )


def _is_tensor(given: Any, own: torch.Tensor) -> bool:
    """Whether this is a plain tensor of finite numbers of the same form."""
    return (
        isinstance(given, torch.Tensor)
        and given.layout == torch.strided
        and (given.shape, given.dtype) == (own.shape, own.dtype)
        and bool(torch.isfinite(given).all())
    )


def _is_optimizer(given: Any, training: Training) -> bool:
    """Whether Adam's memory fits the weights: for each a count of steps and two moments."""
    weights = [p for group in training.optimizer.param_groups for p in group["params"]]
    state = given.get("state") if isinstance(given, dict) else None
    if not isinstance(state, dict) or (state and state.keys() != set(range(len(weights)))):
        return False
    step = torch.zeros(())
    return all(
        isinstance(state[i], dict)
        and state[i].keys() == {"step", "exp_avg", "exp_avg_sq"}
        and _is_tensor(state[i]["step"], step)
        and all(_is_tensor(state[i][name], weights[i]) for name in ("exp_avg", "exp_avg_sq"))
        for i in state
    )


def _is_record(given: Any) -> bool:
    """Whether these are the numbers of an epoch; times are None where a model has none."""
    names = {field.name for field in fields(EpochRecord)}
    if given is None:
        return True
    return (
        isinstance(given, dict)
        and given.keys() == names
        and all(
            type(value) in (int, float) or (value is None and "time" in name)
            for name, value in given.items()
        )
    )


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


def _refuse_another(path: Path, saved: Any, wanted: dict[str, Any]) -> None:
    """Refuse a checkpoint whose run differs, and name the first differences."""
    if not isinstance(saved, dict) or not all(_is_plain(value) for value in saved.values()):
        raise ValueError(f"{path} is a damaged checkpoint: it does not say which run it is of")
    differ = [name for name in wanted if saved.get(name) != wanted[name]]
    if differ:
        details = "; ".join(
            f"{key} {gate.shown(saved.get(key))}, not {wanted[key]!r}" for key in differ[:3]
        )
        whose = f"{saved.get('model')} on {saved.get('dataset')}"
        raise ValueError(
            f"{path} is a checkpoint of another run ({gate.shown(whose)[1:-1]}): {details}"
        )


def _is_plain(value: Any) -> bool:
    return value is None or type(value) in (bool, int, float, str)


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
