"""The prior that knows nothing."""

from __future__ import annotations

import numpy as np

from gdr_core.datasets.record import Dataset
from gdr_core.progress import Progress


def uniform(dataset: Dataset, *, seed: int, progress: Progress) -> np.ndarray:
    """H = 1/c everywhere: after diffusion, only the graph and the training labels speak."""
    return np.full((dataset.nodes, dataset.classes), 1.0 / dataset.classes)
