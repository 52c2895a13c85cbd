"""Graphs that do not fit: row blocks on disk, built and diffused within bounded memory.

A folder of blocks holds the symmetric adjacency of an undirected graph, its rows in stretches of a
few million entries, each a handful of NumPy files that are mapped into memory when they are
multiplied. The same folder serves one process and many (`torchrun`), with the same proof of error.
"""

from gdr_core.blocks.building import build_blocks
from gdr_core.blocks.diffusing import BlockResult, diffuse_blocks, open_result
from gdr_core.blocks.folder import BlockFolder, open_blocks
from gdr_core.blocks.laplacian import KINDS
from gdr_core.blocks.ranks import Alone, ranks_here

__all__ = [
    "KINDS",
    "Alone",
    "BlockFolder",
    "BlockResult",
    "build_blocks",
    "diffuse_blocks",
    "open_blocks",
    "open_result",
    "ranks_here",
]
