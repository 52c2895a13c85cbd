"""Damaged checkpoints: bytes that were hit, and states that were made up."""

from __future__ import annotations

import io
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from gdr_core.datasets.own.fuzz import damaged
from gdr_tools.fuzz.judging import outcome_of

Draw = random.Random
_FIELDS = ("format", "run", "epoch", "weights", "optimizer", "generator", "best", "best_weights",
           "average")  # fmt: skip


def prepare() -> None:
    """Train the run whose checkpoint is damaged."""
    _saved()


def make(draw: Draw) -> bytes:
    """The bytes of a file; now and then of a whole one, which must be taken."""
    if draw.random() < 0.2:
        return _saved()
    if draw.random() < 0.5:
        return damaged(_saved(), [_saved(), b"PK\3\4", b"\x80\2."], draw)
    return _bytes_of(_changed(draw))


def attempt(case: bytes) -> str:
    """Put the checkpoint into a fresh run; one that is taken must be able to go on."""
    import torch

    from gdr_core.neural import load_checkpoint

    training = _training()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.pt")
        path.write_bytes(case)
        before = [p.clone() for p in training.network.parameters()]
        outcome = outcome_of(lambda: load_checkpoint(path, training))
    if outcome == "refused":
        after = list(training.network.parameters())
        same = all(torch.equal(a, b) for a, b in zip(before, after, strict=True))
        return outcome if same and training.epoch == 0 else "wrong: refused, but half taken over"
    return outcome_of(training.step) if outcome == "result" else outcome


def _training() -> Any:
    from gdr_core import load_dataset
    from gdr_core.neural import Training, TrainingOptions

    options = TrainingOptions(model="gcn", hidden=2, epochs=9)
    return Training(load_dataset("path", size=6), options, device="cpu")


@cache
def _saved() -> bytes:
    from gdr_core.neural import save_checkpoint, use_one_thread

    use_one_thread()
    training = _training()
    training.step()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.pt")
        save_checkpoint(path, training)
        return path.read_bytes()


def _changed(draw: Draw) -> dict[str, Any]:
    """The state with one or two fields, or parts of them, replaced or left out."""
    import torch

    state = torch.load(io.BytesIO(_saved()), weights_only=True)
    for _ in range(draw.choice((1, 1, 2))):
        place: Any = state
        key: Any = draw.choice(_FIELDS)
        while isinstance(place.get(key), dict) and place[key] and draw.random() < 0.7:
            place = place[key]
            key = draw.choice(list(place))
        if draw.random() < 0.2:
            place.pop(key, None)
        else:
            place[key] = _odd(draw, place.get(key))
    return state


def _odd(draw: Draw, given: Any) -> Any:
    import torch

    values: list[Any] = [None, 0, -1, 10**20, float("nan"), "x", [], {}, {"a": 1}, True, 3,
                         torch.zeros(0), torch.zeros(3, 3), torch.tensor(float("nan")),
                         torch.zeros(2, dtype=torch.int64), torch.zeros(1, 10**6).expand(10**3, -1),
                         torch.eye(3).to_sparse()]  # fmt: skip
    if _is_plain(given) and draw.random() < 0.6:
        values = [given.double(), given.flatten(), given[:0] if given.ndim else given[None],
                  torch.full_like(given, torch.inf if given.is_floating_point() else 127),
                  given.to_sparse() if given.ndim else given, given.T.contiguous().T]  # fmt: skip
    return draw.choice(values)


def _is_plain(given: Any) -> bool:
    """Whether it is a tensor whose copies stay small: one of ours claims more than it holds."""
    import torch

    return isinstance(given, torch.Tensor) and not given.is_sparse and given.numel() < 10**6


def _bytes_of(state: dict[str, Any]) -> bytes:
    import torch

    stream = io.BytesIO()
    torch.save(state, stream)
    return stream.getvalue()
