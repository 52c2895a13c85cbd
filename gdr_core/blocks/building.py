"""From an edge list to row blocks, sorted on disk: memory for one block and one number per node.

First pass: how many entries each row will have; from this follow the blocks. Second pass: every
edge goes, in both directions, to the end of its block's file. Then each of these is sorted and
written as compressed rows. A pair of nodes that is listed several times is one edge with the
largest of its weights; an edge from a node to itself is left out.

Blocks of a directed graph hold the same entries, both ways, each with two weights: that of the edge
along, A_ij, and that of the edge against it, A_ji. Rows of A and of Aᵀ are then read together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import numpy as np

from gdr_core import gate
from gdr_core.blocks.edges import MOST_NODES, Edges, edge_batches
from gdr_core.blocks.folder import (
    MANIFEST,
    Block,
    BlockFolder,
    checksum,
    manifest_text,
    open_blocks,
)
from gdr_core.blocks.writing import check_space, whole
from gdr_core.progress import Progress, ignore

_ENTRIES = 4_000_000
_MOST_BLOCKS = 500


def build_blocks(
    edges: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    nodes: int | None = None,
    weight: str | None = None,
    directed: bool = False,
    entries: int = _ENTRIES,
    progress: Progress = ignore,
) -> BlockFolder:
    """Turn an edge list (Parquet or CSV) into a folder of blocks, which must not exist yet.

    nodes     number of nodes; one more than the largest number in the file where None
    weight    name of the column of weights; all are one where None
    directed  whether an edge leads from its first node to its second, and not both ways
    entries   about how many entries a block has, two for each edge
    """
    place = Path(folder)
    if place.exists():
        raise ValueError(f"{place} exists already; choose another folder or remove it")
    gate.whole(entries, "entries", 1)
    with whole(place) as partial:
        partial.mkdir(parents=True)
        progress(0.0, "counting")
        lengths = _row_lengths(edges, weight, nodes)
        bounds = _bounds(lengths, entries)
        kind = _entry_type(weight is not None, directed)
        check_space(partial, 2 * kind.itemsize * int(lengths.sum()) + 4 * lengths.size)
        _spill(edges, weight, partial, bounds, kind, progress)
        blocks = []
        for number, (first, last) in enumerate(pairwise(bounds)):
            progress(0.5 + number / len(bounds) / 2, f"block {number + 1} of {len(bounds) - 1}")
            blocks.append(_write_block(partial, number, first, last, lengths.size, kind))
        total = sum(block.entries for block in blocks)
        weighted = weight is not None
        record = BlockFolder(partial, lengths.size, total, weighted, tuple(blocks), directed)
        (partial / MANIFEST).write_text(manifest_text(record), encoding="utf-8")
    progress(1.0, "done")
    return open_blocks(place)


def _entry_type(weighted: bool, directed: bool) -> np.dtype:
    """What is kept of an entry: its place, and its weight, or both weights."""
    place = [("row", "<i4"), ("column", "<i4")]
    if directed:
        number = "<f8" if weighted else "u1"
        return np.dtype([*place, ("along", number), ("against", number)])
    return np.dtype([*place, ("weight", "<f8")] if weighted else place)


def _both_ways(edges: Edges) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray | None]]:
    """Rows, columns and weights of the edges along and against, without loops."""
    kept = edges.source != edges.target
    weights = None if edges.weights is None else edges.weights[kept]
    yield edges.source[kept], edges.target[kept], weights
    yield edges.target[kept], edges.source[kept], weights


def _row_lengths(
    edges: str | os.PathLike[str], weight: str | None, nodes: int | None
) -> np.ndarray:
    """How many entries each row will have, pairs that are listed again included."""
    size = 0 if nodes is None else gate.whole(nodes, "nodes", 1, MOST_NODES)
    lengths = np.zeros(size, dtype=np.int64)
    for batch in edge_batches(edges, weight):
        highest = 1 + max(int(batch.source.max(initial=-1)), int(batch.target.max(initial=-1)))
        if nodes is not None and highest > nodes:
            raise ValueError(f"the edges name node {highest - 1:,}, but there are {nodes:,} nodes")
        if highest > lengths.size:
            lengths = np.concatenate([lengths, np.zeros(highest - lengths.size, dtype=np.int64)])
        for rows, _, _ in _both_ways(batch):
            counted = np.bincount(rows)
            lengths[: counted.size] += counted
    if lengths.size == 0:
        raise ValueError(f"{Path(edges).name} has no edges, and no number of nodes was given")
    return lengths


def _bounds(lengths: np.ndarray, entries: int) -> list[int]:
    """Where blocks begin and end: each has about `entries` entries, and no fewer than one row."""
    total = int(lengths.sum())
    count = min(max(-(-total // entries), 1), lengths.size)
    if count > _MOST_BLOCKS:
        raise ValueError(
            f"{total:,} entries would make {count:,} blocks, at most {_MOST_BLOCKS} can be; ask "
            f"for at least {-(-total // _MOST_BLOCKS):,} entries in a block"
        )
    goals = np.linspace(0, total, count + 1)[1:-1]
    inner = np.searchsorted(np.cumsum(lengths), goals) + 1
    return np.unique([0, *inner.tolist(), lengths.size]).tolist()


def _spill(
    edges: str | os.PathLike[str],
    weight: str | None,
    folder: Path,
    bounds: list[int],
    kind: np.dtype,
    progress: Progress,
) -> None:
    """Append every entry to the file of its block."""
    with ExitStack() as stack:
        files = [
            stack.enter_context(_spilled(folder, number).open("wb"))
            for number in range(len(bounds) - 1)
        ]
        for batch in edge_batches(edges, weight):
            progress(0.25, "sorting into blocks")
            for way, (rows, columns, weights) in enumerate(_both_ways(batch)):
                found = np.searchsorted(bounds, rows, side="right") - 1
                order = np.argsort(found, kind="stable")
                packed = np.zeros(order.size, dtype=kind)
                packed["row"], packed["column"] = rows[order], columns[order]
                if (name := _weight_of(kind, way)) is not None:
                    packed[name] = 1 if weights is None else weights[order]
                ends = np.searchsorted(found[order], np.arange(len(bounds)))
                for number, file in enumerate(files):
                    file.write(packed[ends[number] : ends[number + 1]].tobytes())


def _weight_of(kind: np.dtype, way: int) -> str | None:
    """Where the weight of an edge goes on its way there (0) and back (1)."""
    names = kind.names or ()
    return ("along", "against")[way] if "along" in names else ("weight" if names[2:] else None)


def _spilled(folder: Path, number: int) -> Path:
    return folder / f"unsorted-{number:05d}.bin"


def _write_block(
    folder: Path, number: int, first: int, last: int, nodes: int, kind: np.dtype
) -> Block:
    """Sort the entries of one block, keep each pair once, write compressed rows."""
    source = _spilled(folder, number)
    entries = np.fromfile(source, dtype=kind)
    source.unlink()
    keys = (entries["row"].astype(np.int64) - first) * nodes + entries["column"]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    rows, columns = np.divmod(keys[starts], nodes)
    counts = np.bincount(rows, minlength=last - first)
    names = (kind.names or ())[2:]
    record = BlockFolder(folder, nodes, 0, bool(names), (), "along" in names)
    arrays = [np.concatenate([[0], np.cumsum(counts)]).astype(np.int32), columns.astype(np.int32)]
    for name in names:
        weights = entries[name][order]
        arrays.append(np.maximum.reduceat(weights, starts) if starts.size else weights)
    files = record.files(number)
    for file, array in zip(files, arrays, strict=True):
        np.save(file, array)
    return Block(first, last, int(starts.size), checksum(files))
