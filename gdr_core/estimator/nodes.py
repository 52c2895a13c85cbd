"""Nodes of a graph that can be chosen like the rows of a table."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core import gate


class NodeGraph:
    """A graph whose nodes can be chosen like the rows of X, for cross-validation.

    scikit-learn takes rows out of everything that has one row a sample. The rows of an adjacency
    alone would lose the graph, so this keeps the whole matrix and remembers which nodes are meant.
    """

    def __init__(self, adjacency: Any, rows: np.ndarray | None = None):
        self.matrix = gate.adjacency_matrix(adjacency)
        everyone = np.arange(self.matrix.shape[0])
        self.rows = everyone if rows is None else gate.node_numbers(rows, "rows", everyone.size)
        self.shape = (self.rows.size, self.matrix.shape[1])

    def __len__(self) -> int:
        return self.rows.size

    def __getitem__(self, key: Any) -> NodeGraph:
        """The same graph, speaking of fewer nodes."""
        chosen = np.asarray(key[0] if isinstance(key, tuple) else key)
        try:
            rows = np.atleast_1d(self.rows[chosen])
        except IndexError as problem:
            raise IndexError(f"the graph speaks of {self.rows.size} nodes only") from problem
        found = copy(self)  # the matrix has been checked
        found.rows, found.shape = rows, (rows.size, self.matrix.shape[1])
        return found

    def among(self) -> sp.csr_array:
        """Edges among the nodes that are meant."""
        return sp.csr_array(self.matrix[self.rows][:, self.rows])

    def towards(self, others: np.ndarray) -> sp.csr_array:
        """Edges from the nodes that are meant to others."""
        return sp.csr_array(self.matrix[self.rows][:, others])
