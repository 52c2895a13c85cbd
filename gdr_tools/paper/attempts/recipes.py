"""Networks as the authors may have trained them: ways of two programs that were common then.

plain     as our networks are: dropout on the inputs of both layers, no offsets, weight decay on the
          first layer, weights uniform after Glorot, in the manner of Kipf's first program.
offsets   an offset after each layer, dropout between the layers only, weight decay on everything,
          weights uniform in ±1/√columns, in the manner of his later one.

Both are written from descriptions and not compared with those programs line by line.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import torch

from gdr_core.datasets.record import Dataset
from gdr_core.neural import Training, TrainingOptions
from gdr_core.neural.network import TwoLayerNetwork
from gdr_core.neural.products import as_rows, drop
from gdr_core.neural.propagation import Convolution, adjacencies
from gdr_core.neural.training import parameter_groups


class OffsetNetwork(TwoLayerNetwork):
    """softmax(P(ReLU(P(X W⁰) + b⁰) W¹) + b¹), before the softmax; see `offsets` above."""

    def __init__(self, given: TwoLayerNetwork):
        hidden, classes = given.second.shape
        super().__init__(
            *(given.features, given.propagation, hidden, classes, given.dropout, given.generator)
        )
        self.bias, self.offset = (torch.nn.Parameter(torch.zeros(n)) for n in (hidden, classes))
        pairs = ((self.first, hidden), (self.bias, hidden), (self.second, classes))
        for weights, columns in (*pairs, (self.offset, classes)):
            reach = columns**-0.5
            with torch.no_grad():
                weights.uniform_(-reach, reach, generator=self.generator)

    def forward(self) -> torch.Tensor:
        """Class scores of all nodes."""
        hidden = (self.propagation(self.features.product(self.first)) + self.bias).relu()
        kept = drop(hidden, self.dropout if self.training else 0.0, self.generator)
        return self.propagation(kept @ self.second) + self.offset

    def penalised(self) -> list[torch.nn.Parameter]:
        """Everything."""
        return [self.first, self.second, self.bias, self.offset]


class RecipeTraining(Training):
    """A training run by one of the recipes, and with an Â of one's own."""

    def __init__(
        self,
        dataset: Dataset,
        options: TrainingOptions,
        seed: int,
        recipe: str = "plain",
        normalisation: str | None = None,
    ):
        super().__init__(dataset, options, seed, device="cpu")
        if normalisation is not None:
            (walked,) = adjacencies(self.arrangement.dataset, options.direction)
            _put_matrix(self.network.propagation, normalised(walked, normalisation))
        if recipe == "offsets":
            self.network = OffsetNetwork(self.network)
            groups = parameter_groups(self.network, options)
            self.optimizer = torch.optim.Adam(groups, fused=True)
            self.best_weights, self.average = self._weights(), self._weights()

    def read(self, weights: str) -> np.ndarray:
        """Class probabilities with the `best` weights, or the `last`, averaged where they are."""
        if weights == "best":
            return self.probabilities("best")
        with self.judging():
            return self.probabilities("current")


def normalised(adjacency: sp.csr_array, by: str) -> sp.csr_array:
    """Ā = A + I divided by roots of its sums, on both sides, or by its row sums alone.

    With R and C the row and the column sums of Ā: R^{−1/2} Ā R^{−1/2} (the paper's formula),
    C^{−1/2} Ā C^{−1/2} (what a function gives that transposes on its way), R^{−1/2} Ā C^{−1/2}, or
    R⁻¹ Ā.
    """
    looped = sp.csr_array(adjacency + sp.eye_array(adjacency.shape[0]))
    rows, columns = (np.asarray(looped.sum(axis=axis)).ravel() for axis in (1, 0))
    left, right = {
        "row sums": (rows**-0.5, rows**-0.5),
        "column sums": (columns**-0.5, columns**-0.5),
        "row and column sums": (rows**-0.5, columns**-0.5),
        "rows alone": (1 / rows, np.ones_like(rows)),
    }[by]
    return sp.csr_array(sp.diags_array(left) @ looped @ sp.diags_array(right))


def _put_matrix(propagation: torch.nn.Module, matrix: sp.csr_array) -> None:
    assert isinstance(propagation, Convolution)
    ways = (matrix, sp.csr_array(matrix.T))
    first, second = (as_rows(way, torch.float32, "cpu") for way in ways)
    propagation.pairs = [(first, second)]
