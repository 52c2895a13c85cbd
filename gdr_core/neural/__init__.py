"""Networks whose layers spread over a graph, and their training.

`Training` runs one network epoch by epoch, `train` is the same as a generator with a checkpoint,
`probabilities` trains and returns class probabilities in one call. What computes needs torch, which
is imported when the first of these names is used; options can be had and checked without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gdr_core.extras import need
from gdr_core.neural.options import MODELS, TrainingOptions, recommended

if TYPE_CHECKING:
    from gdr_core.neural.checkpoint import load_checkpoint, save_checkpoint
    from gdr_core.neural.training import (
        Diverged,
        EpochRecord,
        Training,
        probabilities,
        train,
        use_one_thread,
    )

__all__ = [
    "MODELS",
    "Diverged",
    "EpochRecord",
    "Training",
    "TrainingOptions",
    "load_checkpoint",
    "probabilities",
    "recommended",
    "save_checkpoint",
    "train",
    "use_one_thread",
]

_CHECKPOINTS = ("load_checkpoint", "save_checkpoint")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    need("torch")
    module = "checkpoint" if name in _CHECKPOINTS else "training"
    return getattr(import_module(f"{__name__}.{module}"), name)
