"""The same diffusion without labels: communities that hold a walker for a while.

Markov stability (Delvenne, Yaliraki and Barahona 2010) asks of a partition into groups C how much
likelier than chance a walker is to be in the group where it started, after the time t:

    r(t, C) = Σ_C Σ_{i,j ∈ C} [π_i P_ij(t) − π_i π_j] = trace Hᵀ [Π P(t) − π πᵀ] H,

with P(t) = e^{−t (I − D⁻¹A)}, its stationary distribution π_i = d_i / Σd, and Π = diag(π). A short
time favours many small groups, a long one few large ones. Expanded to first order at t = 1 it is
Newman's modularity.

The partition of each time is sought by Louvain's method (`louvain`). It is greedy, so it is

- started from several orders of the nodes (the runs);
- started once more from the best partition of the neighbouring times, upwards and downwards;
- kicked: some of the nodes leave the best partition, and the search goes on from there;
- and the best partition found at any time is tried at every other.

That it finds the best partition is not proved. The variation of information among the runs says how
far to trust what was found: it is small where one partition stands out.

Graphs of more than `FULL` nodes are searched without a matrix of all pairs (`large`). What is told
of their partitions is a stability with a bound on its error. `tests/test_structure.py` compares the
result with all partitions of small graphs and with the search of NetworkX on the same matrix,
`tests/test_communities_large.py` the two searches with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdr_core.laplacians import make_laplacian
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore
from gdr_core.structure.large.isolated import in_too_many_pieces, search_linked
from gdr_core.structure.large.search import MOST_ATOMS, Search, Step, search_bytes
from gdr_core.structure.louvain import GAIN, kicked, louvain, spread, stability

FULL = 3500  # nodes up to which P(t) is a full matrix
LARGEST = 25_000  # nodes …
MOST_LINKS = 250_000  # … and links of the graphs that are searched at all
RUNS = 8  # orders of the nodes; half as many from a thousand nodes on
_PROCESS = 150e6  # bytes of a process that has imported what it needs
_FULL_COPIES = 8  # of the full matrix, and of its eigenvectors
_SMALLEST = 1e-17  # of the slowest mode: what has decayed further is below rounding
_STILL = 1e-10  # rates below it are zero


@dataclass(frozen=True, eq=False)
class Communities:
    """The partition found for each time.

    times        as given, ascending; a walker leaves its node once per unit of time on average
    partitions   a group number for every node, shape (times, nodes); groups are numbered by size
    groups       how many groups
    stability    r(t, C)
    variation    of information between the partitions of the runs, on average, as a share of ln N
    bound        on the error of each stability; 0 where the matrix is full and only rounding errs
    """

    times: np.ndarray
    partitions: np.ndarray
    groups: np.ndarray
    stability: np.ndarray
    variation: np.ndarray
    bound: np.ndarray


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
    if laplacian.nodes > LARGEST or laplacian.weights.nnz > 2 * MOST_LINKS:
        raise ValueError(
            f"communities are sought in graphs of up to {LARGEST:,} nodes and {MOST_LINKS:,} "
            f"links, this one has {laplacian.nodes:,} and {laplacian.weights.nnz // 2:,}"
        )
    if refusal := refused_for_pieces(laplacian):
        raise ValueError(refusal)
    moments = np.sort(np.asarray(times, dtype=np.float64))
    if not moments.size or moments[0] < 0 or not np.isfinite(moments).all():
        raise ValueError("times must be finite numbers, 0 or later, and at least one")
    runs = runs or (RUNS if laplacian.nodes <= 1000 else RUNS // 2)
    random = np.random.default_rng(seed)
    if laplacian.nodes > FULL:
        search = Search(laplacian, random, runs)
        return _gathered(moments, search_linked(search, moments, progress))
    return _by_full_matrix(laplacian, moments, runs, random, progress)


def refused_for_pieces(laplacian: Laplacian) -> str:
    """Why a large graph of very many components is not searched; nothing where it is.

    laplacian   of the random walk

    >>> refused_for_pieces(make_laplacian("random-walk", [[0, 1], [1, 0]]))
    ''
    """
    if laplacian.nodes <= FULL or not in_too_many_pieces(laplacian):
        return ""
    pieces = int(np.count_nonzero(np.bincount(laplacian.components) > 1))
    return (
        f"communities are sought in graphs of up to {MOST_ATOMS:,} components of two nodes and "
        f"more, this one has {pieces:,}"
    )


def memory_needed(nodes: int, links: int) -> int:
    """About as many bytes as the search takes, at most.

    >>> memory_needed(34, 78) < memory_needed(20_000, 44_000) < 2**31
    True
    """
    if nodes <= FULL:
        return int(_PROCESS + _FULL_COPIES * 8 * nodes**2)
    return int(_PROCESS + search_bytes(nodes, links))


def _gathered(times: np.ndarray, steps: list[Step]) -> Communities:
    """What was found for each time of a large graph, as one record."""
    partitions = np.array([step.partition for step in steps])
    return Communities(
        times,
        partitions,
        partitions.max(axis=1) + 1,
        np.array([step.stability for step in steps]),
        np.array([spread(step.runs) for step in steps]),
        np.array([step.bound for step in steps]),
    )


def _by_full_matrix(
    laplacian: Laplacian,
    moments: np.ndarray,
    runs: int,
    random: np.random.Generator,
    progress: Progress,
) -> Communities:
    """The search of small graphs."""
    walk = _Walk(laplacian)
    found: list[np.ndarray] = []
    variation = []
    for k, moment in enumerate(moments):  # upwards
        matrix = walk.autocovariance(moment)
        tried = [louvain(matrix, random) for _ in range(runs)]
        variation.append(spread(tried))
        earlier = [louvain(matrix, random, each) for each in found[-1:]]
        found.append(kicked(matrix, [*tried, *earlier], random))
        progress((k + 1) / (2 * moments.size), "communities")
    return _downwards(walk, moments, found, np.array(variation), random, progress)


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
        if values[best] <= values[0] + GAIN * abs(values[0]):
            best = 0
        chosen.append(known[best])
        reached.append(values[best])
        progress(1 - k / (2 * times.size), "communities")
    partitions = np.array(chosen[::-1])
    return Communities(
        times,
        partitions,
        partitions.max(axis=1) + 1,
        np.array(reached[::-1]),
        variation,
        np.zeros(times.size),
    )
