"""AnnData .h5ad files, read with h5py where that is installed: cells, their graph, their types."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, ReadingError, short
from gdr_core.datasets.own.formats.arrays import adjacency_edges, sparse_matrix
from gdr_core.datasets.own.memory import MemoryTable
from gdr_core.datasets.own.parts import Edges
from gdr_core.extras import missing

MAGIC = b"\x89HDF"
GRAPHS = ("connectivities",)


def read(file: File, notebook: Notebook) -> tuple[MemoryTable, Edges | None, sp.csr_array | None]:
    """The table of cells (texts only), their graph and their matrix; what is absent is None."""
    try:
        import h5py
    except ModuleNotFoundError as problem:
        raise file.error(missing("h5py")) from problem
    try:
        with h5py.File(io.BytesIO(file.content), "r") as archive:
            cells = _Cells(file, archive)
            return cells.table(notebook), cells.graph(), cells.matrix()
    except ReadingError:
        raise
    except Exception as problem:  # h5py raises whatever the damaged file leads its C library to
        raise file.error(f"the file cannot be read ({short(str(problem))})") from problem


class _Cells:
    def __init__(self, file: File, archive: Any):
        self.file, self.archive = file, archive
        self.obs = self._child(archive, "obs")
        if self.obs is None or not hasattr(self.obs, "keys"):
            raise file.error("there is no table “obs” of cells in the file")
        index = self.obs.attrs.get("_index", "index")
        key = index.decode() if isinstance(index, bytes) else str(index)
        self.index = key
        self.names = self._texts(self.obs, key)
        if self.names is None:
            raise file.error("the cells have no names")

    def table(self, notebook: Notebook) -> MemoryTable:
        columns: dict[str, Any] = {"node": self.names}
        for key in list(self.obs.keys())[:500]:
            values = None if key == self.index else self._column(key)
            if values is not None and len(values) == len(self.names or ()):
                columns[key] = values
        return MemoryTable(self.file, notebook, columns)

    def graph(self) -> Edges | None:
        pairs = self._child(self.archive, "obsp")
        for key in GRAPHS:
            matrix = self._matrix(pairs, key) if pairs is not None else None
            if matrix is not None:
                edges = adjacency_edges(self.file, matrix)
                self._check_rows(matrix)
                return Edges(**{**vars(edges), "names": self.names})
        return None

    def matrix(self) -> sp.csr_array | None:
        raw = self._child(self.archive, "raw")
        found = self._matrix(raw, "X") if raw is not None else None
        matrix = self._matrix(self.archive, "X") if found is None else found
        if matrix is not None:
            self._check_rows(matrix)
        return matrix

    def _check_rows(self, matrix: sp.csr_array) -> None:
        if matrix.shape[0] != len(self.names or ()):
            raise self.file.error(
                f"a matrix has {matrix.shape[0]:,} rows for {len(self.names or ()):,} cells"
            )

    def _column(self, key: str) -> list[str] | None:
        """A column of the table as texts: categories, texts or numbers."""
        entry = self._child(self.obs, key)
        if entry is None:
            return None
        if hasattr(entry, "keys"):
            return self._categories(entry)
        return self._texts(self.obs, key)

    def _categories(self, entry: Any) -> list[str] | None:
        names, codes = self._texts(entry, "categories"), self._values(entry, "codes")
        if names is None or codes is None or codes.dtype.kind not in "iu" or codes.ndim != 1:
            return None
        if codes.size and codes.max() >= len(names):
            raise self.file.error("a column of categories is damaged")
        return ["" if code < 0 else names[code] for code in codes.tolist()]

    def _texts(self, group: Any, key: str) -> list[str] | None:
        values = self._values(group, key)
        if values is None or values.ndim != 1 or values.dtype.names:
            return None
        return [
            v.decode("utf-8", errors="replace") if isinstance(v, bytes) else str(v)
            for v in values.tolist()
        ]

    def _matrix(self, group: Any, key: str) -> sp.csr_array | None:
        entry = self._child(group, key)
        if entry is None:
            return None
        if not hasattr(entry, "keys"):
            values = self._values(group, key)
            return (
                None if values is None or values.ndim != 2 else sp.csr_array(self._finite(values))
            )
        arrays = {k: self._values(entry, k) for k in ("data", "indices", "indptr")}
        if any(array is None for array in arrays.values()):
            return None
        kind = str(entry.attrs.get("encoding-type", "csr_matrix"))[:3]
        shape = np.asarray(entry.attrs.get("shape", entry.attrs.get("h5sparse_shape", ())))
        known: dict[str, Any] = {**arrays, "format": np.array(kind), "shape": shape}
        return sparse_matrix(self.file, known)

    def _finite(self, values: np.ndarray) -> np.ndarray:
        if values.dtype.kind not in "iufb" or not np.isfinite(values).all():
            raise self.file.error("the matrix holds values that are no finite numbers")
        return values.astype(np.float64)

    def _values(self, group: Any, key: str) -> np.ndarray | None:
        """An array, refused where it unpacks to more than is read or lies in another file."""
        entry = self._child(group, key)
        if entry is None or hasattr(entry, "keys"):
            return None
        if entry.external or entry.is_virtual:
            raise self.file.error("an array of the file lies in another file, which is not read")
        size = int(np.prod(entry.shape, dtype=np.float64)) * max(entry.dtype.itemsize, 1)
        if size > self.file.limits.file_bytes or len(entry.shape) > 2:
            raise self.file.error(f"an array unpacks to {size:,} bytes, more than are read")
        return np.asarray(entry[()])

    def _child(self, group: Any, key: str) -> Any:
        """A member of a group, followed only if it lies in this file."""
        import h5py

        if not hasattr(group, "keys") or key not in group:
            return None
        if not isinstance(group.get(key, getlink=True), h5py.HardLink):
            raise self.file.error("the file links to another place, which is not followed")
        return group[key]
