"""The part of a graph around one node: who is near, how far, and where to draw them.

Directions are forgotten: a neighbourhood is what a reader walks through, not what diffuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

MOST_HOPS = 3
_MOST_NODES = 150


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The nodes within a few hops of a centre, nearest first; entry 0 is the centre.

    nodes       node numbers in the whole graph
    distances   hops from the centre, the true ones of the whole graph
    edges       pairs of positions in `nodes`, each undirected edge once, shape (edges, 2)
    parents     position of the node through which each is reached (the heaviest link to the hop
                before); the centre is its own
    left_out    nodes within reach that the cap keeps out
    """

    nodes: np.ndarray
    distances: np.ndarray
    edges: np.ndarray
    parents: np.ndarray
    left_out: int

    @cached_property
    def centre(self) -> int:
        """The node in the middle."""
        return int(self.nodes[0])

    def places(self) -> np.ndarray:
        """Concentric rings, one for each hop, inside the unit circle; shape (nodes, 2)."""
        return _concentric(self.distances, self.parents)


@dataclass(frozen=True, eq=False)
class Sample:
    """Some nodes at each distance from a source, nearest first; entry 0 is the source."""

    nodes: np.ndarray
    distances: np.ndarray


def sample_by_distance(adjacency: sp.csr_array, source: int, each: int = 12) -> Sample:
    """At most `each` nodes of every distance, spread evenly over their numbers."""
    _check(adjacency, source, 0, each)
    graph = sp.csr_array(adjacency.maximum(adjacency.T))
    chosen, distances = [], []
    for hop, (ring, _) in enumerate(_rings(graph, source, graph.shape[0])):
        spread = np.linspace(0, ring.size - 1, min(each, ring.size)).round().astype(int)
        chosen.append(ring[spread])
        distances.append(np.full(spread.size, hop))
    return Sample(np.concatenate(chosen), np.concatenate(distances))


def neighbourhood(
    adjacency: sp.csr_array, centre: int, hops: int = 2, most: int = _MOST_NODES
) -> Neighbourhood:
    """The nodes at most `hops` links from the centre, at most `most` of them.

    Nearer hops come first. Where a hop does not fit whole, those of its nodes are kept that hang
    by the heaviest links on the hop before (the sum of the weights; of equals the lower number),
    and no later hop is shown: every kept node is then joined to the centre by kept nodes.
    """
    _check(adjacency, centre, hops, most)
    graph = sp.csr_array(adjacency.maximum(adjacency.T))
    rings: list[np.ndarray] = []
    reached = kept = 0
    for ring, strength in _rings(graph, centre, hops):
        if kept == reached:  # all nearer hops are whole
            strongest = np.lexsort((ring, -strength))[: most - kept]
            rings.append(np.sort(ring[strongest]))
            kept += strongest.size
        reached += ring.size
    nodes = np.concatenate(rings)
    distances = np.repeat(np.arange(len(rings)), [ring.size for ring in rings])
    inner = sp.csr_array(graph[nodes][:, nodes])
    links = sp.triu(inner, k=1).tocoo()
    return Neighbourhood(
        nodes=nodes,
        distances=distances,
        edges=np.column_stack([links.row, links.col]).astype(np.int64),
        parents=_parents(inner, distances),
        left_out=reached - nodes.size,
    )


def _concentric(distances: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """A tree drawn in rings: each node has a sector as wide as the leaves that hang on it.

    Children lie within their parent's sector, so links between rings cross little, and no two
    nodes share a place.
    """
    count = distances.size
    leaves = np.zeros(count)
    leaves[np.setdiff1d(np.arange(count), parents[1:])] = 1
    for node in range(count - 1, 0, -1):  # nearest first, so children come after their parents
        leaves[parents[node]] += leaves[node]
    width, start = np.zeros(count), np.zeros(count)
    width[0] = 2 * np.pi
    used = np.zeros(count)
    for node in range(1, count):
        parent = parents[node]
        width[node] = width[parent] * leaves[node] / leaves[parent]
        start[node] = start[parent] + used[parent]
        used[parent] += width[node]
    angle = np.pi / 2 - (start + width / 2)
    radius = distances / max(int(distances.max(initial=0)), 1)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def _rings(graph: sp.csr_array, centre: int, hops: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The nodes of each hop, with the summed weight of their links to the hop before."""
    seen = np.zeros(graph.shape[0], dtype=bool)
    ring, strength = np.array([centre]), np.array([np.inf])
    for _ in range(hops + 1):
        if not ring.size:
            return
        yield ring, strength
        seen[ring] = True
        links = graph[ring].tocoo()
        pull = np.bincount(links.col, links.data, minlength=graph.shape[0])
        pull[seen] = 0
        ring = np.flatnonzero(pull)
        strength = pull[ring]


def _parents(inner: sp.csr_array, distances: np.ndarray) -> np.ndarray:
    parents = np.zeros(distances.size, dtype=np.int64)
    for node in range(1, distances.size):
        row = slice(inner.indptr[node], inner.indptr[node + 1])
        nearer = distances[inner.indices[row]] < distances[node]
        parents[node] = inner.indices[row][nearer][np.argmax(inner.data[row][nearer])]
    return parents


def _check(adjacency: sp.csr_array, centre: int, hops: int, most: int) -> None:
    nodes = adjacency.shape[0]
    if not 0 <= centre < nodes:
        raise ValueError(f"the centre must lie between 0 and {nodes - 1}, got {centre}")
    if not 0 <= hops <= MOST_HOPS:
        raise ValueError(f"hops must lie between 0 and {MOST_HOPS}, got {hops}")
    if most < 1:
        raise ValueError(f"a neighbourhood needs room for at least 1 node, got {most}")
