"""Edge lists in Parquet or CSV, read in batches: two columns of node numbers, maybe weights."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gdr_core import gate
from gdr_core.extras import need

MOST_NODES = 2**31 - 1
_BATCH = 2**20
_BYTES = 2**24
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.IGNORECASE)


class Edges(NamedTuple):
    """Some edges: their ends, and their weights or None."""

    source: np.ndarray
    target: np.ndarray
    weights: np.ndarray | None


def edge_batches(path: str | os.PathLike[str], weight: str | None = None) -> Iterator[Edges]:
    """The edges of a file, about a million at a time.

    The first two columns are the numbers of nodes, from 0; `weight` names the column of weights,
    if there is one. A CSV file may begin with a line of names; where all of these are numbers, it
    is an edge like the others, and columns are called f0, f1, f2.
    """
    need("pyarrow")
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"{file} is not there")
    opened = _parquet if file.suffix.lower() in (".parquet", ".pq") else _csv
    from pyarrow.lib import ArrowException

    try:
        for batch in opened(file):
            yield _edges_of(batch, weight, file)
    except ArrowException as problem:
        reason = str(problem).partition("\n")[0]
        raise gate.UnreadableError(f"{file.name} cannot be read: {reason}") from problem


def _parquet(file: Path) -> Iterator[Any]:
    from pyarrow import parquet

    with parquet.ParquetFile(file) as opened:
        yield from opened.iter_batches(batch_size=_BATCH)


def _csv(file: Path) -> Iterator[Any]:
    from pyarrow import csv

    options = csv.ReadOptions(block_size=_BYTES)
    with csv.open_csv(file, read_options=options) as opened:
        if not all(_NUMBER.fullmatch(name) for name in opened.schema.names):
            yield from opened
            return
    options.autogenerate_column_names = True
    with csv.open_csv(file, read_options=options) as opened:
        yield from opened


def _edges_of(batch: Any, weight: str | None, file: Path) -> Edges:
    names = batch.schema.names
    if len(names) < 2:
        raise gate.UnreadableError(f"{file.name} needs two columns of node numbers, got {names}")
    if weight is not None and weight not in names:
        raise ValueError(f"{file.name} has no column {weight!r}; there are {', '.join(names)}")
    ends = [_numbers(batch.column(i), names[i], file) for i in (0, 1)]
    weights = None if weight is None else _weights(batch.column(names.index(weight)), weight, file)
    return Edges(ends[0], ends[1], weights)


def _numbers(column: Any, name: str, file: Path) -> np.ndarray:
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind not in "iu" or column.null_count:
        raise gate.UnreadableError(
            f"column {name!r} of {file.name} must hold the numbers of nodes, whole and from 0; "
            f"got {column.type}{' with gaps' if column.null_count else ''}"
        )
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    if low < 0 or high >= MOST_NODES:
        raise gate.UnreadableError(
            f"column {name!r} of {file.name} must lie between 0 and {MOST_NODES - 1:,}, got "
            f"{low if low < 0 else high:,}"
        )
    return values.astype(np.int64)


def _weights(column: Any, name: str, file: Path) -> np.ndarray:
    values = column.to_numpy(zero_copy_only=False)
    good = values.dtype.kind in "iuf" and not column.null_count
    if not (good and np.isfinite(values).all() and (values > 0).all()):
        raise gate.UnreadableError(f"column {name!r} of {file.name} must hold weights above 0")
    return values.astype(np.float64)
