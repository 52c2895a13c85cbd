"""A sparse matrix that multiplies by the fastest means at hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from gdr_core.products.choice import engine_for


class Product:
    """block ↦ matrix @ block, for one vector or a block of columns.

    >>> import numpy as np, scipy.sparse as sp
    >>> from gdr_core.products import Product
    >>> Product(sp.csr_array([[0.0, 2.0], [1.0, 0.0]]))(np.array([1.0, 3.0]))
    array([6., 1.])
    """

    def __init__(self, matrix: sp.csr_array):
        self.matrix = matrix

    def __call__(self, block: np.ndarray) -> np.ndarray:
        """matrix @ block."""
        columns = block.shape[1] if block.ndim == 2 else 1
        if engine_for(self.matrix, columns) == "torch":
            return self._by_torch(block)
        return self.matrix @ block

    @cached_property
    def _by_torch(self) -> Callable[[np.ndarray], np.ndarray]:
        """The same matrix for torch, made when it is first used."""
        from gdr_core.products.torch_rows import torch_product

        return torch_product(self.matrix)

    def __reduce__(self) -> tuple[type[Product], tuple[sp.csr_array]]:
        return Product, (self.matrix,)  # what torch holds stays behind
