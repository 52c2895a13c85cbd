"""e^{−tL} H on a graph in blocks: one recurrence, by one process or by many, with the same proof.

Every rank holds some blocks, and of each vector the rows of these. A term costs one product with
the own blocks; before it, rows of others that the own blocks refer to are fetched. The sums for
all times are kept, so times should be few: each takes as much memory as H.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import numpy as np

from gdr_core import gate
from gdr_core.blocks import flow
from gdr_core.blocks.checkpoints import Checkpoints, State
from gdr_core.blocks.folder import BlockFolder, open_blocks
from gdr_core.blocks.laplacian import KINDS, BlockLaplacian, BlockRows, block_laplacian
from gdr_core.blocks.ranks import Alone, Ranks
from gdr_core.blocks.results import BlockResult, check_new, read_scores, record
from gdr_core.diffusion import chebyshev
from gdr_core.diffusion.engine import Budget, UnprovableError, largest_of
from gdr_core.diffusion.recurrence import doubled_scale
from gdr_core.diffusion.times import checked
from gdr_core.laplacians import ALPHA, DIRECTIONS, RankTwo
from gdr_core.progress import Progress, ignore

EVERY = 20
_STRETCH = 2**15


def diffuse_blocks(
    blocks: str | os.PathLike[str],
    scores: str | os.PathLike[str],
    times: np.ndarray,
    out: str | os.PathLike[str],
    *,
    laplacian: str | None = None,
    alpha: float = ALPHA,
    direction: str = "forward",
    tolerance: float = 1e-6,
    every: int = EVERY,
    ranks: Alone | Ranks | None = None,
    progress: Progress = ignore,
) -> BlockResult:
    """H(t) = e^{−tL} H for a few times, into files in the folder `out`.

    blocks      folder that `build_blocks` has made
    scores      .npy file of H, shape (nodes, columns)
    times       increasing, in the time of the Laplacian
    laplacian   one of `kinds_for`; the first of them if not given
    alpha       probability of following an edge rather than jumping (directed graphs)
    direction   `forward` walks along the edges, `backward` against them (directed graphs)
    tolerance   no value is off by more than this times the largest |entry| of H (proved)
    every       a checkpoint after so many terms; a call that was ended goes on from the last one
    ranks       who computes; this process alone if not given
    """
    ranks = ranks or Alone()
    grid, folder, target = checked(times), open_blocks(blocks), Path(out)
    gate.whole(every, "the number of terms between checkpoints", 1)
    gate.check_name(direction, "direction", DIRECTIONS)
    kind = _checked_kind(laplacian, folder)
    check_new(target)
    rows = BlockRows(folder, ranks)
    start = read_scores(Path(scores), folder.nodes, rows.own)
    words = [folder.key, kind, grid.tolist(), tolerance, ranks.count, stamp(Path(scores))]
    key = json.dumps([*words, alpha, direction] if folder.directed else words)
    states = Checkpoints(target.with_name(f"{target.name}.checkpoints"), key, ranks)
    with _laplacian_of(rows, kind, target, alpha, direction) as form:
        job = Job(form, rows, start, grid, tolerance)
        return job.kept(states, every, target, progress)


@contextmanager
def _laplacian_of(
    rows: BlockRows, kind: str, target: Path, alpha: float, direction: str
) -> Iterator[BlockLaplacian]:
    """The Laplacian; what it has on disk beside the blocks goes however the work ends."""
    if not rows.folder.directed:
        yield block_laplacian(kind, rows)
        return
    carried = target.with_name(f"{target.name}.flow")
    try:
        yield flow.directed_laplacian(kind, rows, carried, alpha, direction)
    finally:
        flow.clear(carried, rows)


def kinds_for(folder: BlockFolder) -> tuple[str, ...]:
    """The Laplacians of a graph in blocks, the usual one first."""
    return flow.KINDS if folder.directed else KINDS


def _checked_kind(laplacian: str | None, folder: BlockFolder) -> str:
    """A Laplacian that fits: directed ones need directions, the others none."""
    fitting = kinds_for(folder)
    if laplacian in KINDS + flow.KINDS and laplacian not in fitting:
        kind, other = ("a directed", "") if folder.directed else ("an undirected", " --directed")
        raise ValueError(
            f"{folder.path} holds {kind} graph, for which Laplacians are {', '.join(fitting)}; "
            f"for {laplacian} build the blocks anew with `blocks build{other}`"
        )
    return gate.check_name(laplacian or fitting[0], "Laplacian of blocks", fitting)


class Job:
    """One diffusion on the rows of one rank."""

    def __init__(
        self,
        laplacian: BlockLaplacian,
        rows: BlockRows,
        start: np.ndarray,
        times: np.ndarray,
        tolerance: float,
    ):
        self.laplacian, self.rows, self.start, self.times = laplacian, rows, start, times
        self.scaling = laplacian.scaling[rows.own, None]
        self.level = laplacian.null[rows.own, None] / self.scaling * self.shares
        self.size = max(rows.ranks.told(float(np.abs(start).max(initial=0.0))))
        self.lifted = self.scaling * (start - self.level)
        self.norm = float(np.sqrt(self.total((self.lifted**2).sum(axis=0)).max())) * (1 + 1e-9)
        lowering = float((1 / laplacian.scaling).max())
        drift = float(np.abs(self.shares).max(initial=0.0)) * (1 + 1e-9)
        self.budget = Budget(
            laplacian, drift, self.norm, self.size, float(times[-1]), lowering, "float64"
        )
        allowed = self.budget.for_series(tolerance)
        self.tolerance = tolerance
        half = float(times[-1]) * laplacian.upper_bound / 2
        terms, truncation = chebyshev.terms_needed(half, allowed)
        self.basis = chebyshev.TimeBasis(
            mixing=np.eye(times.size),
            modes=chebyshev.coefficients(times, laplacian.upper_bound, terms),
            active=np.full(terms + 1, times.size),
            truncation=truncation,
            compression=0.0,
        )

    @cached_property
    def shares(self) -> np.ndarray:
        """wᵀH / wᵀr for each column, r = n/s and w = n·s: how much of r the scores hold."""
        null = self.laplacian.null[self.rows.own, None]
        mass = self.total((null * self.scaling * self.start).sum(axis=0))
        return mass / float(self.laplacian.null @ self.laplacian.null)

    def total(self, part: np.ndarray) -> np.ndarray:
        """The sum over all ranks, in the same order everywhere."""
        return np.sum(self.rows.ranks.told(part), axis=0)

    def kept(
        self, states: Checkpoints, every: int, target: Path, progress: Progress
    ) -> BlockResult:
        """Run and write the result; checkpoints go when it is written, or refused."""
        fields = self.run(states, every, progress)
        try:
            result = self.written(fields, target)
        except UnprovableError:
            states.clear()  # the same call would be refused again
            raise
        states.clear()
        return result

    def run(self, states: Checkpoints, every: int, progress: Progress) -> np.ndarray:
        """Σ_k c_k(t) T_k for every time, on the own rows, from the last checkpoint on."""
        coefficients, terms = self.basis.modes, self.basis.modes.shape[1]
        begun = states.latest() or self._first()
        for state in self._states(begun, terms):
            for field, weight in zip(state.fields, coefficients[:, state.term], strict=True):
                _add(field, weight, state.current)
            progress((state.term + 1) / terms, f"term {state.term + 1} of {terms}")
            if (state.term + 1) % every == 0 and state.term + 1 < terms:
                states.save(state)
        return begun.fields  # which all states share

    def _first(self) -> State:
        """Nothing is done yet: the next term is T_0."""
        fields = np.zeros((self.times.size, *self.lifted.shape))
        return State(-1, np.zeros_like(self.lifted), np.zeros_like(self.lifted), fields)

    def _states(self, state: State, terms: int) -> Iterator[State]:
        """The states after the given one; T_0 = h, T_1 = X h, then the recurrence."""
        operator = _OwnRows(self.laplacian, self.rows, self.lifted.shape[1])
        for term in range(state.term + 1, terms):
            if term == 0:
                current, previous = self.lifted.copy(), state.previous
            elif term == 1:
                zero = np.zeros_like(state.current)
                current, previous = operator.advance(state.current, zero) / 2, state.current
            else:
                advanced = operator.advance(state.current, state.previous)
                current, previous = advanced, state.current
            state = State(term, current, previous, state.fields)
            yield state

    def written(self, fields: np.ndarray, target: Path) -> BlockResult:
        """Values from sums, in a file for this rank; the record comes last, from the first rank."""
        ranks = self.rows.ranks
        fields /= self.scaling
        largest = np.max(ranks.told(largest_of(fields)), axis=0)
        bound = self.budget.total(self.basis, fields.dtype, largest, fields[0].size)
        self.budget.check(self.tolerance, bound, fields.dtype)
        fields += self.level
        if self.times[0] == 0:
            fields[0] = self.start
        result = BlockResult(
            path=target,
            times=tuple(self.times.tolist()),
            nodes=self.laplacian.nodes,
            columns=int(self.start.shape[1]),
            error_bound=bound,
            products=self.basis.products,
            parts=tuple(self.rows.bounds),
        )
        return record(result, fields, ranks)


class _OwnRows:
    """2X = 4S/Λ − 2I on the rows of one rank."""

    def __init__(self, laplacian: BlockLaplacian, rows: BlockRows, columns: int):
        self.rows, self.scale = rows, doubled_scale(laplacian)
        self.jumps = laplacian.rank_two and laplacian.rank_two.scaled(self.scale)
        if self.jumps is not None:
            _check_additions(laplacian.nodes, rows)
            self.jumps = RankTwo(self.jumps.a[rows.own], self.jumps.b[rows.own])
        self.diagonal = (self.scale * laplacian.rates[rows.own] - 2)[:, None]
        self.whole = np.zeros((laplacian.nodes, columns))
        if rows.ranks.count > 1:
            needed = np.zeros(laplacian.nodes, dtype=bool)
            for part in rows.parts:
                needed[part.matrix.indices] = True
            rows.ranks.meet(needed, rows.bounds)

    def advance(self, current: np.ndarray, previous: np.ndarray) -> np.ndarray:
        """2X @ current − previous, written over previous."""
        self.whole[self.rows.own] = current
        self.rows.ranks.exchange(self.whole)
        sums = self.rows.local(self.whole)
        inner = None
        if self.jumps is not None:
            inner = np.sum(self.rows.ranks.told(self.jumps.inner(current)), axis=0)
        size = max(_STRETCH // max(current.shape[1], 1), 1)
        for begin in range(0, len(current), size):
            part = slice(begin, begin + size)
            image = self.diagonal[part] * current[part]
            image -= self.scale * sums[part]
            if self.jumps is not None:
                image -= self.jumps.columns[part] @ inner
            np.subtract(image, previous[part], out=previous[part])
        return previous


def _add(field: np.ndarray, weight: float, vector: np.ndarray) -> None:
    """field += weight · vector without a second array of that size."""
    size = max(_STRETCH // max(vector.shape[1], 1), 1)
    for begin in range(0, len(vector), size):
        field[begin : begin + size] += weight * vector[begin : begin + size]


def _check_additions(nodes: int, rows: BlockRows) -> None:
    """Sums over all nodes are taken on each rank in two levels, then over the ranks: no chain of
    additions may be longer than the proof of their rounding allows (`rounding._dense_part`)."""
    most = max(last - first for first, last in rows.bounds)
    size = max(int(np.sqrt(most)), 1024)
    if size + most // size + 1 + rows.ranks.count > 2 * max(np.sqrt(nodes), 1024) + 8:
        raise ValueError(
            f"{rows.ranks.count} ranks are too many for the proof of error on a directed graph of "
            f"{nodes:,} nodes; start fewer"
        )


def stamp(file: Path) -> list[int]:
    """What tells that a file is the same as before."""
    status = file.stat()
    return [status.st_size, status.st_mtime_ns]
