"""A scikit-learn face: any classifier with `predict_proba`, corrected by a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from gdr_core.datasets.record import UNKNOWN, Split
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.laplacians import make_laplacian


class GraphDiffusionReclassifier(ClassifierMixin, BaseEstimator):
    """Graph Diffusion Reclassification of the nodes of one graph.

    Learning is transductive: `fit` sees the features of all nodes and the graph, and the labels of
    some (−1 means unlabelled); `predict` answers for these same nodes.

    prior        any estimator with `predict_proba`; None takes the same probability everywhere
    laplacian    one of `gdr_core.laplacians.LAPLACIANS`
    rule         `overshoot`, `peak` or `reference`
    stationary   `global` or `component`
    t_min        burn-in time in relaxation times; None chooses it on `validation_fraction` of the
                 labelled nodes, which then train neither prior nor diffusion while choosing
    seed         for the choice of validation nodes

    >>> from sklearn.linear_model import LogisticRegression
    >>> import networkx as nx, numpy as np
    >>> graph = nx.karate_club_graph()
    >>> y = np.full(34, -1); y[0], y[33] = 0, 1
    >>> model = GraphDiffusionReclassifier(LogisticRegression())
    >>> int(model.fit(np.eye(34), y, adjacency=graph).predict()[1])
    0
    """

    def __init__(
        self,
        prior: Any = None,
        *,
        laplacian: str = "combinatorial",
        direction: str = "forward",
        alpha: float = 0.85,
        rule: str = "overshoot",
        stationary: str = "global",
        t_min: float | None = None,
        validation_fraction: float = 0.3,
        tolerance: float = 1e-7,
        seed: int = 0,
    ):
        self.prior = prior
        self.laplacian = laplacian
        self.direction = direction
        self.alpha = alpha
        self.rule = rule
        self.stationary = stationary
        self.t_min = t_min
        self.validation_fraction = validation_fraction
        self.tolerance = tolerance
        self.seed = seed

    def fit(self, X: Any, y: Any, adjacency: Any = None) -> GraphDiffusionReclassifier:
        """Learn from features of all nodes, labels of some (−1: unlabelled) and the graph."""
        features, codes, matrix = self._check(X, y, adjacency)
        operator = make_laplacian(
            self.laplacian, matrix, direction=self.direction, alpha=self.alpha
        )
        known = np.flatnonzero(codes != UNKNOWN)
        t_min = self.t_min if self.t_min is not None else self._choose(operator, features, codes)
        result = self._reclassify(operator, features, codes, known, np.empty(0, dtype=int))
        index = result.index(t_min)
        self.t_min_ = float(result.relative_times[index])
        self.result_ = result
        self.transduction_ = self.classes_[result.predictions(index)]
        self.label_distributions_ = self._distributions(result, index)
        self.n_features_in_ = features.shape[1]
        return self

    def predict(self, X: Any = None) -> np.ndarray:
        """Labels of the nodes that were fitted. X, if given, must have one row for each of them."""
        self._check_rows(X)
        return self.transduction_

    def predict_proba(self, X: Any = None) -> np.ndarray:
        """Overshoots as shares, one row per node; the prior's row where nothing overshoots."""
        self._check_rows(X)
        return self.label_distributions_

    def _check(self, X: Any, y: Any, adjacency: Any) -> tuple[Any, np.ndarray, sp.csr_array]:
        if adjacency is None:
            raise ValueError("fit needs the graph: pass adjacency=matrix or a NetworkX graph")
        matrix = _adjacency_of(adjacency)
        features = X if sp.issparse(X) else np.asarray(X)
        labels = np.asarray(y)
        for name, rows in (("X", features.shape[0]), ("y", labels.shape[0])):
            if rows != matrix.shape[0]:
                raise ValueError(f"{name} has {rows} rows, the graph {matrix.shape[0]} nodes")
        unlabelled = labels == UNKNOWN
        if unlabelled.all():
            raise ValueError("y has no labelled node: -1 means unlabelled")
        self.classes_ = np.unique(labels[~unlabelled])
        codes = np.full(labels.shape, UNKNOWN)
        codes[~unlabelled] = np.searchsorted(self.classes_, labels[~unlabelled])
        return features, codes, matrix

    def _reclassify(
        self, operator: Any, features: Any, codes: np.ndarray, train: np.ndarray, held: np.ndarray
    ) -> Any:
        scores = self._prior_scores(features, codes, train)
        options = GDROptions(
            rule=self.rule,
            stationary=self.stationary,
            tolerance=self.tolerance,
            normalise=True,
        )
        return reclassify(
            operator, scores, codes, Split(train, held, np.empty(0, dtype=int)), options
        )

    def _prior_scores(self, features: Any, codes: np.ndarray, train: np.ndarray) -> np.ndarray:
        scores = np.full((codes.size, self.classes_.size), 1 / self.classes_.size)
        if self.prior is not None:
            model = clone(self.prior).fit(features[train], codes[train])
            scores = np.zeros_like(scores)
            scores[:, model.classes_.astype(int)] = model.predict_proba(features)
        return scores

    def _choose(self, operator: Any, features: Any, codes: np.ndarray) -> float:
        train, held = hold_out(codes, self.validation_fraction, self.seed)
        result = self._reclassify(operator, features, codes, train, held)
        return float(result.relative_times[result.chosen])

    def _distributions(self, result: Any, index: int) -> np.ndarray:
        weights = result.overshoot(index)
        sums = weights.sum(axis=1, keepdims=True)
        shares = np.divide(weights, sums, out=result.start.copy(), where=sums > 0)
        shares[result.split.train] = result.start[result.split.train]
        return shares

    def _check_rows(self, X: Any) -> None:
        check_is_fitted(self, "transduction_")
        if X is not None and np.shape(X)[0] != self.transduction_.size:
            raise ValueError(
                f"this model answers for the {self.transduction_.size} nodes it was fitted on, "
                f"got {np.shape(X)[0]} rows"
            )


def _adjacency_of(graph: Any) -> Any:
    """A sparse matrix from SciPy sparse, a NumPy array or a NetworkX graph."""
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):
        import networkx as nx

        return sp.csr_array(nx.to_scipy_sparse_array(graph, dtype=np.float64))
    return graph


def hold_out(codes: np.ndarray, fraction: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labelled nodes divided class by class into training and validation.

    Each class keeps at least one training node; a class with a single node has none to spare.
    """
    if not 0 < fraction < 1:
        raise ValueError(f"validation_fraction must lie between 0 and 1, got {fraction}")
    generator = np.random.default_rng(seed)
    train, held = [], []
    for code in np.unique(codes[codes != UNKNOWN]):
        members = generator.permutation(np.flatnonzero(codes == code))
        spared = min(round(fraction * members.size), members.size - 1)
        held.append(members[:spared])
        train.append(members[spared:])
    return np.concatenate(train), np.concatenate(held)
