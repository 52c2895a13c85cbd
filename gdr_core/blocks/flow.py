"""Directed Laplacians of graphs in blocks: PageRank first, then the flow between nodes, on disk.

With d = out-degree, φ = PageRank and s_i = α φ_i / d_i the symmetrised flow of the walk is

    W = (B + Bᵀ)/2,      W_ij = (s_i A_ij + s_j A_ji)/2,

where a block has both A_ij and A_ji (see `building.py`). So each block of W follows from its own
file and one number for each node; it is written once, mapped into memory, and multiplied like an
undirected graph. Jumps are two vectors, as in `gdr_core.laplacians.directed`.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
import scipy.sparse as sp

from gdr_core.blocks.laplacian import BlockLaplacian, BlockRows
from gdr_core.blocks.writing import check_space, whole
from gdr_core.laplacians import RankTwo
from gdr_core.laplacians.directed import check_alpha, inverted, walked
from gdr_core.products import Product

KINDS = ("directed", "directed-normalised", "directed-random-walk")


def directed_laplacian(
    kind: str, rows: BlockRows, folder: Path, alpha: float, direction: str
) -> BlockLaplacian:
    """The Laplacian of a directed graph in blocks; `folder` takes the flow between its nodes."""
    flow = _Flow(rows, check_alpha(alpha), direction == "backward")
    jump = flow.rank * ((1 - alpha) + alpha * (flow.degrees == 0)) / (2 * flow.degrees.size)
    rows.parts = flow.written(folder)
    ones, held = np.ones(flow.degrees.size), cast(Any, rows)
    rates = rows.product(ones) + RankTwo(jump, ones).apply(ones)
    if kind == "directed":
        return BlockLaplacian(kind, held, rates, ones, rank_two=RankTwo(jump, ones))
    root = np.sqrt(flow.rank)
    rows.root = inverse = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
    null = np.where(root > 0, root, 1.0)
    similarity = null if kind == "directed-random-walk" else None
    jumps = RankTwo(jump * inverse, inverse)
    return BlockLaplacian(kind, held, rates * inverse**2, null, similarity, jumps)


class _Flow:
    """What a walk that follows edges with probability α carries from node to node."""

    def __init__(self, rows: BlockRows, alpha: float, backward: bool):
        self.rows, self.alpha, self.backward = rows, alpha, backward

    def _arcs(self, number: int) -> tuple[sp.csr_array, sp.csr_array]:
        """Rows of A and of Aᵀ, or the other way round."""
        along, against = self.rows.folder.arcs(number)
        return (against, along) if self.backward else (along, against)

    @cached_property
    def degrees(self) -> np.ndarray:
        """d, the sum of each node's outgoing weights."""
        own = [_sums(self._arcs(number)[0]) for number in self.rows.numbers]
        return self.rows.ranks.joined(np.concatenate(own), self.rows.bounds)

    @cached_property
    def rank(self) -> np.ndarray:
        """φ, PageRank."""
        inverse = inverted(self.degrees)

        def incoming(rank: np.ndarray) -> np.ndarray:
            scaled = inverse * rank
            own = [self._arcs(number)[1] @ scaled for number in self.rows.numbers]
            return self.rows.ranks.joined(np.concatenate(own), self.rows.bounds)

        return walked(incoming, self.degrees == 0, self.alpha)

    def written(self, folder: Path) -> list[Product]:
        """The own blocks of W, in files."""
        folder.mkdir(parents=True, exist_ok=True)
        blocks = self.rows.folder.blocks
        check_space(folder, 8 * sum(blocks[number].entries for number in self.rows.numbers))
        share = self.alpha * self.rank * inverted(self.degrees)
        return [Product(self._block(number, share, folder)) for number in self.rows.numbers]

    def _block(self, number: int, share: np.ndarray, folder: Path) -> sp.csr_array:
        along, against = self._arcs(number)
        block = self.rows.folder.blocks[number]
        source = np.repeat(share[block.first : block.last], np.diff(along.indptr))
        source *= along.data
        source += share[along.indices] * against.data
        source /= 2
        file = folder / f"flow-{number:05d}.npy"
        with whole(file) as partial, partial.open("wb") as stream:
            np.save(stream, source)
        stored = np.load(file, mmap_mode="r", allow_pickle=False)
        return sp.csr_array((stored, along.indices, along.indptr), shape=along.shape)


def clear(folder: Path, rows: BlockRows) -> None:
    """Remove this rank's files of the flow, and the folder when no rank has any.

    It waits for nobody: other ranks may have failed.
    """
    for number in rows.numbers:
        for file in folder.glob(f"flow-{number:05d}.npy*"):  # and what was left half-written
            file.unlink(missing_ok=True)
    with suppress(OSError):  # another rank has files there, or the folder is gone
        folder.rmdir()


def _sums(matrix: sp.csr_array) -> np.ndarray:
    """Row sums in float64."""
    return matrix @ np.ones(matrix.shape[1])
