"""Support vector machines as the authors may have run them: C = 50, all else unknown.

probabilities
    pairwise                  a sigmoid for each pair of classes, fitted to five stratified folds,
                              and coupled, as the prior `svm` does
    pairwise on plain folds   the same with folds that ignore the classes, as some libraries do
    softmax                   of the one-against-rest decision values
    labels                    certainty for the class that the machine votes for
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import softmax

from gdr_core.datasets.record import Dataset
from gdr_core.priors.preprocessing import PREPROCESSING
from gdr_core.priors.support_vectors import coupled, scale_gamma

_PENALTY = 50.0  # C, the one setting that the paper states
_FOLDS = 5
_SURE = 1e-7


def svm_scores(dataset: Dataset, setting: dict[str, Any], seed: int) -> np.ndarray:
    """Class probabilities of all nodes, shape (nodes, classes)."""
    train = dataset.split.train
    kernel = _kernel(PREPROCESSING[setting["features"]](dataset.features), train, setting["kernel"])
    labels = dataset.labels[train]
    asked = setting["probabilities"]
    if asked.startswith("pairwise"):
        return _pairwise(kernel, train, labels, dataset.classes, "plain" not in asked, seed)
    return _voted(kernel, train, labels, dataset.classes, asked == "softmax")


def _kernel(x: Any, train: np.ndarray, name: str) -> np.ndarray:
    """Kernel values of all nodes with the training nodes."""
    from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

    known = x[train]
    if name == "linear":
        return linear_kernel(x, known)
    if name == "cubic":
        return polynomial_kernel(x, known, degree=3, gamma=scale_gamma(known), coef0=0.0)
    gamma = scale_gamma(known) if name == "rbf-scale" else 1.0 / x.shape[1]
    return rbf_kernel(x, known, gamma=gamma)


def _machine() -> Any:
    from sklearn.svm import SVC

    return SVC(C=_PENALTY, kernel="precomputed", decision_function_shape="ovr")


def _voted(
    kernel: np.ndarray, train: np.ndarray, labels: np.ndarray, classes: int, soft: bool
) -> np.ndarray:
    machine = _machine().fit(kernel[train], labels)
    if soft and classes > 2:
        return softmax(machine.decision_function(kernel), axis=1)
    return np.eye(classes)[machine.predict(kernel)]


def _pairwise(
    kernel: np.ndarray,
    train: np.ndarray,
    labels: np.ndarray,
    classes: int,
    stratified: bool,
    seed: int,
) -> np.ndarray:
    """r_ij = P(i | i or j) by Platt's sigmoid for each pair, coupled."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = (StratifiedKFold if stratified else KFold)(_FOLDS, shuffle=True, random_state=seed)
    ratios = np.zeros((len(kernel), classes, classes))
    for i, j in combinations(range(classes), 2):
        pair = np.flatnonzero((labels == i) | (labels == j))
        machine = CalibratedClassifierCV(_machine(), cv=folds, ensemble=False)
        machine.fit(kernel[np.ix_(train[pair], pair)], labels[pair])
        first = np.clip(machine.predict_proba(kernel[:, pair])[:, 0], _SURE, 1 - _SURE)
        ratios[:, i, j], ratios[:, j, i] = first, 1 - first
    return coupled(ratios)
