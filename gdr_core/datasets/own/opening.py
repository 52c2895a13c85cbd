"""From a file to what it may contribute: the format is recognised, its columns are guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.columns import part_of
from gdr_core.datasets.own.files import BZIP, GZIP, RAR, SEVEN, XZ, ZIP, ZSTD, File
from gdr_core.datasets.own.findings import Notebook, counted
from gdr_core.datasets.own.formats import (
    arrays,
    gexf,
    gml,
    graphml,
    h5ad,
    node_link,
    pajek,
    parquet,
)
from gdr_core.datasets.own.formats.building import GraphBuilder
from gdr_core.datasets.own.parts import Nodes, Part
from gdr_core.datasets.own.roles import columns_for, guess_role
from gdr_core.datasets.own.tables import Table, TextTable
from gdr_core.datasets.own.text import sniff, text_bytes

FORMATS: dict[str, str] = {
    "table": "text table (CSV, TSV, …)",
    "content": "LINQS .content",
    "cites": "LINQS .cites",
    "parquet": "Parquet table",
    "graphml": "GraphML",
    "gexf": "GEXF",
    "gml": "GML",
    "pajek": "Pajek network",
    "node-link": "NetworkX node-link JSON",
    "numpy": "NumPy arrays",
    "h5ad": "AnnData",
}
_SUFFIXES = {
    ".csv": "table",
    ".tsv": "table",
    ".content": "content",
    ".cites": "cites",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".graphml": "graphml",
    ".gexf": "gexf",
    ".gml": "gml",
    ".net": "pajek",
    ".paj": "pajek",
    ".json": "node-link",
    ".npz": "numpy",
    ".npy": "numpy",
    ".h5ad": "h5ad",
}
_PACKED = (GZIP, BZIP, XZ, SEVEN, RAR, ZSTD)
_ROWS_SHOWN = 8


@dataclass(frozen=True)
class FileChoice:
    """What the user says about a file; None and absent columns are guessed.

    separator  a key of `text.SEPARATORS`
    header     whether the first line names the columns
    columns    for each column of the role (`roles.COLUMNS`) its name or number, from 0
    split      which of several stored splits
    """

    format: str | None = None
    role: str | None = None
    separator: str | None = None
    header: bool | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    split: int = 0


@dataclass(frozen=True, eq=False)
class Opened:
    """A file whose format is known: what was recognised, and the parts it gives."""

    file: File
    format: str
    role: str
    columns: Mapping[str, Any] = field(default_factory=dict)
    table: Table | None = None
    make_parts: Callable[[], list[Part]] = list

    @cached_property
    def parts(self) -> list[Part]:
        """What the file contributes."""
        return self.make_parts()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, where there are columns."""
        return self.table.names if self.table is not None else ()

    @property
    def rows(self) -> list[list[str]]:
        """The first rows, as texts."""
        return self.table.sample[:_ROWS_SHOWN] if self.table is not None else []

    @property
    def separator(self) -> str | None:
        """The separator of a text table."""
        return self.table.dialect.separator if isinstance(self.table, TextTable) else None

    @property
    def header(self) -> bool | None:
        """Whether the first line of a text table names its columns."""
        return self.table.dialect.header if isinstance(self.table, TextTable) else None


def _format_of(file: File) -> str:
    """The format, by the first bytes, then by the end of the name, then by the first words."""
    file.check_size(file.limits.file_bytes)
    head = file.head
    if head.startswith(arrays.NPY) or head.startswith(ZIP):
        return "numpy"
    if head.startswith(parquet.MAGIC):
        return "parquet"
    if head.startswith(h5ad.MAGIC):
        return "h5ad"
    if head.startswith(_PACKED):
        raise file.error("the file is packed; unpack it, or pack it as a zip")
    if file.suffix in _SUFFIXES:
        return _SUFFIXES[file.suffix]
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<?xml", b"<graphml", b"<gexf")):
        return "gexf" if b"<gexf" in start else "graphml"
    if start.startswith(b"*vertices") or start.startswith(b"*network"):
        return "pajek"
    if start.startswith(b"{") and b'"' in start:
        return "node-link"
    if start.startswith((b"graph [", b"graph\n[", b"graph[", b"creator ")):
        return "gml"
    return "table"


def open_file(file: File, choice: FileChoice, notebook: Notebook) -> Opened:
    """Recognise a file, or take what the user says about it."""
    kind = choice.format or _format_of(file)
    if kind not in _OPENERS:
        raise file.error(f"the format must be one of {', '.join(FORMATS)}, got {kind!r}")
    return _OPENERS[kind](file, choice, notebook)


def _text_table(file: File, choice: FileChoice, notebook: Notebook) -> TextTable:
    content = text_bytes(file, notebook)
    header = choice.header
    if header is None and notebook.chosen.get("header") == "data":
        header = False
    if header is None and notebook.chosen.get("first-line") == "header":
        header = True
    dialect = sniff(file, content, notebook, choice.separator, header)
    if dialect.header:
        line = [dialect.skipped + 1]
        notebook.note("header", "the first line looks like a header", 1, file.name, line)
    return TextTable(file, content, dialect, notebook)


def _table(file: File, choice: FileChoice, notebook: Notebook) -> Opened:
    return _with_role(file, "table", choice, _text_table(file, choice, notebook))


def _parquet(file: File, choice: FileChoice, notebook: Notebook) -> Opened:
    return _with_role(file, "parquet", choice, parquet.ParquetTable(file, notebook))


def _with_role(file: File, kind: str, choice: FileChoice, table: Table) -> Opened:
    role = choice.role or guess_role(table)
    columns = columns_for(table, role, choice.columns)
    parts = (lambda: []) if role == "ignore" else (lambda: [part_of(table, role, columns)])
    return Opened(file, kind, role, columns, table, parts)


def _content(file: File, choice: FileChoice, notebook: Notebook) -> Opened:
    """LINQS: a paper's id, its words as numbers, its class; no header."""
    given = FileChoice(separator=choice.separator, header=bool(choice.header))
    table = _text_table(file, given, notebook)
    last = len(table.names) - 1
    if last < 1:
        raise file.error("a line of .content holds an id, features and a class")
    named = {"id": 0, "class": last, "features": tuple(range(1, last)), **choice.columns}
    columns = columns_for(table, "features", named)
    return Opened(
        file,
        "content",
        "features",
        columns,
        table,
        lambda: [part_of(table, "features", columns, declares=True)],
    )


def _cites(file: File, choice: FileChoice, notebook: Notebook) -> Opened:
    """LINQS: `cited citing`, so that an edge runs from left to right as knowledge flows."""
    given = FileChoice(separator=choice.separator, header=bool(choice.header))
    table = _text_table(file, given, notebook)
    columns = columns_for(table, "edges", {"source": 0, "target": 1, **choice.columns})
    return Opened(
        file, "cites", "edges", columns, table, lambda: [part_of(table, "edges", columns)]
    )


def _graph(kind: str, read: Callable[[File, Notebook], GraphBuilder]) -> Any:
    def opened(file: File, choice: FileChoice, notebook: Notebook) -> Opened:
        builder = read(file, notebook)
        table = builder.table()
        columns = columns_for(table, "features", {"id": 0, **choice.columns})
        columns = _without_places(table, columns, choice)

        def parts() -> list[Part]:
            return [builder.edges(), part_of(table, "features", columns, declares=True)]

        return Opened(file, kind, "graph", columns, table, parts)

    return opened


def _without_places(table: Table, columns: dict[str, Any], choice: FileChoice) -> dict[str, Any]:
    """Coordinates and names of a drawing program are no features, unless the user says so."""
    if "features" in choice.columns:
        return columns
    drawn = {"x", "y", "z", "r", "g", "b", "size", "name", "label", "graphics"}
    kept = tuple(i for i in columns["features"] if table.names[i].lower() not in drawn)
    return {**columns, "features": kept}


def _numpy(file: File, choice: FileChoice, notebook: Notebook) -> Opened:
    stored = arrays.read_arrays(file)
    if "edges" in stored:
        return Opened(
            file,
            "numpy",
            "graph",
            make_parts=lambda: arrays.benchmark_parts(file, stored, choice.split),
        )
    matrix = arrays.matrix_of(file, stored)
    role = choice.role or _matrix_role(file, matrix)
    return Opened(file, "numpy", role, make_parts=lambda: _matrix_parts(file, role, matrix))


def _matrix_role(file: File, matrix: sp.csr_array) -> str:
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    named = any(stem in file.stem for stem in ("prob", "predict", "softmax", "score"))
    if named or (
        matrix.shape[1] > 1 and matrix.shape[0] > matrix.shape[1] and np.allclose(sums, 1)
    ):
        return "probabilities"
    square = matrix.shape[0] == matrix.shape[1]
    return "edges" if square and "feature" not in file.stem else "features"


def _matrix_parts(file: File, role: str, matrix: sp.csr_array) -> list[Part]:
    rows = np.arange(matrix.shape[0])
    if role == "ignore":
        return []
    if role == "edges":
        names = arrays.numbered(matrix.shape[0])
        return [arrays.adjacency_edges(file, matrix), Nodes(file.name, names, rows, declares=True)]
    if matrix.shape[0] > file.limits.nodes:
        raise file.error(f"there are {matrix.shape[0]:,} rows, more than are read")
    if role == "probabilities":
        if matrix.shape[1] > file.limits.classes or matrix.data.min(initial=0.0) < 0:
            raise file.error("class probabilities must not be negative, nor for too many classes")
        return [Nodes(file.name, None, rows, probabilities=matrix.toarray())]
    if role != "features":
        raise file.error(f"a matrix holds edges, features or probabilities, not {role}")
    return [Nodes(file.name, None, rows, features=matrix)]


def _h5ad(file: File, choice: FileChoice, notebook: Notebook) -> Opened:
    table, edges, matrix = h5ad.read(file, notebook)
    given = {"id": 0, "features": (), **choice.columns}
    if "class" not in choice.columns and "class" not in given:
        given["class"] = _class_column(table)
    columns = columns_for(table, "features", given)

    def parts() -> list[Part]:
        nodes = part_of(table, "features", columns, declares=True)
        with_matrix = Nodes(**{**vars(nodes), "features": matrix})
        return [with_matrix] if edges is None else [edges, with_matrix]

    return Opened(file, "h5ad", "graph", columns, table, parts)


def _class_column(table: Any) -> int | None:
    """The first column of words with few different values, unless one is named like a class."""
    named = columns_for(table, "labels", {"id": 0})["class"]
    words = [
        i
        for i in range(1, len(table.names))
        if 1 < len(set(table.columns[i])) <= 1000 and not _numbers(table.columns[i])
    ]
    return named if named in words else next(iter(words), None)


def _numbers(cells: Any) -> bool:
    from gdr_core.datasets.own.text import is_number

    return all(is_number(cell) for cell in cells[:50] if cell)


_OPENERS: dict[str, Callable[[File, FileChoice, Notebook], Opened]] = {
    "table": _table,
    "content": _content,
    "cites": _cites,
    "parquet": _parquet,
    "graphml": _graph("graphml", graphml.read),
    "gexf": _graph("gexf", gexf.read),
    "gml": _graph("gml", gml.read),
    "pajek": _graph("pajek", pajek.read),
    "node-link": _graph("node-link", node_link.read),
    "numpy": _numpy,
    "h5ad": _h5ad,
}


def summary(opened: Opened) -> str:
    """What was recognised, in one sentence."""
    kind = FORMATS[opened.format]
    if opened.table is None:
        return f"{kind}: {opened.role}"
    said = [
        f"{key} “{_column_names(opened, value)}”"
        for key, value in opened.columns.items()
        if value not in (None, ())
    ]
    return f"{kind}: {opened.role}, {counted(len(opened.names), 'column')}; " + ", ".join(said)


def _column_names(opened: Opened, value: Any) -> str:
    from gdr_core.datasets.own.findings import short

    if isinstance(value, tuple):
        first, last = opened.names[value[0]], opened.names[value[-1]]
        return short(first, 30) if len(value) == 1 else f"{short(first, 30)}” … “{short(last, 30)}"
    return short(opened.names[value], 30)
