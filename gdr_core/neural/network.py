"""One two-layer network for every model: MLP, GCN and diff-GCN differ by their propagation."""

from __future__ import annotations

import torch

from gdr_core.neural.products import SparseFeatures, drop
from gdr_core.neural.propagation import Propagation


class TwoLayerNetwork(torch.nn.Module):
    """softmax(P(ReLU(P(X W⁰)) W¹)), returned before the softmax.

    Equation (7) of the paper with P = I, (8) with P = Â, (16) with P = e^{−tL}, and (21) where P
    has two channels.

    With a propagation of two channels W⁰ and W¹ hold both channels' weights side by side, so one
    product with X serves both. Weights start uniform in ±√(6/(rows + columns)) of each channel's
    matrix (Glorot), drawn from `generator`, which also draws the dropout of both layers' inputs.
    """

    def __init__(
        self,
        features: SparseFeatures,
        propagation: Propagation,
        hidden: int,
        classes: int,
        dropout: float,
        generator: torch.Generator,
    ):
        super().__init__()
        self.features = features
        self.propagation = propagation
        self.dropout = dropout
        self.generator = generator
        channels = propagation.channels
        self.first = torch.nn.Parameter(_glorot(features.shape[1], hidden, channels, generator))
        self.second = torch.nn.Parameter(_glorot(hidden, classes, channels, generator))

    def forward(self) -> torch.Tensor:
        """Class scores (logits) of all nodes; dropout is active in training mode only."""
        dropout = self.dropout if self.training else 0.0
        lifted = self.features.product(self.first, dropout, self.generator)
        hidden = drop(self.propagation(lifted).relu(), dropout, self.generator)
        return self.propagation(hidden @ self.second)


def _glorot(rows: int, columns: int, channels: int, generator: torch.Generator) -> torch.Tensor:
    """A matrix of `channels` blocks side by side, each rows × columns, uniform after Glorot."""
    reach = (6 / (rows + columns)) ** 0.5
    shape = (rows, channels * columns)
    return (2 * torch.rand(shape, generator=generator, device=generator.device) - 1) * reach
