"""Regions of a graph: groups of nodes with many edges inside and few to the rest.

The modularity of a partition into groups C (Newman 2006) is

    Q = Σ_C [ w_C − d_C² ],

with w_C the share of the edges' weight that lies inside C, counted in both directions, and d_C the
share of the degrees that its nodes have: what lies inside beyond what chance would put there.

The partition is sought as Blondel et al. (2008) do: nodes move to the neighbouring group that
gains most, then whole groups move as nodes did. Here all nodes are weighed at once, by one sparse
product, and half of those that gain, drawn at random from a fixed seed, move together. Where that
does not raise Q, half of the quarter that gains most is tried, and so on down to one node, whose
gain is certain. So every step raises Q, and the search ends at a partition that no move of a single
node improves. A group in several pieces is taken apart, which raises Q, too: regions are connected.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from gdr_core.progress import Progress, ignore

_GAIN = 1e-12  # of the whole weight: smaller gains are rounding


def regions(adjacency: sp.csr_array, *, seed: int = 0, progress: Progress = ignore) -> np.ndarray:
    """The region of every node: a number, from the largest region on.

    adjacency   symmetric, weights not negative; loops do not count
    seed        fixes which nodes move together

    A node without edges is a region by itself. Two triangles, joined by an edge:

    >>> edges = sp.coo_array((np.ones(7), ([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])), (6, 6))
    >>> regions(sp.csr_array(edges + edges.T)).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    weights = _shares(adjacency)
    groups = np.arange(weights.shape[0])
    random, quality = np.random.default_rng(seed), modularity(adjacency, groups)
    while True:
        moved = _move(weights, _degrees(weights), groups, random, progress)
        united = _unite(weights, moved, random)
        better = _in_pieces(weights, united)
        reached = modularity(adjacency, better)
        if reached <= quality + _GAIN:
            return _by_size(groups)
        groups, quality = better, reached


def modularity(adjacency: sp.csr_array, groups: np.ndarray) -> float:
    """Q of a partition; 0 for a graph without edges.

    >>> both = sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> modularity(both, np.array([0, 1])), modularity(both, np.array([0, 0]))
    (-0.5, 0.0)
    """
    weights = _shares(adjacency)
    return _quality(weights, _degrees(weights), groups)


def _shares(adjacency: sp.csr_array) -> sp.csr_array:
    """The weights without loops, as shares of their sum."""
    weights = sp.csr_array(adjacency, dtype=np.float64)
    weights = sp.csr_array(weights - sp.diags_array(weights.diagonal()))
    weights.eliminate_zeros()
    total = weights.data.sum()
    return sp.csr_array(weights / total) if total > 0 else weights


def _degrees(weights: sp.csr_array) -> np.ndarray:
    return np.asarray(weights.sum(axis=1)).ravel()


def _sources(weights: sp.csr_array) -> np.ndarray:
    """The row of every stored entry."""
    return np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))


def _quality(weights: sp.csr_array, degrees: np.ndarray, groups: np.ndarray) -> float:
    inside = weights.data[groups[_sources(weights)] == groups[weights.indices]].sum()
    return float(inside - np.square(np.bincount(groups, degrees)).sum())


def _move(
    weights: sp.csr_array,
    degrees: np.ndarray,
    groups: np.ndarray,
    random: np.random.Generator,
    progress: Progress,
) -> np.ndarray:
    """Nodes move between groups until no move of a single one raises Q."""
    quality = _quality(weights, degrees, groups)
    while True:
        best, gains = _best_moves(weights, degrees, groups)
        gaining = np.flatnonzero(gains > _GAIN)
        progress(1 - gaining.size / groups.size if groups.size else 1.0, "finding regions")
        while True:
            if not gaining.size:
                return groups
            moving = _some(gaining, random)
            trial = groups.copy()
            trial[moving] = best[moving]
            reached = _quality(weights, degrees, trial)
            if reached > quality + _GAIN:
                break
            largest = np.argsort(-gains[gaining], kind="stable")
            gaining = gaining[largest[: gaining.size // 4 or gaining.size - 1]]
        groups, quality = np.unique(trial, return_inverse=True)[1], reached


def _some(nodes: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """About half of them, and at least one."""
    half = nodes[random.random(nodes.size) < 0.5]
    return half if half.size else nodes[:1]


def _best_moves(
    weights: sp.csr_array, degrees: np.ndarray, groups: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each node the group where it is best, and what moving there gains, as half of Q's gain.

    Of equally good groups it is the first. A node that is best alone begins a group of its own.
    """
    nodes, count = groups.size, int(groups.max(initial=-1)) + 1
    member = sp.csr_array((np.ones(nodes), groups, np.arange(nodes + 1)), shape=(nodes, count))
    towards = sp.csr_array(weights @ member)
    source, group = _sources(towards), towards.indices
    at_home = group == groups[source]
    total = np.bincount(groups, degrees, minlength=count)
    held = towards.data - at_home * weights.diagonal()[source]
    value = held - degrees[source] * (total[group] - at_home * degrees[source])
    stay = -degrees * (total[groups] - degrees)
    stay[source[at_home]] = value[at_home]
    highest = np.zeros(nodes)  # the value of being alone
    np.maximum.at(highest, source, value)
    best = count + np.arange(nodes)
    reaching = np.flatnonzero((value == highest[source]) & (value > 0))[::-1]
    best[source[reaching]] = group[reaching]
    return best, highest - stay


def _unite(weights: sp.csr_array, groups: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Groups of groups, level by level, until no move of a whole group raises Q."""
    while True:
        between = _between(weights, groups)
        each = np.arange(between.shape[0])
        moved = _move(between, _degrees(between), each, random, ignore)
        if moved.max(initial=-1) + 1 == each.size:
            return groups
        groups = moved[groups]


def _between(weights: sp.csr_array, groups: np.ndarray) -> sp.csr_array:
    """The weights between groups; on the diagonal those inside."""
    count = int(groups.max(initial=-1)) + 1
    ends = (groups[_sources(weights)], groups[weights.indices])
    return sp.csr_array(sp.coo_array((weights.data, ends), shape=(count, count)))


def _in_pieces(weights: sp.csr_array, groups: np.ndarray) -> np.ndarray:
    """The same groups, each piece that no edge joins to the rest of its group by itself."""
    source = _sources(weights)
    inside = groups[source] == groups[weights.indices]
    ends = (source[inside], weights.indices[inside])
    kept = sp.coo_array((weights.data[inside], ends), shape=weights.shape)
    return np.asarray(connected_components(kept, directed=False)[1])


def _by_size(groups: np.ndarray) -> np.ndarray:
    """The largest group first; of equally large ones that with the first node."""
    _, first, numbered, sizes = np.unique(
        groups, return_index=True, return_inverse=True, return_counts=True
    )
    place = np.empty(sizes.size, dtype=np.int64)
    place[np.lexsort((first, -sizes))] = np.arange(sizes.size)
    return place[numbered]
