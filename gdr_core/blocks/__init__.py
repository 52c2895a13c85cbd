"""Graphs that do not fit: row blocks on disk, built and diffused within bounded memory.

A folder of blocks holds the adjacency of a graph, its rows in stretches of a few million entries
(for a directed graph those of A and of Aᵀ together), each a handful of NumPy files that are mapped
into memory when they are multiplied. The same folder serves one process and many (`torchrun`), with
the same proof of error.
"""

from gdr_core.blocks.building import build_blocks
from gdr_core.blocks.diffusing import diffuse_blocks, kinds_for
from gdr_core.blocks.folder import BlockFolder, open_blocks
from gdr_core.blocks.laplacian import KINDS
from gdr_core.blocks.mapped import diffuse_mapped
from gdr_core.blocks.ranks import Alone, ranks_here
from gdr_core.blocks.results import BlockResult, open_result

__all__ = [
    "KINDS",
    "Alone",
    "BlockFolder",
    "BlockResult",
    "build_blocks",
    "diffuse_blocks",
    "diffuse_mapped",
    "kinds_for",
    "open_blocks",
    "open_result",
    "ranks_here",
]
