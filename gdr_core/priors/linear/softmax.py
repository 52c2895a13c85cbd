"""Softmax regression: the linear classifier that several priors end with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax, softmax

_SMALLEST_SHARE = 1e-12  # of the largest eigenvalue: below it a direction is rounding
_ENOUGH = 1e-11  # length of the gradient at which Newton's method has converged


@dataclass(frozen=True, eq=False)
class SoftmaxRegression:
    """p(y | x) = softmax(x W + b).

    weights   W, shape (features, classes)
    offset    b, shape (classes,); its entries sum to zero
    """

    weights: np.ndarray
    offset: np.ndarray


def fit(rows: np.ndarray, labels: np.ndarray, classes: int, penalty: float) -> SoftmaxRegression:
    """The W and b that minimise  mean_i −log p(y_i | x_i) + λ/2 ‖W‖²,  λ the penalty.

    The minimum lies in the span of the rows. With fewer rows than features the problem is turned
    into that span first: X Xᵀ = Q Λ Qᵀ, and the rows of Q Λ^{1/2} take the place of those of X.
    The loss is convex and W unique; nothing is drawn at random.

    >>> import numpy as np
    >>> model = fit(np.array([[1.0], [-1.0]]), np.array([0, 1]), 2, penalty=0.1)
    >>> bool(model.weights[0, 0] > 0 > model.weights[0, 1])
    True
    """
    if rows.shape[0] >= rows.shape[1]:
        return _minimised(rows, labels, classes, penalty)
    values, vectors = np.linalg.eigh(rows @ rows.T)
    kept = values > _SMALLEST_SHARE * max(values[-1], 0.0)
    roots, vectors = np.sqrt(values[kept]), vectors[:, kept]
    inner = _minimised(vectors * roots, labels, classes, penalty)
    return SoftmaxRegression(rows.T @ (vectors / roots @ inner.weights), inner.offset)


def _minimised(
    rows: np.ndarray, labels: np.ndarray, classes: int, penalty: float
) -> SoftmaxRegression:
    from scipy.optimize import minimize  # here: it takes a while to import

    loss = _Loss(rows, labels, classes, penalty)
    start = np.zeros((rows.shape[1] + 1) * classes)
    options = {"gtol": _ENOUGH, "maxiter": 200}
    found = minimize(
        loss.value, start, jac=loss.slope, hessp=loss.bend, method="trust-ncg", options=options
    ).x.reshape(-1, classes)
    return SoftmaxRegression(found[:-1], found[-1] - found[-1].mean())


class _Loss:
    """The penalised loss of W and b (b is the last row of the unknowns) and two derivatives."""

    def __init__(self, rows: np.ndarray, labels: np.ndarray, classes: int, penalty: float):
        self.rows = np.column_stack([rows, np.ones(len(rows))])
        self.truth = np.eye(classes)[labels]
        self.penalty = np.append(np.full(rows.shape[1], penalty), 0.0)[:, None]

    def value(self, unknown: np.ndarray) -> float:
        """mean −log p + λ/2 ‖W‖²."""
        w = self._shaped(unknown)
        fit = -(log_softmax(self.rows @ w, axis=1) * self.truth).sum() / len(self.rows)
        return float(fit + (self.penalty * w * w).sum() / 2)

    def slope(self, unknown: np.ndarray) -> np.ndarray:
        """Xᵀ(P − Y)/n + λW."""
        w = self._shaped(unknown)
        error = softmax(self.rows @ w, axis=1) - self.truth
        return (self.rows.T @ error / len(self.rows) + self.penalty * w).ravel()

    def bend(self, unknown: np.ndarray, step: np.ndarray) -> np.ndarray:
        """The Hessian times a step V: Xᵀ(P ∘ (XV − rows of P·XV))/n + λV."""
        p = softmax(self.rows @ self._shaped(unknown), axis=1)
        v = self._shaped(step)
        moved = self.rows @ v
        moved = p * (moved - (p * moved).sum(axis=1, keepdims=True))
        return (self.rows.T @ moved / len(self.rows) + self.penalty * v).ravel()

    def _shaped(self, unknown: np.ndarray) -> np.ndarray:
        return unknown.reshape(-1, self.truth.shape[1])
