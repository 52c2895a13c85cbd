"""Louvain's search on a full symmetric matrix.

The value of a partition is the sum of the matrix B over all pairs of nodes in the same group. It is
raised by the method of Blondel et al. (2008): nodes move, one by one, to the group that gains most,
then groups become nodes. What it finds is refined: single nodes move again, groups unite again,
until neither gains anything.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

_KICKS = (4, 100)  # tries to leave the best partition of a time: fewest, most
_VISITS = 10000  # nodes that kicks look at, together, before there are fewer of them
_LOOSE = (0.05, 0.4)  # share of the nodes that a kick sets free
_SPARSE = 400  # nodes, from which sums over groups are taken by a sparse product
GAIN = 1e-9  # of the largest entry: smaller gains are rounding


def stability(matrix: np.ndarray, partition: np.ndarray) -> float:
    """trace Hᵀ B H: the sum of B over all pairs in the same group."""
    sums = _sums(matrix, partition)
    return float(sums[partition, np.arange(partition.size)].sum())


def louvain(
    matrix: np.ndarray, random: np.random.Generator, start: np.ndarray | None = None
) -> np.ndarray:
    """A partition that no move of a node, and no union of groups, improves; groups by size.

    start   group numbers to begin with; each node by itself where not given

    Where nothing tells nodes apart, all are in one group.
    """
    largest = np.abs(matrix).max(initial=0.0)
    if not largest:
        return np.zeros(matrix.shape[0], dtype=np.int64)
    matrix = matrix / largest
    groups = np.arange(matrix.shape[0]) if start is None else start
    while True:
        moved = _move_nodes(matrix, groups, random)
        united = unite(_between(matrix, moved), random)[moved]
        if united.max() == moved.max():  # no union gained, so no node will move either
            return by_size(united)
        groups = united


def variation_of_information(one: np.ndarray, other: np.ndarray) -> float:
    """H(one | other) + H(other | one), in nats; 0 for equal partitions.

    >>> variation_of_information(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    0.0
    """
    _, a = np.unique(one, return_inverse=True)
    _, b = np.unique(other, return_inverse=True)
    joint = np.unique(a * (b.max() + 1) + b, return_counts=True)[1] / a.size
    alone = (np.bincount(a) / a.size, np.bincount(b) / b.size)
    return max(0.0, 2 * _entropy(joint) - _entropy(alone[0]) - _entropy(alone[1]))


def _move_nodes(matrix: np.ndarray, groups: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Nodes move to the group that gains most, until none does; groups numbered from 0."""
    while True:
        groups = np.unique(groups, return_inverse=True)[1]
        towards = np.zeros((matrix.shape[0], int(groups.max()) + 2))
        towards[:, :-1] = _sums(matrix, groups).T
        if not _settle(matrix, groups, towards, random):
            return groups


def _settle(
    matrix: np.ndarray, groups: np.ndarray, towards: np.ndarray, random: np.random.Generator
) -> bool:
    """Visit those who gain, in random order, until nobody does; whether anybody moved.

    towards   the sum of B between each node and each group, kept up to date; the last group is
              empty, for a node that is best alone
    """
    own, nodes, moved = np.diag(matrix), np.arange(matrix.shape[0]), False
    while True:
        towards[nodes, groups] -= own
        gains = np.flatnonzero(towards.max(axis=1) > towards[nodes, groups] + GAIN)
        towards[nodes, groups] += own
        if not gains.size:
            return moved
        _visit(matrix, groups, towards, random.permutation(gains).tolist())
        moved = True


def _visit(matrix: np.ndarray, groups: np.ndarray, towards: np.ndarray, order: list[int]) -> None:
    """Each node of the order moves if it still gains."""
    for node in order:
        now, row = groups[node], towards[node]
        here = row[now] - matrix[node, node]
        row[now] = here
        best = int(row.argmax())
        row[now] += matrix[node, node]
        if row[best] > here + GAIN and best != now:
            towards[:, now] -= matrix[node]
            towards[:, best] += matrix[node]
            groups[node] = best


def unite(matrix: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Groups of groups, level by level, until no move of a whole group gains."""
    groups = np.arange(matrix.shape[0])
    while True:
        moved = _move_nodes(matrix, np.arange(matrix.shape[0]), random)
        groups = moved[groups]
        if moved.max() + 1 == matrix.shape[0]:
            return groups
        matrix = _between(matrix, moved)


def _sums(matrix: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Hᵀ B: the rows of B summed over the members of each group."""
    place = (np.arange(groups.size), groups)
    if groups.size > _SPARSE:
        return sp.csr_array((np.ones(groups.size), place)).T @ matrix
    member = np.zeros((groups.size, int(groups.max()) + 1))
    member[place] = 1
    return member.T @ matrix


def _between(matrix: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The matrix between groups: sums over their members."""
    return _sums(_sums(matrix, groups).T, groups)


def kicked(matrix: np.ndarray, tried: list[np.ndarray], random: np.random.Generator) -> np.ndarray:
    """The best of some partitions, and of what is found from it with nodes set free."""
    best = max(tried, key=lambda each: stability(matrix, each))
    value = stability(matrix, best)
    for _ in range(int(np.clip(_VISITS // best.size, *_KICKS))):
        other = louvain(matrix, random, loosened(best, random))
        reached = stability(matrix, other)
        if reached > value * (1 + GAIN):
            best, value = other, reached
    return best


def loosened(groups: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The partition with nodes set free: here and there, all of two groups, or all nodes."""
    share, kind = random.uniform(*_LOOSE), random.integers(3)
    two = random.choice(int(groups.max()) + 1, 2)
    free = (random.random(groups.size) < share, np.isin(groups, two), groups >= 0)[kind]
    loose = groups.copy()
    loose[free] = groups.max() + 1 + np.arange(np.count_nonzero(free))
    return loose


def by_size(groups: np.ndarray) -> np.ndarray:
    """The same groups, numbered from the largest on."""
    _, numbered, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    place = np.empty(sizes.size, dtype=np.int64)
    place[np.argsort(-sizes, kind="stable")] = np.arange(sizes.size)
    return place[numbered]


def spread(tried: list[np.ndarray]) -> float:
    """Mean variation of information over all pairs of runs, as a share of its bound ln N."""
    pairs = [
        variation_of_information(one, other)
        for k, one in enumerate(tried)
        for other in tried[k + 1 :]
    ]
    bound = np.log(tried[0].size)
    return float(np.mean(pairs) / bound) if pairs and bound > 0 else 0.0


def _entropy(shares: np.ndarray) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())
