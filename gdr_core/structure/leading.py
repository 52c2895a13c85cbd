"""The leading eigenvectors of a large sparse symmetric matrix, after a filter that lifts them.

Lanczos finds well what lies far from the rest, and the leading eigenvalues of a large graph do not:
hundreds of them crowd near 1. A Chebyshev polynomial of the matrix M has the same eigenvectors,

    F = T_d((2M − (a + b) I) / (b − a)),

and |T_d| ≤ 1 on [−1, 1], so that all eigenvalues between a and b become small, while those above b
grow like cosh(d arccosh x). With a below all eigenvalues and b below the wanted ones, Lanczos on F
needs a fraction of the steps; each costs d sparse products, which are cheap beside keeping hundreds
of vectors orthogonal.

b comes from the density of eigenvalues: Lanczos from a random vector gives nodes θ and weights w
with Σ w f(θ) ≈ tr f(M)/n, and so the number of eigenvalues above any level. Too low a b costs
time; too high a b is noticed, because a wanted eigenvalue then lies below it, and lowered.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, eigsh

Product = Callable[[np.ndarray], np.ndarray]
_DEGREE = 24
_PROBES = 8  # random vectors for the density
_STEPS = 60  # Lanczos steps from each
_SPARE = 2.0  # eigenvalues left above the filter, as a multiple of those wanted
_MOST = 0.5  # share of all eigenvalues above the filter at which it is no longer lowered


def leading_directions(
    matrix: sp.csr_array, count: int, tolerance: float, known: sp.csr_array | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The largest eigenvalues of a symmetric matrix, descending, and their vectors.

    tolerance   relative error of the filtered eigenvalues at which the iteration ends
    known       orthonormal columns, eigenvectors that are left out: Lanczos from one vector sees
                only one direction of an eigenspace, and finds the others by rounding, if at all

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from gdr_core.structure.leading import leading_directions
    >>> line = sp.diags_array(np.linspace(-0.5, 1, 900)).tocsr()
    >>> values, vectors = leading_directions(line, 5, 1e-8)
    >>> bool(np.allclose(values, np.linspace(-0.5, 1, 900)[:-6:-1]))
    True
    """

    def product(vector: np.ndarray) -> np.ndarray:
        found = matrix @ vector
        return found if known is None else found - known @ (known.T @ found)

    random, size = np.random.default_rng(0), matrix.shape[0]
    nodes, weights = _density(product, size, random)
    low = float(nodes.min()) - 0.05 * float(np.ptp(nodes))
    start, share = random.standard_normal(size), _SPARE * count / size
    while True:
        high = _level(nodes, weights, share)
        lifted = LinearOperator(matrix.shape, matvec=_filter(product, low, high), dtype=float)
        steps = min(2 * count + 1, size)
        _, vectors = eigsh(lifted, k=count, which="LA", ncv=steps, v0=start, tol=tolerance)
        values = np.einsum("ij,ij->j", vectors, matrix @ vectors)
        if values.min() > high or share >= _MOST:
            order = np.argsort(-values)
            return values[order], vectors[:, order]
        share *= 2


def _filter(product: Product, low: float, high: float) -> Product:
    """T_d of the matrix with [low, high] moved to [−1, 1], by its recurrence."""
    centre, radius = (high + low) / 2, (high - low) / 2

    def apply(vector: np.ndarray) -> np.ndarray:
        before, now = vector, (product(vector) - centre * vector) / radius
        for _ in range(_DEGREE - 1):
            before, now = now, 2 * (product(now) - centre * now) / radius - before
        return now

    return apply


def _density(
    product: Product, size: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of the density of eigenvalues; the weights add up to one."""
    found = [_quadrature(product, random.standard_normal(size)) for _ in range(_PROBES)]
    nodes, weights = (np.concatenate(each) for each in zip(*found, strict=True))
    return nodes, weights / _PROBES


def _quadrature(product: Product, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gauss nodes and weights of one vector, from the tridiagonal matrix of Lanczos."""
    now, before, off = start / np.linalg.norm(start), np.zeros_like(start), 0.0
    diagonal, beside = [], []
    for _ in range(min(_STEPS, start.size)):
        following = product(now) - off * before
        diagonal.append(float(now @ following))
        following -= diagonal[-1] * now
        off = float(np.linalg.norm(following))
        beside.append(off)
        if off < 1e-10:  # the vector lies in few eigenspaces, all of them found
            break
        before, now = now, following / off
    nodes, vectors = scipy.linalg.eigh_tridiagonal(diagonal, beside[:-1])
    return nodes, np.square(vectors[0])


def _level(nodes: np.ndarray, weights: np.ndarray, share: float) -> float:
    """The level above which about this share of the eigenvalues lies."""
    order = np.argsort(-nodes)
    above = np.searchsorted(weights[order].cumsum(), share)
    return float(nodes[order][min(int(above), nodes.size - 1)])
