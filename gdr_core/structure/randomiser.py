"""A dataset that says less than it did: features permuted over nodes, edges rewired."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gdr_core.datasets.record import Dataset
from gdr_core.graphs.rewiring import rewired
from gdr_core.progress import Progress, ignore


def randomised(
    dataset: Dataset,
    *,
    features: float = 0.0,
    edges: float = 0.0,
    seed: int = 0,
    progress: Progress = ignore,
) -> Dataset:
    """The dataset with a share of its features permuted and a share of its edges rewired.

    features   share of the nodes that exchange their features among each other
    edges      share of the edges that are rewired, all degrees kept

    Classes, split and layout stay, so that a method can be judged on both.

    >>> from gdr_core import load_dataset
    >>> from gdr_core.structure.randomiser import randomised
    >>> club = load_dataset("karate")
    >>> mixed = randomised(club, edges=0.5, seed=3)
    >>> mixed.edges == club.edges, (mixed.adjacency != club.adjacency).nnz > 0
    (True, True)
    """
    if not 0 <= features <= 1:
        raise ValueError(f"the share of features to permute must lie in 0 … 1, got {features}")
    order = np.arange(dataset.nodes)
    random = np.random.default_rng(seed)
    moved = random.permutation(dataset.nodes)[: round(features * dataset.nodes)]
    order[moved] = random.permutation(moved)
    graph = rewired(dataset.adjacency, edges, seed, directed=dataset.directed, progress=progress)
    return replace(dataset, features=dataset.features[order], adjacency=graph)
