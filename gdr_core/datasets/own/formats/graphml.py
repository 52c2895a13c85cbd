"""GraphML: nodes and edges in XML, attributes declared by <key>."""

from __future__ import annotations

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook
from gdr_core.datasets.own.formats.markup import Elements

REFUSED = {"hyperedge": "hyperedges", "port": "ports"}


class _GraphML(Elements):
    def __init__(self, file: File, notebook: Notebook):
        super().__init__(file, notebook)
        self.keys: dict[str, str] = {}
        self.graphs = 0
        self.key = ""
        self.edge: dict[str, str] = {}
        self.edge_line = 0

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        if name in REFUSED:
            raise self.file.error(f"{REFUSED[name]} are not read", self.line)
        if name == "graph":
            self._graph(attributes)
        elif name == "key":
            self.keys[attributes.get("id", "")] = attributes.get(
                "attr.name", attributes.get("id", "")
            )
        elif name == "node":
            self.node = self.builder.node(attributes.get("id", ""), self.line)
        elif name == "edge":
            self.edge, self.edge_line = attributes, self.line
        elif name == "data":
            self.key = self.keys.get(attributes.get("key", ""), attributes.get("key", ""))

    def closed(self, name: str, text: str) -> None:
        if name == "data" and "edge" in self.path:
            if self.key.lower() == "weight":
                self.edge = self.edge | {"weight": text}
        elif name == "data" and self.node >= 0 and "node" in self.path:
            self.builder.attribute(self.node, self.key, text)
        elif name == "edge":
            self.edge_of(self.edge, self.edge_line)
        elif name == "node":
            self.node = -1

    def _graph(self, attributes: dict[str, str]) -> None:
        self.graphs += 1
        if self.graphs > 1:
            raise self.file.error("the file holds more than one graph", self.line)
        self.builder.directed = attributes.get("edgedefault", "").lower() == "directed"


read = _GraphML.graph_in
