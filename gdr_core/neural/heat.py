"""The heat kernel e^{−tS} as a differentiable operator whose time can be learned.

    Y = e^{−tS} V,     ∂ℓ/∂V = e^{−tS} G,     ∂ℓ/∂t = −⟨G, S Y⟩ = −⟨S G, Y⟩,     G = ∂ℓ/∂Y,

since S is symmetric. The forward and the backward pass are each one Chebyshev recurrence of sparse
products with the block V, usually of 16 columns; nothing of size N×N is formed and no
intermediate of the recurrence is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from scipy.special import ive

from gdr_core.diffusion import chebyshev
from gdr_core.laplacians import Laplacian
from gdr_core.neural.products import as_rows

_GRID = 1.02
_LARGEST_HALF = 1e7


class HeatKernel:
    """V ↦ e^{−tS} V for the symmetric form S of a Laplacian, in torch.

    tolerance   bound on the 2-norm of the error of the operator; together with t it decides how
                many products are needed, about √(t Λ ln(1/tolerance)) for large t Λ

    With Λ the proved bound on the spectrum, X = 2S/Λ − I has its spectrum in [−1, 1] and
    e^{−tS} = Σ_k c_k(t) T_k(X). Where S has a rank-two part (teleportation), X is a sparse matrix
    plus two outer products.
    """

    def __init__(
        self,
        laplacian: Laplacian,
        tolerance: float = 1e-4,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ):
        self.tolerance = tolerance
        self.bound = laplacian.upper_bound or 1.0
        scale = 2 / self.bound
        diagonal = sp.diags_array(scale * laplacian.rates - 1)
        self.matrix = as_rows(sp.csr_array(diagonal - scale * laplacian.weights), dtype, device)
        self.left: torch.Tensor | None = None
        if (pair := laplacian.rank_two) is not None:
            left, right = np.stack([pair.a, pair.b], axis=1), np.stack([pair.b, pair.a])
            self.left = torch.from_numpy(-scale * left).to(device, dtype)
            self.right = torch.from_numpy(right).to(device, dtype)
        self._series: tuple[float, list[float]] = (-1.0, [])
        self._terms: dict[float, int] = {}

    def __call__(
        self, block: torch.Tensor, time: float, first: torch.Tensor | None = None
    ) -> torch.Tensor:
        """e^{−tS} V by the three-term recurrence T_{k+1} = 2 X T_k − T_{k−1}.

        `first` is X V, where the caller has it already; it is written over.
        """
        series = self.series(time)
        total = series[0] * block
        if len(series) == 1:
            return total
        older, newer = block.clone(), self.scaled_product(block) if first is None else first
        total.add_(newer, alpha=series[1])
        for coefficient in series[2:]:
            older, newer = newer, self.advance(older, newer)
            total.add_(newer, alpha=coefficient)
        return total

    def advance(self, older: torch.Tensor, newer: torch.Tensor) -> torch.Tensor:
        """2 X T_k − T_{k−1}, written over T_{k−1}: the recurrence allocates nothing."""
        older.addmm_(self.matrix, newer, beta=-1, alpha=2)
        if self.left is not None:
            older.addmm_(self.left, self.right @ newer, alpha=2)
        return older

    def scaled_product(self, block: torch.Tensor) -> torch.Tensor:
        """X V."""
        image = torch.mm(self.matrix, block)
        return image if self.left is None else image.addmm_(self.left, self.right @ block)

    def series(self, time: float) -> list[float]:
        """c_0(t) … c_K(t) with the tail below the tolerance; the last time asked for is kept."""
        if time != self._series[0]:
            orders = np.arange(self.terms(time) + 1)
            values = 2 * (-1.0) ** orders * ive(orders, time * self.bound / 2)
            values[0] /= 2
            self._series = (time, values.tolist())
        return self._series[1]

    def terms(self, time: float) -> int:
        """K for a time, found once for all times that differ by a few percent."""
        half = time * self.bound / 2
        if not half < _LARGEST_HALF:
            raise ValueError(f"the diffusion time {time} is out of range for this graph")
        ceiling = _GRID ** np.ceil(np.log(half) / np.log(_GRID)) if half > 0 else 0.0
        if ceiling not in self._terms:
            self._terms[ceiling] = chebyshev.terms_needed(float(ceiling), self.tolerance)[0]
        return self._terms[ceiling]


class HeatFunction(torch.autograd.Function):
    """(V, t) ↦ e^{−tS} V with gradients in both."""

    @staticmethod
    def forward(
        ctx: Any, block: torch.Tensor, time: torch.Tensor, kernel: HeatKernel
    ) -> torch.Tensor:
        """Y = e^{−tS} V."""
        image = kernel(block.contiguous(), float(time))
        ctx.kernel = kernel
        ctx.save_for_backward(image, time)
        return image

    @staticmethod
    def backward(
        ctx: Any, *gradients: torch.Tensor
    ) -> tuple[torch.Tensor | None, torch.Tensor | None, None]:
        """e^{−tS} G and −⟨S G, Y⟩."""
        image, time = ctx.saved_tensors
        kernel, gradient = ctx.kernel, gradients[0].contiguous()
        first = kernel.scaled_product(gradient)
        in_time = None
        if ctx.needs_input_grad[1]:
            # S = (X + I)Λ/2, and X G is the first step of the recurrence for e^{−tS} G anyway
            flow = torch.sum((first + gradient) * image, dtype=time.dtype)
            in_time = -kernel.bound / 2 * flow
        in_block = kernel(gradient, float(time), first) if ctx.needs_input_grad[0] else None
        return in_block, in_time, None
