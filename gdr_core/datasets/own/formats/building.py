"""A graph as a parser meets it, node by node and edge by edge, within the limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, ReadingError
from gdr_core.datasets.own.memory import MemoryTable
from gdr_core.datasets.own.parts import Edges

NODE = "node"


@dataclass
class GraphBuilder:
    """Collects nodes with attributes, and edges by name; the file's own order is kept."""

    file: File
    notebook: Notebook
    directed: bool | None = None
    number: dict[str, int] = field(default_factory=dict)
    node_lines: list[int] = field(default_factory=list)
    attributes: dict[str, dict[int, str]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    edge_lines: list[int] = field(default_factory=list)
    cells: int = 0

    def node(self, name: str, line: int = 0) -> int:
        """The number of a node; it is added when first met."""
        name = name.strip()
        if not name:
            raise self.error("a node has no name", line)
        if len(name) > self.file.limits.name:
            raise self.error(f"a name has {len(name):,} characters", line)
        known = self.number.setdefault(name, len(self.number))
        if known == len(self.node_lines):
            self.node_lines.append(line)
            if known >= self.file.limits.nodes:
                raise self.error(f"there are more than {self.file.limits.nodes:,} nodes", line)
        return known

    def attribute(self, node: int, key: str, value: str) -> None:
        """Note what the file says of a node."""
        column = self.attributes.setdefault(key, {})
        column[node] = value
        self.cells += 1
        limits = self.file.limits
        if len(self.attributes) > limits.columns or self.cells > limits.cells:
            raise self.error("the nodes have more attributes than are read")

    def edge(self, source: str, target: str, weight: float = 1.0, line: int = 0) -> None:
        """Note an edge; whether its ends are nodes is asked later."""
        self.sources.append(source.strip())
        self.targets.append(target.strip())
        self.weights.append(weight)
        self.edge_lines.append(line)
        if len(self.sources) > self.file.limits.edges:
            raise self.error(f"there are more than {self.file.limits.edges:,} edges", line)

    def error(self, problem: str, line: int = 0) -> ReadingError:
        """An error about the file."""
        return self.file.error(problem, line or None)

    def table(self) -> MemoryTable:
        """The nodes with their attributes."""
        if not self.number:
            raise self.error("the file holds no nodes")
        rows = len(self.number)
        columns: dict[str, Sequence[str | None]] = {NODE: list(self.number)}
        if rows * len(self.attributes) > self.file.limits.cells:
            raise self.error("the nodes have more attributes than are read")
        for key, values in self.attributes.items():
            name = key if key != NODE else f"{key} (attribute)"
            columns[name] = [values.get(i) for i in range(rows)]
        return MemoryTable(self.file, self.notebook, columns, self.node_lines)

    def edges(self) -> Edges:
        """The edges with their weights."""
        names: dict[str, int] = {}
        sources = [names.setdefault(name, len(names)) for name in self.sources]
        targets = [names.setdefault(name, len(names)) for name in self.targets]
        weights = np.array(self.weights, dtype=np.float64)
        return Edges(
            self.file.name,
            list(names),
            np.array(sources, dtype=np.int64),
            np.array(targets, dtype=np.int64),
            None if (weights == 1).all() else weights,
            self.directed,
            lines=lambda rows: [self.edge_lines[row] for row in rows if self.edge_lines[row]],
        )


def weight_of(builder: GraphBuilder, text: str | None, line: int = 0) -> float:
    """A weight; one where nothing is said, not a number where something else is said."""
    if text is None or not str(text).strip():
        return 1.0
    try:
        return float(text)
    except (ValueError, OverflowError):
        return float("nan")
