"""Read the Planetoid files `ind.<name>.*` without trusting them, and join their parts.

The eight files of a set hold, in Python's pickle format, the features x, tx, allx (sparse
matrices), the one-hot labels y, ty, ally (arrays) and the graph (a dict of neighbour lists); the
numbers of the test nodes come as text. A pickle can call any function that it names, so these
are read by an unpickler that knows six harmless names and refuses every other one before it runs.
"""

from __future__ import annotations

import collections
import io
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

PARTS = ("x", "y", "tx", "ty", "allx", "ally", "graph", "test.index")
_VALIDATION_NODES = 500


class UnsafePickleError(ValueError):
    """A file asks for something that no Planetoid file needs."""


@dataclass(frozen=True, eq=False)
class PlanetoidGraph:
    """The joined parts; node i of every field is node i of the `graph` file."""

    edges: np.ndarray
    features: sp.csr_array
    labels: np.ndarray
    classes: int
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray


def file_names(name: str) -> tuple[str, ...]:
    """The eight files of a set: ind.<name>.x, ind.<name>.y, …"""
    return tuple(f"ind.{name}.{part}" for part in PARTS)


def assemble(files: Mapping[str, bytes], name: str) -> PlanetoidGraph:
    """Join the eight files of a set (name -> content) into one graph in the order of `graph`.

    allx and ally hold the first nodes in order, tx and ty the test nodes in the order of
    test.index. Numbers of the test range that test.index leaves out (15 of them in Citeseer)
    are nodes without features and without label (-1).
    """
    part = {p: _read(files[f"ind.{name}.{p}"], p, f"ind.{name}.{p}") for p in PARTS}
    test = part["test.index"]
    known = part["allx"].shape[0]
    nodes = max(known, int(test.max()) + 1)
    labels = np.full(nodes, -1, dtype=np.int64)
    labels[:known] = _classes_of_rows(part["ally"])
    labels[test] = _classes_of_rows(part["ty"])
    train = np.arange(part["y"].shape[0])
    return PlanetoidGraph(
        edges=_undirected_edges(part["graph"], nodes),
        features=_placed_rows(part["allx"], part["tx"], test, nodes),
        labels=labels,
        classes=part["ally"].shape[1],
        train=train,
        validation=np.arange(train.size, train.size + _VALIDATION_NODES),
        test=np.sort(test),
    )


def restricted_load(content: bytes, file: str = "the file") -> Any:
    """Unpickle, but refuse every class and function outside the six that Planetoid needs."""
    try:
        return _RestrictedUnpickler(io.BytesIO(content), file).load()
    except UnsafePickleError:
        raise
    except Exception as error:
        raise ValueError(f"{file} is not a readable Planetoid file: {error}") from error


def _allowed() -> dict[tuple[str, str], Callable[..., Any]]:
    reconstruct = np.ndarray(0).__reduce__()[0]
    names: dict[tuple[str, str], Callable[..., Any]] = {
        ("numpy", "ndarray"): np.ndarray,
        ("numpy", "dtype"): np.dtype,
        ("collections", "defaultdict"): collections.defaultdict,
        ("__builtin__", "list"): list,
        ("builtins", "list"): list,
    }
    for module in ("numpy.core.multiarray", "numpy._core.multiarray"):
        names[module, "_reconstruct"] = reconstruct  # type: ignore[assignment]
    for module in ("scipy.sparse.csr", "scipy.sparse._csr"):
        names[module, "csr_matrix"] = sp.csr_matrix
    return names


class _RestrictedUnpickler(pickle.Unpickler):
    allowed = _allowed()

    def __init__(self, stream: io.BytesIO, file: str) -> None:
        super().__init__(stream, encoding="latin1")
        self._file = file

    def find_class(self, module: str, name: str) -> Any:
        """Hand out the few harmless names; the pickle cannot call what it does not get."""
        if (module, name) not in self.allowed:
            expected = sorted({".".join(key) for key in self.allowed})
            raise UnsafePickleError(
                f"{self._file} asks for {module}.{name}, which no Planetoid file needs: refused "
                f"(allowed: {', '.join(expected)})"
            )
        return self.allowed[module, name]

    def persistent_load(self, pid: Any) -> Any:
        """No Planetoid file refers to objects outside itself."""
        raise UnsafePickleError(f"{self._file} refers to an outside object: refused")


def _read(content: bytes, part: str, file: str) -> Any:
    if part == "test.index":
        return _test_index(content, file)
    value = restricted_load(content, file)
    kind = {"graph": dict, "y": np.ndarray, "ty": np.ndarray, "ally": np.ndarray}
    expected = kind.get(part, sp.csr_matrix)
    if not isinstance(value, expected):
        raise ValueError(f"{file} holds a {type(value).__name__}, expected {expected.__name__}")
    if isinstance(value, sp.csr_matrix):
        value.check_format(full_check=True)
    return value


def _test_index(content: bytes, file: str) -> np.ndarray:
    try:
        return np.array(content.split(), dtype=np.int64)
    except ValueError as error:
        raise ValueError(f"{file} must hold one node number a line: {error}") from error


def _classes_of_rows(one_hot: np.ndarray) -> np.ndarray:
    return np.where(one_hot.sum(axis=1) > 0, one_hot.argmax(axis=1), -1)


def _placed_rows(
    first: sp.csr_matrix, last: sp.csr_matrix, rows: np.ndarray, nodes: int
) -> sp.csr_array:
    """Features of all nodes: `first` from row 0 on, row k of `last` at rows[k], else empty."""
    upper, lower = sp.coo_array(first), sp.coo_array(last)
    row = np.concatenate([upper.coords[0], rows[lower.coords[0]]])
    column = np.concatenate([upper.coords[1], lower.coords[1]])
    values = np.concatenate([upper.data, lower.data])
    return sp.csr_array((values, (row, column)), shape=(nodes, first.shape[1]))


def _undirected_edges(neighbours: Mapping[int, list[int]], nodes: int) -> np.ndarray:
    """Each edge once as a row (i, j) with i < j: no loops, no duplicates."""
    source = np.repeat(
        np.fromiter(neighbours.keys(), dtype=np.int64),
        np.fromiter((len(n) for n in neighbours.values()), dtype=np.int64),
    )
    target = np.fromiter((j for n in neighbours.values() for j in n), dtype=np.int64)
    ends = np.concatenate([source, target])
    if ends.size and not 0 <= ends.min() <= ends.max() < nodes:
        raise ValueError(f"the graph names nodes outside 0 … {nodes - 1}")
    return undirected_pairs(source, target)


def undirected_pairs(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The sorted distinct pairs (i, j), i < j, of a list of links in any direction."""
    low, high = np.minimum(source, target), np.maximum(source, target)
    nodes = int(high.max(initial=0)) + 1
    codes = np.unique((low.astype(np.int64) * nodes + high)[low < high])
    return np.stack(np.divmod(codes, nodes), axis=1)
