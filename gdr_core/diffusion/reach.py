"""How far a layer of a network looks: the weight of nodes by their distance in links."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, dijkstra

from gdr_core.diffusion.impulse import kernel_row
from gdr_core.laplacians import LAPLACIANS, make_laplacian

MOST_HOPS = 8


def typical_node(adjacency: sp.csr_array) -> int:
    """The first node of the largest component that has the median number of links there.

    >>> typical_node(sp.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])))
    0
    """
    _, parts = connected_components(adjacency, directed=False)
    members = np.flatnonzero(parts == np.argmax(np.bincount(parts)))
    degrees = np.diff(adjacency.indptr)[members]
    middle = np.sort(degrees)[(len(degrees) - 1) // 2]
    return int(members[np.argmax(degrees == middle)])


def weight_by_distance(
    adjacency: sp.csr_array, node: int, kind: str, time: float = 0.0, *, self_loops: bool = False
) -> np.ndarray:
    """Shares of the weights w_j that a layer gives to nodes 0, 1, 2, … links from a node i.

    kind   a name of `LAPLACIANS`: w is row i of e^{−tL};
           `gcn`: row i of Â = D̄^{−1/2} (A + I) D̄^{−1/2}; `mlp`: the node alone

    Entry h is Σ_{j at distance h} w_j / Σ_j w_j; the last entry holds everything from there on.
    """
    row = _row(adjacency, node, kind, time, self_loops)
    links = dijkstra(adjacency, directed=False, indices=node, unweighted=True, limit=MOST_HOPS)
    hops = np.where(np.isfinite(links), links, MOST_HOPS).astype(int)
    weights = np.bincount(np.minimum(hops, MOST_HOPS), weights=row, minlength=MOST_HOPS + 1)
    return weights / weights.sum()


def _row(
    adjacency: sp.csr_array, node: int, kind: str, time: float, self_loops: bool
) -> np.ndarray:
    """Row i of what a layer multiplies by."""
    size = adjacency.shape[0]
    if kind == "mlp":
        return np.eye(1, size, node).ravel()
    looped = sp.csr_array(adjacency + sp.eye_array(size))
    if kind == "gcn":
        scale = 1 / np.sqrt(np.asarray(looped.sum(axis=1)).ravel())
        return np.asarray(scale[node] * looped[[node]].toarray().ravel() * scale)
    if kind not in LAPLACIANS:
        raise ValueError(f"unknown kind {kind!r}; there are gcn, mlp, {', '.join(LAPLACIANS)}")
    return kernel_row(make_laplacian(kind, looped if self_loops else adjacency), node, time)
