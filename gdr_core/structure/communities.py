"""The same diffusion without labels: communities that hold a walker for a while.

Markov stability (Delvenne, Yaliraki and Barahona 2010) asks of a partition into groups C how much
likelier than chance a walker is to be in the group where it started, after the time t:

    r(t, C) = Σ_C Σ_{i,j ∈ C} [π_i P_ij(t) − π_i π_j] = trace Hᵀ [Π P(t) − π πᵀ] H,

with P(t) = e^{−t (I − D⁻¹A)}, its stationary distribution π_i = d_i / Σd, and Π = diag(π). A short
time favours many small groups, a long one few large ones. Expanded to first order at t = 1 it is
Newman's modularity.

The partition of each time is sought by the method of Blondel et al. (2008): nodes move, one by
one, to the group that gains most, then groups become nodes. What it finds is refined: single nodes
move again, groups unite again, until neither gains anything. The search is greedy, so it is

- started from several orders of the nodes (the runs);
- started once more from the best partition of the neighbouring times, upwards and downwards;
- kicked: some of the nodes leave the best partition, and the search goes on from there;
- and the best partition found at any time is tried at every other.

The variation of information among the runs says how far to trust what was found: it is small
where one partition stands out. `tests/test_structure.py` compares the result with all partitions of
small graphs and with the search of NetworkX on the same matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians import make_laplacian
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore

LARGEST = 3500  # nodes, since P(t) is a full matrix
RUNS = 8  # orders of the nodes; half as many from a thousand nodes on
_KICKS = (4, 100)  # tries to leave the best partition of a time: fewest, most
_VISITS = 10000  # nodes that kicks look at, together, before there are fewer of them
_LOOSE = (0.05, 0.4)  # share of the nodes that a kick sets free
_SPARSE = 400  # nodes, from which sums over groups are taken by a sparse product
_SMALLEST = 1e-17  # of the slowest mode: what has decayed further is below rounding
_GAIN = 1e-9  # of the largest entry: smaller gains are rounding
_STILL = 1e-10  # rates below it are zero


@dataclass(frozen=True, eq=False)
class Communities:
    """The partition found for each time.

    times        as given, ascending; a walker leaves its node once per unit of time on average
    partitions   a group number for every node, shape (times, nodes); groups are numbered by size
    groups       how many groups
    stability    r(t, C)
    variation    of information between the partitions of the runs, on average, as a share of ln N
    """

    times: np.ndarray
    partitions: np.ndarray
    groups: np.ndarray
    stability: np.ndarray
    variation: np.ndarray


def communities(
    adjacency: object,
    times: Sequence[float] | np.ndarray,
    *,
    seed: int = 0,
    runs: int | None = None,
    progress: Progress = ignore,
) -> Communities:
    """Partitions across scales, from e^{−tL} of the random walk.

    >>> from gdr_core import load_dataset
    >>> from gdr_core.structure.communities import communities
    >>> ring = load_dataset("ring-of-cliques")
    >>> found = communities(ring.adjacency, [1.0, 1000.0])
    >>> bool(found.groups[0] > found.groups[1])
    True
    """
    laplacian = make_laplacian("random-walk", adjacency)
    if laplacian.nodes > LARGEST:
        raise ValueError(
            f"communities are sought in graphs of up to {LARGEST} nodes, this one has "
            f"{laplacian.nodes}"
        )
    moments = np.sort(np.asarray(times, dtype=np.float64))
    if not moments.size or moments[0] < 0 or not np.isfinite(moments).all():
        raise ValueError("times must be finite numbers, 0 or later, and at least one")
    runs = runs or (RUNS if laplacian.nodes <= 1000 else RUNS // 2)
    walk, random = _Walk(laplacian), np.random.default_rng(seed)
    found: list[np.ndarray] = []
    variation = []
    for k, moment in enumerate(moments):  # upwards
        matrix = walk.autocovariance(moment)
        tried = [louvain(matrix, random) for _ in range(runs)]
        variation.append(_spread(tried))
        earlier = [louvain(matrix, random, each) for each in found[-1:]]
        found.append(_kicked(matrix, [*tried, *earlier], random))
        progress((k + 1) / (2 * moments.size), "communities")
    return _downwards(walk, moments, found, np.array(variation), random, progress)


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
        united = _unite(_between(matrix, moved), random)[moved]
        if united.max() == moved.max():  # no union gained, so no node will move either
            return _by_size(united)
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


class _Walk:
    """Π P(t) − π πᵀ for any t from one decomposition of S = I − D^{−1/2} A D^{−1/2}.

    The direction of π, which does not decay, is left out from the start instead of subtracted at
    the end: what remains keeps its digits however small it becomes.
    """

    def __init__(self, laplacian: Laplacian) -> None:
        matrix = laplacian.apply_symmetric(np.eye(laplacian.nodes))
        rates, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
        root = np.abs(laplacian.null) / np.linalg.norm(laplacian.null)
        still = rates < _STILL
        rest = vectors[:, still] - np.outer(root, root @ vectors[:, still])
        left, sizes, _ = np.linalg.svd(rest, full_matrices=False)
        others = left[:, sizes > 0.5]  # one for each component but the first
        self.rates = np.concatenate([np.zeros(others.shape[1]), rates[~still]])
        self.vectors = np.hstack([others, vectors[:, ~still]]) * root[:, None]

    def autocovariance(self, time: float) -> np.ndarray:
        """B(t) = Π P(t) − π πᵀ, symmetric."""
        left = np.exp(-self.rates * time)
        kept = left > _SMALLEST * left.max(initial=0.0)
        return (self.vectors[:, kept] * left[kept]) @ self.vectors[:, kept].T


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
        gains = np.flatnonzero(towards.max(axis=1) > towards[nodes, groups] + _GAIN)
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
        if row[best] > here + _GAIN and best != now:
            towards[:, now] -= matrix[node]
            towards[:, best] += matrix[node]
            groups[node] = best


def _unite(matrix: np.ndarray, random: np.random.Generator) -> np.ndarray:
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


def _kicked(matrix: np.ndarray, tried: list[np.ndarray], random: np.random.Generator) -> np.ndarray:
    """The best of some partitions, and of what is found from it with nodes set free."""
    best = max(tried, key=lambda each: stability(matrix, each))
    value = stability(matrix, best)
    for _ in range(int(np.clip(_VISITS // best.size, *_KICKS))):
        other = louvain(matrix, random, _loosened(best, random))
        reached = stability(matrix, other)
        if reached > value * (1 + _GAIN):
            best, value = other, reached
    return best


def _loosened(groups: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The partition with nodes set free: here and there, all of two groups, or all nodes."""
    share, kind = random.uniform(*_LOOSE), random.integers(3)
    two = random.choice(int(groups.max()) + 1, 2)
    free = (random.random(groups.size) < share, np.isin(groups, two), groups >= 0)[kind]
    loose = groups.copy()
    loose[free] = groups.max() + 1 + np.arange(np.count_nonzero(free))
    return loose


def _by_size(groups: np.ndarray) -> np.ndarray:
    _, numbered, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    place = np.empty(sizes.size, dtype=np.int64)
    place[np.argsort(-sizes, kind="stable")] = np.arange(sizes.size)
    return place[numbered]


def _downwards(
    walk: _Walk,
    times: np.ndarray,
    found: list[np.ndarray],
    variation: np.ndarray,
    random: np.random.Generator,
    progress: Progress,
) -> Communities:
    """From the last time to the first: also from the partition of the next, and the best of all."""
    chosen: list[np.ndarray] = []
    reached = []
    for k in reversed(range(times.size)):
        matrix = walk.autocovariance(times[k])
        later = [louvain(matrix, random, each) for each in chosen[-1:]]
        known = list({each.tobytes(): each for each in [found[k], *later, *found]}.values())
        values = [stability(matrix, each) for each in known]
        best = int(np.argmax(values))
        if values[best] <= values[0] + _GAIN * abs(values[0]):
            best = 0
        chosen.append(known[best])
        reached.append(values[best])
        progress(1 - k / (2 * times.size), "communities")
    partitions = np.array(chosen[::-1])
    return Communities(
        times, partitions, partitions.max(axis=1) + 1, np.array(reached[::-1]), variation
    )


def _spread(tried: list[np.ndarray]) -> float:
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
