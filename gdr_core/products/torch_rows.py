"""SciPy's compressed rows in the hands of torch, without a copy, on all its threads."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp


def torch_product(matrix: sp.csr_array) -> Callable[[np.ndarray], np.ndarray]:
    """block ↦ matrix @ block for one vector or several columns; numbers of the matrix's type.

    The arrays of the matrix are shared, not copied, and must not change.
    """
    import torch

    with warnings.catch_warnings():
        # compressed rows are in beta, it says, and arrays from files cannot be written to
        warnings.simplefilter("ignore")
        rows = torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr),
            torch.from_numpy(matrix.indices),
            torch.from_numpy(matrix.data),
            matrix.shape,
            check_invariants=False,
        )

    def multiply(block: np.ndarray) -> np.ndarray:
        dense = torch.from_numpy(np.ascontiguousarray(block, dtype=matrix.dtype))
        return (torch.mv if dense.ndim == 1 else torch.mm)(rows, dense).numpy()

    return multiply
