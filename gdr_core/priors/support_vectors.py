"""Support vector machine with calibrated probabilities.

The dual machine separates two classes, so one is trained for each pair of classes; a sigmoid
turns its decision value f into a probability, and the pairwise probabilities are coupled.

1. Platt (1999): r_ij = P(i | i or j) = 1 / (1 + exp(a f + b)), with a and b fitted to decision
   values of five-fold cross-validation within the training nodes.
2. Wu, Lin and Weng (2004): p minimises Σ_i Σ_{j≠i} (r_ji p_i - r_ij p_j)², Σ p = 1.

This is what LIBSVM calls probability estimates. scikit-learn deprecated its wrapper
(`SVC(probability=True)`) and proposes one-against-rest calibration instead, which is weaker with
twenty training nodes per class: 50.0 against 54.8 % validation accuracy on Cora.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.record import Dataset
from gdr_core.priors.preprocessing import PREPROCESSING
from gdr_core.progress import Progress

_FOLDS = 5
NODES_PER_BLOCK = 4096
_SMALLEST_PROBABILITY = 1e-7


@dataclass(frozen=True)
class _PairMachine:
    """A calibrated machine for two classes; `members` are its rows of the training set."""

    first: int
    second: int
    members: np.ndarray
    classifier: Any

    def probability_of_first(self, kernel: np.ndarray) -> np.ndarray:
        """r: P(first | first or second) from kernel values with all training nodes."""
        return self.classifier.predict_proba(kernel[:, self.members])[:, 0]


def support_vectors(
    dataset: Dataset,
    *,
    seed: int,
    progress: Progress,
    features: str,
    penalty: float,
    kernel: str,
    gamma: str,
) -> np.ndarray:
    """Class probabilities of a support vector machine with penalty C; see the module's text."""
    x = PREPROCESSING[features](dataset.features)
    measure = KERNELS[kernel](x[dataset.split.train], GAMMAS[gamma])
    labels = dataset.labels[dataset.split.train]
    machines = []
    pairs = list(combinations(range(dataset.classes), 2))
    inner = measure(x[dataset.split.train])
    for done, (first, second) in enumerate(pairs):
        progress(0.6 * done / len(pairs), f"separating pair {done + 1} of {len(pairs)}")
        machines.append(_pair_machine(inner, labels, first, second, penalty, seed))
    probabilities = np.empty((dataset.nodes, dataset.classes))
    for start in range(0, dataset.nodes, NODES_PER_BLOCK):
        progress(0.6 + 0.4 * start / dataset.nodes, "classifying the nodes")
        block = slice(start, start + NODES_PER_BLOCK)
        probabilities[block] = _coupled_probabilities(machines, measure(x[block]), dataset.classes)
    return probabilities


def coupled(pairwise: np.ndarray) -> np.ndarray:
    """Class probabilities p that agree best with pairwise ones, for each row of nodes.

    pairwise[n, i, j] is r_ij = P(i | i or j) for node n. With Q_ii = Σ_{s≠i} r_si² and
    Q_ij = -r_ji r_ij, the minimum of pᵀ Q p under Σ p = 1 solves [[Q, 1], [1ᵀ, 0]] [p, b] = [0, 1].
    """
    nodes, classes, _ = pairwise.shape
    against = np.swapaxes(pairwise, 1, 2)
    diagonal = np.arange(classes)
    system = np.ones((nodes, classes + 1, classes + 1))
    system[:, classes, classes] = 0.0
    system[:, :classes, :classes] = -against * pairwise
    squares = against**2
    squares[:, diagonal, diagonal] = 0.0
    system[:, diagonal, diagonal] = squares.sum(axis=2)
    right = np.zeros((nodes, classes + 1, 1))
    right[:, classes] = 1.0
    return np.clip(np.linalg.solve(system, right)[:, :classes, 0], 0.0, None)


def scale_gamma(train: sp.csr_array) -> float:
    """γ = 1 / (features · variance of all training entries): scikit-learn's "scale"."""
    entries = train.shape[0] * train.shape[1]
    mean = train.sum() / entries
    spread = np.square(train.data - mean).sum() + (entries - train.nnz) * mean**2
    variance = spread / entries
    # Constant features: what is left is rounding, and 1 is scikit-learn's own way out.
    return 1.0 / (train.shape[1] * variance) if variance > 1e-20 * mean**2 else 1.0


def _auto_gamma(train: sp.csr_array) -> float:
    """γ = 1 / features: scikit-learn's "auto", its default until 2019."""
    return 1.0 / train.shape[1]


def _rbf(train: sp.csr_array, gamma_of: Any) -> Any:
    from sklearn.metrics.pairwise import rbf_kernel

    gamma = gamma_of(train)
    return lambda rows: rbf_kernel(rows, train, gamma=gamma)


def _linear(train: sp.csr_array, gamma_of: Any) -> Any:
    return lambda rows: (rows @ train.T).toarray()


KERNELS = {"rbf": _rbf, "linear": _linear}
GAMMAS = {"scale": scale_gamma, "auto": _auto_gamma}


def _pair_machine(
    kernel: np.ndarray, labels: np.ndarray, first: int, second: int, penalty: float, seed: int
) -> _PairMachine:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC

    members = np.flatnonzero((labels == first) | (labels == second))
    folds = min(_FOLDS, *np.bincount(labels[members])[[first, second]])
    every = np.arange(len(members))
    # One node of a class cannot be left out: then the sigmoid is fitted where the machine was.
    one_fold = [(every, every)]
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed) if folds > 1 else one_fold
    classifier = CalibratedClassifierCV(
        SVC(C=penalty, kernel="precomputed"), cv=splitter, ensemble=False
    )
    classifier.fit(kernel[np.ix_(members, members)], labels[members])
    return _PairMachine(first, second, members, classifier)


def _coupled_probabilities(
    machines: list[_PairMachine], kernel: np.ndarray, classes: int
) -> np.ndarray:
    pairwise = np.zeros((len(kernel), classes, classes))
    for machine in machines:
        first = machine.probability_of_first(kernel)
        first = np.clip(first, _SMALLEST_PROBABILITY, 1 - _SMALLEST_PROBABILITY)
        pairwise[:, machine.first, machine.second] = first
        pairwise[:, machine.second, machine.first] = 1 - first
    return coupled(pairwise)
