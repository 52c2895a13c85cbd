"""A scikit-learn face: any classifier with `predict_proba`, corrected by a graph."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.metrics import accuracy_score
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from gdr_core import gate
from gdr_core.datasets.own.neighbours import METRICS, nearest_rows, neighbour_graph
from gdr_core.datasets.record import UNKNOWN, Split
from gdr_core.estimator.labels import hold_out, unlabelled
from gdr_core.estimator.nodes import NodeGraph
from gdr_core.gdr import Automatic, GDROptions, automatic, reclassify
from gdr_core.gdr.confidence import fitted_to, shares
from gdr_core.gdr.trust import FEWEST
from gdr_core.laplacians import LAPLACIANS, make_laplacian
from gdr_core.priors.calibration import Calibration


@dataclass(frozen=True)
class _Chosen:
    """What held-out nodes chose, to be used on all labelled ones."""

    laplacian: str
    rule: str
    t_min: float
    keeps_prior: bool
    calibration: Calibration


class GraphDiffusionReclassifier(ClassifierMixin, BaseEstimator):
    """Graph Diffusion Reclassification as a scikit-learn classifier.

    Learning is transductive: `fit` sees the features of all nodes and the graph, and the labels of
    some; `predict` answers for these same nodes. Rows that were not seen are answered through the
    edges given to fitted nodes, else through the fitted rows nearest to them.

    In y, None and NaN mean unlabelled, and so does −1, except among numbers where −1 and one other
    value are all there is: then it is a class, as in any two-class problem.

    prior        any estimator with `predict_proba`; None takes the same probability everywhere
    laplacian    one of `gdr_core.laplacians.LAPLACIANS`
    rule         `overshoot`, `peak` or `reference`
    stationary   `global` or `component`
    t_min        burn-in time in relaxation times; None chooses it on `validation_fraction` of the
                 labelled nodes, which then train neither prior nor diffusion while choosing
    neighbours   nearest neighbours of a row: of the graph where none is given, and of new rows
    metric       by which they are nearest: `euclidean` or `cosine`
    automatic    choose Laplacian and rule on held-out nodes, too, and keep the prior's labels
                 where these do not show that the graph helps; `automatic_` then tells what was
                 chosen, and why. Too few held-out nodes choose nothing: a warning says so,
                 `automatic_` is None, `laplacian` and `rule` are used as they are given
    calibrated   make `predict_proba` honest by a temperature fitted on held-out nodes
                 (`temperature_`), a part of each row shared out evenly before (`evenness_`). Too
                 few held-out nodes fit nothing: a warning says so, the temperature is 1
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
        neighbours: int = 10,
        metric: str = "euclidean",
        automatic: bool = False,
        calibrated: bool = False,
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
        self.neighbours = neighbours
        self.metric = metric
        self.automatic = automatic
        self.calibrated = calibrated
        self.seed = seed

    def __sklearn_tags__(self) -> Any:
        """Sparse features are welcome wherever the prior takes them."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.prior is None or get_tags(self.prior).input_tags.sparse
        return tags

    def fit(self, X: Any, y: Any = None, adjacency: Any = None) -> GraphDiffusionReclassifier:
        """Learn from features of all nodes, labels of some, and the graph.

        adjacency  SciPy sparse, NumPy array, NetworkX graph or `NodeGraph`; None joins each row
                   of X to its nearest ones
        """
        features = validate_data(self, _checked_rows(X), accept_sparse="csr")
        self._check_parameters()
        codes = self._codes(y, features.shape[0])
        matrix = self._graph(features, adjacency)
        chosen = self._choose(matrix, features, codes)
        known = np.flatnonzero(codes != UNKNOWN)
        operator = self._operator(chosen.laplacian, matrix)
        nobody = np.empty(0, dtype=int)
        result = self._reclassify(operator, features, codes, known, nobody, chosen.rule)
        index = result.index(chosen.t_min)
        self.t_min_ = float(result.relative_times[index])
        self.result_ = result
        self.temperature_ = chosen.calibration.temperature
        self.evenness_ = chosen.calibration.evenness
        kept = chosen.keeps_prior
        labels = result.prior_labels if kept else result.predictions(index)
        self.transduction_ = self.classes_[labels]
        raw = result.start if kept else shares(result, index)
        self.label_distributions_ = chosen.calibration(raw) if self.calibrated else raw
        self.X_ = features
        return self

    def _operator(self, name: str, matrix: Any) -> Any:
        return make_laplacian(name, matrix, direction=self.direction, alpha=self.alpha)

    def fit_predict(self, X: Any, y: Any = None, adjacency: Any = None) -> np.ndarray:
        """Learn, and the labels of all nodes."""
        return self.fit(X, y, adjacency=adjacency).transduction_

    def predict(self, X: Any = None, adjacency: Any = None) -> np.ndarray:
        """Labels of the fitted nodes (X None), or of the rows of X.

        adjacency  edges from the rows of X to the fitted nodes, shape (rows, fitted nodes)
        """
        shares = self.predict_proba(X, adjacency)
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X: Any = None, adjacency: Any = None) -> np.ndarray:
        """Overshoots as shares, one row per node; the prior's row where nothing overshoots.

        A new row gets the mean of its neighbours' shares, weighted by the edges to them.
        """
        check_is_fitted(self, "transduction_")
        if X is None:
            return self.label_distributions_
        features = validate_data(self, _checked_rows(X), accept_sparse="csr", reset=False)
        if adjacency is None:
            return self._by_features(features)
        return self._by_edges(features, adjacency)

    def score(self, X: Any, y: Any, sample_weight: Any = None, adjacency: Any = None) -> float:
        """Share of the rows that are labelled right."""
        gate.check_size(y, "y")
        predicted = self.predict(X, adjacency)
        try:
            return float(accuracy_score(y, predicted, sample_weight=sample_weight))
        except TypeError as problem:
            raise gate.WrongTypeError(
                "y mixes kinds of classes that cannot be compared, such as texts and numbers"
            ) from problem

    def _check_parameters(self) -> None:
        """What scikit-learn lets through when the estimator is made is looked at before fitting."""
        if self.t_min is not None:
            gate.finite(self.t_min, "t_min", 0)
        gate.finite(self.validation_fraction, "validation_fraction", 0, 1)
        gate.whole(self.neighbours, "neighbours", 1)
        gate.check_name(self.metric, "metric", METRICS)
        gate.check_seed(self.seed)

    def _codes(self, y: Any, rows: int) -> np.ndarray:
        """The number of its class for each row, −1 where it is not known; sets the classes."""
        if y is None:
            raise ValueError(
                "GraphDiffusionReclassifier requires y to be passed, but the target y is None"
            )
        gate.check_size(y, "y")
        labels = column_or_1d(y, warn=True)
        if labels.size != rows:
            raise ValueError(f"y has {labels.size} rows, X has {rows}")
        known = ~unlabelled(labels)
        if not known.any():
            raise ValueError("y has no labelled node: None, NaN and -1 mean unlabelled")
        given = labels[known]
        given = np.array(given.tolist()) if labels.dtype == object else given
        check_classification_targets(given)
        self.classes_, numbers = np.unique(given, return_inverse=True)
        codes = np.full(rows, UNKNOWN)
        codes[known] = numbers
        return codes

    def _graph(self, features: Any, adjacency: Any) -> sp.csr_array:
        rows = features.shape[0]
        self.nodes_ = np.arange(rows)
        if adjacency is None:
            return neighbour_graph(features, int(self.neighbours), self.metric)
        if isinstance(adjacency, NodeGraph):
            self.nodes_, matrix = adjacency.rows, adjacency.among()
        else:
            matrix = gate.number_matrix(adjacency, "adjacency")
        if matrix.shape[0] == rows and matrix.shape[1] != rows:
            raise ValueError(
                f"adjacency has shape {matrix.shape}: rows were taken out of it. Wrap it as "
                "gdr_core.estimator.NodeGraph(adjacency), from which nodes can be taken"
            )
        if matrix.shape[0] != rows:
            raise ValueError(f"X has {rows} rows, the graph {matrix.shape[0]} nodes")
        return matrix

    def _reclassify(
        self,
        operator: Any,
        features: Any,
        codes: np.ndarray,
        train: np.ndarray,
        held: np.ndarray,
        rule: str,
    ) -> Any:
        scores = self._prior_scores(features, codes, train)
        split = Split(train, held, np.empty(0, dtype=int))
        return reclassify(operator, scores, codes, split, self._options(rule))

    def _options(self, rule: str) -> GDROptions:
        return GDROptions(
            rule=rule, stationary=self.stationary, tolerance=self.tolerance, normalise=True
        )

    def _prior_scores(self, features: Any, codes: np.ndarray, train: np.ndarray) -> np.ndarray:
        scores = np.full((codes.size, self.classes_.size), 1 / self.classes_.size)
        if self.prior is not None and self.classes_.size > 1:
            model = clone(self.prior).fit(features[train], codes[train])
            scores = np.zeros_like(scores)
            scores[:, model.classes_.astype(int)] = model.predict_proba(features)
        return scores

    def _choose(self, matrix: Any, features: Any, codes: np.ndarray) -> _Chosen:
        """What the held-out nodes choose, and the temperature that they give."""
        unfitted = Calibration(1.0, float("nan"), 0)
        self.automatic_: Automatic | None = None
        if self.t_min is not None and not (self.automatic or self.calibrated):
            return _Chosen(self.laplacian, self.rule, self.t_min, False, unfitted)
        train, held = hold_out(codes, self.validation_fraction, self.seed)
        if held.size < FEWEST:
            self._warn_of_few(held.size)
        keeps, name = False, self.laplacian
        if self.automatic and held.size >= FEWEST:
            found = self._automatic(matrix, features, codes, train, held)
            self.automatic_, result, name = found, found.result, found.chosen.laplacian
            keeps = found.keeps_prior
        else:
            operator = self._operator(name, matrix)
            result = self._reclassify(operator, features, codes, train, held, self.rule)
        raw = result.start if keeps else shares(result)
        fitted = fitted_to(raw, codes, held) if self.calibrated else unfitted
        t_min = float(result.relative_times[result.chosen]) if self.t_min is None else self.t_min
        return _Chosen(name, result.options.rule, t_min, keeps, fitted)

    def _warn_of_few(self, held: int) -> None:
        """Say what was asked for and cannot be had; called by what `fit` calls."""
        few = f"with {held} held-out node{'' if held == 1 else 's'}, which is fewer than {FEWEST}"
        said = []
        if self.automatic:
            used = f"laplacian={self.laplacian!r} and rule={self.rule!r} are used as given"
            said.append(f"automatic=True chooses nothing {few}: {used}")
        if self.calibrated:
            said.append(f"calibrated=True fits nothing {few}: predict_proba gives plain shares")
        for sentence in said:
            warnings.warn(sentence, UserWarning, stacklevel=4)

    def _automatic(
        self, matrix: Any, features: Any, codes: np.ndarray, train: np.ndarray, held: np.ndarray
    ) -> Any:
        directed = LAPLACIANS[self.laplacian].directed
        names = [n for n, kind in LAPLACIANS.items() if kind.directed == directed]
        ways = {name: self._operator(name, matrix) for name in names}
        scores = self._prior_scores(features, codes, train)
        split = Split(train, held, np.empty(0, dtype=int))
        return automatic(ways, scores, codes, split, self._options(self.rule))

    def _by_features(self, features: Any) -> np.ndarray:
        """The fitted nodes themselves where X is theirs; else means over the nearest rows."""
        if features.shape == self.X_.shape and _same(features, self.X_):
            return self.label_distributions_
        count = min(self.neighbours, self.X_.shape[0])
        fitted = self.X_
        if sp.issparse(features) != sp.issparse(fitted):
            features, fitted = sp.csr_array(features), sp.csr_array(fitted)
        distances, nearest = nearest_rows(fitted, features, count, self.metric)
        # Rounding must not make a fitted row a stranger to itself.
        same = distances <= 1e-7 * np.maximum(distances.max(axis=1, keepdims=True), 1e-300)
        weights = np.where(same.any(axis=1, keepdims=True), same, 1.0)
        return self._mean(weights, nearest)

    def _mean(self, weights: np.ndarray, nearest: np.ndarray) -> np.ndarray:
        shares = (weights[:, :, None] * self.label_distributions_[nearest]).sum(axis=1)
        return shares / shares.sum(axis=1, keepdims=True)

    def _by_edges(self, features: Any, adjacency: Any) -> np.ndarray:
        """Means over the fitted nodes that edges lead to; without an edge, over the nearest."""
        if isinstance(adjacency, NodeGraph):
            if np.array_equal(adjacency.rows, self.nodes_):
                return self.label_distributions_
            edges = adjacency.towards(self.nodes_)
        else:
            edges = gate.number_matrix(adjacency, "adjacency")
        expected = (features.shape[0], self.X_.shape[0])
        if edges.shape != expected:
            raise ValueError(f"adjacency must have shape {expected}, got {edges.shape}")
        weights = np.asarray(edges.sum(axis=1)).ravel()
        shares = edges @ self.label_distributions_ / np.maximum(weights, 1e-300)[:, None]
        lonely = weights <= 0
        if lonely.any():
            shares[lonely] = self._by_features(features[lonely])
        return shares


def _same(left: Any, right: Any) -> bool:
    if sp.issparse(left) or sp.issparse(right):
        return (sp.csr_array(left) != sp.csr_array(right)).nnz == 0
    return bool(np.array_equal(left, right))


def _checked_rows(X: Any) -> Any:
    """X as it was given; a sparse matrix whose arrays do not fit is refused before it is used."""
    gate.check_size(X, "X")
    if not sp.issparse(X) or X.dtype.kind not in "biuf":
        return X
    checked = gate.number_matrix(X, "X")
    return checked if X.format == "csr" and isinstance(X, sp.sparray) else type(X)(checked)
