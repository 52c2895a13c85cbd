"""A sketch: a small graph as somebody drew it, with beliefs, a Laplacian and a moment in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from gdr_core.laplacians import ALPHA, DIRECTIONS, LAPLACIANS, Laplacian, make_laplacian

MOST_NODES: Final = 60
MOST_CLASSES: Final = 6
PLACES: Final = 1000
LONGEST_NAME: Final = 12
LEAST_ALPHA, MOST_ALPHA = 0.05, 0.99
_NOT_IN_NAMES: Final = frozenset(":@>#,;-<=—→\"'`\\/")


class SketchError(ValueError):
    """What cannot be a sketch; the sentence says why."""


class Edge(NamedTuple):
    """From one node to another; with `arrow` that way only, otherwise both ways."""

    source: int
    target: int
    weight: float = 1.0
    arrow: bool = False

    def clashes(self, other: Edge) -> bool:
        """Whether the two join the same nodes the same way."""
        ends, theirs = (self.source, self.target), (other.source, other.target)
        return ends == theirs or (ends == theirs[::-1] and not (self.arrow and other.arrow))


@dataclass(frozen=True)
class Sketch:
    """A graph of at most sixty nodes. Checked when it is made.

    places    x and y of each node, whole numbers from 0 to 1000, y downwards
    beliefs   one row a node, one number a class, none negative: H, as it was painted
    train     for each node whether its class is known
    time      t, and t_min from which on an overshoot counts, in the time of the Laplacian

    >>> from gdr_core.sketches import Edge, Sketch
    >>> two = Sketch(names=("a", "b"), edges=(Edge(0, 1),), beliefs=((1.0,), (0.0,)))
    >>> two.at(0.0).ravel()
    array([1., 0.])
    >>> two.at(100.0).ravel().round(6)
    array([0.5, 0.5])
    """

    names: tuple[str, ...]
    edges: tuple[Edge, ...] = ()
    beliefs: tuple[tuple[float, ...], ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    train: tuple[bool, ...] = ()
    laplacian: str = "combinatorial"
    direction: str = "forward"
    alpha: float = ALPHA
    time: float = 0.0
    t_min: float = 0.0

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        nodes = len(self.names)
        set_field(self, "names", tuple(str(name) for name in self.names))
        set_field(self, "edges", tuple(self.edges))
        set_field(self, "beliefs", _rows(self.beliefs, nodes))
        set_field(self, "places", tuple(self.places) or circle(nodes))
        set_field(self, "train", tuple(bool(mark) for mark in self.train) or (False,) * nodes)
        _check_names(self.names)
        _check_edges(self.edges, self.names)
        _check_numbers(self)
        _check_choices(self)

    @property
    def classes(self) -> int:
        """The number of classes; one where no node was painted."""
        return len(self.beliefs[0]) if self.beliefs else 1

    @property
    def directed(self) -> bool:
        """Whether it has an arrow."""
        return any(edge.arrow for edge in self.edges)

    @cached_property
    def adjacency(self) -> np.ndarray:
        """A, dense: entry (i, j) is the weight of the way from i to j."""
        matrix = np.zeros((len(self.names), len(self.names)))
        for edge in self.edges:
            matrix[edge.source, edge.target] = edge.weight
            if not edge.arrow:
                matrix[edge.target, edge.source] = edge.weight
        return matrix

    def operator(self) -> Laplacian:
        """The Laplacian that was chosen; an undirected one forgets directions first."""
        kind, along = LAPLACIANS[self.laplacian], self.adjacency
        matrix = along if kind.directed else np.maximum(along, along.T)
        options = {"direction": self.direction, "alpha": self.alpha}
        return make_laplacian(self.laplacian, matrix, **options)  # type: ignore[arg-type]

    def at(self, time: float) -> np.ndarray:
        """p(t) = e^{−tL} H by dense arithmetic, one row a node, one column a class."""
        from scipy.linalg import expm

        start = np.array(self.beliefs, dtype=np.float64).reshape(len(self.names), self.classes)
        return expm(-time * self.operator().dense()) @ start


def circle(nodes: int) -> tuple[tuple[int, int], ...]:
    """Places on a circle, for nodes of which nothing else is known; the first one on top.

    >>> from gdr_core.sketches import circle
    >>> circle(4)
    ((500, 120), (880, 500), (500, 880), (120, 500))
    """
    angles = [2 * np.pi * k / max(nodes, 1) for k in range(nodes)]
    return tuple((round(500 + 380 * np.sin(a)), round(500 - 380 * np.cos(a))) for a in angles)


def tidy(value: float) -> float:
    """A number with six digits: what is computed with is what the link says.

    >>> from gdr_core.sketches import tidy
    >>> tidy(1 / 3)
    0.333333
    """
    return float(f"{value:.6g}")


def _is_weight(value: float) -> bool:
    """Whether an edge may have this weight."""
    return 1e-6 <= value <= 1e6


def _is_amount(value: float) -> bool:
    """Whether a belief or a time may be this number."""
    return value == 0 or 1e-9 <= value <= 1e9


def _check_names(names: Sequence[str]) -> None:
    """Refuse too many names, names that text cannot hold, and two of one name."""
    if len(names) > MOST_NODES:
        raise SketchError(
            f"A graph here has at most {MOST_NODES} nodes, and this one has {len(names):,}."
        )
    for name in names:
        if not name or len(name) > LONGEST_NAME or any(_is_odd(sign) for sign in name):
            raise SketchError(
                f"“{name[:20]}” cannot be a node's name: a name has 1 to {LONGEST_NAME} letters "
                "or digits, no spaces and no signs such as - > : @ #."
            )
    if twice := next((name for i, name in enumerate(names) if name in names[:i]), None):
        raise SketchError(f"Two nodes have the name “{twice}”; every node needs its own.")


def _is_odd(sign: str) -> bool:
    return sign in _NOT_IN_NAMES or sign.isspace() or ord(sign) < 32


def _rows(beliefs: Sequence[Sequence[float]], nodes: int) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(b) for b in row) for row in beliefs) or ((0.0,),) * nodes


def _check_edges(edges: Sequence[Edge], names: Sequence[str]) -> None:
    for place, edge in enumerate(edges):
        if not (0 <= edge.source < len(names) and 0 <= edge.target < len(names)):
            raise SketchError("An edge leads to a node that is not there.")
        if edge.source == edge.target:
            raise SketchError(f"An edge leads from “{names[edge.source]}” to itself.")
        if not _is_weight(edge.weight):
            raise SketchError(
                f"The weight {edge.weight:g} is not allowed: weights lie between 0.000001 and "
                "1,000,000."
            )
        if any(edge.clashes(other) for other in edges[:place]):
            ends = f"“{names[edge.source]}” and “{names[edge.target]}”"
            raise SketchError(f"The nodes {ends} are joined twice.")


def _check_numbers(sketch: Sketch) -> None:
    nodes = len(sketch.names)
    if {len(sketch.beliefs), len(sketch.places), len(sketch.train)} != {nodes}:
        raise SketchError("Beliefs, places and marks need one entry for each node.")
    if len({len(row) for row in sketch.beliefs}) > 1 or not 1 <= sketch.classes <= MOST_CLASSES:
        raise SketchError(f"All nodes need beliefs in the same 1 to {MOST_CLASSES} classes.")
    if not all(_is_amount(belief) for row in sketch.beliefs for belief in row):
        raise SketchError("A belief is a number that is not negative.")
    if not all(0 <= value <= PLACES for place in sketch.places for value in place):
        raise SketchError(f"Places are whole numbers from 0 to {PLACES}.")


def _check_choices(sketch: Sketch) -> None:
    if sketch.laplacian not in LAPLACIANS:
        raise SketchError(
            f"There is no Laplacian “{sketch.laplacian}”; there are {', '.join(LAPLACIANS)}."
        )
    if sketch.direction not in DIRECTIONS:
        raise SketchError(f"The direction is {' or '.join(DIRECTIONS)}.")
    if not LEAST_ALPHA <= sketch.alpha <= MOST_ALPHA:
        raise SketchError(f"α lies between {LEAST_ALPHA} and {MOST_ALPHA}.")
    if not (_is_amount(sketch.time) and _is_amount(sketch.t_min)):
        raise SketchError("A time is a number that is not negative.")
