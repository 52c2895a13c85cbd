"""Products of a constant sparse matrix with a dense block, and their gradients.

Y = M V has the gradient Mᵀ G in V. Both M and Mᵀ are kept as compressed rows with 32-bit indices,
the form in which torch's sparse kernels are fastest, so no product ever transposes or sorts.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

with warnings.catch_warnings():
    # torch says once per process that compressed rows are in beta; it is said here, unheard
    warnings.simplefilter("ignore")
    torch.eye(2).to_sparse_csr()


def as_rows(
    matrix: sp.csr_array, dtype: torch.dtype = torch.float32, device: torch.device | str = "cpu"
) -> torch.Tensor:
    """A SciPy matrix as a torch tensor of compressed rows."""
    rows = sp.csr_array(matrix)
    rows.sort_indices()
    return from_parts(
        torch.from_numpy(rows.indptr.astype(np.int32)),
        torch.from_numpy(rows.indices.astype(np.int32)),
        torch.from_numpy(np.asarray(rows.data, dtype=np.float64).copy()).to(dtype),
        rows.shape,
    ).to(device)


def from_parts(
    starts: torch.Tensor, columns: torch.Tensor, values: torch.Tensor, shape: tuple[int, ...]
) -> torch.Tensor:
    """Compressed rows from their three arrays, which are trusted."""
    return torch.sparse_csr_tensor(starts, columns, values, shape, check_invariants=False)


class ConstantProduct(torch.autograd.Function):
    """V ↦ M V for a matrix that is not learned."""

    @staticmethod
    def forward(
        ctx: Any, block: torch.Tensor, matrix: torch.Tensor, transpose: torch.Tensor
    ) -> torch.Tensor:
        """M V."""
        ctx.transpose = transpose
        return torch.mm(matrix, block)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        """Mᵀ G."""
        return torch.mm(ctx.transpose, gradients[0].contiguous()), None, None


class SparseFeatures:
    """X, sparse, with dropout on its stored entries: an entry that is zero cannot be dropped.

    `product` gives X V. With `dropout` p each stored entry is set to zero with probability p and
    otherwise divided by 1 − p, drawn from `generator`.
    """

    def __init__(
        self,
        features: sp.csr_array,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ):
        rows = sp.csr_array(features)
        rows.sort_indices()
        numbered = sp.csr_array(
            (np.arange(rows.nnz, dtype=np.float64), rows.indices, rows.indptr), shape=rows.shape
        )
        columns = sp.csr_array(numbered.T)
        columns.sort_indices()
        self.shape = (int(rows.shape[0]), int(rows.shape[1]))
        self.rows = as_rows(rows, dtype, device)
        self.order = torch.from_numpy(columns.data.astype(np.int64)).to(device)
        self.columns = as_rows(sp.csr_array(rows.T), dtype, device)

    def product(
        self,
        block: torch.Tensor,
        dropout: float = 0.0,
        generator: torch.Generator | None = None,
    ) -> torch.Tensor:
        """X V, or (X with dropout) V."""
        if dropout == 0:
            return ConstantProduct.apply(block, self.rows, self.columns)
        values = drop(self.rows.values(), dropout, generator)
        rows = from_parts(self.rows.crow_indices(), self.rows.col_indices(), values, self.shape)
        columns = from_parts(
            self.columns.crow_indices(),
            self.columns.col_indices(),
            values[self.order],
            self.shape[::-1],
        )
        return ConstantProduct.apply(block, rows, columns)


def drop(
    values: torch.Tensor, probability: float, generator: torch.Generator | None
) -> torch.Tensor:
    """Dropout from a generator of one's own: torch's takes only the global one."""
    if probability == 0:
        return values
    kept = torch.rand(values.shape, generator=generator, dtype=values.dtype, device=values.device)
    return values * (kept >= probability) / (1 - probability)
