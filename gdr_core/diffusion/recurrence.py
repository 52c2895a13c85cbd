"""The Chebyshev recurrence x_{k+1} = M x_k − x_{k−1} with M = 4S/Λ − 2I, in several ways.

plain    M as one sparse matrix, multiplied by SciPy: graphs of usual size
apart    the sparse part alone by the fastest library; then the diagonal, the rank-two part and
         x_{k−1}, all in one go over stretches that fit the cache
pieces   as apart, with long rows of the sparse part in pieces (`gdr_core.products.cut`), these in
         float64 or in float32; everything else, the vectors x_k included, stays in float64. The
         sparse part is small beside the diagonal where a graph has hubs, and so is what its
         rounding costs (see `rounding`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians.operator import Laplacian
from gdr_core.products import CutProduct, Product, engine_for, in_parts

PRECISIONS = ("float64", "float32")
PIECES = "float64 in pieces"  # where float64 alone cannot prove a tolerance
_STRETCH = 2**15  # numbers: a few of these fit the cache


class _Steps(Protocol):
    """What the recurrence needs of an operator."""

    def apply(self, block: np.ndarray) -> np.ndarray:
        """M @ block."""

    def advance(self, current: np.ndarray, previous: np.ndarray) -> np.ndarray:
        """M @ current − previous, which may be written over previous."""


def chebyshev_vectors(
    laplacian: Laplacian, start: np.ndarray, terms: int, precision: str = "float64"
) -> Iterator[np.ndarray]:
    """T_0(X) h, T_1(X) h, … for X = 2S/Λ − I; each is valid until the next but one is asked for.

    precision   of the sparse products: one of `PRECISIONS`, or `PIECES`
    """
    current = np.ascontiguousarray(start)
    yield current
    if terms == 1:
        return
    steps = steps_for(laplacian, start.shape[1], precision)
    current, previous = steps.apply(current) / 2, current.copy()
    yield current
    for _ in range(terms - 2):
        current, previous = steps.advance(current, previous), current
        yield current


def steps_for(laplacian: Laplacian, columns: int, precision: str = "float64") -> _Steps:
    """The way that suits a graph's size and the precision of its products."""
    if precision != "float64":
        return _PiecesOperator(laplacian, np.float32 if precision == "float32" else np.float64)
    if engine_for(laplacian.weights, columns) == "torch":
        return _ApartOperator(laplacian)
    return DoubledOperator(laplacian)


class DoubledOperator:
    """2X = 4S/Λ − 2I as one sparse matrix, the diagonal last in each row (see `rounding`)."""

    def __init__(self, laplacian: Laplacian):
        scale = doubled_scale(laplacian)
        self.matrix = _with_diagonal_last(-scale * laplacian.weights, scale * laplacian.rates - 2)
        self.rank_two = laplacian.rank_two and laplacian.rank_two.scaled(scale)

    def apply(self, block: np.ndarray) -> np.ndarray:
        """2X @ block."""
        product = self.matrix @ block
        if self.rank_two is not None:
            product -= self.rank_two.apply(block)
        return product

    def advance(self, current: np.ndarray, previous: np.ndarray) -> np.ndarray:
        """2X @ current − previous."""
        following = self.apply(current)
        following -= previous
        return following


class _ApartOperator:
    """2X as its sparse part, its diagonal and its rank-two part, each apart."""

    def __init__(self, laplacian: Laplacian):
        scale = doubled_scale(laplacian)
        self.diagonal = (scale * laplacian.rates - 2)[:, None]
        self.rank_two = laplacian.rank_two and laplacian.rank_two.scaled(scale)
        weights = laplacian.weights  # its indices are shared: only the numbers are new
        scaled = (-scale * weights.data, weights.indices, weights.indptr)
        self.take(sp.csr_array(scaled, shape=weights.shape))

    def take(self, matrix: sp.csr_array) -> None:
        """Keep the sparse part."""
        self.product = Product(matrix)

    def sums(self, block: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row sums of the sparse part; then rows with something to be added still, and that."""
        return self.product(block), np.empty(0, np.intp), np.empty((0, block.shape[1]))

    def apply(self, block: np.ndarray) -> np.ndarray:
        """2X @ block."""
        return self.advance(block, np.zeros_like(block))

    def advance(self, current: np.ndarray, previous: np.ndarray) -> np.ndarray:
        """2X @ current − previous, written over previous."""
        sums, rows, more = self.sums(current)
        inner = None if self.rank_two is None else self.rank_two.inner(current)

        def combine(span: slice) -> None:
            for part in _stretches(span, current.shape[1]):
                image = self.diagonal[part] * current[part]
                image += sums[part]
                if self.rank_two is not None:
                    image -= self.rank_two.columns[part] @ inner
                np.subtract(image, previous[part], out=previous[part])

        in_parts(combine, len(current), current.size)
        previous[rows] += more
        return previous


class _PiecesOperator(_ApartOperator):
    """2X with long rows of the sparse part in pieces, these summed in a type of their own."""

    def __init__(self, laplacian: Laplacian, dtype: type):
        self.dtype = dtype
        super().__init__(laplacian)

    def take(self, matrix: sp.csr_array) -> None:
        """Keep the sparse part, its long rows cut."""
        self.cut = CutProduct(matrix, self.dtype)

    def sums(self, block: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sums of first pieces; then the rows with later pieces, and their sums."""
        first, later = self.cut.parts(block)
        return first, self.cut.long, later


def _stretches(span: slice, columns: int) -> Iterator[slice]:
    """A span in stretches that fit the cache."""
    size = max(_STRETCH // max(columns, 1), 1)
    for begin in range(span.start, span.stop, size):
        yield slice(begin, min(begin + size, span.stop))


def doubled_scale(laplacian: Laplacian) -> float:
    """4/Λ, which turns S into 2X + 2I."""
    return 4 / laplacian.upper_bound if laplacian.upper_bound > 0 else 0.0


def _with_diagonal_last(off_diagonal: sp.csr_array, diagonal: np.ndarray) -> sp.csr_array:
    """off_diagonal + diag(diagonal) in CSR, with the diagonal entry at the end of each row."""
    nodes = diagonal.size
    ends = off_diagonal.indptr[1:]
    kind = off_diagonal.indices.dtype
    indices = np.insert(off_diagonal.indices, ends, np.arange(nodes, dtype=kind))
    data = np.insert(off_diagonal.data, ends, diagonal)
    indptr = off_diagonal.indptr + np.arange(nodes + 1, dtype=kind)
    return sp.csr_array((data, indices, indptr), shape=(nodes, nodes))
