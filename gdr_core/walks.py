"""A walker on a directed graph, step by step, and what becomes of it where no arrow leads on.

With A the adjacency, d = A 1 the out-degrees and α the probability of following an arrow, the mass
m (a row, one entry for each node) moves in one step to

    m' = α m D⁺ A  +  (1 − α) (Σ m) 1ᵀ/N  +  α (what dangling nodes do with their share),

a dangling node being one with d = 0. Three answers are usual, see `DANGLING`. With `jump` the step
is the matrix P whose stationary distribution is PageRank (`gdr_core.laplacians.pagerank`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets import load
from gdr_core.laplacians import as_adjacency

Answer = Callable[[np.ndarray], np.ndarray]


def jump(stranded: np.ndarray) -> np.ndarray:
    """Stranded mass is shared out evenly over all nodes, as PageRank does."""
    return np.full_like(stranded, stranded.sum() / stranded.size)


def stay(stranded: np.ndarray) -> np.ndarray:
    """Stranded mass stays where it is: it piles up, and all mass ends in such places."""
    return stranded


def vanish(stranded: np.ndarray) -> np.ndarray:
    """Stranded mass is lost: that is what the bare product m D⁺ A does."""
    return np.zeros_like(stranded)


DANGLING: Final[dict[str, Answer]] = {"jump": jump, "stay": stay, "vanish": vanish}


@dataclass(frozen=True, eq=False)
class Walk:
    """A rule for moving mass along arrows.

    adjacency   entry (i, j) is the weight of the arrow i → j
    alpha       probability of following an arrow; otherwise the walker jumps anywhere
    dangling    what happens where no arrow leads on, one of `DANGLING`
    """

    adjacency: sp.csr_array
    alpha: float = 0.85
    dangling: str = "jump"

    def __post_init__(self) -> None:
        object.__setattr__(self, "adjacency", as_adjacency(self.adjacency))
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha must lie in [0, 1], got {self.alpha}")
        if self.dangling not in DANGLING:
            raise ValueError(f"unknown answer {self.dangling!r}; there are {', '.join(DANGLING)}")

    @property
    def nodes(self) -> int:
        """Number of nodes, N."""
        return int(self.adjacency.shape[0])

    @cached_property
    def out_degrees(self) -> np.ndarray:
        """d = A 1."""
        return np.asarray(self.adjacency.sum(axis=1)).ravel()

    @property
    def dead_ends(self) -> np.ndarray:
        """The dangling nodes: those with no outgoing arrow."""
        return np.flatnonzero(self.out_degrees == 0)

    @cached_property
    def traps(self) -> np.ndarray:
        """Nodes of the parts that have a way in but no way out: dead ends, or whole rings.

        Such a part is a strongly connected component with no arrow to another one. Where the
        graph is strongly connected there is none.
        """
        count, part = sp.csgraph.connected_components(self.adjacency, connection="strong")
        links = self.adjacency.tocoo()
        open_parts = part[links.row[part[links.row] != part[links.col]]]
        return np.flatnonzero(~np.isin(part, open_parts)) if count > 1 else np.empty(0, np.intp)

    @cached_property
    def _followed(self) -> sp.csr_array:
        """(D⁺ A)ᵀ, which moves a column of masses along the arrows."""
        inverse = np.divide(
            1.0, self.out_degrees, out=np.zeros(self.nodes), where=self.out_degrees > 0
        )
        return sp.csr_array((sp.diags_array(inverse) @ self.adjacency).T)

    def step(self, mass: np.ndarray) -> np.ndarray:
        """The masses one step later."""
        stranded = np.where(self.out_degrees == 0, mass, 0.0)
        moved = self._followed @ mass + DANGLING[self.dangling](stranded)
        return self.alpha * moved + (1 - self.alpha) * mass.sum() / self.nodes

    def film(self, start: np.ndarray, steps: int) -> np.ndarray:
        """The masses at the start and after each step, shape (steps + 1, nodes)."""
        if steps < 0:
            raise ValueError(f"steps must not be negative, got {steps}")
        frames = [np.asarray(start, dtype=np.float64)]
        if frames[0].shape != (self.nodes,):
            raise ValueError(f"{self.nodes} nodes need as many masses, got {frames[0].shape}")
        for _ in range(steps):
            frames.append(self.step(frames[-1]))
        return np.array(frames)


@dataclass(frozen=True, eq=False)
class SmallGraph:
    """A directed graph that can be watched whole: arrows, places, names and what to see in it."""

    adjacency: sp.csr_array
    places: np.ndarray
    names: tuple[str, ...]
    lesson: str


def arrows(nodes: int, pairs: list[tuple[int, int]]) -> sp.csr_array:
    """The adjacency with a one for every pair (from, to)."""
    start, stop = np.array(pairs).T
    return sp.csr_array((np.ones(len(pairs)), (start, stop)), shape=(nodes, nodes))


def directed_ring() -> SmallGraph:
    """The dataset of that name."""
    graph = load("directed-ring")
    return SmallGraph(
        graph.adjacency,
        graph.layout.astype(np.float64),
        graph.node_names,
        "Once a round, half of the mass that passes the gate falls into the dead end.",
    )


def one_way_path() -> SmallGraph:
    """Six nodes in a row, every arrow pointing right."""
    places = np.column_stack([np.linspace(-1, 1, 6), np.zeros(6)])
    return SmallGraph(
        arrows(6, [(i, i + 1) for i in range(5)]),
        places,
        tuple("abcdef"),
        "After five steps everything has arrived at the end, and nothing leaves it.",
    )


def citations() -> SmallGraph:
    """Seven papers, arrows from the cited to the citing; the newest are cited by nobody yet."""
    pairs = [(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5), (4, 6), (1, 6)]
    places = [
        (-1, 0),
        (-0.45, 0.55),
        (-0.45, -0.55),
        (0.2, 0.65),
        (0.25, -0.6),
        (1, 0.4),
        (1, -0.7),
    ]
    years = (1988, 1991, 1992, 1994, 1995, 1998, 1999)
    return SmallGraph(
        arrows(7, pairs),
        np.array(places, dtype=np.float64),
        tuple(map(str, years)),
        "Citations never form a circle: along them every walk ends, at the newest papers or, "
        "backward, at the oldest.",
    )


def two_rings() -> SmallGraph:
    """A ring of three with one arrow into another ring of three: no dead end, and yet a trap."""
    angles = np.pi * np.array([0, 2 / 3, 4 / 3])
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * 0.42
    left, right = ring - [0.58, 0], -ring + [0.58, 0]
    pairs = [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 5), (5, 3)]
    return SmallGraph(
        arrows(6, pairs),
        np.concatenate([left, right]),
        tuple("abcdef"),
        "No node is a dead end here, but the second ring is: what has crossed never returns.",
    )


SMALL_GRAPHS: Final[Mapping[str, Callable[[], SmallGraph]]] = {
    "directed-ring": directed_ring,
    "one-way path": one_way_path,
    "citations": citations,
    "two rings": two_rings,
}
