"""From the columns of a table to what they say about nodes and edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.own.findings import PLACES, counted, short
from gdr_core.datasets.own.parts import Edges, Nodes, Part
from gdr_core.datasets.own.roles import PARTS
from gdr_core.datasets.own.tables import Table, as_numbers
from gdr_core.datasets.own.text import is_number

MISSING = frozenset({"", "nan", "none", "null", "na", "n/a", "?", "<na>"})


def part_of(table: Table, role: str, columns: Mapping[str, Any], declares: bool = False) -> Part:
    """What a table contributes, given its role and its columns."""
    if role == "edges":
        return _edges_of(table, columns)
    names, codes, rows = node_names(table, columns.get("id"))
    said: dict[str, Any] = {}
    if columns.get("class") is not None:
        said["classes"], said["labels"] = classes_of(table, columns["class"], rows)
    if columns.get("part") is not None:
        said["parts"] = parts_of(table, columns["part"], rows)
    if role == "features" and columns["features"]:
        said["features"] = table.numbers(columns["features"])[rows]
    if role == "probabilities":
        said |= probabilities_of(table, columns["probabilities"], rows)
    if role == "triplets":
        names, codes, said["features"] = _triplets_of(table, columns, names, codes, rows)
        rows = rows[:0]
    return Nodes(
        table.file.name,
        names,
        codes,
        declares=declares,
        lines=lambda wanted: table.lines(rows[wanted]) if rows.size else (),
        overlaps=lambda known: overlaps(table, known),
        **said,
    )


def _edges_of(table: Table, columns: Mapping[str, Any]) -> Edges:
    """An edge list; lines without a name on both sides are left out."""
    names, codes = table.factorised([columns["source"], columns["target"]])  # type: ignore[attr-defined]
    rows = _with_names(table, names, codes)
    weights = None if columns["weight"] is None else _weights(table, columns["weight"])
    _suspect_header(table, names, codes)
    if rows is not None:
        codes, weights = codes[:, rows], None if weights is None else weights[rows]
    _check_names(table, names)
    return Edges(
        table.file.name,
        names,
        codes[0],
        codes[1],
        weights,
        lines=lambda wanted: table.lines(wanted if rows is None else rows[wanted]),
    )


def _with_names(table: Table, names: list[str], codes: np.ndarray) -> np.ndarray | None:
    """The rows whose names are not empty; None where that is all of them."""
    if "" not in names:
        return None
    empty = (codes == names.index("")).any(axis=0)
    count = int(empty.sum())
    if not count:
        return None
    text = f"{counted(count, 'line')} without the name of a node"
    places = table.lines(np.flatnonzero(empty)[:PLACES])
    table.notebook.note("empty-id", text, count, table.file.name, places)
    return np.flatnonzero(~empty)


def _weights(table: Table, column: int) -> np.ndarray:
    """Numbers, NaN where there is something else; an empty cell is no number here."""
    cells = table.strings(column)
    matrix, bad = as_numbers([cells], len(cells))
    values = matrix[:, 0]
    values[bad] = np.nan
    return values


def _suspect_header(table: Table, names: list[str], codes: np.ndarray) -> None:
    """A first line whose names occur nowhere else, where others do, may be a header."""
    if table.header or codes.shape[1] < 4:
        return
    counts = np.bincount(codes.ravel(), minlength=len(names))
    first = codes[:, 0]
    alone = (counts[first] == 1).all() and not any(is_number(names[i]) for i in first)
    if alone and np.median(counts) > 1:
        text = "the first line may be a header: its names occur nowhere else"
        table.notebook.note("first-line", text, 1, table.file.name, table.lines(np.array([0])))


def node_names(table: Table, column: int | None) -> tuple[list[str] | None, np.ndarray, np.ndarray]:
    """Who each row is about: names, their numbers, and the rows that have a name."""
    if column is None:
        count = len(table.strings(0))
        return None, np.arange(count), np.arange(count)
    names, codes = table.factorised([column])  # type: ignore[attr-defined]
    _check_names(table, names)
    rows = _with_names(table, names, codes)
    if rows is None:
        rows = np.arange(codes.shape[1])
    return names, codes[0][rows], rows


def _check_names(table: Table, names: list[str]) -> None:
    longest = max(map(len, names), default=0)
    if longest > table.file.limits.name:
        raise table.file.error(
            f"a name has {longest:,} characters; at most {table.file.limits.name:,}"
        )


def classes_of(table: Table, column: int, rows: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the classes in their natural order, and the class of each row or -1."""
    names, codes = table.factorised([column])  # type: ignore[attr-defined]
    classes = sorted((n for n in names if not _is_missing(n, names)), key=natural)
    if len(classes) > table.file.limits.classes:
        raise table.file.error(
            f"the column {short(table.names[column])} has {len(classes):,} different classes; at "
            f"most {table.file.limits.classes:,} are read (is it the right column?)"
        )
    position = {name: i for i, name in enumerate(classes)}
    number = np.array([position.get(name, -1) for name in names], dtype=np.int64)
    return tuple(classes), number[codes[0][rows]]


def _is_missing(name: str, others: list[str]) -> bool:
    """Whether a text stands for an unknown class; -1 does among classes that are numbers."""
    if name.lower() in MISSING:
        return True
    return name in ("-1", "-1.0") and all(is_number(n) for n in others if n.lower() not in MISSING)


def natural(name: str) -> tuple[int, float, str]:
    """Numbers by size, before words by letter."""
    return (0, float(name), name) if is_number(name) else (1, 0.0, name)


def parts_of(table: Table, column: int, rows: np.ndarray) -> np.ndarray:
    """`train`, `validation`, `test` or an empty text for each row."""
    cells = table.strings(column).to_pylist()
    found = np.array([PARTS.get(cells[row].lower(), "") for row in rows], dtype="<U10")
    odd = [i for i, row in enumerate(rows) if not found[i] and cells[row].lower() not in MISSING]
    if odd:
        text = f"{counted(len(odd), 'row')} with another part than train, validation or test"
        places = table.lines(rows[odd[:PLACES]])
        table.notebook.note("bad-part", text, len(odd), table.file.name, places)
    return found


def probabilities_of(table: Table, columns: tuple[int, ...], rows: np.ndarray) -> dict[str, Any]:
    """A dense matrix, one column for each class, and the names of the classes if there are any."""
    if not columns:
        raise table.file.error("no column of class probabilities is left or named")
    if len(columns) > table.file.limits.classes:
        raise table.file.error(f"there are {len(columns):,} classes, more than are read")
    matrix = table.numbers(columns)[rows].toarray()
    if (negative := np.flatnonzero((matrix < 0).any(axis=1))).size:
        line = next(iter(table.lines(rows[negative[:1]])), None)
        raise table.file.error("a class probability is negative", line)
    names = tuple(table.names[c].strip() for c in columns) if table.header else None
    return {"probabilities": matrix, "probability_classes": names}


def _triplets_of(
    table: Table,
    columns: Mapping[str, Any],
    names: list[str] | None,
    codes: np.ndarray,
    rows: np.ndarray,
) -> tuple[list[str], np.ndarray, sp.csr_array]:
    """A sparse matrix from lines of node, feature and value; repeated ones are added up."""
    if names is None:
        names, every = table.factorised([0])  # type: ignore[attr-defined]
        codes = every[0][rows]
    features, feature_codes = table.factorised([columns["feature"]])  # type: ignore[attr-defined]
    order = np.argsort(np.array([natural(n)[1] for n in features]), kind="stable")
    place = np.empty(len(features), dtype=np.int64)
    place[order] = np.arange(len(features))
    if len(features) > table.file.limits.columns:
        raise table.file.error(f"there are {len(features):,} features, more than are read")
    value = columns["value"]
    values = np.ones(rows.size) if value is None else table.numbers([value])[rows].toarray()[:, 0]
    entries = (values, (codes, place[feature_codes[0][rows]]))
    shape = (len(names), len(features))
    return names, np.arange(len(names)), sp.csr_array(sp.coo_array(entries, shape=shape))


def overlaps(table: Table, known: set[str]) -> str:
    """How many of the values of each column are names of nodes, in words; the best ones only."""
    found = []
    for i in range(min(len(table.names), 20)):
        values = set(table.strings(i).to_pylist())
        if both := len(values & known):
            found.append((both, f"“{short(table.names[i], 30)}” {both:,} of {len(values):,}"))
    found.sort(reverse=True)
    return "; ".join(text for _, text in found[:3])
