"""GEXF, the format of Gephi: nodes and edges in XML, attributes declared by <attribute>."""

from __future__ import annotations

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook
from gdr_core.datasets.own.formats.markup import Elements


class _Gexf(Elements):
    """What changes over time is read as it is at the end."""

    def __init__(self, file: File, notebook: Notebook):
        super().__init__(file, notebook)
        self.titles: dict[str, str] = {}
        self.of_nodes = False

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        if name == "graph":
            self.builder.directed = attributes.get("defaultedgetype", "").lower() == "directed"
        elif name == "attributes":
            self.of_nodes = attributes.get("class", "") == "node"
        elif name == "attribute" and self.of_nodes:
            self.titles[attributes.get("id", "")] = attributes.get(
                "title", attributes.get("id", "")
            )
        elif name == "node":
            self._node(attributes)
        elif name == "attvalue" and self.node >= 0:
            key = attributes.get("for", attributes.get("id", ""))
            self.builder.attribute(
                self.node, self.titles.get(key, key), attributes.get("value", "")
            )
        elif name == "edge":
            self.edge_of(attributes, self.line)

    def closed(self, name: str, text: str) -> None:
        if name == "node":
            self.node = -1

    def _node(self, attributes: dict[str, str]) -> None:
        name = attributes.get("id", "")
        self.node = self.builder.node(name, self.line)
        label = attributes.get("label", "")
        if label and label != name:
            self.builder.attribute(self.node, "name", label)


read = _Gexf.graph_in
