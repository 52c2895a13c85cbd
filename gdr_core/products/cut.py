"""Products whose rounding hardly grows with the length of a row.

A sum of m products errs by up to m units of rounding, and the hubs of a graph have rows of
thousands. So rows are cut into pieces of at most `_PIECE` entries, which are summed as ever, and
the sums of pieces are added up in float64, `GROUP` at a time, then the sums of groups, and so on.
With u the unit of rounding of the type that the pieces are summed in, an entry of the result
differs from the exact one by at most

    (min(m, PIECE) + 2) u Σ_j |A_ij| |x_j|  +  additions · 2⁻⁵³ Σ_j |A_ij| |x_j|,

one u for rounding A_ij and one for x_j, the others for the products and their sum, in any order;
`additions` counts those of one row that follow each other. In float32 numbers below 2⁻¹²⁶ may be
lost; `LOST` times the length of the row bounds what this adds where no |A_ij| is above 4 and no
|x_j| above 1.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from gdr_core.products.rows import Product
from gdr_core.products.threads import in_parts

_PIECE = 32
GROUP = 8
LOST = 8 * 2.0**-126


class CutProduct:
    """block ↦ matrix @ block with long rows in pieces, these summed in `dtype`.

    >>> import numpy as np, scipy.sparse as sp
    >>> from gdr_core.products import CutProduct
    >>> row = sp.csr_array(np.ones((1, 100)))
    >>> CutProduct(row, np.float32)(np.ones((100, 1)))
    array([[100.]])
    """

    def __init__(self, matrix: sp.csr_array, dtype: type = np.float64):
        self.rows, self.dtype = int(matrix.shape[0]), dtype
        lengths = np.diff(matrix.indptr)
        places = np.arange(matrix.nnz, dtype=matrix.indices.dtype)
        places -= np.repeat(matrix.indptr[:-1], lengths)
        later = places >= _PIECE
        pieces = np.concatenate([np.minimum(lengths, _PIECE), _later_lengths(lengths)])
        indptr = np.concatenate([[0], np.cumsum(pieces)]).astype(matrix.indices.dtype)
        indices = np.concatenate([matrix.indices[~later], matrix.indices[later]])
        data: np.ndarray = np.concatenate([matrix.data[~later], matrix.data[later]]).astype(dtype)
        self.product = Product(
            sp.csr_array((data, indices, indptr), (pieces.size, matrix.shape[1]))
        )
        counts = _later_pieces(lengths)
        self.long = np.flatnonzero(counts)
        self.levels = list(_levels(counts[self.long]))

    def __call__(self, block: np.ndarray) -> np.ndarray:
        """matrix @ block, shape (rows, columns), in float64."""
        first, later = self.parts(block)
        result = first.astype(np.float64)
        result[self.long] += later
        return result

    def parts(self, block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The sums of all first pieces, and of the later ones of the rows in `long`."""
        pieces = self.product(_rounded(block, self.dtype))
        later = pieces[self.rows :].astype(np.float64)
        for starts in self.levels:
            later = np.add.reduceat(later, starts, axis=0)
        return pieces[: self.rows], later


def _rounded(block: np.ndarray, dtype: type) -> np.ndarray:
    """The block in this type; itself where it is of it."""
    if block.dtype == dtype:
        return block
    result: np.ndarray = np.empty(block.shape, dtype)

    def convert(rows: slice) -> None:
        result[rows] = block[rows]

    in_parts(convert, len(block), block.size)
    return result


def factors(lengths: np.ndarray) -> np.ndarray:
    """min(m, PIECE) + 2 for rows of these lengths: units of rounding in the type of the pieces."""
    return np.minimum(lengths, _PIECE) + 2.0


def additions(lengths: np.ndarray) -> np.ndarray:
    """How many additions in float64 follow each other before a row's pieces are one sum.

    >>> import numpy as np
    >>> additions(np.array([32, 33, 64 * 32])).tolist()
    [0.0, 8.0, 15.0]
    """
    counts = _later_pieces(lengths)
    depths = np.ceil(np.log(np.maximum(counts, 1)) / np.log(GROUP) - 1e-9)
    return np.where(counts > 0, (GROUP - 1) * np.maximum(depths, 1) + 1, 0)


def _levels(counts: np.ndarray) -> Iterator[np.ndarray]:
    """Where groups of partial sums begin, level by level until each row has one sum left."""
    while counts.size and counts.max() > 1:
        groups = -(-counts // GROUP)
        begins = np.repeat(np.cumsum(counts) - counts, groups)
        inside = np.arange(int(groups.sum())) - np.repeat(np.cumsum(groups) - groups, groups)
        yield (begins + GROUP * inside).astype(np.intp)
        counts = groups


def _later_pieces(lengths: np.ndarray) -> np.ndarray:
    """How many pieces each row has after its first."""
    return np.maximum(-(-lengths // _PIECE) - 1, 0)


def _later_lengths(lengths: np.ndarray) -> np.ndarray:
    """Lengths of all pieces after the first, row by row: full ones, then the rest."""
    counts = _later_pieces(lengths)
    pieces = np.full(int(counts.sum()), _PIECE, dtype=lengths.dtype)
    long = np.flatnonzero(counts)
    last = np.cumsum(counts[long]) - 1
    pieces[last] = lengths[long] - _PIECE * counts[long]
    return pieces
