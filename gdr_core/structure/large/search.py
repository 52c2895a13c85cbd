"""Partitions across scales of a large graph, without a matrix of all pairs of nodes.

From the shortest time upwards, and then down again with what was found for the next time:

- Nodes that several searches at short times all put together are taken as one, an *atom*. The
  matrix between atoms is small, exact to a proved bound (`walking`), and searched like that of a
  small graph (`louvain`). Then single nodes move: where walkers from each node are found says which
  moves gain; they are kept where the stability, computed anew, is higher.
- Searches at short times, when nearly all walks stay near, see Π P(t) as a sparse matrix (`short`,
  `moving`). So do those of later times at which there are still too many atoms.
- Very long walks are those of the slowest modes (`slow`).

What is told of a partition is a stability and a bound on its error. That a partition is the best
one is not proved, as with every search of this kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from gdr_core.diffusion.rounding import UNIT
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore, part
from gdr_core.structure.large.moving import apart, one_way, sparse_louvain, value
from gdr_core.structure.large.short import STORED, ShortWalk
from gdr_core.structure.large.slow import SlowModes, SlowWalk
from gdr_core.structure.large.walking import GroupWalk
from gdr_core.structure.louvain import by_size, kicked, loosened, louvain

_WORK = 1e10  # multiplications that walks from groups may take; else the sparse matrix goes on
MOST_ATOMS = 3000  # of which the full matrix is searched
_EARLIER = 6  # times before the first that atoms are made for, at most
_EXACT = 1e-5  # bounds below it are those of a series
_KICKS = (1, 100)  # tries to leave the best partition of a sparse matrix: fewest, most
_VISITS = 10000  # nodes that they look at, together, before there are fewer of them
CELLS = 25_000_000  # nodes times groups for which single nodes still move
_ENTRY = 130  # bytes that each entry of the sparse matrix takes while it is searched
_LATE = 7.0  # relaxation times, after which the slowest modes are looked for
_FIRST = 1.0  # where the search begins if no earlier time is asked for, and …
_LEAP = 2.0  # … the largest ratio of two times up to the first that is
ROUNDS = 8  # of moves of single nodes, at most


class Step(NamedTuple):
    """What was found for one time.

    partition   a group number for every node, numbered by size
    stability   r(t, C), wrong by at most `bound`
    runs        what each of the searches found from its own seed
    """

    partition: np.ndarray
    stability: float
    bound: float
    runs: list[np.ndarray]


@dataclass(frozen=True, eq=False)
class Search:
    """How one graph is searched.

    laplacian   of the random walk
    runs        searches at each time, each with an order of its own
    work        multiplications that walks from groups may take, at one time
    stored      entries of the sparse matrix of short walks, at most
    outside     of nodes without links, which are left out; see `walking.root_of` and `isolated`

    >>> from gdr_core import load_dataset, make_laplacian
    >>> from gdr_core.structure.large.search import Search
    >>> ring = make_laplacian("random-walk", load_dataset("ring-of-cliques").adjacency)
    >>> (step,) = Search(ring, np.random.default_rng(0), runs=2).over([1.0])
    >>> bool(step.stability > 0.5 and step.bound < 1e-6)
    True
    """

    laplacian: Laplacian
    random: np.random.Generator
    runs: int
    work: float = _WORK
    stored: int = STORED
    outside: float = 0.0

    def over(self, times: Sequence[float] | np.ndarray, progress: Progress = ignore) -> list[Step]:
        """One step for each of the rising times."""
        ladder = ladder_to(times)
        walk = ShortWalk(self.laplacian, self.stored, self.outside)
        atoms = [np.arange(self.laplacian.nodes), *self._small_atoms(ladder[0], progress)]
        steps: list[Step] = []
        for k, time in enumerate(ladder):
            report = part(progress, 0.9 * k / len(ladder), 0.9 * (k + 1) / len(ladder))
            before = steps[-1].partition if steps else None
            groups = self._walk_of(time)
            finest = self._finest(atoms, before, groups)
            if finest is None:
                steps.append(self._short(walk, groups, before, report))
            else:
                steps.append(self._long(groups, finest, before, report))
            atoms.append(overlap(steps[-1].runs))
        wanted = steps[len(ladder) - len(times) :]
        return self._downwards(times, wanted, part(progress, 0.9, 1.0))

    def _small_atoms(self, first: float, progress: Progress) -> list[np.ndarray]:
        """What searches at earlier and earlier times have together, the smallest first."""
        found: list[np.ndarray] = []
        most = min(MOST_ATOMS, self.laplacian.nodes, self._most(self._series(first)))
        time = first / 2
        while time > 0 and len(found) < _EARLIER and (not found or int(found[0].max()) < most):
            progress(0.0, f"communities at t = {time:.3g}")
            walk = ShortWalk(self.laplacian, self.stored, self.outside)
            walk.go_to(time)
            weights = walk.weights()
            runs = [sparse_louvain(weights, walk.share, self.random) for _ in range(2)]
            found.insert(0, overlap(runs))
            time /= 2
        return found

    def _finest(
        self, atoms: list[np.ndarray], before: np.ndarray | None, walk: GroupWalk | SlowWalk
    ) -> np.ndarray | None:
        """The smallest atoms of which not too many are needed; None if those of no time are.

        What was found for the time before is always made of them.
        """
        most = min(MOST_ATOMS, self._most(walk))
        for each in atoms:
            found = each if before is None else overlap([each, before])
            if int(found.max()) < most:
                return found
        return None

    def _walk_of(self, time: float) -> GroupWalk | SlowWalk:
        """How walkers from groups are found at a time: by a series, or from the slowest modes."""
        if time * self.laplacian.gap > _LATE and self._modes.suffice(time):
            return SlowWalk(self._modes, time)
        return self._series(time)

    def _series(self, time: float) -> GroupWalk:
        return GroupWalk(self.laplacian, time, self.outside)

    @cached_property
    def _modes(self) -> SlowModes:
        return SlowModes(self.laplacian, self.outside)

    def _told(self, walk: GroupWalk | SlowWalk, partition: np.ndarray) -> tuple[float, float]:
        """The stability, and the bound on its error: a series says how far off modes may be."""
        reached = walk.stability(partition)
        if isinstance(walk, GroupWalk):
            return reached, walk.bound
        exact = self._series(walk.time)
        return reached, exact.bound + abs(exact.stability(partition) - reached)

    def _refined(
        self, walk: GroupWalk | SlowWalk, groups: np.ndarray, progress: Progress = ignore
    ) -> tuple[np.ndarray, float]:
        """Moves of single nodes, in as many rounds as are affordable."""
        rounds = int(np.clip(self._most(walk) / (int(groups.max()) + 1), 1, ROUNDS))
        return refined(walk, groups, self.random, rounds, progress)

    def _fits(self, groups: np.ndarray) -> bool:
        """Whether where all walkers from these groups are may be kept at the same time."""
        return self.laplacian.nodes * (int(groups.max()) + 1) <= CELLS

    def _most(self, walk: GroupWalk | SlowWalk) -> float:
        """How many groups may walk at the same time."""
        product = self.laplacian.weights.nnz + 4 * self.laplacian.nodes
        return self.work / max(walk.products * product, 1)

    def _short(
        self,
        walk: ShortWalk,
        groups: GroupWalk | SlowWalk,
        before: np.ndarray | None,
        progress: Progress,
    ) -> Step:
        """The search on the sparse matrix, also from what was found for the time before.

        What the runs have together may then be few enough atoms to go on from.
        """
        time, first, last = groups.time, part(progress, 0.0, 0.5), part(progress, 0.5, 1.0)
        walk.go_to(time, part(first, 0.0, 1 / (self.runs + 2)))
        weights = walk.weights()
        tried = []
        for k in range(self.runs):
            first((k + 1) / (self.runs + 2), f"communities at t = {time:.3g}, run {k + 1}")
            tried.append(sparse_louvain(weights, walk.share, self.random))
        found = [*tried]
        if before is not None:
            found.append(sparse_louvain(weights, walk.share, self.random, before))
        partition, reached = self._kicked(weights, walk.share, found)
        atoms = self._finest([overlap(tried)], partition, groups)
        if atoms is not None:
            return self._long(groups, atoms, partition, last)._replace(runs=tried)
        if int(partition.max()) < self._most(groups) and self._fits(partition):
            partition = self._refined(groups, partition, last)[0]
            return Step(partition, *self._told(groups, partition), tried)
        missing = max(float(walk.share.sum() - weights.sum()), 0.0) + self.laplacian.nodes * UNIT
        return Step(partition, reached, missing, tried)

    def _kicked(
        self, weights: sp.csr_array, share: np.ndarray, found: list[np.ndarray]
    ) -> tuple[np.ndarray, float]:
        """The best of some partitions, and of what is found from it with nodes set free."""
        values = [value(weights, share, each) for each in found]
        best, reached = found[int(np.argmax(values))], max(values)
        for _ in range(int(np.clip(_VISITS // share.size, *_KICKS))):
            other = sparse_louvain(weights, share, self.random, loosened(best, self.random))
            if (now := value(weights, share, other)) > reached:
                best, reached = other, now
        return best, reached

    def _long(
        self,
        walk: GroupWalk | SlowWalk,
        atoms: np.ndarray,
        before: np.ndarray | None,
        progress: Progress,
    ) -> Step:
        """The search on the exact matrix between atoms, and then of single nodes."""
        said = f"communities at t = {walk.time:.3g}"
        between = walk.between(atoms, part(progress, 0.0, 0.5))
        tried = []
        for k in range(self.runs):
            progress(0.5 + 0.2 * k / self.runs, f"{said}, run {k + 1}")
            tried.append(louvain(between, self.random))
        progress(0.7, said)
        found = [*tried]
        if before is not None:
            start = before[np.unique(atoms, return_index=True)[1]]
            found.append(louvain(between, self.random, start))
        best = kicked(between, found, self.random)
        runs = [each[atoms] for each in tried]
        partition = best[atoms]
        if self._fits(partition):
            partition = self._refined(walk, partition, part(progress, 0.8, 1.0))[0]
        return Step(partition, *self._told(walk, partition), runs)

    def _downwards(
        self, times: Sequence[float] | np.ndarray, steps: list[Step], progress: Progress
    ) -> list[Step]:
        """From the last time to the first: what was found for the next time, if it is better."""
        for k in reversed(range(len(steps) - 1)):
            share = 1 - (k + 1) / len(steps)
            report = part(progress, share, share + 1 / len(steps))
            following = steps[k + 1].partition
            other = not np.array_equal(steps[k].partition, following)
            if other and steps[k].bound < _EXACT and self._fits(following):
                walk = self._walk_of(float(times[k]))
                partition, reached = self._refined(walk, following, report)
                if reached > steps[k].stability:
                    steps[k] = Step(partition, *self._told(walk, partition), steps[k].runs)
        return steps


def search_bytes(nodes: int, links: int) -> int:
    """About as many bytes as a search takes, at most."""
    sparse = min(STORED, nodes**2)
    between = min(MOST_ATOMS, nodes) ** 2
    return int(_ENTRY * sparse + 3 * 8 * between + 2 * 4 * CELLS + 300 * links)


def refined(
    walk: GroupWalk | SlowWalk,
    groups: np.ndarray,
    random: np.random.Generator,
    rounds: int = ROUNDS,
    progress: Progress = ignore,
) -> tuple[np.ndarray, float]:
    """Single nodes move as long as the stability, computed anew, rises; the groups, and it.

    What one node gains in another group is exact but for how many of its walkers are back, which is
    estimated; and nodes that move at the same time change each other's gains. So what a round of
    moves has brought is computed, and the round is taken back where it has brought nothing.
    """
    reports = [part(progress, k / (rounds + 1), (k + 1) / (rounds + 1)) for k in range(rounds + 1)]
    towards, reached = walk.towards(groups, reports[0])
    if towards.shape[1] == 1:
        return groups, reached
    back = walk.returns(random)
    gains, targets = _offers(towards, walk.share, back, groups)
    choose = one_way
    for report in reports[1:]:
        movers = np.flatnonzero(gains > walk.noise * walk.share)
        if not movers.size:
            break
        chosen = movers[choose(groups[movers], targets[movers], gains[movers], random)]
        other = groups.copy()
        other[chosen] = targets[chosen]
        other = by_size(other)
        towards, now = walk.towards(other, report)
        if now > reached and other.max() > 0:
            groups, reached, choose = other, now, one_way
            gains, targets = _offers(towards, walk.share, back, groups)
        elif choose is apart:
            break
        else:
            choose = apart
    return by_size(groups), reached


def overlap(partitions: Sequence[np.ndarray]) -> np.ndarray:
    """Atoms: the largest groups of nodes that are together in every one of the partitions.

    >>> overlap([np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])]).tolist()
    [0, 0, 1, 2]
    """
    found = np.zeros(partitions[0].size, dtype=np.int64)
    for each in partitions:
        found = np.unique(found * (int(each.max()) + 1) + each, return_inverse=True)[1]
    return found


def ladder_to(times: Sequence[float] | np.ndarray) -> list[float]:
    """The times, and before a late first one those at which atoms are made for it.

    >>> ladder_to([3.0, 9.0])
    [1.0, 1.7320508075688772, 3.0, 9.0]
    """
    first = float(times[0])
    if first <= _FIRST:
        return [float(each) for each in times]
    steps = int(np.ceil(np.log(first / _FIRST) / np.log(_LEAP)))
    lead = np.geomspace(_FIRST, first, steps + 1)[:-1].tolist()
    return [*lead, *(float(each) for each in times)]


def _offers(
    towards: np.ndarray, share: np.ndarray, back: np.ndarray, groups: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each node what its best move to another group gains, and where to.

    towards   [P(t) − 1 πᵀ] H; a node's own entry is lost
    back      P_ii(t) − π_i
    """
    nodes = np.arange(groups.size)
    stay = towards[nodes, groups].copy()
    towards[nodes, groups] = -np.inf
    targets = towards.argmax(axis=1)
    return share * (towards[nodes, targets] - stay + back), targets
