"""Datasets from what people have in Python: NetworkX, arrays, data frames, PyG, AnnData.

Nodes that nobody labels, isolated nodes and a split that is drawn are ordinary; anything odd
beyond that (loops, duplicates, unknown ids, …) is treated as for files and told as a warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence, Sized
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core import gate
from gdr_core.datasets.own.columns import MISSING, natural
from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, ReadingError
from gdr_core.datasets.own.formats.arrays import adjacency_edges, numbered
from gdr_core.datasets.own.parts import Edges, Nodes, Part
from gdr_core.datasets.own.reading import NAME, Choices, from_parts
from gdr_core.datasets.own.roles import PARTS
from gdr_core.datasets.record import Dataset, Split

MOST = 100_000_000
_ORDINARY = frozenset({"missing-labels", "direction", "split-drawn", "no-graph", "isolated"})


def from_arrays(
    adjacency: Any = None,
    features: Any = None,
    labels: Any = None,
    *,
    split: Split | Sequence[str] | None = None,
    node_names: Sequence[Any] | None = None,
    directed: bool | None = None,
    name: str = NAME,
    seed: int = 0,
) -> Dataset:
    """A dataset from matrices.

    adjacency  SciPy sparse or dense; None joins nodes to their nearest by features
    features   one row a node
    labels     one class a node: any texts or numbers; None, NaN and -1 mean unknown
    split      a `Split`, or for each node `train`, `validation`, `test` or nothing; None draws one
    directed   None takes a matrix that is not symmetric as directed
    """
    _check_name(name)
    matrix = None if adjacency is None else _matrix(adjacency, "adjacency")
    features = None if features is None else _matrix(features, "features")
    nodes = _rows(matrix, features)
    names = numbered(nodes) if node_names is None else _texts(node_names, "node_names")
    labels = None if labels is None else _listed(labels, "labels")
    _check_lengths(nodes, node_names=names, labels=labels)
    parts: list[Part] = []
    if matrix is not None:
        parts.append(Edges(**{**vars(adjacency_edges(File(name, b""), matrix)), "names": names}))
    parts.append(
        Nodes(
            name,
            names,
            np.arange(nodes),
            declares=True,
            features=features,
            parts=None if split is None else _parts(split, names),
            **_labels(labels),
        )
    )
    return _dataset(parts, directed, name, seed)


def from_edges(
    edges: Iterable[Sequence[Any]],
    labels: Mapping[Any, Any] | None = None,
    features: Mapping[Any, Sequence[float]] | None = None,
    *,
    split: Mapping[Any, str] | None = None,
    directed: bool = False,
    name: str = NAME,
    seed: int = 0,
) -> Dataset:
    """A dataset from pairs (or triples with a weight) of node ids, and dictionaries by node id."""
    triples = [tuple(_listed(edge, "an edge")) for edge in _listed(edges, "edges")]
    if any(len(edge) not in (2, 3) for edge in triples):
        raise ReadingError("an edge is a pair of nodes, or a pair and a weight")
    weights = _weights(edge[2] if len(edge) == 3 else 1.0 for edge in triples)
    parts: list[Part] = [_named_edges(name, triples, weights)]
    for what, table in (("labels", labels), ("features", features), ("split", split)):
        if table is not None and not isinstance(table, Mapping):
            raise gate.WrongTypeError(
                f"{what} must be a dictionary by node id, got {gate.shown(table)}"
            )
    if labels is not None:
        parts.append(_by_id(name, labels, **_labels(list(labels.values()))))
    if features is not None:
        parts.append(_by_id(name, features, features=_matrix(list(features.values()), "features")))
    if split is not None:
        parts.append(_by_id(name, split, parts=_part_names(split.values())))
    return _dataset(parts, directed, name, seed)


def from_networkx(
    graph: Any,
    label: str | None = None,
    features: str | Sequence[str] | None = None,
    *,
    weight: str | None = "weight",
    split: str | None = None,
    name: str = NAME,
    seed: int = 0,
) -> Dataset:
    """A dataset from a NetworkX graph.

    label      attribute of a node that holds its class
    features   attributes of a node that hold numbers, or one attribute that holds a vector
    weight     attribute of an edge that holds its weight; edges without it weigh one
    split      attribute of a node that holds `train`, `validation` or `test`
    """
    if not (hasattr(graph, "number_of_nodes") and hasattr(graph, "is_directed")):
        raise gate.WrongTypeError(f"graph must be a NetworkX graph, got {gate.shown(graph)}")
    names = [str(node) for node in graph]
    data = [graph.nodes[node] for node in graph]
    triples = [(u, v) for u, v in graph.edges()]
    weight, label, split = (_key(key) for key in (weight, label, split))
    weights = _weights(
        1.0 if weight is None else d.get(weight, 1.0) for *_, d in graph.edges(data=True)
    )
    matrix = None if features is None else _attribute_matrix(data, features)
    nodes = Nodes(
        name,
        names,
        np.arange(len(names)),
        declares=True,
        features=matrix,
        parts=None if split is None else _part_names(d.get(split) for d in data),
        **_labels(None if label is None else [d.get(label) for d in data]),
    )
    parts: list[Part] = [_named_edges(name, triples, weights), nodes]
    return _dataset(parts, bool(graph.is_directed()), name, seed)


def from_pandas(
    edges: Any,
    nodes: Any = None,
    *,
    source: str = "source",
    target: str = "target",
    weight: str | None = None,
    id: str | None = None,
    label: str | None = None,
    part: str | None = None,
    features: Sequence[str] | None = None,
    directed: bool = False,
    name: str = NAME,
    seed: int = 0,
) -> Dataset:
    """A dataset from a data frame of edges and one of nodes.

    id         column of node ids; None takes the index
    features   columns of numbers; None takes all columns of numbers that nothing else uses
    """
    _check_frame("edges", edges, _key(source) or "", _key(target) or "", weight)
    triples = list(zip(edges[source], edges[target], strict=True))
    weights = _weights([1.0] * len(triples) if weight is None else edges[weight].tolist())
    parts: list[Part] = [_named_edges(name, triples, weights)]
    if nodes is not None:
        features = None if features is None else _listed(features, "features")
        _check_frame("nodes", nodes, id, label, part, *(features or ()))
        ids = nodes.index if id is None else nodes[id]
        used = [column for column in (id, label, part) if column is not None]
        numeric = nodes.select_dtypes("number").columns.difference(used, sort=False)
        chosen = list(numeric if features is None else features)
        matrix = _matrix(nodes[chosen].to_numpy(), "features") if chosen else None
        said = _labels(None if label is None else nodes[label].tolist())
        split = None if part is None else _part_names(nodes[part])
        parts.append(_by_id(name, ids, features=matrix, parts=split, **said))
    return _dataset(parts, directed, name, seed)


def from_pyg(data: Any, *, name: str = NAME, seed: int = 0) -> Dataset:
    """A dataset from a `torch_geometric.data.Data`: x, edge_index, y and masks."""
    nodes = int(data.num_nodes)
    sources, targets = data.edge_index.cpu().numpy()
    given = getattr(data, "edge_weight", None)
    weights = np.ones(sources.size) if given is None else given.cpu().numpy().astype(float)
    matrix = sp.csr_array(sp.coo_array((weights, (sources, targets)), shape=(nodes, nodes)))
    if given is None:
        matrix.data[:] = 1.0
    features = None if data.x is None else data.x.cpu().numpy()
    labels = None if data.y is None else data.y.cpu().numpy().ravel()
    return from_arrays(matrix, features, labels, split=_masks(data, nodes), name=name, seed=seed)


def from_anndata(
    data: Any, label: str, *, graph: str = "connectivities", name: str = NAME, seed: int = 0
) -> Dataset:
    """A dataset from an AnnData object: its matrix X, a graph of obsp, one column of obs."""
    adjacency = data.obsp.get(graph)
    labels = data.obs[label].tolist()
    names = [str(cell) for cell in data.obs_names]
    return from_arrays(adjacency, data.X, labels, node_names=names, name=name, seed=seed)


def _dataset(parts: list[Part], directed: bool | None, name: str, seed: int) -> Dataset:
    _check_name(name)
    directed = None if directed is None else gate.check_flag(directed, "directed")
    choices = Choices(directed=directed, name=name, seed=gate.check_seed(seed))
    reading = from_parts(parts, choices, Notebook())
    for finding in reading.findings:
        if finding.code not in _ORDINARY:
            warnings.warn(finding.sentence, stacklevel=5)
    return reading.dataset


def _named_edges(name: str, triples: Sequence[Any], weights: Sequence[float]) -> Edges:
    number: dict[str, int] = {}
    ends = [
        [number.setdefault(str(edge[side]), len(number)) for edge in triples] for side in (0, 1)
    ]
    sources, targets = (np.array(side, dtype=np.int64) for side in ends)
    return Edges(name, list(number), sources, targets, np.array(weights, dtype=np.float64))


def _by_id(name: str, ids: Iterable[Hashable], **said: Any) -> Nodes:
    names = [str(node) for node in ids]
    number: dict[str, int] = {}
    codes = np.array([number.setdefault(n, len(number)) for n in names], dtype=np.int64)
    return Nodes(name, list(number), codes, **said)


def _labels(values: Any) -> dict[str, Any]:
    """Class names in natural order and the class of each row, -1 where it is not known."""
    if values is None:
        return {}
    texts = [_class_name(value) for value in values]
    classes = sorted({text for text in texts if text is not None}, key=natural)
    position = {name: i for i, name in enumerate(classes)}
    labels = np.array([-1 if t is None else position[t] for t in texts], dtype=np.int64)
    return {"classes": tuple(classes), "labels": labels}


def _class_name(value: Any) -> str | None:
    """A class as text; None, NaN and the number -1 mean that it is not known."""
    if isinstance(value, Sized) and not isinstance(value, str | bytes):
        raise gate.WrongTypeError(f"a class is one text or number, not {gate.shown(value)}")
    if value is None or value != value or (not isinstance(value, str) and value == -1):
        return None
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return None if text.strip().lower() in MISSING else text


def _part_names(values: Iterable[Any]) -> np.ndarray:
    return np.array([PARTS.get(str(value).lower(), "") for value in values], dtype="<U10")


def _parts(split: Split | Sequence[str], names: list[str]) -> np.ndarray:
    if isinstance(split, Split):
        return split.part_of_nodes(len(names))
    parts = _listed(split, "split")
    _check_lengths(len(names), split=parts)
    return _part_names(parts)


def _masks(data: Any, nodes: int) -> list[str] | None:
    if getattr(data, "train_mask", None) is None:
        return None
    parts = np.full(nodes, "", dtype="<U10")
    for key, part in (("train", "train"), ("val", "validation"), ("test", "test")):
        mask = getattr(data, f"{key}_mask", None)
        if mask is not None:
            first = mask if mask.ndim == 1 else mask[:, 0]
            parts[first.cpu().numpy().astype(bool)] = part
    return parts.tolist()


def _attribute_matrix(data: list[dict], features: str | Sequence[str]) -> sp.csr_array:
    if isinstance(features, str):
        width = max((np.size(d[features]) for d in data if features in d), default=0)
        rows = [np.ravel(d.get(features, np.zeros(width))).tolist() for d in data]
    else:
        keys = [_key(key) for key in _listed(features, "features")]
        rows = [[d.get(key, 0.0) for key in keys] for d in data]
    return _matrix(rows if data else np.zeros((0, 0)), "features")


def _matrix(given: Any, what: str) -> sp.csr_array:
    try:
        return gate.number_matrix(given, what)
    except gate.WrongTypeError:
        raise
    except ValueError as problem:
        raise ReadingError(str(problem)) from problem


def _listed(values: Any, what: str) -> list[Any]:
    """What was given as a list; a text is none, and neither is what cannot be run through."""
    try:
        if not isinstance(values, str | bytes) and _length(values) <= MOST:
            return list(values)
    except Exception as problem:
        raise gate.WrongTypeError(f"{what} must be a list, got {gate.shown(values)}") from problem
    raise gate.WrongTypeError(f"{what} must be a list, got {gate.shown(values)}")


def _length(values: Any) -> int:
    return len(values) if hasattr(values, "__len__") else 0


def _texts(values: Any, what: str) -> list[str]:
    try:
        return [str(value) for value in _listed(values, what)]
    except gate.WrongTypeError:
        raise
    except Exception as problem:
        raise gate.WrongTypeError(f"{what} must be names, got {gate.shown(values)}") from problem


def _weights(values: Iterable[Any]) -> list[float]:
    """Weights of edges as numbers; what is odd about a number is a finding later on."""
    weights = []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise gate.WrongTypeError(f"the weight of an edge is a number, not {gate.shown(value)}")
        weights.append(float(value))
    return weights


def _check_name(name: Any) -> None:
    if not isinstance(name, str):
        raise gate.WrongTypeError(f"the name of a dataset must be a text, got {gate.shown(name)}")


def _key(key: Any) -> Any:
    """The name of an attribute, which must be a text."""
    if key is not None and not isinstance(key, str):
        raise gate.WrongTypeError(f"the name of an attribute is a text, not {gate.shown(key)}")
    return key


def _check_frame(what: str, frame: Any, *columns: Any) -> None:
    """Refuse what is no data frame, and columns that it does not have."""
    if not (hasattr(frame, "columns") and hasattr(frame, "select_dtypes")):
        raise gate.WrongTypeError(f"{what} must be a data frame, got {gate.shown(frame)}")
    for column in columns:
        if column is not None and (not isinstance(column, Hashable) or column not in frame.columns):
            named = gate.shown([str(name) for name in frame.columns])
            raise ReadingError(f"{what} has no column {gate.shown(column)}; it has {named}")


def _rows(*matrices: sp.csr_array | None) -> int:
    sizes = {matrix.shape[0] for matrix in matrices if matrix is not None}
    if len(sizes) != 1:
        raise ReadingError(
            "adjacency or features are needed"
            if not sizes
            else f"adjacency and features have different numbers of rows: {sorted(sizes)}"
        )
    return sizes.pop()


def _check_lengths(nodes: int, **columns: Any) -> None:
    for what, values in columns.items():
        if values is not None and len(values) != nodes:
            raise ReadingError(f"{what} has {len(values):,} entries for {nodes:,} nodes")
