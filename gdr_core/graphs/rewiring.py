"""Links moved at random while every node keeps its degree: a graph that says less and less.

Two edges u—v and x—y exchange their ends and become u—y and x—v. That keeps all degrees (of a
directed graph: in- and out-degrees), and with enough exchanges forgets everything else.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from gdr_core.progress import Progress, ignore

_ROUNDS = 20  # each edge is offered an exchange so often


def rewired(
    adjacency: sp.csr_array,
    share: float,
    seed: int = 0,
    *,
    directed: bool = False,
    progress: Progress = ignore,
) -> sp.csr_array:
    """The graph with a share of its edges rewired; the others stay where they are.

    share   of the edges that may be moved, 0 to 1; chosen at random

    Weights stay with their edges. Neither self-loops nor parallel edges arise: an exchange that
    would make one is not made, so some of the chosen edges may stay (all of them in a complete
    graph, whose degrees leave no choice).

    >>> import numpy as np
    >>> from gdr_core import load_dataset
    >>> from gdr_core.graphs.rewiring import rewired
    >>> club = load_dataset("karate").adjacency
    >>> moved = rewired(club, 1.0, seed=1)
    >>> bool((moved.sum(axis=0) == club.sum(axis=0)).all()), (moved != club).nnz > 0
    (True, True)
    """
    if not 0 <= share <= 1:
        raise ValueError(f"the share of edges to rewire must lie between 0 and 1, got {share}")
    random = np.random.default_rng(seed)
    edges = sp.coo_array(adjacency if directed else sp.triu(adjacency))
    sources, targets = edges.row.astype(np.int64), edges.col.astype(np.int64)
    if not directed:  # either end may be exchanged
        turn = random.random(sources.size) < 0.5
        sources, targets = np.where(turn, targets, sources), np.where(turn, sources, targets)
    chosen = random.permutation(sources.size)[: round(share * sources.size)]
    for k in range(_ROUNDS):
        _exchange(sources, targets, random.permutation(chosen), adjacency.shape[0], directed)
        progress((k + 1) / _ROUNDS, "rewiring")
    found = sp.csr_array((edges.data, (sources, targets)), shape=adjacency.shape)
    return found if directed else sp.csr_array(found + found.T)


def _exchange(
    sources: np.ndarray, targets: np.ndarray, order: np.ndarray, nodes: int, directed: bool
) -> None:
    """Pair the edges as ordered and let each pair exchange targets where that makes new edges."""
    half = order.size // 2
    one, other = order[:half], order[half : 2 * half]
    new = np.concatenate(
        [
            _keys(sources[one], targets[other], nodes, directed),
            _keys(sources[other], targets[one], nodes, directed),
        ]
    )
    loops = np.concatenate([sources[one] == targets[other], sources[other] == targets[one]])
    _, place, count = np.unique(new, return_inverse=True, return_counts=True)
    bad = loops | (count[place] > 1) | np.isin(new, _keys(sources, targets, nodes, directed))
    good = ~(bad[:half] | bad[half:])
    a, b = one[good], other[good]
    targets[a], targets[b] = targets[b], targets[a].copy()


def _keys(sources: np.ndarray, targets: np.ndarray, nodes: int, directed: bool) -> np.ndarray:
    """One number for each edge; without directions the same for both."""
    if not directed:
        sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
    return sources * nodes + targets
