"""GML: nested lists of keys and values in square brackets."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, short
from gdr_core.datasets.own.formats.building import GraphBuilder, weight_of
from gdr_core.datasets.own.text import text_bytes

_TOKEN = re.compile(r"\s+|#[^\n]*|(?P<text>\"[^\"]*\")|(?P<mark>[\[\]])|(?P<word>[^\s\[\]\"#]+)")
DEPTH = 50
_Token = tuple[str, str, int]


def read(file: File, notebook: Notebook) -> GraphBuilder:
    """The first graph of the file, nodes named by their label where all labels differ."""
    file.check_size(file.limits.slow_bytes)
    parser = _Gml(file, notebook, text_bytes(file, notebook).decode("utf-8", errors="replace"))
    parser.run()
    return parser.finished()


class _Gml:
    def __init__(self, file: File, notebook: Notebook, text: str):
        self.file = file
        self.builder = GraphBuilder(file, notebook, directed=False)
        self.tokens = _tokens(file, text)
        self.graphs = 0

    def run(self) -> None:
        for kind, value, line in self.tokens:
            if kind != "word":
                raise self.file.error(f"a key was expected, not {short(value)}", line)
            following = self._next(line)
            if value.lower() == "graph" and following[1] == "[" and following[0] == "mark":
                self._graph(line)
            elif following[:2] == ("mark", "["):
                self._list(line, 1)
        if not self.graphs:
            raise self.file.error("the file holds no graph [ … ]")

    def finished(self) -> GraphBuilder:
        """Nodes named by their labels if all differ, as NetworkX writes them."""
        labels = self.builder.attributes.get("name", {})
        names = [labels.get(i, "").strip() for i in range(len(self.builder.number))]
        if names and all(names) and len(set(names)) == len(names):
            self._rename(dict(zip(self.builder.number, names, strict=True)))
        return self.builder

    def _rename(self, name_of: dict[str, str]) -> None:
        builder = self.builder
        builder.attributes.pop("name")
        builder.number = {name_of[key]: i for key, i in builder.number.items()}
        builder.sources = [name_of.get(key, key) for key in builder.sources]
        builder.targets = [name_of.get(key, key) for key in builder.targets]

    def _graph(self, line: int) -> None:
        self.graphs += 1
        if self.graphs > 1:
            raise self.file.error("the file holds more than one graph", line)
        for key, value, at in self._pairs(line, 1):
            if key == "directed" and isinstance(value, str):
                self.builder.directed = value.strip() == "1"
            elif key == "node" and isinstance(value, dict):
                self._node(value, at)
            elif key == "edge" and isinstance(value, dict):
                self._edge(value, at)

    def _node(self, values: dict[str, str], line: int) -> None:
        if "id" not in values:
            raise self.file.error("a node has no id", line)
        node = self.builder.node(values["id"], line)
        for key, value in values.items():
            if key != "id":
                self.builder.attribute(node, "name" if key == "label" else key, value)

    def _edge(self, values: dict[str, str], line: int) -> None:
        for end in ("source", "target"):
            if not values.get(end, "").strip():
                raise self.file.error(f"an edge has no {end}", line)
        weight = weight_of(self.builder, values.get("weight", values.get("value")))
        self.builder.edge(values["source"], values["target"], weight, line)

    def _pairs(self, line: int, depth: int) -> Iterator[tuple[str, str | dict[str, str], int]]:
        """Keys and values up to the bracket that closes this list; inner lists become dicts."""
        while True:
            kind, key, at = self._next(line)
            if (kind, key) == ("mark", "]"):
                return
            if kind != "word":
                raise self.file.error(f"a key was expected, not {short(key)}", at)
            kind, value, at = self._next(at)
            if (kind, value) == ("mark", "["):
                yield key.lower() if depth == 1 else key, self._list(at, depth + 1), at
            elif kind == "mark":
                raise self.file.error(f"{short(key)} has no value", at)
            else:
                yield key.lower() if depth == 1 else key, value, at

    def _list(self, line: int, depth: int) -> dict[str, str]:
        if depth > DEPTH:
            raise self.file.error(f"lists are nested more than {DEPTH} deep", line)
        return {
            key: value for key, value, _ in self._pairs(line, depth + 1) if isinstance(value, str)
        }

    def _next(self, line: int) -> _Token:
        token = next(self.tokens, None)
        if token is None:
            raise self.file.error("the file ends in the middle of a list", line)
        return token


def _tokens(file: File, text: str) -> Iterator[_Token]:
    position, line = 0, 1
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise file.error("a quoted text does not end", line)
        if kind := found.lastgroup:
            value = found[kind]
            yield kind, html.unescape(value[1:-1]) if kind == "text" else value, line
        line += found[0].count("\n")
        position = found.end()
