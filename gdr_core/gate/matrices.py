"""Matrices: sparse or dense, of SciPy, NumPy, NetworkX or plain lists, as one checked CSR.

Compiled code trusts the arrays of a sparse matrix; an index outside of it would make Python crash.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core.gate.arrays import as_array, finite_numbers
from gdr_core.gate.errors import WrongTypeError, shown

MOST_ROWS = 100_000_000


def number_matrix(value: Any, name: str) -> sp.csr_array:
    """A CSR copy of finite numbers, rows sorted, duplicates summed.

    A matrix that cannot be written to, as one that is mapped from a file, and is in this form
    already is taken as it is, without a copy.

    >>> number_matrix([[0, 1], [2, 0]], "the adjacency").toarray()
    array([[0., 1.],
           [2., 0.]])
    """
    if sp.issparse(value):
        csr = _compressed(value, name)
        if not csr.data.flags.writeable:
            return csr
    elif hasattr(value, "number_of_nodes") and hasattr(value, "adjacency"):
        csr = _of_networkx(value, name)
    else:
        csr = _of_dense(value, name)
    csr = _narrow(csr)
    csr.sum_duplicates()
    if not np.isfinite(csr.data).all():
        raise ValueError(f"{name} has entries that are not finite when duplicates are added up")
    return csr


def _narrow(csr: sp.csr_array) -> sp.csr_array:
    """The same rows with indices of 32 bits where these suffice: half the memory to read."""
    if max(*csr.shape, csr.nnz) > np.iinfo(np.int32).max:
        return csr
    indices, pointers = (part.astype(np.int32, copy=False) for part in (csr.indices, csr.indptr))
    return sp.csr_array((csr.data, indices, pointers), csr.shape)


def adjacency_matrix(value: Any, name: str = "the adjacency") -> sp.csr_array:
    """A square `number_matrix` without negative weights and without stored zeros."""
    csr = number_matrix(value, name)
    if csr.shape[0] != csr.shape[1]:
        raise ValueError(f"{name} must be a square matrix, got shape {csr.shape}")
    if csr.data.size and csr.data.min() < 0:
        raise ValueError(f"edge weights must not be negative, got {csr.data.min()}")
    if csr.data.flags.writeable:
        csr.eliminate_zeros()
    return csr


def _of_dense(value: Any, name: str) -> sp.csr_array:
    if hasattr(value, "labels") and hasattr(value, "class_names"):
        raise WrongTypeError(f"{name} must be a matrix, got a dataset; use its .adjacency")
    array = as_array(value, name)
    if array.ndim != 2:
        raise ValueError(f"{name} must be a matrix, got shape {array.shape}")
    return sp.csr_array(finite_numbers(array, name))


def _of_networkx(graph: Any, name: str) -> sp.csr_array:
    import networkx as nx

    if graph.number_of_nodes() == 0:
        return sp.csr_array((0, 0))
    try:
        matrix = nx.to_scipy_sparse_array(graph, dtype=np.float64, format="coo")
    except Exception as problem:  # a weight that is no number
        raise ValueError(
            f"{name} cannot be made of this graph: {_first_line(problem)}"
        ) from problem
    return _compressed(matrix, name)


def _compressed(matrix: Any, name: str) -> sp.csr_array:
    """The rows of a sparse matrix of any format, after its arrays were found to fit together."""
    if matrix.ndim != 2:
        raise ValueError(f"{name} must be a matrix, got shape {matrix.shape}")
    if max(matrix.shape) > MOST_ROWS:
        raise ValueError(f"{name} has shape {matrix.shape}; at most {MOST_ROWS:,} rows are taken")
    try:
        if matrix.format == "csc":
            return sp.csr_array(_rows_of(matrix.T, name).T.tocsr())
        if matrix.format == "csr":
            return _rows_of(matrix, name)
        return _from_entries(*_entries_of(matrix, name), matrix.shape, name)
    except (WrongTypeError, ValueError) as problem:
        if str(problem).startswith(name):
            raise
        raise _damaged(name, problem) from problem
    except Exception as problem:  # arrays that were replaced by something else
        raise _damaged(name, problem) from problem


def _rows_of(matrix: Any, name: str) -> sp.csr_array:
    """A checked copy of a CSR matrix."""
    pointers, indices = _integers(matrix.indptr, name), _integers(matrix.indices, name)
    data = np.asarray(matrix.data)
    rows, columns = matrix.shape
    rising = (pointers[1:] >= pointers[:-1]).all()  # a difference of 32 bits could wrap around
    ordered = pointers.size == rows + 1 and pointers[0] == 0 and rising
    if not ordered or pointers[-1] > min(indices.size, data.size) or data.ndim != 1:
        raise ValueError(f"{name} is damaged: its row pointers do not fit its entries")
    entries = int(pointers[-1])
    _check_range(indices[:entries], columns, name)
    if _is_kept(matrix, entries):
        if not np.isfinite(data).all():
            raise ValueError(f"{name} has entries that are not finite (NaN or infinite)")
        return sp.csr_array((matrix.data, matrix.indices, matrix.indptr), matrix.shape)
    numbers = finite_numbers(data[:entries], name)
    if not indices.flags.writeable or not pointers.flags.writeable:
        indices, pointers = indices.copy(), pointers.copy()
    return sp.csr_array((numbers, indices[:entries], pointers), matrix.shape)


def _is_kept(matrix: Any, entries: int) -> bool:
    """Whether checked rows need no copy: nobody can write to them, and nothing is to be done."""
    arrays = (matrix.data, matrix.indices, matrix.indptr)
    kinds = (np.float64, np.int32, np.int32)
    if any(a.flags.writeable or a.dtype != k for a, k in zip(arrays, kinds, strict=True)):
        return False
    if any(not a.flags.c_contiguous for a in arrays) or matrix.indices.size != entries:
        return False
    plain = sp.csr_array(arrays, matrix.shape)
    return bool(plain.has_canonical_format) and bool(matrix.data.all())


def _entries_of(matrix: Any, name: str) -> tuple[Any, Any, Any]:
    """Values, rows and columns of the other formats; those that pack entries are unpacked."""
    if matrix.format == "bsr":
        _check_blocks(matrix, name)
    entries = matrix if matrix.format == "coo" else matrix.tocoo()
    return entries.data, *entries.coords


def _check_blocks(matrix: Any, name: str) -> None:
    pointers, indices = _integers(matrix.indptr, name), _integers(matrix.indices, name)
    height, width = matrix.data.shape[1:]
    fits = pointers.size * height == matrix.shape[0] + height and (np.diff(pointers) >= 0).all()
    if not fits or pointers[0] != 0 or pointers[-1] > min(indices.size, len(matrix.data)):
        raise ValueError(f"{name} is damaged: its row pointers do not fit its entries")
    _check_range(indices[: int(pointers[-1])], matrix.shape[1] // max(width, 1), name)


def _from_entries(data: Any, rows: Any, columns: Any, shape: Any, name: str) -> sp.csr_array:
    rows, columns = _integers(rows, name), _integers(columns, name)
    data = np.asarray(data)
    if not (data.ndim == 1 and data.size == rows.size == columns.size):
        raise ValueError(f"{name} is damaged: its arrays have different lengths")
    _check_range(rows, shape[0], name)
    _check_range(columns, shape[1], name)
    return sp.csr_array(sp.coo_array((finite_numbers(data, name), (rows, columns)), shape=shape))


def _integers(values: Any, name: str) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise WrongTypeError(f"{name} is damaged: its indices are {array.dtype}, not whole numbers")
    if array.dtype == np.int32 and not array.flags.writeable:
        return array  # mapped from a file: no copy of twice the size
    return array.astype(np.int64)  # differences of unsigned numbers would never be negative


def _check_range(indices: np.ndarray, side: int, name: str) -> None:
    if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < side:
        raise ValueError(f"{name} is damaged: an index lies outside of it")


def _damaged(name: str, problem: Exception) -> ValueError:
    return ValueError(f"{name} is damaged: {_first_line(problem)}")


def _first_line(problem: Exception) -> str:
    return shown(str(problem).partition("\n")[0] or type(problem).__name__).strip("'\"")
