"""Parts of several files put together: one set of nodes, one graph, one class for each node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.columns import natural
from gdr_core.datasets.own.findings import PLACES, Notebook, ReadingError, counted, listed
from gdr_core.datasets.own.limits import DEFAULT, Limits
from gdr_core.datasets.own.parts import Edges, Nodes, Part
from gdr_core.datasets.record import UNKNOWN

_ROW_SUM = 1e-6


@dataclass(eq=False)
class Assembly:
    """The nodes by name and what is known of them; `assemble` fills it step by step."""

    notebook: Notebook
    limits: Limits = DEFAULT
    number: dict[str, int] = field(default_factory=dict)
    adjacency: sp.csr_array | None = None
    directed: bool = False
    features: sp.csr_array | None = None
    class_names: tuple[str, ...] = ()
    labels: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    parts: np.ndarray | None = None
    probabilities: np.ndarray | None = None

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.number)


def assemble(
    parts: Sequence[Part], notebook: Notebook, directed: bool | None, limits: Limits = DEFAULT
) -> Assembly:
    """All parts as one graph; every oddity is noted and treated as chosen."""
    whole = Assembly(notebook, limits)
    edges = [part for part in parts if isinstance(part, Edges)]
    tables = [part for part in parts if isinstance(part, Nodes)]
    _check_kinds(edges, tables)
    _collect_nodes(whole, edges, tables)
    if edges:
        whole.directed = _direction(whole, edges[0], directed)
        whole.adjacency = _adjacency_of(whole, edges[0])
    rows = [(table, rows_of(whole, table)) for table in tables]
    whole.labels = np.full(whole.nodes, UNKNOWN)
    _gather_features(whole, rows)
    _gather_classes(whole, rows)
    _gather_parts(whole, rows)
    return whole


def _check_kinds(edges: list[Edges], tables: list[Nodes]) -> None:
    """At most one file of each kind: two answers to one question cannot both be right."""
    kinds = {
        "edges": [part.file for part in edges],
        "features": [part.file for part in tables if part.features is not None],
        "classes": [part.file for part in tables if part.labels is not None],
        "a split": [part.file for part in tables if part.parts is not None],
        "class probabilities": [part.file for part in tables if part.probabilities is not None],
    }
    for kind, files in kinds.items():
        if len(files) > 1:
            raise ReadingError(f"{listed(files)} all hold {kind}; choose one and ignore the others")
    if not edges and not kinds["features"]:
        raise ReadingError("there are neither edges nor features to build a graph from")


def _direction(whole: Assembly, edges: Edges, chosen: bool | None) -> bool:
    """What was chosen, else what the file says; where it is silent, that is noted."""
    if chosen is not None:
        return chosen
    if edges.directed is not None:
        return edges.directed
    text = "edges without a stated direction"
    return whole.notebook.note("direction", text, 1, edges.file) == "directed"


def _collect_nodes(whole: Assembly, edges: list[Edges], tables: list[Nodes]) -> None:
    """Every node once: declared ones first, in the order of their file, then those of edges."""
    declaring = [t for t in tables if t.declares] or ([] if edges else _with_features(tables))
    for table in declaring:
        _add(whole, _names_of(table))
    for part in edges:
        _add_ends(whole, part, declared=bool(declaring))
    for table in tables:
        if not table.declares and table.names is not None and edges:
            _add_unknown(whole, table)
    if not whole.number:
        raise ReadingError("there are no nodes", edges[0].file if edges else "")


def _with_features(tables: list[Nodes]) -> list[Nodes]:
    return [table for table in tables if table.features is not None]


def _names_of(table: Nodes) -> list[str]:
    if table.names is None:
        return [str(i) for i in range(table.codes.size)]
    return [table.names[code] for code in table.codes]


def _add(whole: Assembly, names: Iterable[str]) -> None:
    number = whole.number
    for name in names:
        if name not in number:
            number[name] = len(number)
    if whole.nodes > whole.limits.nodes:
        raise ReadingError(
            f"there are {whole.nodes:,} nodes; at most {whole.limits.nodes:,} are read"
        )


def _add_ends(whole: Assembly, part: Edges, declared: bool) -> None:
    if not declared:
        used = np.zeros(len(part.names), dtype=bool)
        used[part.sources] = used[part.targets] = True
        _add(whole, compress(part.names, used.tolist()))
        return
    known = np.array([name in whole.number for name in part.names], dtype=bool)
    bad = np.flatnonzero(~(known[part.sources] & known[part.targets])) if known.size else ()
    if not len(bad):
        return
    strangers = [n for n, there in zip(part.names, known, strict=True) if not there]
    text = (
        f"{counted(len(bad), 'edge')} to nodes that are not listed, such as {listed(strangers, 2)}"
    )
    places = part.lines(np.asarray(bad[:PLACES]))
    if whole.notebook.note("undeclared-end", text, len(bad), part.file, places) == "add":
        _add(whole, strangers)


def _add_unknown(whole: Assembly, table: Nodes) -> None:
    """Rows about nodes that the graph does not have."""
    names = _used_names(table)
    strangers = [name for name in names if name not in whole.number]
    if not strangers:
        return
    if len(strangers) == len(names) and whole.notebook.treatment("unknown-id") != "add":
        raise ReadingError(_no_overlap(whole, table, names), table.file)
    text = (
        f"{counted(len(strangers), 'id')} of {len(names):,} not in the graph, "
        f"such as {listed(strangers, 2)}"
    )
    unknown = np.isin(
        table.codes, [i for i, n in enumerate(table.names or ()) if n not in whole.number]
    )
    places = table.lines(np.flatnonzero(unknown)[:PLACES])
    if whole.notebook.note("unknown-id", text, len(strangers), table.file, places) == "add":
        _add(whole, strangers)


def _used_names(table: Nodes) -> list[str]:
    names = table.names or []
    used = np.bincount(table.codes, minlength=len(names)) > 0
    return list(compress(names, used.tolist()))


def _no_overlap(whole: Assembly, table: Nodes, names: list[str]) -> str:
    known = set(whole.number)
    found = table.overlaps(known)
    hint = f"; columns that do match nodes: {found}" if found else "; no column matches any node"
    return (
        f"none of its {len(names):,} ids is a node of the graph: it has {listed(names, 2)}, the "
        f"graph {listed(list(whole.number)[:3], 2)}{hint}"
    )


def _adjacency_of(whole: Assembly, part: Edges) -> sp.csr_array:
    """The matrix of the edges: no loops, no duplicates, weights above zero."""
    node_of = np.array([whole.number.get(name, -1) for name in part.names], dtype=np.int64)
    node_of = np.append(node_of, -1)
    sources, targets = node_of[part.sources], node_of[part.targets]
    keep = (sources >= 0) & (targets >= 0)
    if part.mirrored and not whole.directed:
        keep &= sources <= targets
    keep &= _no_loops(whole, part, sources, targets, keep)
    weights = np.ones(sources.size) if part.weights is None else part.weights
    keep &= _good_weights(whole, part, weights, keep)
    rows = np.flatnonzero(keep)
    found = _merged(whole, part, sources[rows], targets[rows], weights[rows], rows)
    edges = found.nnz if whole.directed else found.nnz // 2
    if edges > whole.limits.edges:  # whatever the format counted while it was read
        raise ReadingError(
            f"there are {edges:,} edges; at most {whole.limits.edges:,} are read", part.file
        )
    return found


def _no_loops(
    whole: Assembly, part: Edges, sources: np.ndarray, targets: np.ndarray, keep: np.ndarray
) -> np.ndarray:
    loops = keep & (sources == targets)
    if count := int(loops.sum()):
        places = part.lines(np.flatnonzero(loops)[:PLACES])
        text = counted(count, "edge") + " from a node to itself"
        whole.notebook.note("self-loops", text, count, part.file, places)
    return ~loops


def _good_weights(
    whole: Assembly, part: Edges, weights: np.ndarray, keep: np.ndarray
) -> np.ndarray:
    good = np.isfinite(weights) & (weights > 0)
    bad = keep & ~good
    if count := int(bad.sum()):
        places = part.lines(np.flatnonzero(bad)[:PLACES])
        text = counted(count, "edge") + " whose weight is no positive number"
        whole.notebook.note("bad-weight", text, count, part.file, places)
    return good


def _merged(
    whole: Assembly,
    part: Edges,
    sources: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
    rows: np.ndarray,
) -> sp.csr_array:
    """One entry for each pair; of an undirected edge the smaller node comes first until the end."""
    nodes = whole.nodes
    low, high = (sources, targets) if whole.directed else np.sort([sources, targets], axis=0)
    keys = low * nodes + high
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if keys.size else keys
    if doubles := int(keys.size - starts.size):
        first = np.ones(keys.size, dtype=bool)
        first[starts] = False
        places = part.lines(np.sort(rows[order[first]])[:PLACES])
        text = counted(doubles, "edge") + " given more than once"
        whole.notebook.note("duplicate-edges", text, doubles, part.file, places)
    combine = {"largest": np.maximum, "sum": np.add}.get(
        whole.notebook.treatment("duplicate-edges")
    )
    values = weights[order]
    if keys.size:
        values = values[starts] if combine is None else combine.reduceat(values, starts)
    pairs = ordered[starts]
    half = sp.csr_array(
        (values, (pairs // max(nodes, 1), pairs % max(nodes, 1))), shape=(nodes, nodes)
    )
    return half if whole.directed else sp.csr_array(half + half.T)


def rows_of(whole: Assembly, table: Nodes) -> np.ndarray:
    """The node of each row, -1 where the row does not count."""
    if table.names is None:
        return _counted_rows(whole, table)
    node_of = np.array([whole.number.get(name, -1) for name in table.names], dtype=np.int64)
    nodes = node_of[table.codes]
    known = np.flatnonzero(nodes >= 0)
    last = whole.notebook.treatment("duplicate-id") == "last"
    _, first = np.unique((nodes[known])[:: -1 if last else 1], return_index=True)
    kept = known[known.size - 1 - first] if last else known[first]
    again = np.setdiff1d(known, kept)
    if again.size:
        text = f"{counted(again.size, 'line')} about a node that another line is about, too"
        whole.notebook.note(
            "duplicate-id", text, again.size, table.file, table.lines(again[:PLACES])
        )
        nodes[again] = -1
    return nodes


def _counted_rows(whole: Assembly, table: Nodes) -> np.ndarray:
    """Rows without names count the nodes: ids that are numbers from 0 or 1, else file order."""
    rows = table.codes.size
    if rows != whole.nodes:
        known = np.array([whole.number.get(str(i), -1) for i in range(rows)])
        if (known >= 0).sum() < whole.nodes:
            raise ReadingError(
                f"there are {rows:,} rows without ids for {whole.nodes:,} nodes; add ids",
                table.file,
            )
        return known
    for start in (0, 1):
        known = np.array([whole.number.get(str(i + start), -1) for i in range(rows)])
        if (known >= 0).all():
            return known
    return np.arange(rows)


Rows = list[tuple[Nodes, np.ndarray]]


def _gather_features(whole: Assembly, tables: Rows) -> None:
    """The matrix of features; nodes without a row get zeros."""
    for table, nodes in tables:
        if table.features is None:
            continue
        rows = np.flatnonzero(nodes >= 0)
        pick = sp.csr_array(
            (np.ones(rows.size), (nodes[rows], rows)), shape=(whole.nodes, nodes.size)
        )
        whole.features = sp.csr_array(pick @ table.features)
        if missing := whole.nodes - rows.size:
            text = f"{counted(missing, 'node')} without features"
            whole.notebook.note("missing-features", text, missing, table.file)


def _gather_classes(whole: Assembly, tables: Rows) -> None:
    """Class names, labels and class probabilities in one order of classes."""
    labelled = next(((t, n) for t, n in tables if t.labels is not None), None)
    scored = next(((t, n) for t, n in tables if t.probabilities is not None), None)
    found = labelled[0].classes or () if labelled else ()
    names = _class_order(whole, found, scored[0]) if scored else found
    if len(names) > whole.limits.classes:
        raise ReadingError(f"there are {len(names):,} classes; at most {whole.limits.classes:,}")
    whole.class_names = names
    if labelled:
        _set_labels(whole, *labelled)
    if scored:
        _set_probabilities(whole, *scored)


def _class_order(whole: Assembly, found: tuple[str, ...], scored: Nodes) -> tuple[str, ...]:
    """Classes as the probabilities name them, then classes that only labels know."""
    assert scored.probabilities is not None
    columns = scored.probabilities.shape[1]
    named = scored.probability_classes
    if len(set(named or ())) < len(named or ()):
        raise ReadingError(f"two columns have the same name: {listed(named or ())}", scored.file)
    if named is None or (found and not set(named) & set(found)):
        if found and len(found) != columns:
            raise ReadingError(
                f"there are {columns:,} columns of probabilities for {len(found):,} classes; name "
                "the columns by the classes",
                scored.file,
            )
        return found or named or tuple(str(i) for i in range(columns))
    return (*named, *sorted(set(found) - set(named), key=natural))


def _set_labels(whole: Assembly, table: Nodes, nodes: np.ndarray) -> None:
    assert table.labels is not None
    assert table.classes is not None
    position = {name: i for i, name in enumerate(whole.class_names)}
    number = np.array([*(position[name] for name in table.classes), UNKNOWN], dtype=np.int64)
    rows = nodes >= 0
    whole.labels[nodes[rows]] = number[table.labels[rows]]
    if missing := int((whole.labels == UNKNOWN).sum()):
        text = f"{counted(missing, 'node')} without a class"
        whole.notebook.note("missing-labels", text, missing, table.file)


def _set_probabilities(whole: Assembly, table: Nodes, nodes: np.ndarray) -> None:
    assert table.probabilities is not None
    classes, given = len(whole.class_names), table.probabilities.shape[1]
    scores = np.zeros((whole.nodes, classes))
    rows = np.flatnonzero(nodes >= 0)
    scores[nodes[rows], :given] = table.probabilities[rows]
    for name in whole.class_names[given:]:
        text = f"the class {listed([name])} has no column"
        whole.notebook.note("class-without-probability", text, 1, table.file)
    whole.probabilities = _unit_rows(whole, table, scores, nodes, rows)


def _unit_rows(
    whole: Assembly, table: Nodes, scores: np.ndarray, nodes: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    sums = scores.sum(axis=1)
    if silent := int((sums == 0).sum()):
        text = f"{counted(silent, 'node')} without a probability"
        whole.notebook.note("missing-probabilities", text, silent, table.file)
    off = rows[(np.abs(sums[nodes[rows]] - 1) > _ROW_SUM) & (sums[nodes[rows]] != 0)]
    if off.size:
        verb = "sums" if off.size == 1 else "sum"
        text = f"{counted(off.size, 'row')} of probabilities that {verb} to something else than one"
        whole.notebook.note("row-sums", text, off.size, table.file, table.lines(off[:PLACES]))
    scores[sums == 0] = 1
    largest = scores.max(axis=1, keepdims=True)
    scaled = scores / largest
    return scaled / scaled.sum(axis=1, keepdims=True)


def _gather_parts(whole: Assembly, tables: Rows) -> None:
    """The part of each node, where a split is given; a part needs a known class."""
    for table, nodes in tables:
        if table.parts is None or not (table.parts != "").any():
            continue
        rows = nodes >= 0
        parts = np.full(whole.nodes, "", dtype="<U10")
        parts[nodes[rows]] = table.parts[rows]
        unlabelled = (parts != "") & (whole.labels == UNKNOWN)
        if count := int(unlabelled.sum()):
            text = f"{counted(count, 'node')} of the split without a class"
            whole.notebook.note("unlabelled-part", text, count, table.file)
            parts[unlabelled] = ""
        whole.parts = parts
