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

from gdr_core import gate
from gdr_core.datasets import load_dataset
from gdr_core.products import Product

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
        object.__setattr__(self, "adjacency", gate.adjacency_matrix(self.adjacency))
        gate.finite(self.alpha, "alpha", 0, 1)
        gate.check_name(self.dangling, "answer", DANGLING)

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
    def _followed(self) -> Product:
        """(D⁺ A)ᵀ, which moves a column of masses along the arrows."""
        inverse = np.divide(
            1.0, self.out_degrees, out=np.zeros(self.nodes), where=self.out_degrees > 0
        )
        return Product(sp.csr_array((sp.diags_array(inverse) @ self.adjacency).T))

    def step(self, mass: np.ndarray) -> np.ndarray:
        """The masses one step later."""
        stranded = np.where(self.out_degrees == 0, mass, 0.0)
        moved = self._followed(mass) + DANGLING[self.dangling](stranded)
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


def small_graph(name: str) -> SmallGraph:
    """One of `SMALL_GRAPHS`: a dataset, small enough for a film, and what to see in it."""
    dataset, size, lesson = SMALL_GRAPHS[name]
    graph = load_dataset(dataset, size=size)
    return SmallGraph(graph.adjacency, graph.layout.astype(np.float64), graph.node_names, lesson)


SMALL_GRAPHS: Final[Mapping[str, tuple[str, int, str]]] = {
    "directed-ring": (
        "directed-ring",
        10,
        "Forward, without jumps, half of the mass that passes the gate leaves the ring for the "
        "dead end, once a round. Backward there is no dead end: the ring keeps what it holds.",
    ),
    "one-way path": (
        "directed-path",
        6,
        "Without jumps everything has arrived at the end of the path after five steps at most; no "
        "arrow leads on from there.",
    ),
    "citations": (
        "directed-citations",
        4,
        "Citations never form a circle: along them every walk ends, at the newest papers or, "
        "backward, at the oldest.",
    ),
    "two rings": (
        "directed-rings",
        3,
        "No node is a dead end here, but one of the rings is: without jumps, what has crossed "
        "never returns.",
    ),
}
