"""The records every other module works on: a dataset, its split and where it comes from."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core import gate

UNKNOWN = -1
PARTS = ("train", "validation", "test")


@dataclass(frozen=True)
class Provenance:
    """Where a dataset comes from, how to cite it and on what terms it may be used."""

    source: str
    citation: str
    licence: str


@dataclass(frozen=True, eq=False)
class Split:
    """Disjoint node indices: labels of `train` are given, `validation` chooses, `test` judges.

    >>> from gdr_core import Split
    >>> Split(train=[0, 5], validation=[1, 4], test=[2, 3]).part_of_nodes(7).tolist()
    ['train', 'validation', 'test', 'test', 'validation', 'train', '']
    """

    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    name: str = "custom"

    def __post_init__(self) -> None:
        _check_text(self.name, "the name of a split")
        for part in PARTS:
            object.__setattr__(self, part, _indices(getattr(self, part), part))
        for i, one in enumerate(PARTS):
            for other in PARTS[i + 1 :]:
                _refuse_overlap(one, getattr(self, one), other, getattr(self, other))

    def part_of_nodes(self, nodes: int) -> np.ndarray:
        """For each node the name of its part, or an empty string where it has none."""
        parts = np.full(nodes, "", dtype="<U10")
        for part in PARTS:
            members = getattr(self, part)
            if members.size and members[-1] >= nodes:
                raise ValueError(f"{part} names node {members[-1]} of a graph with {nodes}")
            parts[members] = part
        return parts


@dataclass(frozen=True, eq=False)
class Dataset:
    """A graph whose nodes carry features and, some of them, a class. Checked at construction.

    adjacency    CSR, shape (nodes, nodes), no self-loops, no duplicates, weights > 0; entry (i, j)
                 is the weight of the edge i -> j, and the matrix is symmetric unless `directed`
    features     CSR, shape (nodes, features)
    labels       integers 0 … classes-1, or -1 where the class is not known
    layout       a place in the plane for every node, shape (nodes, 2), float32
    test_hidden  whether the classes of the test nodes are held back, see `hiding.hide_test`

    >>> from gdr_core import load_dataset
    >>> cora = load_dataset("cora-directed")
    >>> cora.nodes, cora.edges, cora.classes
    (2708, 5429, 7)
    >>> cora.adjacency.nnz, cora.undirected.nnz
    (5429, 10556)
    """

    name: str
    adjacency: sp.csr_array
    features: sp.csr_array
    labels: np.ndarray
    class_names: tuple[str, ...]
    node_names: tuple[str, ...]
    split: Split
    directed: bool
    layout: np.ndarray
    provenance: Provenance
    test_hidden: bool = False

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        _check_text(self.name, "the name of a dataset")
        gate.check_record(self.split, "split", Split)
        adjacency = _frozen_csr(self.adjacency, "adjacency")
        nodes = adjacency.shape[0]
        _check_adjacency(adjacency, gate.check_flag(self.directed, "directed"))
        set_field(self, "adjacency", adjacency)
        set_field(self, "features", _frozen_csr(self.features, "features"))
        set_field(self, "labels", _frozen(gate.class_numbers(self.labels, "labels")))
        layout = gate.number_array(self.layout, "layout", 2)
        with np.errstate(over="ignore"):
            set_field(self, "layout", _frozen(layout.astype(np.float32)))
        set_field(self, "class_names", _names(self.class_names, "class_names"))
        set_field(self, "node_names", _names(self.node_names, "node_names"))
        _check_rows("features", self.features.shape[0], nodes)
        _check_rows("labels", len(self.labels), nodes)
        _check_rows("node_names", len(self.node_names), nodes)
        if self.layout.shape != (nodes, 2):
            raise ValueError(f"layout must have shape ({nodes}, 2), got {self.layout.shape}")
        if not np.isfinite(self.layout).all():
            raise ValueError("layout has entries that are not finite")
        self._check_labels()
        self._check_split(nodes)

    @cached_property
    def nodes(self) -> int:
        """Number of nodes, N."""
        return int(self.adjacency.shape[0])

    @cached_property
    def edges(self) -> int:
        """Number of edges: each undirected edge, or each directed one, counts once."""
        stored = int(self.adjacency.nnz)
        return stored if self.directed else stored // 2

    @cached_property
    def classes(self) -> int:
        """Number of classes, c."""
        return len(self.class_names)

    @cached_property
    def undirected(self) -> sp.csr_array:
        """The adjacency with directions forgotten: the larger weight of i -> j and j -> i."""
        if not self.directed:
            return self.adjacency
        return sp.csr_array(self.adjacency.maximum(self.adjacency.T))

    @classmethod
    def from_arrays(cls, *arrays: Any, **options: Any) -> Dataset:
        """From an adjacency, features and labels; see `own.python.from_arrays`."""
        return _from("arrays", *arrays, **options)

    @classmethod
    def from_edges(cls, edges: Any, *tables: Any, **options: Any) -> Dataset:
        """From pairs of node ids and dictionaries by id; see `own.python.from_edges`."""
        return _from("edges", edges, *tables, **options)

    @classmethod
    def from_networkx(cls, graph: Any, *attributes: Any, **options: Any) -> Dataset:
        """From a NetworkX graph and names of attributes; see `own.python.from_networkx`."""
        return _from("networkx", graph, *attributes, **options)

    @classmethod
    def from_pandas(cls, edges: Any, nodes: Any = None, **options: Any) -> Dataset:
        """From data frames of edges and nodes; see `own.python.from_pandas`."""
        return _from("pandas", edges, nodes, **options)

    @classmethod
    def from_pyg(cls, data: Any, **options: Any) -> Dataset:
        """From PyTorch Geometric's `Data`; see `own.python.from_pyg`."""
        return _from("pyg", data, **options)

    @classmethod
    def from_anndata(cls, data: Any, label: str, **options: Any) -> Dataset:
        """From an AnnData object and the name of its column of classes; see `own.python`."""
        return _from("anndata", data, label, **options)

    def view(self, **options: Any) -> Any:
        """The graph in a notebook, coloured by class; see `gdr_core.view`.

        >>> from gdr_core import load_dataset
        >>> picture = load_dataset("karate").view(height=400)
        """
        import gdr_core  # which asks for the canvases only when they are wanted

        return gdr_core.view(self, **options)

    def with_split(self, split: Split) -> Dataset:
        """The same graph, read with another split; it shares all arrays, which are read only.

        >>> from gdr_core import Split, load_dataset
        >>> karate = load_dataset("karate")
        >>> other = karate.with_split(Split(train=[0, 33], validation=[1], test=[2]))
        >>> other.adjacency is karate.adjacency, other.split.train.tolist()
        (True, [0, 33])
        """
        other = copy(self)  # not `replace`, which checks and copies the matrices again
        object.__setattr__(other, "split", gate.check_record(split, "split", Split))
        other._check_split(self.nodes)
        return other

    def _check_labels(self) -> None:
        if self.labels.size and not -1 <= self.labels.min() <= self.labels.max() < self.classes:
            raise ValueError(
                f"labels must lie between -1 (unknown) and {self.classes - 1}, "
                f"got {self.labels.min()} to {self.labels.max()}"
            )

    def _check_split(self, nodes: int) -> None:
        for part in PARTS:
            members = getattr(self.split, part)
            if members.size and members.max() >= nodes:
                raise ValueError(
                    f"{part} names node {members.max()}, but the graph has {nodes} nodes"
                )
            hidden = part == "test" and self.test_hidden
            if (unknown := int((self.labels[members] == UNKNOWN).sum())) and not hidden:
                raise ValueError(f"{unknown} nodes of {part} have no known label")


def _from(what: str, *given: Any, **options: Any) -> Dataset:
    """The readers know this record, so it asks for them only when they are wanted."""
    from gdr_core.datasets.own import python

    return getattr(python, f"from_{what}")(*given, **options)


def _indices(values: np.ndarray, part: str) -> np.ndarray:
    members = np.sort(gate.node_numbers(values, part))
    if (repeated := members[1:][members[1:] == members[:-1]]).size:
        raise ValueError(f"{part} names node {repeated[0]} more than once")
    return _frozen(members)


def _refuse_overlap(one: str, left: np.ndarray, other: str, right: np.ndarray) -> None:
    if (shared := np.intersect1d(left, right)).size:
        raise ValueError(f"{shared.size} nodes are in both {one} and {other}, e.g. {shared[0]}")


def _frozen(array: np.ndarray) -> np.ndarray:
    own = array.copy() if array.flags.writeable else array
    own.flags.writeable = False
    return own


def _frozen_csr(matrix: Any, field: str) -> sp.csr_array:
    csr = gate.number_matrix(matrix, field)
    listed = sp.issparse(matrix) and matrix.format in ("csr", "csc", "coo")
    if listed and field == "adjacency" and csr.nnz != matrix.nnz:
        raise ValueError(f"adjacency holds {matrix.nnz - csr.nnz} duplicate entries")
    csr.has_canonical_format  # noqa: B018  settle the flag before the arrays are frozen
    for array in (csr.data, csr.indices, csr.indptr):
        array.flags.writeable = False
    return csr


def _check_adjacency(adjacency: sp.csr_array, directed: bool) -> None:
    rows, columns = adjacency.shape
    if rows != columns:
        raise ValueError(f"adjacency must be square, got shape {adjacency.shape}")
    if loops := int(np.count_nonzero(adjacency.diagonal())):
        raise ValueError(f"adjacency has {loops} self-loops; remove them first")
    if adjacency.nnz and adjacency.data.min() <= 0:
        raise ValueError(f"edge weights must be positive, got {adjacency.data.min()}")
    if not directed and (adjacency != adjacency.T).nnz:
        raise ValueError("adjacency is not symmetric, but the dataset is not marked as directed")


def _names(given: Any, field: str) -> tuple[str, ...]:
    """Names of classes or nodes: every one a text."""
    try:
        names = () if isinstance(given, str | bytes) else tuple(given)
    except TypeError:
        names = (None,)
    if isinstance(given, str | bytes) or not all(isinstance(name, str) for name in names):
        raise gate.WrongTypeError(f"{field} must be a list of texts, got {gate.shown(given)}")
    return names


def _check_text(value: Any, what: str) -> None:
    if not isinstance(value, str):
        raise gate.WrongTypeError(f"{what} must be a text, got {gate.shown(value)}")


def _check_rows(field: str, got: int, nodes: int) -> None:
    if got != nodes:
        raise ValueError(f"{field} has {got} rows, but the graph has {nodes} nodes")
