"""What the engine must know of a Laplacian's spectrum: λ_max from above, λ₂, the components."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from gdr_core.laplacians.hanging import Peeled, peel
from gdr_core.products import Product

if TYPE_CHECKING:
    from gdr_core.laplacians.operator import Laplacian

_Solver = Callable[[np.ndarray], np.ndarray]
_POWER_STEPS = 40
_DENSE_BELOW = 400
_DAVIDSON_STEPS = 500
_LARGEST_BASIS = 32
_RESIDUAL = 1e-4
UNIT = np.finfo(np.float64).eps / 2


def upper_bound(laplacian: Laplacian) -> float:
    """A proved bound on λ_max by Collatz and Wielandt, sharpened by power steps.

    |S| = diag(δ) + W + a bᵀ + b aᵀ has no negative entry, so for every positive vector x
    λ_max(S) ≤ ρ(|S|) ≤ max_i (|S| x)_i / x_i. Each step x ← |S| x can only lower the maximum.
    The null vector as x gives twice the largest rate, which is already sharp where all rates agree.
    """
    active = np.flatnonzero(laplacian.rates > 0)
    if active.size == 0:
        return 0.0
    vector = np.where(laplacian.rates > 0, laplacian.rates, 0.0)
    best, previous = 2 * float(laplacian.rates.max()), np.inf
    for _ in range(_POWER_STEPS):
        image = 2 * laplacian.rates * vector - laplacian.apply_symmetric(vector)
        ratio = float((image[active] / vector[active]).max())
        best = min(best, ratio)
        if ratio > previous * (1 - 1e-3):
            break
        previous = ratio
        vector = image / image.max()
        if vector[active].min() < 1e-200:
            break
    return best * (1 + _rounding_margin(laplacian))


def _rounding_margin(laplacian: Laplacian) -> float:
    """Relative error that rounding can add to one product with |S|."""
    longest = int(np.diff(laplacian.weights.indptr).max(initial=0))
    return (
        4 * UNIT * (longest + 4 + (2 * np.sqrt(laplacian.nodes) + 2048) * _has_rank_two(laplacian))
    )


def _has_rank_two(laplacian: Laplacian) -> bool:
    """Whether the Laplacian carries teleportation."""
    return laplacian.rank_two is not None


def components(laplacian: Laplacian) -> np.ndarray:
    """Component number of every node, numbered by falling size. Teleportation joins all nodes."""
    if laplacian.rank_two is not None and laplacian.rank_two.a.any():
        return np.zeros(laplacian.nodes, dtype=np.intp)
    count, labels = sp.csgraph.connected_components(laplacian.weights, directed=False)
    order = np.argsort(-np.bincount(labels, minlength=count), kind="stable")
    rank = np.empty(count, dtype=np.intp)
    rank[order] = np.arange(count)
    return rank[labels]


def gap(laplacian: Laplacian) -> float:
    """λ₂ of the largest component: the second smallest eigenvalue of S there."""
    inside = np.flatnonzero(laplacian.components == 0)
    if inside.size < 2 or not laplacian.rates[inside].any():
        return 0.0
    piece = _restrict(laplacian, inside)
    if inside.size <= _DENSE_BELOW:
        return float(np.linalg.eigvalsh(piece.apply_symmetric(np.eye(inside.size)))[1])
    return smallest_positive(piece)


def _restrict(laplacian: Laplacian, inside: np.ndarray) -> Laplacian:
    """The same Laplacian on one connected component (or on the whole graph)."""
    if inside.size == laplacian.nodes:
        return laplacian
    from gdr_core.laplacians.operator import Laplacian

    return Laplacian(
        name=laplacian.name,
        weights=sp.csr_array(laplacian.weights[inside][:, inside]),
        rates=laplacian.rates[inside],
        null=laplacian.null[inside],
    )


def smallest_positive(laplacian: Laplacian) -> float:
    """λ₂ by Davidson's method, for a connected graph.

    Each step adds to a small basis the rough solution x of S x = r, r being the residual of the
    best vector so far. Conjugate gradients with the null vector projected out give x to one digit,
    which is enough; there is no factorisation, hence no fill-in. Where the gradients stall (long
    paths) a sparse factorisation takes over. The eigenvector is found to four digits; λ₂, its
    Rayleigh quotient, then has eight or more.
    """
    solver = _ConjugateGradientSolver(laplacian)
    try:
        return _davidson(laplacian, solver.project, solver.solve)
    except _StalledError:
        return _davidson(laplacian, solver.project, _factorised_solver(laplacian))


def _davidson(laplacian: Laplacian, project: _Solver, solve: _Solver) -> float:
    """The smallest eigenvalue of S on the complement of its null vector, from a fixed start."""
    basis, images = np.empty((2, _LARGEST_BASIS, laplacian.nodes))
    size = 0
    residual = np.random.default_rng(0).standard_normal(laplacian.nodes)
    for _ in range(_DAVIDSON_STEPS):
        basis[size] = _orthogonalised(project(solve(residual)), basis[:size])
        images[size] = laplacian.apply_symmetric(basis[size])
        size += 1
        values, mixing = np.linalg.eigh(basis[:size] @ images[:size].T)
        if size == _LARGEST_BASIS:
            mixing = mixing[:, : _LARGEST_BASIS // 4]
            size = mixing.shape[1]
            basis[:size], images[:size] = mixing.T @ basis, mixing.T @ images
            mixing = np.eye(size)
        residual = mixing[:, 0] @ images[:size] - values[0] * (mixing[:, 0] @ basis[:size])
        if inner(residual, residual) <= (_RESIDUAL * values[0]) ** 2:
            return float(values[0])
    raise ValueError(f"λ₂ did not converge in {_DAVIDSON_STEPS} steps; are the weights extreme?")


def _orthogonalised(vector: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """The part of the vector orthogonal to the rows of the basis, with norm one."""
    for _ in range(2):
        vector = vector - (basis @ vector) @ basis
    return vector / np.linalg.norm(vector)


def inner(left: np.ndarray, right: np.ndarray) -> float:
    """leftᵀ right on one thread: threads cost more than they bring on vectors of this length."""
    return float(np.einsum("i,i->", left, right))


class _StalledError(Exception):
    """Conjugate gradients did not converge in the allowed number of steps."""


class _ConjugateGradientSolver:
    """x = S⁺ y by conjugate gradients with the diagonal as preconditioner.

    Hanging trees are eliminated first, so that the gradients run on the core of the graph alone.
    With teleportation every node is linked to every other, and there is nothing to eliminate.
    """

    tolerance = 0.1
    steps = 3000

    def __init__(self, laplacian: Laplacian):
        self.unit_null = laplacian.null / np.linalg.norm(laplacian.null)
        self.rank_two = laplacian.rank_two
        if self.rank_two is None:
            self.peeled = peel(laplacian.weights, laplacian.rates)
        else:
            everything = np.arange(laplacian.nodes)
            self.peeled = Peeled((), everything, laplacian.weights, laplacian.rates)
        core = self.unit_null[self.peeled.core]
        self.core_null = core / np.linalg.norm(core)
        self.product = Product(
            sp.csr_array(sp.diags_array(self.peeled.rates) - self.peeled.weights)
        )

    def project(self, vector: np.ndarray) -> np.ndarray:
        """The part of the vector that is orthogonal to the null vector."""
        return vector - self.unit_null * inner(self.unit_null, vector)

    def apply(self, vector: np.ndarray) -> np.ndarray:
        """S @ vector on the core."""
        product = self.product(vector)
        return product if self.rank_two is None else product - self.rank_two.apply(vector)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Solve S x = right, roughly, on the complement of the null space."""
        carried = self.peeled.inwards(self.project(right))
        solution = self.gradients(carried[self.peeled.core])
        return self.project(self.peeled.outwards(solution, carried))

    def gradients(self, right: np.ndarray) -> np.ndarray:
        """Conjugate gradients on the core until the residual has fallen tenfold."""
        residual = right - self.core_null * inner(self.core_null, right)
        goal = self.tolerance**2 * inner(residual, residual)
        solution, direction = np.zeros_like(residual), np.zeros_like(residual)
        if residual.size == 1:
            return solution
        inverse_rates = 1 / self.peeled.rates
        previous = 1.0
        for _ in range(self.steps):
            if inner(residual, residual) <= goal:
                return solution
            preconditioned = inverse_rates * residual
            current = inner(residual, preconditioned)
            direction = preconditioned + (current / previous) * direction
            image = self.apply(direction)
            step = current / inner(direction, image)
            solution += step * direction
            residual -= step * image
            previous = current
        raise _StalledError


def _factorised_solver(laplacian: Laplacian) -> _Solver:
    """x = S⁺ y through a sparse factorisation of S with its last node grounded."""
    if laplacian.rank_two is not None:
        raise ValueError("λ₂ of this directed graph did not converge; use a smaller alpha")
    kept = slice(0, laplacian.nodes - 1)
    matrix = sp.csc_array(sp.diags_array(laplacian.rates) - laplacian.weights)
    factor = spla.splu(
        matrix[kept, kept], permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}
    )
    project = _ConjugateGradientSolver(laplacian).project

    def solve(right: np.ndarray) -> np.ndarray:
        grounded = factor.solve(project(np.ravel(right))[kept])
        return project(np.append(grounded, 0.0))

    return solve
