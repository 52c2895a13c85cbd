"""Networks whose layers spread over a graph, and their training. Imports torch.

`Training` runs one network epoch by epoch, `train` is the same as a generator with a checkpoint,
`probabilities` trains and returns class probabilities in one call.
"""

from gdr_core.neural.checkpoint import load_checkpoint, save_checkpoint
from gdr_core.neural.options import DIRECTIONS, MODELS, TrainingOptions, recommended
from gdr_core.neural.training import (
    Diverged,
    EpochRecord,
    Training,
    probabilities,
    train,
    use_one_thread,
)

__all__ = [
    "DIRECTIONS",
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
