"""One two-layer network for every model: they differ by their propagation, and by its place.

MLP, GCN and diff-GCN spread in both layers, heat-net in the first, APPNP after the second;
semi-embedding in none, but its loss knows the edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn.functional import relu

from gdr_core.neural.products import SparseFeatures, drop
from gdr_core.neural.propagation import Neighbours, Propagation

if TYPE_CHECKING:
    from gdr_core.neural.options import TrainingOptions
    from gdr_core.neural.training import Judge


PAIRS = 5000  # of neighbours, and as many at random, in a step of semi-embedding
_TINY = 1e-12


class TwoLayerNetwork(torch.nn.Module):
    """softmax(P(ReLU(P(X W⁰)) W¹)), returned before the softmax.

    Equation (7) of the paper with P = I, (8) with P = Â, (16) with P = e^{−tL}, and (21) where P
    has two channels.

    With a propagation of two channels W⁰ and W¹ hold both channels' weights side by side, so one
    product with X serves both. Weights start uniform in ±√(6/(rows + columns)) of each channel's
    matrix (Glorot), drawn from `generator`, which also draws the dropout of both layers' inputs.
    """

    spreading = (True, True)  # whether the first and the second layer spread over the graph

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
        first, second = (propagation.channels if one else 1 for one in self.spreading)
        self.first = torch.nn.Parameter(_glorot(features.shape[1], hidden, first, generator))
        self.second = torch.nn.Parameter(_glorot(hidden, classes, second, generator))

    def forward(self) -> torch.Tensor:
        """Class scores (logits) of all nodes; dropout is active in training mode only."""
        dropout = self.dropout if self.training else 0.0
        lifted = self.features.product(self.first, dropout, self.generator)
        hidden = drop(self.propagation(lifted).relu(), dropout, self.generator)
        return self.propagation(hidden @ self.second)

    def loss(self, judge: Judge, epoch: int) -> torch.Tensor:
        """What training makes small: the cross-entropy of the training nodes."""
        return judge.training_loss(self())

    def penalised(self) -> list[torch.nn.Parameter]:
        """The weights that weight decay holds back: the first layer's."""
        return [self.first]


class PredictionSpread(TwoLayerNetwork):
    """softmax(P(ReLU(X W⁰) W¹)): predict first, then spread, as APPNP does."""

    spreading = (False, True)

    def forward(self) -> torch.Tensor:
        """Class scores (logits) of all nodes."""
        dropout = self.dropout if self.training else 0.0
        lifted = self.features.product(self.first, dropout, self.generator)
        hidden = drop(lifted.relu(), dropout, self.generator)
        return self.propagation(hidden @ self.second)


class _TrainedInItsOwnWay(TwoLayerNetwork):
    """Two layers whose loss has options of its own."""

    def __init__(
        self,
        features: SparseFeatures,
        propagation: Propagation,
        options: TrainingOptions,
        classes: int,
        generator: torch.Generator,
    ):
        super().__init__(features, propagation, options.hidden, classes, options.dropout, generator)
        self.options = options


class FeaturesSpread(_TrainedInItsOwnWay):
    """softmax(ReLU(P(M X W⁰) + b⁰) W¹ + b¹): spread once, then predict, several times over.

    While it learns, each pass s leaves out some nodes: M^s is diagonal, 0 with probability δ and
    else 1/(1 − δ). Features may leave a node that is left out of the loss, but come from others, so
    passes are many views of one graph. Their predictions Z^s are made to agree with the common
    answer Z̄' ∝ (mean_s Z^s)^{1/T}:

        loss = mean_s CE(Z^s) + λ min(1, e/w) mean_{s,i} ‖Z^s_i − Z̄'_i‖²

    with e the epochs that are done and w those of the warm-up.
    This is the training of GRAND (Feng et al. 2020) with the heat kernel in place of its mean of
    powers. P spreads the few columns of X W⁰, those of all passes at once, never those of X.
    """

    spreading = (True, False)

    def __init__(self, *given: Any):
        super().__init__(*given)
        self.bias, self.offset = (
            torch.nn.Parameter(torch.zeros(count, device=self.generator.device))
            for count in self.second.shape
        )

    def forward(self) -> torch.Tensor:
        """Class scores (logits) of all nodes; of the first pass while it learns."""
        return self.passes()[:, 0]

    def passes(self) -> torch.Tensor:
        """Class scores of every pass, shape (nodes, passes, classes); one when not learning."""
        dropout = self.dropout if self.training else 0.0
        lifted = self.features.product(self.first, dropout, self.generator)
        nodes, hidden = lifted.shape[0], self.second.shape[0]
        masked = lifted.reshape(nodes, -1, 1, hidden) * self._masks(nodes)
        image = self.propagation(masked.reshape(nodes, -1)).reshape(nodes, -1, hidden)
        active = drop((image + self.bias).relu(), dropout, self.generator)
        return active @ self.second + self.offset

    def loss(self, judge: Judge, epoch: int) -> torch.Tensor:
        """Cross-entropy of the training nodes over all passes, and how far passes disagree."""
        scores = self.passes()
        count = scores.shape[1]
        fit = torch.stack([judge.training_loss(scores[:, s]) for s in range(count)]).mean()
        if count == 1 or not self.options.consistency:
            return fit
        grown = min(1.0, epoch / self.options.warmup) if self.options.warmup else 1.0
        weight = grown * self.options.consistency
        return fit + weight * disagreement(scores, self.options.sharpening)

    def penalised(self) -> list[torch.nn.Parameter]:
        """All weights of both layers."""
        return [self.first, self.second, self.bias, self.offset]

    def _masks(self, nodes: int) -> torch.Tensor:
        """1/(1 − δ) for the nodes that a pass keeps, 0 for others, shape (nodes, 1, passes, 1)."""
        count = self.options.samples if self.training else 1
        ones = torch.ones((nodes, 1, count, 1), device=self.generator.device)
        return drop(ones, self.options.drop_nodes if self.training else 0.0, self.generator)


class NeighbourLoss(_TrainedInItsOwnWay):
    """softmax(G W¹), an MLP whose hidden layer G = ReLU(X W⁰) is an embedding of the graph.

    This is the semi-supervised embedding of Weston et al. (2012), at the hidden layer:

        loss = CE + λ ( mean over edges (i, j) of ‖g_i − g_j‖²
                        + mean over random pairs of max(0, m − ‖g_i − g_j‖)² )

    Each step draws pairs of both kinds anew. At prediction only features are read. With λ = 0 not
    even the random numbers differ from those of the MLP.
    """

    propagation: Neighbours

    def forward(self) -> torch.Tensor:
        """Class scores (logits) of all nodes."""
        return self._scored(self._hidden())

    def loss(self, judge: Judge, epoch: int) -> torch.Tensor:
        """Cross-entropy of the training nodes, and how badly the hidden layer fits the graph."""
        hidden = self._hidden()
        fit = judge.training_loss(self._scored(hidden))
        if not self.options.embedding:
            return fit
        near = self.propagation.near(PAIRS, self.generator)
        far = self.propagation.random(PAIRS, self.generator)
        return fit + self.options.embedding * misfit(hidden, near, far, self.options.margin)

    def _hidden(self) -> torch.Tensor:
        dropout = self.dropout if self.training else 0.0
        return self.features.product(self.first, dropout, self.generator).relu()

    def _scored(self, hidden: torch.Tensor) -> torch.Tensor:
        dropout = self.dropout if self.training else 0.0
        return drop(hidden, dropout, self.generator) @ self.second


def misfit(
    rows: torch.Tensor, near: torch.Tensor, far: torch.Tensor, margin: float
) -> torch.Tensor:
    """mean ‖g_i − g_j‖² over near pairs, and mean max(0, m − ‖g_i − g_j‖)² over far ones.

    >>> points = torch.tensor([[0.0], [1.0], [4.0]])
    >>> float(misfit(points, torch.tensor([[0], [1]]), torch.tensor([[1], [2]]), margin=5.0))
    5.0
    """
    total = rows.new_zeros(())
    if near.shape[1]:
        total = total + _squares(rows, near).mean()
    # The root has no slope at 0, where two nodes are the same: a tiny number keeps it finite.
    distance = (_squares(rows, far) + _TINY).sqrt()
    return total + relu(margin - distance).square().mean()


def _squares(rows: torch.Tensor, pairs: torch.Tensor) -> torch.Tensor:
    # Not rows[pairs]: several threads add up its slope in an order that changes from run to run.
    one, other = (rows.index_select(0, ends) for ends in pairs)
    return (one - other).square().sum(dim=1)


def disagreement(scores: torch.Tensor, temperature: float) -> torch.Tensor:
    """mean_{s,i} ‖Z^s_i − Z̄'_i‖² for scores of shape (nodes, passes, classes).

    Z^s is the softmax of a pass; the common answer Z̄' ∝ (mean_s Z^s)^{1/T} is a target, and no
    gradient runs through it.
    """
    answers = scores.softmax(dim=2)
    common = answers.detach().mean(dim=1, keepdim=True) ** (1 / temperature)
    common = common / common.sum(dim=2, keepdim=True)
    return (answers - common).square().sum(dim=2).mean()


def make_network(
    options: TrainingOptions,
    features: SparseFeatures,
    propagation: Propagation,
    classes: int,
    generator: torch.Generator,
) -> TwoLayerNetwork:
    """The network of a model."""
    if options.model == "heat-net":
        return FeaturesSpread(features, propagation, options, classes, generator)
    if options.model == "semi-embedding":
        return NeighbourLoss(features, propagation, options, classes, generator)
    kind = PredictionSpread if options.model == "appnp" else TwoLayerNetwork
    return kind(features, propagation, options.hidden, classes, options.dropout, generator)


def _glorot(rows: int, columns: int, channels: int, generator: torch.Generator) -> torch.Tensor:
    """A matrix of `channels` blocks side by side, each rows × columns, uniform after Glorot."""
    reach = (6 / (rows + columns)) ** 0.5
    shape = (rows, channels * columns)
    return (2 * torch.rand(shape, generator=generator, device=generator.device) - 1) * reach
