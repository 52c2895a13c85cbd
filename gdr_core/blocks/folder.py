"""The record of a folder of blocks: what lies in it, and whether it is what was built."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from gdr_core import gate

MANIFEST = "manifest.json"
_FORMAT = "gdr-blocks-1"
_CHUNK = 2**24


@dataclass(frozen=True)
class Block:
    """Rows `first` to `last` (not included): how many entries, and the checksum of its files."""

    first: int
    last: int
    entries: int
    checksum: int


@dataclass(frozen=True)
class BlockFolder:
    """A graph in row blocks.

    nodes      number of nodes, N
    entries    stored entries, two for each edge between different nodes
    weighted   whether there are weights; otherwise all are one
    directed   whether edges have a direction; each entry then has the weight along it and against
    """

    path: Path
    nodes: int
    entries: int
    weighted: bool
    blocks: tuple[Block, ...]
    directed: bool = False

    @cached_property
    def key(self) -> str:
        """A short name of exactly this graph in exactly these blocks."""
        return hashlib.sha256(manifest_text(self).encode()).hexdigest()[:16]

    def files(self, number: int) -> list[Path]:
        """The files of one block: row pointers, columns, and weights if there are any."""
        weights = ("along", "against") if self.directed else ("weights",) * self.weighted
        parts = ("indptr", "indices", *weights)
        return [self.path / f"block-{number:05d}.{part}.npy" for part in parts]

    def arcs(self, number: int) -> tuple[sp.csr_array, sp.csr_array]:
        """One block of a directed graph: rows of A and of Aᵀ, with the same places stored."""
        block = self.blocks[number]
        indptr, indices, *weights = (_mapped(file) for file in self.files(number))
        shape = (block.last - block.first, self.nodes)
        along, against = (sp.csr_array((data, indices, indptr), shape=shape) for data in weights)
        return along, against

    def rows(self, number: int) -> sp.csr_array:
        """One block as compressed rows, mapped into memory."""
        block = self.blocks[number]
        arrays = [_mapped(file) for file in self.files(number)]
        data = arrays[2] if self.weighted else self._ones[: block.entries]
        shape = (block.last - block.first, self.nodes)
        return sp.csr_array((data, arrays[1], arrays[0]), shape=shape)

    @cached_property
    def _ones(self) -> np.ndarray:
        """The weights of the longest block of a graph without weights, shared by all."""
        return np.ones(max((block.entries for block in self.blocks), default=0))

    def verify(self, number: int) -> None:
        """Read one block in full and compare it with what was built."""
        missing = [file.name for file in self.files(number) if not file.is_file()]
        if missing:
            raise gate.UnreadableError(
                f"{self.path} lacks {missing[0]}; build the blocks again or copy the file there"
            )
        if checksum(self.files(number)) != self.blocks[number].checksum:
            raise gate.UnreadableError(
                f"block {number} of {self.path} is damaged or belongs to another graph: its "
                "checksum is not the manifest's; build the blocks again"
            )


def open_blocks(path: str | os.PathLike[str]) -> BlockFolder:
    """The blocks in a folder, after a look at their manifest and the presence of all files."""
    folder = Path(path)
    try:
        text = (folder / MANIFEST).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise gate.UnreadableError(
            f"{folder} is no folder of blocks: it has no {MANIFEST}; `blocks build` makes one"
        ) from None
    try:
        found = json.loads(text)
        if found["format"] != _FORMAT:
            raise gate.UnreadableError(f"{folder} has blocks of another format, not {_FORMAT}")
        blocks = tuple(Block(*map(int, one)) for one in found["blocks"])
        record = BlockFolder(
            folder,
            int(found["nodes"]),
            int(found["entries"]),
            bool(found["weighted"]),
            blocks,
            bool(found.get("directed", False)),
        )
    except (KeyError, TypeError, json.JSONDecodeError) as problem:
        raise gate.UnreadableError(f"{folder / MANIFEST} is damaged") from problem
    _check_bounds(record)
    return record


def _check_bounds(folder: BlockFolder) -> None:
    """Blocks must follow each other from the first node to the last, and be there."""
    ends = [0, *(block.last for block in folder.blocks)]
    starts = [*(block.first for block in folder.blocks), folder.nodes]
    if ends != starts or sum(block.entries for block in folder.blocks) != folder.entries:
        raise gate.UnreadableError(f"{folder.path / MANIFEST} is damaged: blocks do not fit")
    for number in range(len(folder.blocks)):
        for file in folder.files(number):
            if not file.is_file():
                raise gate.UnreadableError(
                    f"{folder.path} lacks {file.name}; build the blocks again or copy the file "
                    "there"
                )


def manifest_text(folder: BlockFolder) -> str:
    """The manifest as it is written."""
    content = {
        "format": _FORMAT,
        "nodes": folder.nodes,
        "entries": folder.entries,
        "weighted": folder.weighted,
        "blocks": [[b.first, b.last, b.entries, b.checksum] for b in folder.blocks],
        **({"directed": True} if folder.directed else {}),
    }
    return json.dumps(content, indent=1)


def checksum(files: list[Path]) -> int:
    """CRC-32 of the bytes of some files, one after the other."""
    total = 0
    for file in files:
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                total = zlib.crc32(chunk, total)
    return total


def _mapped(file: Path) -> np.ndarray:
    try:
        return np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError) as problem:
        raise gate.UnreadableError(f"{file} is damaged or cut off") from problem
