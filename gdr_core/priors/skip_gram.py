"""Skip-gram with negative sampling: vectors of nodes, learned from pairs. Imports torch.

Each node has a vector e_i as itself and one w_i as a context of others. A pair (i, c, γ) is true
(γ = +1) or drawn at random (γ = −1), and what is made small is −Σ log σ(γ w_c · e_i), with slopes

    ∂/∂e_i = −γ σ(−γ w_c · e_i) w_c,     ∂/∂w_c = −γ σ(−γ w_c · e_i) e_i.
"""

from __future__ import annotations

import numpy as np
import torch
from scipy.sparse.csgraph import connected_components

from gdr_core.datasets.record import Dataset
from gdr_core.priors.planetoid_contexts import Contexts

_INITIAL_SPREAD = 0.01


class Embeddings:
    """A vector for each node as itself and one for each node as a context of others."""

    def __init__(self, nodes: int, dimensions: int, generator: torch.Generator) -> None:
        self.vectors = _INITIAL_SPREAD * torch.randn(nodes, dimensions, generator=generator)
        self.contexts = _INITIAL_SPREAD * torch.randn(nodes, dimensions, generator=generator)

    def learn(self, pairs: Contexts, rate: float) -> None:
        """One gradient step on −Σ log σ(γ w_c · e_i), whose derivative is known in closed form."""
        nodes, contexts = torch.from_numpy(pairs.nodes), torch.from_numpy(pairs.contexts)
        signs = torch.from_numpy(pairs.signs).to(self.vectors.dtype)
        e, w = self.vectors[nodes], self.contexts[contexts]
        pull = (rate * signs * torch.sigmoid(-signs * (e * w).sum(dim=1)))[:, None]
        self.vectors.index_add_(0, nodes, pull * w)
        self.contexts.index_add_(0, contexts, pull * e)


def reached(dataset: Dataset) -> np.ndarray:
    """Whether a walk can lead from the node to a training node."""
    _, component = connected_components(dataset.undirected, directed=False)
    return np.isin(component, component[dataset.split.train])
