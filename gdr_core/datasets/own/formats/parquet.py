"""Parquet tables, as columns of texts or numbers."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook
from gdr_core.datasets.own.tables import note_bad_numbers, reason, texts_factorised, trimmed

if TYPE_CHECKING:
    import pyarrow as pa

MAGIC = b"PAR1"
_BATCH = 2**16


class ParquetTable:
    """A Parquet file whose columns are read when asked for, batch by batch, within the limits."""

    header = True

    def __init__(self, file: File, notebook: Notebook):
        import pyarrow as pa
        from pyarrow import parquet

        self.file, self.notebook = file, notebook
        file.check_size(file.limits.file_bytes)
        try:
            self.parquet = parquet.ParquetFile(io.BytesIO(file.content))
            self.names = tuple(str(name) for name in self.parquet.schema_arrow.names)
        except (pa.ArrowException, OSError, ValueError) as problem:
            raise file.error(f"this is no Parquet file ({reason(problem)})") from problem
        self._check_sizes()

    def _check_sizes(self) -> None:
        rows, columns, limits = self.parquet.metadata.num_rows, len(self.names), self.file.limits
        if columns > limits.columns or rows > limits.edges or rows * columns > limits.cells:
            raise self.file.error(f"{rows:,} rows of {columns:,} columns are more than is read")
        if not rows or not columns:
            raise self.file.error("the table is empty")

    @cached_property
    def sample(self) -> list[list[str]]:
        """The first rows as texts."""
        columns = [self.strings(i, most=50).to_pylist() for i in range(min(len(self.names), 50))]
        return [list(row) for row in zip(*columns, strict=True)]

    def column(self, index: int, most: int | None = None) -> pa.Array:
        """One column, its batches counted while they come."""
        import pyarrow as pa

        pieces, rows = [], 0
        try:
            name = self.parquet.schema_arrow.names[index]
            for batch in self.parquet.iter_batches(most or _BATCH, columns=[name]):
                batch.validate(full=True)  # a damaged file may point outside of its own buffers
                pieces.append(batch.column(0))
                rows += batch.num_rows
                self._check_bytes(sum(piece.nbytes for piece in pieces[-1:]), rows)
                if most and rows >= most:
                    break
            self._check_rows(rows, most)
            return pa.concat_arrays(pieces).slice(0, most)
        except (pa.ArrowException, OSError, ValueError, IndexError) as problem:
            if hasattr(problem, "problem"):
                raise
            raise self.file.error(f"the table cannot be read ({reason(problem)})") from problem

    def _check_rows(self, rows: int, most: int | None) -> None:
        promised = self.parquet.metadata.num_rows
        if not rows or rows < min(promised, most or promised):
            raise self.file.error(f"a column is cut off after {rows:,} of {promised:,} rows")

    def _check_bytes(self, size: int, rows: int) -> None:
        if size > self.file.limits.file_bytes or rows > self.file.limits.edges:
            raise self.file.error("the table unpacks to more than is read")

    def strings(self, column: int, most: int | None = None) -> pa.Array:
        """A column as texts; whole numbers as they are usually written, nothing as empty."""
        import pyarrow as pa
        import pyarrow.compute as compute

        values = self.column(column, most)
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        if pa.types.is_nested(values.type):
            raise self.file.error(f"the column {self.names[column]} holds lists, not single values")
        try:
            texts = compute.cast(values, pa.large_string())
        except (pa.ArrowException, ValueError) as problem:
            raise self.file.error(f"the column {self.names[column]} is no text") from problem
        return trimmed(compute.fill_null(texts, ""))

    def numbers(self, columns: Sequence[int]) -> sp.csr_array:
        """Columns as a sparse matrix; what is no finite number becomes zero and a finding."""
        found = [self._floats(i) for i in columns]
        matrix = np.stack(found, axis=1) if found else np.zeros((0, 0))
        bad = ~np.isfinite(matrix)
        note_bad_numbers(self, np.flatnonzero(bad.any(axis=1)))
        return sp.csr_array(np.where(bad, 0.0, matrix))

    def _floats(self, column: int) -> np.ndarray:
        import pyarrow as pa
        import pyarrow.compute as compute

        try:
            values: Any = compute.cast(self.column(column), pa.float64())
            return compute.fill_null(values, 0.0).to_numpy(zero_copy_only=False)
        except (pa.ArrowException, ValueError) as problem:
            raise self.file.error(f"the column {self.names[column]} holds no numbers") from problem

    def factorised(self, columns: Sequence[int]) -> tuple[list[str], np.ndarray]:
        """Every name that occurs in the columns, and its number for each column and row."""
        return texts_factorised([self.strings(c) for c in columns])

    def lines(self, rows: np.ndarray) -> Sequence[int]:
        """Parquet has rows, counted from one."""
        return [int(row) + 1 for row in rows]
