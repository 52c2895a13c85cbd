"""What a table is about, and which of its columns says what: guessed, or as the user says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gdr_core.datasets.own.findings import short
from gdr_core.datasets.own.tables import Table
from gdr_core.datasets.own.text import is_number

ROLES: dict[str, str] = {
    "edges": "edges: two nodes a line, and perhaps a weight",
    "labels": "classes: a node and its class",
    "features": "features: a node and its numbers",
    "triplets": "features as triplets: node, feature, value",
    "split": "a split: a node and its part (train, validation, test)",
    "probabilities": "class probabilities: a node and one number for each class",
    "ignore": "nothing: leave this file aside",
}
MANY = ("features", "probabilities")
COLUMNS: dict[str, tuple[str, ...]] = {
    "edges": ("source", "target", "weight"),
    "labels": ("id", "class", "part"),
    "features": ("id", "class", "part", "features"),
    "triplets": ("id", "feature", "value"),
    "split": ("id", "part"),
    "probabilities": ("id", "probabilities"),
    "ignore": (),
}
WORDS = {
    "source": ("source", "from", "src", "start", "cited", "u", "node1", "head", "i", "user"),
    "target": ("target", "to", "dst", "end", "citing", "v", "node2", "tail", "j", "item"),
    "weight": ("weight", "w", "strength", "similarity", "value", "count"),
    "id": ("id", "ids", "node", "name", "paper", "vertex", "key", "index", "node_id", "paper_id"),
    "class": ("class", "label", "labels", "y", "category", "true", "club", "type", "cell_type",
              "bulk_labels", "cluster", "group", "node_label", "subject"),
    "part": ("part", "split", "set", "fold", "subset"),
    "feature": ("feature", "word", "column", "term"),
    "value": ("value", "count", "weight", "x"),
}  # fmt: skip
PARTS = {
    "train": "train",
    "training": "train",
    "val": "validation",
    "valid": "validation",
    "validation": "validation",
    "dev": "validation",
    "test": "test",
    "testing": "test",
}
_STEMS = {
    "edges": ("edge", "link", "cites", "citation", "graph", "network", "arc"),
    "probabilities": ("prob", "proba", "score", "predict", "softmax"),
    "split": ("split", "mask", "fold"),
    "labels": ("label", "class", "target"),
    "features": ("feature", "content", "attribute", "matrix"),
    "triplets": ("triplet",),
}
SAME = 1e-3


def guess_role(table: Table) -> str:
    """The most likely role, by column names, by the file's name, then by the first rows."""
    rows, columns = table.sample, len(table.names)
    named = [name.strip().lower() for name in table.names] if table.header else []
    if any(n in WORDS["source"] for n in named) and any(n in WORDS["target"] for n in named):
        return "edges"
    if any(_are_parts(column) for column in _columns(rows, columns)[-1:]):
        return "split"
    for role, stems in _STEMS.items():
        if any(stem in table.file.stem for stem in stems) and _possible(role, columns):
            return role
    return _by_shape(table, rows, columns, named)


def _by_shape(table: Table, rows: list[list[str]], columns: int, named: list[str]) -> str:
    if columns > 2 and _sum_to_one(rows, columns, _id_column(table)):
        return "probabilities"
    if columns > 3:
        return "features"
    if any(name in WORDS["class"] for name in named) or columns == 1:
        return "labels"
    if columns == 3 and any(name in WORDS["feature"] for name in named):
        return "triplets"
    first, second = _columns(rows, columns)[:2]
    distinct, classes = len(set(first)) == len(first), len(set(second))
    if columns == 2 and distinct and classes <= max(2, len(second) // 2) and len(second) > 3:
        return "labels"
    return "edges"


def columns_for(table: Table, role: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """For each part of the role its column's number, a tuple of them, or None."""
    if role not in ROLES:
        raise table.file.error(f"the role must be one of {', '.join(ROLES)}, got {role!r}")
    for key in given:
        if key not in COLUMNS[role]:
            allowed = ", ".join(COLUMNS[role]) or "none"
            raise table.file.error(f"{role} have no column {key!r}; they have {allowed}")
    chosen = {key: _resolved(table, key, value) for key, value in given.items()}
    return _GUESSES[role](table, chosen)


def _edges(table: Table, chosen: dict[str, Any]) -> dict[str, Any]:
    if len(table.names) < 2:
        raise table.file.error("edges need two columns, but only one was found")
    source = chosen.get("source", _named(table, "source", ()))
    source = 0 if source is None and chosen.get("target") != 0 else source
    target = chosen.get("target", _named(table, "target", (source,)))
    free = [i for i in range(len(table.names)) if i not in (source, target)]
    target = free.pop(0) if target is None else target
    source = free.pop(0) if source is None else source
    weight = chosen.get("weight", _named(table, "weight", (source, target)))
    if "weight" not in chosen and weight is None and len(free) == 1 and _numeric(table, free[0]):
        weight = free[0]
    if weight is not None and "weight" not in chosen and not _numeric(table, weight):
        weight = None
    return {"source": source, "target": target, "weight": weight}


def _labels(table: Table, chosen: dict[str, Any]) -> dict[str, Any]:
    node = _id(table, chosen, single=len(table.names) == 1)
    part = chosen.get("part", _named(table, "part", (node,)))
    label = chosen.get("class", _named(table, "class", (node, part)))
    free = [i for i in range(len(table.names)) if i not in (node, part)]
    if label is None and free and "class" not in chosen:
        label = free[-1]
    return {"id": node, "class": label, "part": part}


def _features(table: Table, chosen: dict[str, Any]) -> dict[str, Any]:
    node = _id(table, chosen, single=False)
    part = chosen.get("part", _named(table, "part", (node,)))
    label = chosen.get("class", _named(table, "class", (node, part)))
    last = len(table.names) - 1
    if label is None and "class" not in chosen and last not in (node, part):
        label = None if _numeric(table, last) else last
    rest = [i for i in range(len(table.names)) if i not in (node, part, label)]
    features = chosen.get("features", tuple(i for i in rest if _numeric(table, i)))
    return {"id": node, "class": label, "part": part, "features": features}


def _triplets(table: Table, chosen: dict[str, Any]) -> dict[str, Any]:
    if len(table.names) < 3 and chosen.get("value", 0) is not None:
        raise table.file.error("triplets need three columns: node, feature and value")
    defaults = {"id": 0, "feature": 1, "value": 2}
    return {
        key: chosen.get(key, default if (n := _named(table, key, ())) is None else n)
        for key, default in defaults.items()
    }


def _split(table: Table, chosen: dict[str, Any]) -> dict[str, Any]:
    node = _id(table, chosen, single=len(table.names) == 1)
    part = chosen.get("part", _named(table, "part", (node,)))
    free = [i for i in range(len(table.names)) if i != node]
    if part is None and not free:
        raise table.file.error("a split needs a column that says the part of each node")
    return {"id": node, "part": free[-1] if part is None else part}


def _probabilities(table: Table, chosen: dict[str, Any]) -> dict[str, Any]:
    node = _id(table, chosen, single=False)
    rest = tuple(i for i in range(len(table.names)) if i != node)
    return {"id": node, "probabilities": chosen.get("probabilities", rest)}


def _nothing(table: Table, chosen: dict[str, Any]) -> dict[str, Any]:
    return {}


_GUESSES = {
    "edges": _edges,
    "labels": _labels,
    "features": _features,
    "triplets": _triplets,
    "split": _split,
    "probabilities": _probabilities,
    "ignore": _nothing,
}


def _id_column(table: Table) -> int | None:
    """The column that names the nodes, or None where the rows seem to be counted."""
    named = _named(table, "id", ())
    if named is not None:
        return named
    first = _columns(table.sample, len(table.names))[0]
    if len(table.names) < 2 or len(set(first)) < len(first):
        return None
    if not all(map(is_number, first)):
        return 0
    whole = all(text.lstrip("-").isdigit() for text in first)
    others = _columns(table.sample, len(table.names))[1:]
    alike = all(
        len(set(column)) == len(column) and all(t.lstrip("-").isdigit() for t in column)
        for column in others
    )
    return 0 if whole and (not alike or len(first) == 1) else None


def _id(table: Table, chosen: dict[str, Any], single: bool) -> int | None:
    if "id" in chosen:
        return chosen["id"]
    return None if single else _id_column(table)


def _named(table: Table, key: str, taken: Sequence[int | None]) -> int | None:
    """The column whose name is the first of the words for this key."""
    if not table.header:
        return None
    names = [name.strip().lower() for name in table.names]
    for word in WORDS[key]:
        if word in names and names.index(word) not in taken:
            return names.index(word)
    return None


def _resolved(table: Table, key: str, value: Any) -> Any:
    if value is None:
        return None
    if key in MANY:
        listed = value if isinstance(value, list | tuple) else (value,)
        return tuple(_position(table, one) for one in listed)
    return _position(table, value)


def _position(table: Table, column: Any) -> int:
    """A column's number from its number or its name."""
    if isinstance(column, str):
        if column not in table.names:
            shown = ", ".join(short(name, 30) for name in table.names[:20])
            raise table.file.error(f"there is no column {short(column)!r}; there are {shown}")
        return table.names.index(column)
    if isinstance(column, list | tuple) or column is None:
        raise table.file.error("one column is asked for, not several and not none")
    if not 0 <= int(column) < len(table.names):
        raise table.file.error(f"there are {len(table.names)} columns, no column {column}")
    return int(column)


def _columns(rows: list[list[str]], columns: int) -> list[list[str]]:
    return [[row[i] for row in rows if len(row) == columns] for i in range(columns)]


def _numeric(table: Table, column: int) -> bool:
    cells = [row[column] for row in table.sample if len(row) > column and row[column].strip()]
    return sum(map(is_number, cells)) >= max(len(cells), 1) / 2


def _are_parts(cells: list[str]) -> bool:
    known = [cell for cell in cells if cell]
    return bool(known) and all(cell.lower() in PARTS for cell in known)


def _possible(role: str, columns: int) -> bool:
    least = {"edges": 2, "probabilities": 2, "split": 1, "labels": 1, "features": 1, "triplets": 3}
    most = {"edges": 6, "split": 3, "labels": 6, "triplets": 3}
    return least[role] <= columns <= most.get(role, columns)


def _sum_to_one(rows: list[list[str]], columns: int, node: int | None) -> bool:
    sums = []
    for row in rows:
        cells = [cell for i, cell in enumerate(row) if i != node]
        if len(row) != columns or not all(map(is_number, cells)):
            return False
        values = [float(cell) for cell in cells]
        if min(values) < 0:
            return False
        sums.append(abs(sum(values) - 1) < SAME)
    return bool(sums) and sum(sums) > len(sums) / 2 and columns > 2
