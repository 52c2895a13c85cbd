"""e^{−tL} H on a graph whose rows are mapped from files, as one block that nobody has to build.

The matrix is multiplied where it lies; the system reads what a product needs and gives it back.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from gdr_core import gate
from gdr_core.blocks.checkpoints import Checkpoints
from gdr_core.blocks.diffusing import EVERY, Job, stamp
from gdr_core.blocks.laplacian import KINDS, BlockRows, block_laplacian
from gdr_core.blocks.ranks import Alone
from gdr_core.blocks.results import BlockResult, check_new, read_scores
from gdr_core.diffusion.times import checked
from gdr_core.products import Product
from gdr_core.progress import Progress, ignore

_STRETCHES = 16  # in which a matrix is compared with its transpose


def diffuse_mapped(
    graph: str | os.PathLike[str],
    scores: str | os.PathLike[str],
    times: np.ndarray,
    out: str | os.PathLike[str],
    *,
    laplacian: str | None = None,
    tolerance: float = 1e-6,
    every: int = EVERY,
    progress: Progress = ignore,
) -> BlockResult:
    """H(t) = e^{−tL} H for a few times, into the folder `out`, as `diffuse_blocks` does it.

    graph       what `gdr_core.gate.mapped_matrix` opens: a symmetric matrix. Sorted rows of float64
                with indices of 32 bits stay in their file; others are copied and put right
    scores      .npy file of H, shape (nodes, columns)
    laplacian   one of `KINDS`; the first of them if not given
    others      as for `diffuse_blocks`

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> sp.save_npz(folder / "pair.npz", sp.csr_array([[0.0, 1.0], [1.0, 0.0]]), compressed=False)
    >>> np.save(folder / "scores.npy", [[1.0], [0.0]])
    >>> found = diffuse_mapped(
    ...     folder / "pair.npz", folder / "scores.npy", np.array([0.5]), folder / "out"
    ... )
    >>> found.values()[0, :, 0].round(4)
    array([0.6839, 0.3161])
    """
    grid, target = checked(times), check_new(Path(out))
    gate.whole(every, "the number of terms between checkpoints", 1)
    kind = gate.check_name(laplacian or KINDS[0], "Laplacian of a mapped graph", KINDS)
    rows = MappedRows(gate.adjacency_matrix(gate.mapped_matrix(graph), "the graph"))
    start = read_scores(Path(scores), rows.nodes, rows.own)
    job = Job(block_laplacian(kind, rows), rows, start, grid, tolerance)
    key = json.dumps([_stamps(Path(graph)), kind, grid.tolist(), tolerance, stamp(Path(scores))])
    states = Checkpoints(target.with_name(f"{target.name}.checkpoints"), key, Alone())
    return job.kept(states, every, target, progress)


class MappedRows(BlockRows):
    """A whole matrix as the one block of one process."""

    def __init__(self, matrix: sp.csr_array):
        _check_graph(matrix)
        self.ranks = Alone()
        self.nodes, self.nnz = int(matrix.shape[0]), int(matrix.nnz)
        self.first, self.last = 0, self.nodes
        self.bounds = [(0, self.nodes)]
        self.parts = [Product(matrix)]
        self.root = None


def _check_graph(matrix: sp.csr_array) -> None:
    """Refuse edges from a node to itself, and those that have a direction."""
    if matrix.diagonal().any():
        raise ValueError("the graph has edges from a node to itself; remove them first")
    if not _is_symmetric(matrix):
        raise ValueError(
            "the graph has directions, for which rows are not mapped; make blocks of its edges "
            "with `blocks build --directed`"
        )


def _is_symmetric(matrix: sp.csr_array) -> bool:
    """Whether A = Aᵀ exactly, some rows at a time: no second matrix is held."""
    for part in np.array_split(np.arange(matrix.shape[0]), _STRETCHES):
        span = slice(int(part[0]), int(part[-1]) + 1) if part.size else slice(0, 0)
        if (matrix[span] != matrix[:, span].T).nnz:
            return False
    return True


def _stamps(graph: Path) -> list[list[int]]:
    """What tells that the files of a matrix are the same as before."""
    return [stamp(file) for file in (sorted(graph.glob("*.npy")) if graph.is_dir() else [graph])]
