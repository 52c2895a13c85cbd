"""The search without nodes that no walker leaves or comes to.

Such a node i is best alone: beside a group C it adds −2 π_i π(C), which is negative, whatever the
time. So it is left out, and what it adds to the stability, π_i − π_i², is known. The others keep
their π, which then sums to less than one: the matrix Π P(t) − π πᵀ among them is as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gdr_core.diffusion.rounding import UNIT
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore
from gdr_core.structure.large.search import CELLS, MOST_ATOMS, Search, Step
from gdr_core.structure.large.walking import root_of


def search_linked(
    search: Search, times: Sequence[float] | np.ndarray, progress: Progress = ignore
) -> list[Step]:
    """What `Search.over` finds, with isolated nodes left out of the search.

    >>> from gdr_core import make_laplacian
    >>> pair = make_laplacian("random-walk", [[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    >>> (step,) = search_linked(Search(pair, np.random.default_rng(0), runs=1), [5.0])
    >>> step.partition.tolist()
    [0, 0, 1]
    """
    alone = isolated(search.laplacian)
    if not alone.any():
        return search.over(times, progress)
    share = np.square(root_of(search.laplacian))[alone]
    known = float((share - np.square(share)).sum())
    if alone.all():
        nodes = np.arange(alone.size)
        return [Step(nodes, known, alone.size * UNIT, [nodes] * search.runs) for _ in times]
    outside = float(np.square(search.laplacian.null[alone]).sum())
    linked = replace(search, laplacian=part_of(search.laplacian, ~alone), outside=outside)
    return [_with_isolated(step, alone, known) for step in linked.over(times, progress)]


def isolated(laplacian: Laplacian) -> np.ndarray:
    """Which nodes are a component of their own.

    >>> from gdr_core import make_laplacian
    >>> isolated(make_laplacian("random-walk", [[0, 1, 0], [1, 0, 0], [0, 0, 0]])).tolist()
    [False, False, True]
    """
    return np.bincount(laplacian.components)[laplacian.components] == 1


def part_of(laplacian: Laplacian, members: np.ndarray) -> Laplacian:
    """The Laplacian of some of the components.

    >>> from gdr_core import make_laplacian
    >>> pair = make_laplacian("random-walk", [[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    >>> part_of(pair, ~isolated(pair)).nodes
    2
    """
    scaling = laplacian.similarity
    return Laplacian(
        laplacian.name,
        laplacian.weights[members][:, members],
        laplacian.rates[members],
        laplacian.null[members],
        None if scaling is None else scaling[members],
    )


def in_too_many_pieces(laplacian: Laplacian) -> bool:
    """Whether there are so many components of two nodes and more that a search would be useless:
    there are as many groups at least, too many for a full matrix and for moves of single nodes.

    >>> from gdr_core import make_laplacian
    >>> in_too_many_pieces(make_laplacian("random-walk", [[0, 1], [1, 0]]))
    False
    """
    sizes = np.bincount(laplacian.components)
    linked = sizes[sizes > 1]
    return bool(linked.size > MOST_ATOMS and linked.sum() * linked.size > CELLS)


def _with_isolated(step: Step, alone: np.ndarray, known: float) -> Step:
    partition, *runs = (_placed(each, alone) for each in (step.partition, *step.runs))
    bound = step.bound + np.count_nonzero(alone) * UNIT
    return Step(partition, step.stability + known, bound, runs)


def _placed(groups: np.ndarray, alone: np.ndarray) -> np.ndarray:
    """Groups of all nodes: those of linked nodes, and then each isolated node by itself."""
    found = np.empty(alone.size, dtype=np.int64)
    found[~alone] = groups
    found[alone] = int(groups.max()) + 1 + np.arange(np.count_nonzero(alone))
    return found
