"""Large random graphs with a power-law degree distribution, for the scaling benchmark."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

_EXPONENT = 2.5


def powerlaw_graph(nodes: int, edges: int, seed: int, *, directed: bool = False) -> sp.csr_array:
    """Exactly `edges` edges, drawn between nodes with probability proportional to their weights.

    Weights follow a power law with exponent 2.5, cut at √N as is usual for graphs without degree
    correlations (Chung and Lu 2002). A ring through all nodes keeps the graph connected.
    """
    generator = np.random.default_rng(seed)
    weights = np.minimum(generator.pareto(_EXPONENT - 1, nodes) + 1, np.sqrt(nodes))
    places = np.cumsum(weights) / weights.sum()
    around = np.arange(nodes, dtype=np.int64)
    ring = _edge_keys(around, (around + 1) % nodes, nodes, directed)
    fresh, surplus = np.empty(0, dtype=np.int64), 1.2
    while fresh.size < edges - ring.size:
        ends = np.searchsorted(places, generator.random((2, int(surplus * edges))))
        ends = np.minimum(ends, nodes - 1)
        tail, head = ends[:, ends[0] != ends[1]]
        fresh = _edge_keys(tail, head, nodes, directed)
        fresh = fresh[~np.isin(fresh, ring, assume_unique=True)]
        surplus *= 1.5
    kept = generator.choice(fresh, edges - ring.size, replace=False, shuffle=False)
    return _from_keys(np.sort(np.concatenate([ring, kept])), nodes, directed)


def _edge_keys(tail: np.ndarray, head: np.ndarray, nodes: int, directed: bool) -> np.ndarray:
    """One number for each edge, without repetition; an undirected edge has one direction."""
    if not directed:
        tail, head = np.minimum(tail, head), np.maximum(tail, head)
    return np.unique(tail.astype(np.int64) * nodes + head)


def _from_keys(keys: np.ndarray, nodes: int, directed: bool) -> sp.csr_array:
    """The adjacency matrix of the edges."""
    tail, head = np.divmod(keys, nodes)
    ones = np.ones(keys.size)
    matrix = sp.csr_array((ones, (tail.astype(np.int32), head.astype(np.int32))), (nodes, nodes))
    return matrix if directed else sp.csr_array(matrix + matrix.T)
