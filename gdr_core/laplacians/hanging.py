"""Hanging trees: nodes with a single neighbour, eliminated exactly.

A node i whose only neighbour is p enters S x = r by δ_i x_i − w x_p = r_i. Solved for x_i and put
into the equation of p, this leaves a system of the same kind without i,

    δ_p ← δ_p − w²/δ_i,      r_p ← r_p + (w/δ_i) r_i,

and no other entry changes: there is no fill-in. Layer by layer the trees that hang from a graph
disappear; in citation graphs they hold up to half of the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

_MOST_LAYERS = 32


@dataclass(frozen=True, eq=False)
class _Layer:
    """Nodes that are eliminated together: none of them is the neighbour of another.

    rates    δ_i at the moment of elimination
    shares   w/δ_i
    """

    leaves: np.ndarray
    parents: np.ndarray
    rates: np.ndarray
    shares: np.ndarray


@dataclass(frozen=True, eq=False)
class Peeled:
    """A system S x = r as the system of its core, and the layers that lead there and back."""

    layers: tuple[_Layer, ...]
    core: np.ndarray
    weights: sp.csr_array
    rates: np.ndarray

    def inwards(self, right: np.ndarray) -> np.ndarray:
        """The right-hand side with every leaf's part carried over to its parent."""
        carried = right.copy()
        for layer in self.layers:
            part = layer.shares * carried[layer.leaves]
            carried += np.bincount(layer.parents, part, minlength=carried.size)
        return carried

    def outwards(self, solution: np.ndarray, carried: np.ndarray) -> np.ndarray:
        """The solution on all nodes from that on the core."""
        full = np.zeros_like(carried)
        full[self.core] = solution
        for layer in reversed(self.layers):
            own = carried[layer.leaves] / layer.rates
            full[layer.leaves] = own + layer.shares * full[layer.parents]
        return full


def peel(weights: sp.csr_array, rates: np.ndarray) -> Peeled:
    """Eliminate the leaves of S = diag(rates) − weights, then those that have become leaves, …"""
    core, remaining = np.arange(rates.size), rates.copy()
    layers: list[_Layer] = []
    while len(layers) < _MOST_LAYERS:
        leaves, parents, pulls = _leaves_of(weights)
        if leaves.size == 0:
            break
        shares = pulls / remaining[core[leaves]]
        layers.append(_Layer(core[leaves], core[parents], remaining[core[leaves]], shares))
        np.subtract.at(remaining, core[parents], shares * pulls)
        kept = np.delete(np.arange(core.size), leaves)
        core, weights = core[kept], sp.csr_array(weights[kept][:, kept])
    return Peeled(tuple(layers), core, weights, remaining[core])


def _leaves_of(weights: sp.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes with one neighbour, that neighbour, and the weight between them.

    Of two nodes that have only each other the second stays.
    """
    degrees = np.diff(weights.indptr)
    leaves = np.flatnonzero(degrees == 1)
    entries = weights.indptr[leaves]
    parents = weights.indices[entries]
    chosen = (parents != leaves) & ((degrees[parents] > 1) | (leaves < parents))
    return leaves[chosen], parents[chosen], weights.data[entries[chosen]]
