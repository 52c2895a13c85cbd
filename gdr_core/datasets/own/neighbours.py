"""A graph for data that have none: each node joined to those whose features are nearest."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

NEIGHBOURS = 10
METRICS = ("cosine", "euclidean")
MOST = 50_000


def neighbour_graph(
    features: sp.csr_array | np.ndarray, neighbours: int = NEIGHBOURS, metric: str = "cosine"
) -> sp.csr_array:
    """A_ij = 1 where j is among the `neighbours` nearest of i, or i among those of j.

    With fewer nodes than that every other node is a neighbour.
    """
    nodes = features.shape[0]
    if metric not in METRICS:
        raise ValueError(f"the metric must be one of {', '.join(METRICS)}, got {metric!r}")
    if neighbours < 1:
        raise ValueError(f"neighbours must be at least 1, got {neighbours}")
    if nodes > MOST:
        raise ValueError(f"nearest neighbours are found for at most {MOST:,} nodes, not {nodes:,}")
    if nodes < 2:
        return sp.csr_array((nodes, nodes))
    nearest = nearest_rows(features, features, min(neighbours + 1, nodes), metric)[1]
    sources = np.repeat(np.arange(nodes), nearest.shape[1])
    targets = nearest.ravel()
    others = sources != targets
    # A row with many twins may not find itself among its nearest: then one neighbour is too many.
    rank = np.cumsum(others.reshape(nearest.shape), axis=1).ravel()
    kept = others & (rank <= neighbours)
    pairs = (np.ones(int(kept.sum())), (sources[kept], targets[kept]))
    links = sp.csr_array(pairs, shape=(nodes, nodes))
    return sp.csr_array(links.maximum(links.T))


def nearest_rows(
    fitted: sp.csr_array | np.ndarray, asked: sp.csr_array | np.ndarray, count: int, metric: str
) -> tuple[np.ndarray, np.ndarray]:
    """Distances and numbers of the fitted rows nearest to each row that is asked about."""
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=count, metric=metric).fit(fitted)
    return model.kneighbors(asked)
