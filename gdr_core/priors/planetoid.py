"""Planetoid as a prior; the model itself is in `planetoid_model`, which imports torch."""

from __future__ import annotations

from typing import Any

import numpy as np

from gdr_core.datasets.record import Dataset
from gdr_core.extras import need
from gdr_core.progress import Progress


def planetoid(dataset: Dataset, *, seed: int, progress: Progress, **options: Any) -> np.ndarray:
    """Class probabilities from features and from embeddings learned on graph and label contexts."""
    need("torch")
    from gdr_core.priors.planetoid_model import PlanetoidOptions, train

    return train(dataset, PlanetoidOptions(**options), seed, progress)
