"""The record of a diffusion: every node's scores at every time, kept in compressed form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

BLOCK_BYTES = 16 * 2**20


@dataclass(frozen=True, eq=False)
class Trajectories:
    """p_j(t) for many nodes, classes and times: level + Σ_m mixing[t, m] · fields[m].

    times         the time grid, shape (times,)
    mixing        shape (times, modes), modes being a few dozen
    fields        shape (modes, nodes, classes)
    level         the conserved part of the scores, shape (nodes, classes)
    start         p(0), which is known exactly, shape (nodes, classes)
    nodes         which nodes of the graph the rows are
    error_bound   no value differs from the exact one by more than this (proved)
    products      number of sparse products with the Laplacian that were needed

    >>> import numpy as np
    >>> from gdr_core import diffuse, make_laplacian
    >>> pair = make_laplacian("combinatorial", [[0, 1], [1, 0]])
    >>> heat = diffuse(pair, np.array([[1.0], [0.0]]), np.array([0.0, 0.5, 1.0]))
    >>> heat.shape
    (3, 2, 1)
    >>> bool(heat.error_bound < 1e-6)
    True
    """

    times: np.ndarray
    mixing: np.ndarray
    fields: np.ndarray
    level: np.ndarray
    start: np.ndarray
    nodes: np.ndarray
    error_bound: float
    products: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """(times, nodes, classes) of the whole, if it were written out."""
        return (self.times.size, *self.level.shape)

    @cached_property
    def dtype(self) -> np.dtype:
        """Type of the values, float32 or float64."""
        return self.fields.dtype

    def values(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """p for the given rows at all times, shape (times, rows, classes)."""
        fields = self.fields[:, rows]
        modes, nodes, classes = fields.shape
        mixing = self.mixing.astype(self.dtype, copy=False)
        flat = mixing @ fields.reshape(modes, nodes * classes)
        result = flat.reshape(self.times.size, nodes, classes)
        result += self.level[rows]
        if self.times[0] == 0:
            result[0] = self.start[rows]
        return result

    def at(self, index: int) -> np.ndarray:
        """p of all rows at the time with the given index, shape (nodes, classes)."""
        if self.times[index] == 0:
            return self.start.copy()
        mixed = np.tensordot(self.mixing[index].astype(self.dtype), self.fields, axes=1)
        return mixed + self.level

    def blocks(self, bytes_each: int = BLOCK_BYTES) -> Iterator[tuple[slice, np.ndarray]]:
        """Run through all rows in blocks, so that memory stays bounded.

        Yields (rows, p) with p of shape (times, classes, rows): classes before nodes, which makes
        running over times and comparing classes fast.
        """
        for rows in self.spans(bytes_each):
            yield rows, self.block(rows)

    def spans(self, bytes_each: int = BLOCK_BYTES) -> list[slice]:
        """The rows in stretches whose values take about so many bytes."""
        count, nodes, classes = self.shape
        size = max(bytes_each // max(count * classes * self.dtype.itemsize, 1), 1)
        return [slice(start, min(start + size, nodes)) for start in range(0, nodes, size)]

    def block(self, rows: slice) -> np.ndarray:
        """p of some rows, shape (times, classes, rows)."""
        count, _, classes = self.shape
        fields = np.concatenate([self.fields[:, rows], self.level[None, rows]])
        fields = fields.transpose(0, 2, 1).reshape(self._mixing_and_level.shape[1], -1)
        scores = (self._mixing_and_level @ fields).reshape(count, classes, -1)
        if self.times[0] == 0:
            scores[0] = self.start[rows].T
        return scores

    @cached_property
    def _mixing_and_level(self) -> np.ndarray:
        """The level is one more mode, constant in time: adding it costs nothing in the product."""
        mixed = np.column_stack([self.mixing, np.ones(self.times.size)])
        return mixed.astype(self.dtype, copy=False)
