"""How a layer spreads its block of columns over the graph.

A propagation has one or two channels. Its input is the block X W of all channels side by side,
its output their sum: P_fw X W_fw + P_bw X W_bw for the augmented forms, P X W otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
import torch

from gdr_core import laplacians
from gdr_core.neural.heat import HeatFunction, HeatKernel
from gdr_core.neural.products import ConstantProduct, as_rows

if TYPE_CHECKING:
    from gdr_core.datasets.record import Dataset
    from gdr_core.neural.options import TrainingOptions

_CHANNELS = {
    "undirected": ("undirected",),
    "forward": ("forward",),
    "backward": ("backward",),
    "augmented": laplacians.DIRECTIONS,
}


class Propagation(torch.nn.Module):
    """The base: one channel that leaves its block as it is, which makes an MLP."""

    channels = 1

    def forward(self, block: torch.Tensor) -> torch.Tensor:
        """P V."""
        return block

    @property
    def time(self) -> float | None:
        """The diffusion time t, or None where there is none."""
        return None

    @property
    def relative_time(self) -> float | None:
        """t times the typical rate of the Laplacian, which has no unit."""
        return None


class Convolution(Propagation):
    """V ↦ Σ Â V with Â = D̄^{−1/2} Ā D̄^{−1/2}, Ā = A + I, one Â for each channel.

    Equation (9) of the paper; (19) and (20) for the two channels of a directed graph.
    """

    def __init__(
        self,
        adjacencies: list[sp.csr_array],
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ):
        super().__init__()
        self.channels = len(adjacencies)
        matrices = [convolution_matrix(adjacency) for adjacency in adjacencies]
        self.pairs = [
            (as_rows(matrix, dtype, device), as_rows(sp.csr_array(matrix.T), dtype, device))
            for matrix in matrices
        ]

    def forward(self, block: torch.Tensor) -> torch.Tensor:
        """Σ Â V."""
        parts = block.chunk(self.channels, dim=1)
        images = [
            ConstantProduct.apply(part.contiguous(), matrix, transpose)
            for part, (matrix, transpose) in zip(parts, self.pairs, strict=True)
        ]
        return images[0] if self.channels == 1 else images[0] + images[1]


class Heat(Propagation):
    """V ↦ Σ e^{−tL} V with one learned time t for all channels and layers.

    The propagation of equation (16) of the paper; (22) for the two channels of a directed graph.

    What is learned is log τ, so t is positive; τ = t·r̄ with r̄ the typical rate of L has no unit,
    so that one initial value serves Laplacians whose scales differ by a factor of thousands, and
    graphs with and without hubs. A Laplacian that is only similar to a symmetric S is applied as
    diag(s)⁻¹ e^{−tS} diag(s).
    """

    def __init__(
        self,
        generators: list[laplacians.Laplacian],
        initial_time: float,
        tolerance: float = 1e-4,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ):
        super().__init__()
        self.channels = len(generators)
        self.kernels = [HeatKernel(one, tolerance, dtype, device) for one in generators]
        self.typical_rates = [_typical_rate(one) for one in generators]
        self.scalings = [
            None
            if one.similarity is None
            else torch.from_numpy(one.similarity[:, None].copy()).to(device, dtype)
            for one in generators
        ]
        start = torch.tensor(np.log(initial_time), dtype=torch.float64, device=device)
        self.log_time = torch.nn.Parameter(start)

    def forward(self, block: torch.Tensor) -> torch.Tensor:
        """Σ e^{−tL} V."""
        relative = self.log_time.exp()
        images = [
            self.diffuse(part, relative, channel)
            for channel, part in enumerate(block.chunk(self.channels, dim=1))
        ]
        return images[0] if self.channels == 1 else images[0] + images[1]

    def diffuse(self, part: torch.Tensor, relative: torch.Tensor, channel: int) -> torch.Tensor:
        """e^{−tL} V for one channel."""
        time, scaling = relative / self.typical_rates[channel], self.scalings[channel]
        if scaling is None:
            return HeatFunction.apply(part, time, self.kernels[channel])
        return HeatFunction.apply(part * scaling, time, self.kernels[channel]) / scaling

    @property
    def time(self) -> float:
        """t in the units of the first channel's Laplacian."""
        return self.relative_time / self.typical_rates[0]

    @property
    def relative_time(self) -> float:
        """τ = t·r̄: how often a walker on a node of typical rate has jumped by time t."""
        return float(self.log_time.detach().exp())


class PersonalisedRank(Propagation):
    """V ↦ the K-th step of Z ← (1 − α) Â Z + α V from Z = V: personalised PageRank, as in APPNP."""

    def __init__(
        self,
        adjacency: sp.csr_array,
        steps: int,
        teleport: float,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str = "cpu",
    ):
        super().__init__()
        self.convolution = Convolution([adjacency], dtype, device)
        self.steps, self.teleport = steps, teleport

    def forward(self, block: torch.Tensor) -> torch.Tensor:
        """The block after K steps."""
        image = block
        for _ in range(self.steps):
            image = (1 - self.teleport) * self.convolution(image) + self.teleport * block
        return image


class Neighbours(Propagation):
    """P = I, and the edges beside it: for a network whose loss knows the graph, not its layers."""

    def __init__(self, adjacency: sp.csr_array, device: torch.device | str = "cpu"):
        super().__init__()
        edges = sp.coo_array(adjacency)
        ends = np.stack([edges.row, edges.col]).astype(np.int64)
        self.nodes = adjacency.shape[0]
        self.ends = torch.from_numpy(ends).to(device)
        self.line = torch.from_numpy(np.cumsum(edges.data, dtype=np.float64)).to(device)

    def near(self, count: int, generator: torch.Generator) -> torch.Tensor:
        """Ends of so many edges drawn by their weights, shape (2, count); none without edges."""
        if not len(self.line):
            return self.ends
        drawn = self.line[-1] * _uniform(count, generator)
        edge = torch.searchsorted(self.line, drawn, right=True)
        return self.ends[:, edge.clamp_(max=len(self.line) - 1)]

    def random(self, count: int, generator: torch.Generator) -> torch.Tensor:
        """So many pairs of nodes, each node as likely as any other, shape (2, count)."""
        place = generator.device
        return torch.randint(self.nodes, (2, count), generator=generator, device=place)


def _uniform(count: int, generator: torch.Generator) -> torch.Tensor:
    place = generator.device
    return torch.rand(count, generator=generator, device=place, dtype=torch.float64)


def _typical_rate(laplacian: laplacians.Laplacian) -> float:
    """r̄ = Σδ²/Σδ, the mean of the rates δ weighted by themselves.

    It is the rate at which a walker leaves the node at the end of an edge chosen at random: 1 for
    the normalised Laplacians, and for D − A the mean degree of a neighbour.
    """
    rates = laplacian.rates
    return float(rates @ rates / rates.sum()) if rates.any() else 1.0


def convolution_matrix(adjacency: sp.csr_array) -> sp.csr_array:
    """Â = D̄^{−1/2} Ā D̄^{−1/2} with Ā = A + I and D̄ the row sums of Ā.

    For a directed graph A gives Â_fw (out-degrees) and Aᵀ gives Â_bw (in-degrees of A).
    """
    looped = sp.csr_array(adjacency + sp.eye_array(adjacency.shape[0]))
    scaling = sp.diags_array(1 / np.sqrt(np.asarray(looped.sum(axis=1)).ravel()))
    return sp.csr_array(scaling @ looped @ scaling)


def adjacencies(dataset: Dataset, direction: str) -> list[sp.csr_array]:
    """For each channel the adjacency it walks on: A, Aᵀ or the graph without directions."""
    views = {
        "undirected": lambda: dataset.undirected,
        "forward": lambda: dataset.adjacency,
        "backward": lambda: sp.csr_array(dataset.adjacency.T),
    }
    return [views[channel]() for channel in _CHANNELS[direction]]


def _no_propagation(dataset: Dataset, options: TrainingOptions, device: str) -> Propagation:
    """The MLP's: the graph is not used."""
    return Propagation()


def _convolution(dataset: Dataset, options: TrainingOptions, device: str) -> Propagation:
    """The GCN's: Â."""
    return Convolution(adjacencies(dataset, options.direction), device=device)


def _heat(dataset: Dataset, options: TrainingOptions, device: str) -> Propagation:
    """The diff-GCN's and heat-net's: e^{−tL}, t learned or fixed."""
    walked = adjacencies(dataset, options.direction)
    if options.self_loops:
        walked = [sp.csr_array(one + sp.eye_array(one.shape[0])) for one in walked]
    generators = [
        laplacians.make_laplacian(str(options.laplacian), adjacency, alpha=options.alpha)
        for adjacency in walked
    ]
    return Heat(generators, options.initial_time, options.tolerance, device=device)


def _personalised_rank(dataset: Dataset, options: TrainingOptions, device: str) -> Propagation:
    """APPNP's: a walk that may go back to its start."""
    return PersonalisedRank(dataset.undirected, options.steps, options.teleport, device=device)


def _neighbours(dataset: Dataset, options: TrainingOptions, device: str) -> Propagation:
    """Semi-embedding's: layers of an MLP, and edges for its loss."""
    return Neighbours(dataset.undirected, device)


PROPAGATIONS: dict[str, Callable[[Dataset, TrainingOptions, str], Propagation]] = {
    "mlp": _no_propagation,
    "gcn": _convolution,
    "diff-gcn": _heat,
    "heat-net": _heat,
    "appnp": _personalised_rank,
    "semi-embedding": _neighbours,
}
