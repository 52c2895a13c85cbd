"""Pajek .net: *Vertices, then *Arcs (directed) and *Edges (undirected), by number."""

from __future__ import annotations

import re
from collections.abc import Callable

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, short
from gdr_core.datasets.own.formats.building import GraphBuilder, weight_of
from gdr_core.datasets.own.text import text_bytes

_WORD = re.compile(r'"([^"]*)"|(\S+)')


def read(file: File, notebook: Notebook) -> GraphBuilder:
    """The network; vertices without a line of their own are named by their number."""
    file.check_size(file.limits.slow_bytes)
    text = text_bytes(file, notebook).decode("utf-8", errors="replace")
    parser = _Pajek(file, notebook)
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("%"):
            parser.line(stripped, number)
    return parser.finished()


class _Pajek:
    def __init__(self, file: File, notebook: Notebook):
        self.file = file
        self.builder = GraphBuilder(file, notebook, directed=False)
        self.names: dict[int, str] = {}
        self.vertices = -1
        self.links: list[tuple[int, int, float, int]] = []
        self.arcs = self.edges = 0
        self.section: Callable[[list[str], int], None] = self._outside

    def line(self, text: str, number: int) -> None:
        words = [found[1] if found[2] is None else found[2] for found in _WORD.finditer(text)]
        if not text.startswith("*"):
            self.section(words, number)
            return
        sections = {
            "*vertices": self._vertex,
            "*arcs": self._arc,
            "*edges": self._edge,
            "*arcslist": self._arcs,
            "*edgeslist": self._edges,
            "*network": self._outside,
        }
        kind = words[0].lower()
        if kind not in sections:
            raise self.file.error(f"the section {short(words[0])} is not read", number)
        self.section = sections[kind]
        if kind == "*vertices":
            self._open(words, number)

    def finished(self) -> GraphBuilder:
        if self.vertices < 0:
            raise self.file.error("there is no line *Vertices")
        taken: set[str] = set()
        for vertex in range(1, self.vertices + 1):
            name = self.names.get(vertex, "").strip() or str(vertex)
            self.names[vertex] = name if name not in taken else f"{name} ({vertex})"
            taken.add(self.names[vertex])
            self.builder.node(self.names[vertex])
        self.builder.directed = self.arcs > 0
        for source, target, weight, line in self.links:
            self.builder.edge(self.names[source], self.names[target], weight, line)
        return self.builder

    def _open(self, words: list[str], line: int) -> None:
        if self.vertices >= 0:
            raise self.file.error("there is more than one line *Vertices", line)
        self.vertices = self._whole(words[1] if len(words) > 1 else "", line)
        if self.vertices > self.file.limits.nodes:
            raise self.file.error(f"there are {self.vertices:,} vertices, more than are read", line)

    def _outside(self, words: list[str], line: int) -> None:
        raise self.file.error("a line was found before *Vertices, *Arcs or *Edges", line)

    def _vertex(self, words: list[str], line: int) -> None:
        vertex = self._known(words[0], line)
        self.names[vertex] = words[1] if len(words) > 1 else ""

    def _arc(self, words: list[str], line: int) -> None:
        self._link(words, line)
        self.arcs += 1

    def _edge(self, words: list[str], line: int) -> None:
        self._link(words, line)
        self.edges += 1
        if self.arcs:
            source, target, weight, at = self.links[-1]
            self.links.append((target, source, weight, at))

    def _arcs(self, words: list[str], line: int) -> None:
        for target in words[1:]:
            self._arc([words[0], target], line)

    def _edges(self, words: list[str], line: int) -> None:
        for target in words[1:]:
            self._edge([words[0], target], line)

    def _link(self, words: list[str], line: int) -> None:
        if len(words) < 2:
            raise self.file.error("an edge needs two vertices", line)
        weight = weight_of(self.builder, words[2] if len(words) > 2 else None)
        self.links.append((self._known(words[0], line), self._known(words[1], line), weight, line))
        if len(self.links) > self.file.limits.edges:
            raise self.file.error("there are more edges than are read", line)

    def _known(self, word: str, line: int) -> int:
        vertex = self._whole(word, line)
        if not 1 <= vertex <= self.vertices:
            raise self.file.error(
                f"there is no vertex {vertex:,}; there are {max(self.vertices, 0):,}", line
            )
        return vertex

    def _whole(self, word: str, line: int) -> int:
        if not word.isascii() or not word.isdigit() or len(word) > 15:
            raise self.file.error(
                f"a whole number was expected, not {short(word) or 'nothing'}", line
            )
        return int(word)
