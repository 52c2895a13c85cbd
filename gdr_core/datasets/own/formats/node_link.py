"""NetworkX node-link JSON: a list of nodes and a list of links between their ids."""

from __future__ import annotations

import json
from typing import Any

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, short
from gdr_core.datasets.own.formats.building import GraphBuilder, weight_of
from gdr_core.datasets.own.text import text_bytes


def read(file: File, notebook: Notebook) -> GraphBuilder:
    """The graph; attributes of nodes that are neither text nor number are left aside."""
    document = _document(file, notebook)
    links = document.get("links", document.get("edges"))
    nodes = document.get("nodes")
    if not isinstance(nodes, list) or not isinstance(links, list):
        raise file.error("node-link JSON needs the lists “nodes” and “links” (or “edges”)")
    builder = GraphBuilder(file, notebook, directed=document.get("directed") is True)
    for entry in nodes:
        _node(builder, entry)
    for entry in links:
        _link(builder, entry)
    return builder


def _document(file: File, notebook: Notebook) -> dict[str, Any]:
    file.check_size(file.limits.slow_bytes)
    try:
        document = json.loads(text_bytes(file, notebook))
    except json.JSONDecodeError as problem:
        raise file.error(f"the JSON is broken ({short(problem.msg)})", problem.lineno) from problem
    except (RecursionError, ValueError) as problem:
        raise file.error(f"the JSON cannot be read ({short(str(problem))})") from problem
    if not isinstance(document, dict):
        raise file.error("node-link JSON is an object with the lists “nodes” and “links”")
    return document


def _node(builder: GraphBuilder, entry: Any) -> None:
    if not isinstance(entry, dict) or "id" not in entry:
        raise builder.error(f"a node has no id: {short(str(entry))}")
    node = builder.node(_name(builder, entry["id"]))
    for key, value in entry.items():
        if key != "id" and isinstance(value, str | int | float) and not isinstance(value, bool):
            builder.attribute(node, str(key), str(value))


def _link(builder: GraphBuilder, entry: Any) -> None:
    if not isinstance(entry, dict) or "source" not in entry or "target" not in entry:
        raise builder.error(f"a link has no source or no target: {short(str(entry))}")
    ends = (_name(builder, entry["source"]), _name(builder, entry["target"]))
    weight = entry.get("weight")
    builder.edge(*ends, weight_of(builder, None if weight is None else str(weight)))


def _name(builder: GraphBuilder, value: Any) -> str:
    """A name as text; numbers as they are written, lists (NetworkX tuples) as JSON."""
    if isinstance(value, dict) or value is None:
        raise builder.error(f"a name must be a text or a number: {short(str(value))}")
    return value if isinstance(value, str) else json.dumps(value)
