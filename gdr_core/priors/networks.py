"""The networks of `gdr_core.neural` as priors.

Training keeps the weights with the lowest loss on validation nodes, so these priors read the
labels of training and validation nodes. `gdr_core.neural` imports torch and is imported on use.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gdr_core.datasets.record import Dataset
from gdr_core.progress import Progress


def network(
    model: str, dataset: Dataset, *, seed: int, progress: Progress, **options: Any
) -> np.ndarray:
    """Class probabilities of a two-layer network after training."""
    from gdr_core.neural import probabilities

    return probabilities(model, dataset, seed=seed, progress=progress, **_training_options(options))


def resolved(model: str, options: dict[str, Any], dataset: str | None = None) -> dict[str, Any]:
    """The options of the training run, recommendations for the dataset filled in."""
    from gdr_core.neural import recommended

    return recommended(model, dataset=dataset, **_training_options(options)).as_dict()


def _training_options(options: dict[str, Any]) -> dict[str, Any]:
    chosen = {name: value for name, value in options.items() if value is not None}
    chosen["normalise_features"] = chosen.pop("features") == "row-normalised"
    return chosen


mlp, gcn, diff_gcn, heat_net, appnp, semi_embedding = (
    partial(network, model)
    for model in ("mlp", "gcn", "diff-gcn", "heat-net", "appnp", "semi-embedding")
)
