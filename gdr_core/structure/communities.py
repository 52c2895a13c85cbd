"""The same diffusion without labels: communities that hold a walker for a while.

Markov stability (Delvenne, Yaliraki and Barahona 2010) asks of a partition into groups C how much
likelier than chance a walker is to be in the group where it started, after the time t:

    r(t, C) = Σ_C Σ_{i,j ∈ C} [π_i P_ij(t) − π_i π_j] = trace Hᵀ [Π P(t) − π πᵀ] H,

with P(t) = e^{−t (I − D⁻¹A)}, its stationary distribution π_i = d_i / Σd, and Π = diag(π). A short
time favours many small groups, a long one few large ones. Expanded to first order at t = 1 it is
Newman's modularity.

The partition of each time is sought by the method of Blondel et al. (2008): nodes move, one by
one, to the group that gains most, then groups become nodes. It is greedy, so it is started from
several orders of the nodes; the best partition found at any time is tried at every other; and the
variation of information among the runs says how far to trust what was found: it is small where
one partition stands out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdr_core.laplacians import make_laplacian
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore

LARGEST = 3500  # nodes, since P(t) is a full matrix
RUNS = 8
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
    runs: int = RUNS,
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
    walk = _Walk(laplacian)
    random = np.random.default_rng(seed)
    found, variation = [], []
    for k, moment in enumerate(moments):
        matrix = walk.autocovariance(moment)
        tried = [louvain(matrix, random) for _ in range(runs)]
        found.append(max(tried, key=lambda each: stability(matrix, each)))
        variation.append(_spread(tried))
        progress((k + 1) / (2 * moments.size), "communities")
    return _best_of_all(walk, moments, found, np.array(variation), progress)


def stability(matrix: np.ndarray, partition: np.ndarray) -> float:
    """trace Hᵀ B H: the sum of B over all pairs in the same group."""
    member = np.zeros((partition.size, int(partition.max(initial=0)) + 1))
    member[np.arange(partition.size), partition] = 1
    return float(np.sum(member * (matrix @ member)))


def louvain(matrix: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A partition that no move of a node, and no union of groups, improves; groups by size.

    Where nothing tells nodes apart, all are in one group.
    """
    largest = np.abs(matrix).max(initial=0.0)
    if not largest:
        return np.zeros(matrix.shape[0], dtype=np.int64)
    matrix, groups = matrix / largest, np.arange(matrix.shape[0])
    while True:
        moved = _move_nodes(matrix, random)
        groups = moved[groups]
        if np.unique(moved).size == matrix.shape[0]:
            return _by_size(groups)
        matrix = _united(matrix, moved)


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
        return (self.vectors * np.exp(-self.rates * time)) @ self.vectors.T


def _move_nodes(matrix: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Nodes move to the group that gains most, until none does; groups numbered from 0."""
    nodes = matrix.shape[0]
    groups = np.arange(nodes)
    moving = True
    while moving:
        moving = False
        for node in random.permutation(nodes).tolist():
            row = matrix[node]
            towards = np.bincount(groups, row, minlength=nodes)
            towards[groups[node]] -= row[node]
            best = int(towards.argmax())
            if towards[best] > towards[groups[node]] + _GAIN:
                groups[node], moving = best, True
    return np.unique(groups, return_inverse=True)[1]


def _united(matrix: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The matrix between groups: sums over their members."""
    member = np.zeros((groups.size, int(groups.max()) + 1))
    member[np.arange(groups.size), groups] = 1
    return member.T @ matrix @ member


def _by_size(groups: np.ndarray) -> np.ndarray:
    _, numbered, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    place = np.empty(sizes.size, dtype=np.int64)
    place[np.argsort(-sizes, kind="stable")] = np.arange(sizes.size)
    return place[numbered]


def _best_of_all(
    walk: _Walk,
    times: np.ndarray,
    found: list[np.ndarray],
    variation: np.ndarray,
    progress: Progress,
) -> Communities:
    """At each time the best of the partitions found at any time."""
    chosen, reached = [], []
    for k, time in enumerate(times):
        matrix = walk.autocovariance(time)
        values = [stability(matrix, each) for each in found]
        best = int(np.argmax(values))
        if values[best] <= values[k] + _GAIN * abs(values[k]):
            best = k
        chosen.append(found[best])
        reached.append(values[best])
        progress(0.5 + (k + 1) / (2 * times.size), "communities")
    partitions = np.array(chosen)
    return Communities(times, partitions, partitions.max(axis=1) + 1, np.array(reached), variation)


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
