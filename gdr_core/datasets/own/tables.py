"""Tables of text or Parquet, column by column, with the line of every row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, counted, short
from gdr_core.datasets.own.text import BLANKS, Dialect, readable, sample_rows

if TYPE_CHECKING:
    import pyarrow as pa

# Blocks are parsed side by side; each must hold at least one line.
NARROW_BLOCK, WIDE_BLOCK = 2**20, 2**24
_POWERS = 10 ** np.arange(1, 19, dtype=np.int64)


class Table(Protocol):
    """Rows and columns of texts."""

    file: File
    notebook: Notebook

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns; `column 3` where there are none."""

    @property
    def header(self) -> bool:
        """Whether the columns have names of their own."""

    @property
    def sample(self) -> list[list[str]]:
        """The first rows."""

    def strings(self, column: int) -> pa.Array:
        """A column as texts, blanks around them removed."""

    def numbers(self, columns: Sequence[int]) -> sp.csr_array:
        """Columns as a matrix of numbers."""

    def lines(self, rows: np.ndarray) -> Sequence[int]:
        """The line of each row in the file."""


class TextTable:
    """A delimited text, parsed by Arrow as often as columns are asked for; only they are kept."""

    def __init__(self, file: File, content: bytes, dialect: Dialect, notebook: Notebook):
        self.file, self.dialect, self.notebook = file, dialect, notebook
        self.content = _single_tabs(content, dialect) if dialect.separator == BLANKS else content
        self.separator = "\t" if dialect.separator == BLANKS else dialect.separator
        self.ragged = 0
        self.line_ends = self.content.count(b"\n")
        self._check_cells()

    def _check_cells(self) -> None:
        rows, limits = self.line_ends + 1, self.file.limits
        if rows > limits.edges + 1:
            raise self.file.error(f"there are {rows:,} lines; at most {limits.edges:,} are read")
        if rows * self.dialect.columns > max(limits.cells, 3 * limits.edges):
            raise self.file.error(
                f"{rows:,} lines of {self.dialect.columns:,} columns are too many cells; "
                f"at most {limits.cells:,} are read"
            )

    @cached_property
    def sample(self) -> list[list[str]]:
        """The first rows, the header left out."""
        return self._first[1:] if self.dialect.header else self._first

    @cached_property
    def _first(self) -> list[list[str]]:
        """The first rows; as tabs, the blanks of a quoted text may have left none."""
        rows = sample_rows(self.content, self.separator, self.dialect.skipped)
        if not rows:
            raise self.file.error("the file holds no rows")
        return rows

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns; `column 3` where there are none."""
        given = self._first[0] if self.dialect.header else []
        numbered = [f"column {i + 1}" for i in range(self.dialect.columns)]
        return (*given[: len(numbered)], *numbered[len(given) :])

    @property
    def header(self) -> bool:
        """Whether the columns have names of their own."""
        return self.dialect.header

    def parsed(self, types: dict[int, Any]) -> pa.Table:
        """The columns of `types`, each as its type; lines with another number of cells are out."""
        import pyarrow as pa
        import pyarrow.csv as arrow

        ragged = 0

        def skip(row: Any) -> str:
            nonlocal ragged
            ragged += 1
            return "skip"

        names = [f"c{i}" for i in range(self.dialect.columns)]
        quoted = self.dialect.quoted
        block = NARROW_BLOCK if len(names) <= 4 else WIDE_BLOCK
        table = arrow.read_csv(
            pa.BufferReader(self.content),
            arrow.ReadOptions(column_names=names, skip_rows=self._before, block_size=block),
            arrow.ParseOptions(
                delimiter=self.separator,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted,
                invalid_row_handler=skip,
            ),
            arrow.ConvertOptions(
                column_types={names[i]: kind for i, kind in types.items()},
                include_columns=[names[i] for i in types],
                null_values=[],
            ),
        )
        self._note_ragged(ragged)
        return table

    def _parsed_or_refused(self, types: dict[int, Any]) -> pa.Table:
        import pyarrow as pa

        try:
            return self.parsed(types)
        except pa.ArrowInvalid as problem:
            found = re.search(r"Row #(\d+)", str(problem))
            line = int(found[1]) if found else None
            raise self.file.error(
                f"the table cannot be read ({reason(problem)})", line
            ) from problem

    def strings(self, column: int) -> pa.Array:
        """A column as texts, blanks around them removed."""
        return trimmed(self._parsed_or_refused({column: _text()}).column(0))

    def numbers(self, columns: Sequence[int]) -> sp.csr_array:
        """Columns as a sparse matrix; what is no number is a finding, an empty cell a zero."""
        table = self._parsed_or_refused(dict.fromkeys(columns, _text()))
        pieces: list[sp.csr_array] = []
        bad_rows: list[np.ndarray] = []
        for batch in table.to_batches(max_chunksize=max(1, 2**22 // max(len(columns), 1))):
            matrix, bad = as_numbers(batch.columns, batch.num_rows)
            bad_rows.append(bad + sum(piece.shape[0] for piece in pieces))
            pieces.append(sp.csr_array(matrix))
        note_bad_numbers(self, np.concatenate([*bad_rows, np.empty(0, dtype=np.int64)]))
        empty = sp.csr_array((0, len(columns)))
        return sp.csr_array(sp.vstack(pieces, format="csr")) if pieces else empty

    def factorised(self, columns: Sequence[int]) -> tuple[list[str], np.ndarray]:
        """Every name that occurs in the columns, and its number for each column and row."""
        return self._integers(columns) or texts_factorised([self.strings(c) for c in columns])

    def _integers(self, columns: Sequence[int]) -> tuple[list[str], np.ndarray] | None:
        """The same for names that are whole numbers, several times faster; None for others.

        A number stands for its text only if it is written in the one usual way. So the lengths
        of all cells must add up to the length of the file: a plus sign, a blank or a leading
        zero would be missing from the sum.
        """
        import pyarrow as pa

        if self.dialect.quoted or self.dialect.columns > 4:
            return None
        rest = [i for i in range(self.dialect.columns) if i not in columns]
        try:
            table = self.parsed(dict.fromkeys(columns, pa.int64()) | dict.fromkeys(rest, _text()))
        except pa.ArrowInvalid:
            return None
        chunks = [chunk.to_numpy() for i in columns for chunk in table[f"c{i}"].chunks]
        codes, unique = _numbers_factorised(np.concatenate([*chunks, np.empty(0, np.int64)]))
        digits = int((np.bincount(codes, minlength=unique.size) * _written_length(unique)).sum())
        if self._length_of_cells(table.num_rows) != digits + _bytes_of(table, rest):
            return None
        return list(map(str, unique.tolist())), codes.reshape(len(columns), -1)

    def _length_of_cells(self, rows: int) -> int:
        """Bytes of the file that are neither header nor separators nor line ends."""
        ends = self.line_ends - self._before + self.content.count(b"\r")
        return len(self.content) - self._body_start - ends - rows * (self.dialect.columns - 1)

    @property
    def _before(self) -> int:
        return self.dialect.skipped + self.dialect.header

    @cached_property
    def _body_start(self) -> int:
        position = 0
        for _ in range(self._before):
            position = self.content.find(b"\n", position) + 1
        return position

    def _note_ragged(self, count: int) -> None:
        if not count or self.ragged:
            return
        self.ragged = count
        lines = [line for line, cells in self._line_cells() if cells != self.dialect.columns]
        verb = "has" if count == 1 else "have"
        text = f"{counted(count, 'line')} {verb} other than {self.dialect.columns:,} columns"
        self.notebook.note("ragged", text, count, self.file.name, lines)

    def lines(self, rows: np.ndarray) -> Sequence[int]:
        """The line of each row in the file, found by counting unless every line is a row."""
        if rows.size == 0:
            return ()
        return [self._line_of_row[row] if row < len(self._line_of_row) else 0 for row in rows]

    @cached_property
    def _line_of_row(self) -> Sequence[int]:
        total = self.line_ends + 1
        if not self.ragged and not self.dialect.quoted and b"\n\n" not in self.content:
            return range(self._before + 1, total + 1)
        return [line for line, cells in self._line_cells() if cells == self.dialect.columns]

    def _line_cells(self) -> list[tuple[int, int]]:
        """First line and number of cells of every row that is not blank."""
        text = io.StringIO(self.content.decode("utf-8", errors="replace"), newline="")
        for _ in range(self._before):
            text.readline()
        reader = csv.reader(text, delimiter=self.separator)
        found, line = [], self._before + 1
        for row in readable(reader):
            if row:
                found.append((line, len(row)))
            line = self._before + 1 + reader.line_num
        return found


def trimmed(column: Any) -> pa.Array:
    """Texts without blanks around them, as one array."""
    import pyarrow as pa
    import pyarrow.compute as compute

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return compute.utf8_trim_whitespace(whole)


def texts_factorised(columns: Sequence[pa.Array]) -> tuple[list[str], np.ndarray]:
    """Every text that occurs, in order of appearance, and its number for each column and row."""
    import pyarrow as pa

    coded = pa.concat_arrays(list(columns)).dictionary_encode()
    codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return coded.dictionary.to_pylist(), codes.reshape(len(columns), -1)


def _numbers_factorised(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The number of each value among those that occur, and these.

    Values that fill their range are found by their place in a table, which is faster than hashing.
    """
    if not values.size or values.min() < 0 or values.max() > 4 * values.size:
        import pandas

        return pandas.factorize(values)
    there = np.zeros(int(values.max()) + 1, dtype=bool)
    there[values] = True
    place = np.cumsum(there, dtype=np.int32) - 1
    return place[values], np.flatnonzero(there)


def as_numbers(columns: Sequence[pa.Array], rows: int) -> tuple[np.ndarray, np.ndarray]:
    """A dense block of numbers, and the rows that hold something else (read as zero)."""
    import pyarrow as pa
    import pyarrow.compute as compute

    matrix, bad = np.zeros((rows, len(columns))), np.zeros(rows, dtype=bool)
    for i, column in enumerate(columns):
        cells = compute.utf8_trim_whitespace(column)
        cells = compute.if_else(compute.equal(cells, ""), "0", cells)
        try:
            values = compute.cast(cells, pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid:
            values = np.array([_float(text) for text in cells.to_pylist()])
        matrix[:, i] = np.where(np.isfinite(values), values, 0)
        bad |= ~np.isfinite(values)
    return matrix, np.flatnonzero(bad)


def note_bad_numbers(table: Table, rows: np.ndarray) -> None:
    """A finding for the rows that hold something else than finite numbers."""
    if rows.size:
        verb = "holds" if rows.size == 1 else "hold"
        text = f"{counted(rows.size, 'row')} {verb} something that is no finite number"
        lines = table.lines(rows[:5])
        table.notebook.note("bad-number", text, rows.size, table.file.name, lines)


def _written_length(values: np.ndarray) -> np.ndarray:
    """How many characters each whole number has in the usual way of writing."""
    sizes = np.searchsorted(_POWERS, np.abs(values), side="right") + 1
    return sizes + (values < 0)


def reason(problem: Exception) -> str:
    """What Arrow says, on one line and without its own name for the file."""
    return short(str(problem).removeprefix("CSV parse error: "), 120)


def _float(text: str) -> float:
    try:
        return float(text) if text else 0.0
    except ValueError:
        return float("nan")


def _bytes_of(table: pa.Table, columns: Sequence[int]) -> int:
    import pyarrow.compute as compute

    return sum(compute.sum(compute.binary_length(table[f"c{i}"])).as_py() or 0 for i in columns)


def _text() -> Any:
    import pyarrow as pa

    return pa.large_string()


def _single_tabs(content: bytes, dialect: Dialect) -> bytes:
    """Runs of blanks become one tab, so that Arrow can cut at it."""
    narrow = re.sub(rb"[ \t]+", b"\t", content)
    return re.sub(rb"(?m)^\t|\t(?=\r?$)", b"", narrow)
