"""Louvain's search on a large sparse matrix, with many nodes moving at the same time.

For a symmetric matrix W ≥ 0 and masses m the value of a partition is

    q = Σ_C [Σ_{i,j ∈ C} W_ij − (Σ_{i ∈ C} m_i)²].

What node i adds to group C is Σ_{j ∈ C} (W_ij − m_i m_j), so one sparse product of W with the
groups' indicator matrix tells what every move would gain. Moves are then made together where they
do not stand in each other's way: for one round each group only takes nodes or only gives them. Two
such moves of nodes i and j change q by the sum of their gains plus a multiple of
W_ij − m_i m_j, which is negative for two nodes that W does not join, and then only by m_i m_j. So a
round raises q as a rule. Where it does not, it is taken back, and of the same moves only some are
made, no two of which touch the same group: their gains add up exactly.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from gdr_core.structure.louvain import by_size, unite

DENSE = 1500  # groups, from which on the matrix between them is a full one
_GAIN = 1e-12  # of the whole: smaller gains are rounding
_ROUNDS = 200  # of moves; what is left to gain then is tiny


def sparse_louvain(
    matrix: sp.csr_array,
    masses: np.ndarray,
    random: np.random.Generator,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """A partition of the nodes, with groups numbered by size.

    start   group numbers to begin with; each node by itself where not given

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from gdr_core.structure.large.moving import sparse_louvain
    >>> pairs = sp.csr_array([[0.2, 0.3, 0, 0], [0.3, 0.2, 0, 0], [0, 0, 0, 0.5], [0, 0, 0.5, 0]])
    >>> sparse_louvain(pairs / 2, np.full(4, 0.25), np.random.default_rng(0)).tolist()
    [0, 0, 1, 1]
    """
    groups = np.arange(masses.size) if start is None else start
    while True:
        groups = move_nodes(matrix, masses, groups, random)
        between, held = _between_groups(matrix, masses, groups)
        united = _united(between, held, random)
        groups = united[groups]
        if united.max() + 1 == held.size:  # no union gained, so no node will move either
            return by_size(groups)


def _between_groups(
    matrix: sp.csr_array, masses: np.ndarray, groups: np.ndarray
) -> tuple[sp.csr_array, np.ndarray]:
    """W and the masses, summed over the members of each group."""
    member = membership(groups)
    between = sp.csr_array(member.T @ (matrix @ member))
    return between, np.bincount(groups, masses)


def value(matrix: sp.csr_array, masses: np.ndarray, groups: np.ndarray) -> float:
    """q of a partition."""
    rows = np.repeat(np.arange(masses.size), np.diff(matrix.indptr))
    inside = matrix.data[groups[rows] == groups[matrix.indices]].sum()
    return float(inside - np.square(np.bincount(groups, masses)).sum())


def membership(groups: np.ndarray) -> sp.csr_array:
    """The indicator matrix: one row for each node, one column for each group."""
    nodes = groups.size
    return sp.csr_array(
        (np.ones(nodes), groups, np.arange(nodes + 1)), shape=(nodes, int(groups.max()) + 1)
    )


def move_nodes(
    matrix: sp.csr_array, masses: np.ndarray, groups: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Nodes move to the group that gains most, until none does; groups numbered from 0."""
    own = matrix.diagonal()
    groups = np.unique(groups, return_inverse=True)[1]
    reached, before, careful = -np.inf, groups, False
    for _ in range(_ROUNDS):
        gains, targets, now = _offers(matrix, own, masses, groups)
        if now <= reached:
            if careful:
                return before
            groups, careful = before, True
            gains, targets, now = _offers(matrix, own, masses, groups)
        else:
            careful = False
        movers = np.flatnonzero(gains > _GAIN)
        if not movers.size:
            return groups
        reached, before = now, groups
        choose = apart if careful else one_way
        chosen = movers[choose(groups[movers], targets[movers], gains[movers], random)]
        groups = groups.copy()
        groups[chosen] = targets[chosen]
        groups = np.unique(groups, return_inverse=True)[1]
    return before


def _offers(
    matrix: sp.csr_array, own: np.ndarray, masses: np.ndarray, groups: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """For each node what its best move gains and where to; and q as it is.

    A target above all group numbers is a group of one's own.
    """
    held = np.bincount(groups, masses)
    towards = sp.csr_array(matrix @ membership(groups))
    rows = np.repeat(np.arange(groups.size), np.diff(towards.indptr))
    offers = towards.data - masses[rows] * held[towards.indices]
    here = towards.indices == groups[rows]
    inside = np.zeros(groups.size)
    inside[rows[here]] = towards.data[here]
    stay = inside - own - masses * (held[groups] - masses)
    offers[here] = -np.inf
    best, place = _row_best(offers, towards.indptr)
    alone = (best < 0) & (np.bincount(groups)[groups] > 1)
    targets, joins = held.size + np.arange(groups.size), ~alone & np.isfinite(best)
    targets[joins] = towards.indices[place[joins]]
    gains = np.where(alone, 0.0, best) - stay
    return gains, targets, float(inside.sum() - np.square(held).sum())


def _row_best(values: np.ndarray, indptr: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The largest value of each row of a sparse matrix, −∞ for an empty one, and its place."""
    lengths = np.diff(indptr)
    filled = lengths > 0
    best = np.full(lengths.size, -np.inf)
    best[filled] = np.maximum.reduceat(values, indptr[:-1][filled])
    hits = np.flatnonzero(values == np.repeat(best, lengths))
    place = np.zeros(lengths.size, dtype=np.int64)
    rows = np.searchsorted(indptr, hits, side="right") - 1
    place[rows[::-1]] = hits[::-1]
    return best, place


def one_way(
    sources: np.ndarray, targets: np.ndarray, gains: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Moves such that no group both gives and takes: where more is to be had, with some luck."""
    count = int(max(sources.max(), targets.max())) + 1
    taking = np.bincount(targets, gains, count) * random.random(count)
    giving = np.bincount(sources, gains, count) * random.random(count)
    takes = taking > giving
    return np.flatnonzero(~takes[sources] & takes[targets])


def apart(
    sources: np.ndarray, targets: np.ndarray, gains: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Moves no two of which touch the same group; the one that gains most is among them."""
    order = np.argsort(-gains, kind="stable")
    rank = np.empty(gains.size, dtype=np.int64)
    rank[order] = np.arange(gains.size)
    first = np.full(int(max(sources.max(), targets.max())) + 1, gains.size)
    np.minimum.at(first, sources, rank)
    np.minimum.at(first, targets, rank)
    return np.flatnonzero((first[sources] == rank) & (first[targets] == rank))


def _united(between: sp.csr_array, held: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Groups of groups, level by level, until no move of a whole group gains."""
    groups = np.arange(held.size)
    while held.size > DENSE:
        moved = move_nodes(between, held, np.arange(held.size), random)
        groups = moved[groups]
        if moved.max() + 1 == held.size:
            return groups
        between, held = _between_groups(between, held, moved)
    full = between.toarray() - np.outer(held, held)
    largest = np.abs(full).max(initial=0.0)
    return unite(full / largest, random)[groups] if largest else np.zeros_like(groups)
