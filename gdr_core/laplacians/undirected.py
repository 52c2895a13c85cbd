"""Laplacians of undirected graphs, from a symmetric adjacency A with degrees d = A 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians.operator import Laplacian


def combinatorial(adjacency: sp.csr_array) -> Laplacian:
    """L = D − A: a walker leaves node i at rate d_i. Symmetric, L 1 = 0.

    The paper's choice, in equation (10).
    """
    return Laplacian(
        name="combinatorial",
        weights=adjacency,
        rates=degrees(adjacency),
        null=np.ones(adjacency.shape[0]),
    )


def symmetric(adjacency: sp.csr_array) -> Laplacian:
    """L = I − D^{-1/2} A D^{-1/2}: every node has rate one, and the null vector is √d."""
    root = np.sqrt(degrees(adjacency))
    return normalised("symmetric", adjacency, root)


def random_walk(adjacency: sp.csr_array) -> Laplacian:
    """L = I − D^{-1} A, which averages over neighbours: L 1 = 0, so rows of H keep their sum.

    It is similar to the symmetric form, L = D^{-1/2} (I − D^{-1/2} A D^{-1/2}) D^{1/2}. What it
    conserves is the sum weighted by degree, dᵀH, and its stationary state is the mean weighted by
    degree, the same on every node. Isolated nodes stay as they are.
    """
    form = normalised("random-walk", adjacency, np.sqrt(degrees(adjacency)))
    return replace(form, similarity=form.null)


def max_entropy(adjacency: sp.csr_array) -> Laplacian:
    """L = I − A/ρ, the symmetric form of the maximal-entropy random walk.

    With ρ the Perron value of A and ψ its Perron vector, A ψ = ρ ψ, the walk that makes all paths
    of one length equally likely steps with P_ij = A_ij ψ_j / (ρ ψ_i); I − P is similar to
    I − A/ρ, whose null vector is ψ. Each connected component has its own ρ and ψ.
    """
    count, labels = sp.csgraph.connected_components(adjacency, directed=False)
    if count == 0:
        return replace(combinatorial(adjacency), name="max-entropy")
    inverse_root = np.zeros(adjacency.shape[0])
    null = np.ones(adjacency.shape[0])
    linked = degrees(adjacency) > 0
    order = np.argsort(labels, kind="stable")
    for inside in np.split(order, np.cumsum(np.bincount(labels, minlength=count))[:-1]):
        if linked[inside[0]]:
            value, vector = _perron(sp.csr_array(adjacency[inside][:, inside]))
            inverse_root[inside] = 1 / np.sqrt(value)
            null[inside] = vector
    return Laplacian(
        name="max-entropy",
        weights=scale_both_sides(adjacency, inverse_root),
        rates=(inverse_root > 0).astype(np.float64),
        null=null,
    )


def degrees(adjacency: sp.csr_array) -> np.ndarray:
    """d = A 1, the sum of the weights at each node."""
    return np.asarray(adjacency.sum(axis=1), dtype=np.float64).ravel()


def normalised(name: str, adjacency: sp.csr_array, root: np.ndarray) -> Laplacian:
    """I − diag(root)⁻¹ A diag(root)⁻¹; isolated nodes (root 0) have a zero row and stay put."""
    inverse = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
    return Laplacian(
        name=name,
        weights=scale_both_sides(adjacency, inverse),
        rates=(root > 0).astype(np.float64),
        null=np.where(root > 0, root, 1.0),
    )


def scale_both_sides(matrix: sp.csr_array, factor: np.ndarray) -> sp.csr_array:
    """diag(factor) @ matrix @ diag(factor) without leaving CSR."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    data = matrix.data * factor[rows] * factor[matrix.indices]
    return sp.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _perron(adjacency: sp.csr_array) -> tuple[float, np.ndarray]:
    """The largest eigenvalue of a connected graph's adjacency and its positive eigenvector."""
    if adjacency.shape[0] <= 400:
        values, vectors = np.linalg.eigh(adjacency.toarray())
    else:
        from scipy.sparse.linalg import eigsh

        values, vectors = eigsh(adjacency, k=1, which="LA", v0=np.ones(adjacency.shape[0]), tol=0)
    return float(values[-1]), np.abs(vectors[:, -1])
