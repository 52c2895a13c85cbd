"""Laplacians of graphs in blocks: all that the engine asks of one, from products block by block."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from gdr_core import gate
from gdr_core.blocks.folder import BlockFolder
from gdr_core.blocks.ranks import Alone, Ranks
from gdr_core.laplacians import Laplacian
from gdr_core.products import Product

KINDS = ("combinatorial", "symmetric", "random-walk")
_EXTRA = 5  # roundings of an entry beside those of the sum: root twice, its product, 4/Λ, the sign


class BlockRows:
    """diag(root) A diag(root) in row blocks, of which this rank holds some.

    Where the graph is directed, `flow.py` puts the symmetrised flow in the place of A.

    It stands where a Laplacian has its matrix W. `indptr` is that of rows which are `_EXTRA` longer
    than they are: nothing but bounds on rounding reads it, and scaling rounds as a longer sum does.
    """

    def __init__(self, folder: BlockFolder, ranks: Alone | Ranks):
        self.folder, self.ranks, self.nodes = folder, ranks, folder.nodes
        self.shares = shares(folder, ranks.count)
        self.numbers = self.shares[ranks.rank]
        self.bounds = [_rows(folder, share) for share in self.shares]
        self.first, self.last = self.bounds[ranks.rank]
        for number in self.numbers:
            folder.verify(number)
        self.parts: list[Product] = []
        if not folder.directed:
            self.parts = [Product(folder.rows(number)) for number in self.numbers]
        self.root: np.ndarray | None = None
        self.nnz = folder.entries

    @property
    def own(self) -> slice:
        """The rows of this rank."""
        return slice(self.first, self.last)

    def local(self, block: np.ndarray) -> np.ndarray:
        """The own rows of diag(root) A diag(root) @ block, which has a row for every node."""
        scaled = block if self.root is None else _scaled(self.root, block)
        image = np.concatenate([part(scaled) for part in self.parts], axis=0)
        return image if self.root is None else _scaled(self.root[self.own], image)

    def product(self, block: np.ndarray) -> np.ndarray:
        """The whole product, on every rank."""
        return self.ranks.joined(self.local(block), self.bounds)

    @cached_property
    def indptr(self) -> np.ndarray:
        """Where rows would begin, each longer by `_EXTRA`."""
        own = [np.diff(part.matrix.indptr) for part in self.parts]
        lengths = self.ranks.joined(np.concatenate(own).astype(np.float64), self.bounds)
        longer = np.where(lengths > 0, lengths + _EXTRA, 0).astype(np.int64)
        return np.concatenate([[0], np.cumsum(longer)])


class BlockLaplacian(Laplacian):
    """A Laplacian whose matrix lies on disk."""

    @cached_property
    def product(self) -> Callable[[np.ndarray], np.ndarray]:  # type: ignore[override]
        """block ↦ W @ block."""
        return self.weights.product


def block_laplacian(kind: str, rows: BlockRows) -> BlockLaplacian:
    """The Laplacian of a graph in blocks; see `gdr_core.laplacians.undirected` for the kinds."""
    gate.check_name(kind, "Laplacian of blocks", KINDS)
    nodes = rows.nodes
    degrees = rows.product(np.ones(nodes))
    weights: Any = rows
    if kind == "combinatorial":
        return BlockLaplacian(kind, weights, degrees, np.ones(nodes))
    root = np.sqrt(degrees)
    rows.root = np.divide(1.0, root, out=np.zeros(nodes), where=root > 0)
    null = np.where(root > 0, root, 1.0)
    similarity = null if kind == "random-walk" else None
    return BlockLaplacian(kind, weights, (root > 0).astype(np.float64), null, similarity)


def shares(folder: BlockFolder, count: int) -> list[list[int]]:
    """Which blocks each of `count` ranks holds: runs of blocks with about as many entries."""
    if count > len(folder.blocks):
        raise ValueError(
            f"{folder.path} has {len(folder.blocks)} blocks, too few for {count} ranks; build it "
            "with fewer entries in a block"
        )
    ends = np.cumsum([block.entries for block in folder.blocks])
    goals = np.linspace(0, ends[-1], count + 1)[1:-1]
    cuts = np.searchsorted(ends, goals) + 1
    for i in range(len(cuts)):  # every rank has at least one block, and leaves one to the others
        low = (cuts[i - 1] if i else 0) + 1
        cuts[i] = min(max(cuts[i], low), len(folder.blocks) - (len(cuts) - i))
    return [part.tolist() for part in np.split(np.arange(len(folder.blocks)), cuts)]


def _rows(folder: BlockFolder, numbers: list[int]) -> tuple[int, int]:
    return folder.blocks[numbers[0]].first, folder.blocks[numbers[-1]].last


def _scaled(factor: np.ndarray, block: np.ndarray) -> np.ndarray:
    return factor * block if block.ndim == 1 else factor[:, None] * block
