"""NumPy's .npy and .npz: adjacency matrices of SciPy, benchmark graphs, features. No pickles."""

from __future__ import annotations

import io
from collections.abc import Mapping
from math import prod

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.columns import natural
from gdr_core.datasets.own.files import UNREADABLE, ZIP, File, check_entries, open_zip
from gdr_core.datasets.own.findings import ReadingError, short
from gdr_core.datasets.own.parts import Edges, Nodes, Part

NPY = b"\x93NUMPY"
_SPARSE = {"format", "shape", "data"}
MASKS = {"train_masks": "train", "val_masks": "validation", "test_masks": "test"}
Arrays = dict[str, np.ndarray]


def read_arrays(file: File) -> Arrays:
    """Every array by name; sizes are compared with the headers before memory is taken."""
    try:
        if file.head.startswith(NPY):
            return {"array": _array(file, "array", file.content)}
        if not file.head.startswith(ZIP):
            raise file.error("this is no file of NumPy")
        with open_zip(file) as archive:
            entries = archive.infolist()
            check_entries(file, entries, file.limits)
            return {
                entry.filename.removesuffix(".npy"): _array(
                    file, entry.filename, archive.read(entry)
                )
                for entry in entries
            }
    except UNREADABLE as problem:
        if isinstance(problem, ReadingError):
            raise
        raise file.error(f"the file cannot be read ({short(str(problem))})") from problem


def _array(file: File, name: str, content: bytes) -> np.ndarray:
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        header = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}
        shape, _, kind = header[version[0]](stream)
    except Exception as problem:  # NumPy parses the header as Python, which fails in many ways
        raise file.error(f"{short(name)} is no array of NumPy") from problem
    if kind.hasobject:
        raise file.error(f"{short(name)} holds Python objects, which are not read")
    if any(side < 0 for side in shape) or prod(shape) * kind.itemsize > len(content):
        raise file.error(f"{short(name)} is cut off: its header promises more than there is")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


def sparse_matrix(file: File, arrays: Mapping[str, np.ndarray]) -> sp.csr_array:
    """The matrix that scipy.sparse.save_npz wrote, its indices checked."""
    kind = _text(arrays["format"])
    shape = tuple(int(side) for side in np.ravel(_integers(file, arrays["shape"], "shape")))
    if (
        len(shape) != 2
        or min(shape) < 0
        or max(shape) > max(file.limits.nodes, file.limits.columns)
    ):
        raise file.error(f"a matrix of shape {shape} is not read")
    data = _numbers(file, arrays["data"], "data")
    if kind == "coo" and {"row", "col"} <= set(arrays):
        rows, columns = (_integers(file, arrays[k], k) for k in ("row", "col"))
        return _from_entries(file, data, rows, columns, shape)
    if kind in ("csr", "csc") and {"indices", "indptr"} <= set(arrays):
        return _compressed(file, kind, data, arrays, shape)
    raise file.error(f"sparse matrices are read as csr, csc or coo, not {short(kind)!r}")


def _compressed(
    file: File, kind: str, data: np.ndarray, arrays: Mapping[str, np.ndarray], shape: tuple
) -> sp.csr_array:
    indices = _integers(file, arrays["indices"], "indices")
    starts = _integers(file, arrays["indptr"], "indptr")
    long = shape[0] if kind == "csr" else shape[1]
    ordered = starts.size == long + 1 and starts[0] == 0 and (np.diff(starts) >= 0).all()
    if not ordered or starts[-1] != indices.size:
        raise file.error("the sparse matrix is damaged: its row pointers do not fit")
    major = np.repeat(np.arange(long), np.diff(starts))
    rows, columns = (major, indices) if kind == "csr" else (indices, major)
    return _from_entries(file, data, rows, columns, shape)


def _from_entries(
    file: File, data: np.ndarray, rows: np.ndarray, columns: np.ndarray, shape: tuple
) -> sp.csr_array:
    if not data.shape == rows.shape == columns.shape or data.ndim != 1:
        raise file.error("the sparse matrix is damaged: its arrays have different lengths")
    for side, indices in zip(shape, (rows, columns), strict=True):
        if indices.size and not 0 <= indices.min() <= indices.max() < side:
            raise file.error("the sparse matrix is damaged: an index lies outside of it")
    return sp.csr_array(sp.coo_array((data, (rows, columns)), shape=shape))


def matrix_of(file: File, arrays: Mapping[str, np.ndarray]) -> sp.csr_array:
    """The one matrix of a file: sparse, or its only array of two dimensions."""
    if set(arrays) >= _SPARSE:
        return sparse_matrix(file, arrays)
    flat = {name: array for name, array in arrays.items() if array.ndim == 2}
    if len(flat) != 1:
        raise file.error(f"one matrix was expected; the file holds {short(', '.join(arrays))}")
    (dense,) = flat.values()
    _check_dense(file, dense)
    return sp.csr_array(_numbers(file, dense, "the matrix"))


def adjacency_edges(file: File, matrix: sp.csr_array) -> Edges:
    """The edges of an adjacency; it is undirected where the matrix is symmetric."""
    if matrix.shape[0] != matrix.shape[1]:
        raise file.error(f"an adjacency matrix is square, this one has shape {matrix.shape}")
    _check_edges(file, matrix.nnz // 2)
    links = sp.coo_array(matrix)
    directed = bool((abs(matrix - matrix.T) > 0).nnz)
    _check_edges(file, matrix.nnz if directed else matrix.nnz // 2)
    weights = links.data
    return Edges(
        file.name,
        numbered(matrix.shape[0]),
        links.row.astype(np.int64),
        links.col.astype(np.int64),
        None if (weights == 1).all() else weights,
        directed,
        mirrored=not directed,
    )


def _check_edges(file: File, edges: int) -> None:
    """Refuse more edges than are read."""
    if edges > file.limits.edges:
        raise file.error(f"there are {edges:,} edges; at most {file.limits.edges:,} are read")


def benchmark_parts(file: File, arrays: Mapping[str, np.ndarray], split: int = 0) -> list[Part]:
    """`edges`, `node_features`, `node_labels` and masks, as benchmark collections store graphs."""
    _check_edges(file, arrays["edges"].size // 2)
    ends = _integers(file, arrays["edges"], "edges")
    if ends.ndim != 2 or 2 not in ends.shape:
        raise file.error(f"edges must have two columns, got shape {ends.shape}")
    sources, targets = ends.T if ends.shape[1] == 2 else ends
    nodes = _node_count(file, arrays, ends)
    if ends.size and not 0 <= ends.min() <= ends.max() < nodes:
        raise file.error(f"edges name node {ends.max():,}, but there are {nodes:,} nodes")
    edges = Edges(file.name, numbered(nodes), sources, targets)
    return [edges, _benchmark_nodes(file, arrays, nodes, split)]


def _benchmark_nodes(file: File, arrays: Mapping[str, np.ndarray], nodes: int, split: int) -> Nodes:
    said: dict = {}
    if "node_features" in arrays:
        features = arrays["node_features"]
        _check_dense(file, features)
        _check_length(file, "node_features", features, nodes)
        said["features"] = sp.csr_array(_numbers(file, features, "node_features"))
    if "node_labels" in arrays:
        said["classes"], said["labels"] = _labels(file, arrays["node_labels"], nodes)
    if "train_masks" in arrays:
        said["parts"] = _parts(file, arrays, nodes, split)
    return Nodes(file.name, numbered(nodes), np.arange(nodes), declares=True, **said)


def _labels(file: File, given: np.ndarray, nodes: int) -> tuple[tuple[str, ...], np.ndarray]:
    _check_length(file, "node_labels", given, nodes)
    if given.ndim != 1:
        raise file.error(f"node_labels must have one dimension, got shape {given.shape}")
    names = [str(value) for value in given.tolist()]
    classes = sorted({n for n in names if n not in ("-1", "-1.0", "nan", "")}, key=natural)
    if len(classes) > file.limits.classes:
        raise file.error(f"there are {len(classes):,} classes, more than are read")
    position = {name: i for i, name in enumerate(classes)}
    return tuple(classes), np.array([position.get(name, -1) for name in names], dtype=np.int64)


def _parts(file: File, arrays: Mapping[str, np.ndarray], nodes: int, split: int) -> np.ndarray:
    parts = np.full(nodes, "", dtype="<U10")
    for key, part in MASKS.items():
        if key not in arrays:
            continue
        masks = np.atleast_2d(arrays[key])
        if masks.shape[1] != nodes and masks.shape[0] == nodes:
            masks = masks.T
        if masks.shape[1] != nodes or masks.ndim != 2:
            raise file.error(f"{key} has shape {arrays[key].shape} for {nodes:,} nodes")
        if not 0 <= split < len(masks):
            raise file.error(
                f"there are {len(masks)} splits, from 0 to {len(masks) - 1}, not {split}"
            )
        parts[masks[split].astype(bool)] = part
    return parts


def numbered(nodes: int) -> list[str]:
    """Names for nodes that have none: their numbers from 0."""
    return [str(i) for i in range(nodes)]


def _node_count(file: File, arrays: Mapping[str, np.ndarray], ends: np.ndarray) -> int:
    counts = [
        len(arrays[k]) for k in ("node_features", "node_labels") if k in arrays and arrays[k].ndim
    ]
    nodes = counts[0] if counts else int(ends.max(initial=-1)) + 1
    if nodes > file.limits.nodes:
        raise file.error(f"there are {nodes:,} nodes; at most {file.limits.nodes:,} are read")
    return nodes


def _check_length(file: File, name: str, array: np.ndarray, nodes: int) -> None:
    if array.ndim < 1 or len(array) != nodes:
        raise file.error(f"{name} has shape {array.shape} for {nodes:,} nodes")


def _check_dense(file: File, array: np.ndarray) -> None:
    most = (file.limits.nodes, file.limits.columns)
    wide = array.ndim != 2 or array.shape[0] > most[0] or array.shape[1] > most[1]
    if wide or array.size > file.limits.cells:
        raise file.error(f"a dense matrix of shape {array.shape} is not read")


def _integers(file: File, array: np.ndarray, name: str) -> np.ndarray:
    if array.dtype.kind not in "iu" and not (
        array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.rint(array)).all()
    ):
        raise file.error(f"{name} must hold whole numbers, not {array.dtype}")
    with np.errstate(all="ignore"):
        return array.astype(np.int64)


def _numbers(file: File, array: np.ndarray, name: str) -> np.ndarray:
    if array.dtype.kind not in "iufb":
        raise file.error(f"{name} must hold numbers, not {array.dtype}")
    values = array.astype(np.float64)
    if not np.isfinite(values).all():
        raise file.error(f"{name} holds values that are not finite")
    return values


def _text(array: np.ndarray) -> str:
    value = array.item() if array.size == 1 else ""
    return value.decode("ascii", errors="replace") if isinstance(value, bytes) else str(value)
