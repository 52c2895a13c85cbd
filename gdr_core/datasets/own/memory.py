"""A table that another reader has already taken apart: attributes of nodes, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook
from gdr_core.datasets.own.tables import as_numbers, note_bad_numbers, texts_factorised, trimmed

if TYPE_CHECKING:
    import pyarrow as pa


class MemoryTable:
    """Columns of texts, the first of which names the nodes; None stands for an empty cell."""

    header = True

    def __init__(
        self,
        file: File,
        notebook: Notebook,
        columns: Mapping[str, Sequence[str | None]],
        line_of_row: Sequence[int] = (),
    ):
        self.file, self.notebook = file, notebook
        self.names = tuple(columns)
        self.columns = list(columns.values())
        self.line_of_row = line_of_row
        rows, limits = len(self.columns[0]), file.limits
        if rows > limits.nodes or rows * len(self.names) > limits.cells:
            raise file.error(f"{rows:,} nodes with {len(self.names):,} attributes are too many")

    @cached_property
    def sample(self) -> list[list[str]]:
        """The first rows."""
        rows = zip(*(column[:50] for column in self.columns), strict=True)
        return [[cell or "" for cell in row] for row in rows]

    def strings(self, column: int) -> pa.Array:
        """A column as texts, blanks around them removed."""
        import pyarrow as pa

        cells = [cell or "" for cell in self.columns[column]]
        return trimmed(pa.array(cells, pa.large_string()))

    def numbers(self, columns: Sequence[int]) -> sp.csr_array:
        """Columns as a sparse matrix; what is no finite number becomes zero and a finding."""
        matrix, bad = as_numbers([self.strings(c) for c in columns], len(self.columns[0]))
        note_bad_numbers(self, bad)
        return sp.csr_array(matrix)

    def factorised(self, columns: Sequence[int]) -> tuple[list[str], np.ndarray]:
        """Every name that occurs in the columns, and its number for each column and row."""
        return texts_factorised([self.strings(c) for c in columns])

    def lines(self, rows: np.ndarray) -> Sequence[int]:
        """The line of each row in the file, where the format has lines."""
        return [self.line_of_row[row] for row in rows] if self.line_of_row else ()
