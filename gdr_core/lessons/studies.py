"""What studies of a dataset offer to expressions: accuracy, changes and roughness over time.

Accuracies are those on validation nodes: no lesson tells the class of a test node.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets import Dataset
from gdr_core.gdr import GDRResult
from gdr_core.graphs.statistics import edge_homophily
from gdr_core.lessons.expressions import ExpressionError
from gdr_core.lessons.record import Figure
from gdr_core.method import Method

Run = Callable[[Method], tuple[GDRResult, Dataset]]
_OFFERED = (
    *("prior", "accuracy", "best", "best_time", "changed", "energy", "end"),
    *("nodes", "validation", "train"),
)
_PART = "validation"


def computed(method: Method) -> tuple[GDRResult, Dataset]:
    """What a study is made of, computed now."""
    return method.run(), method.load_dataset()


def method_of(figure: Figure, homophily: float | None = None) -> Method:
    """The method that a study runs: a uniform prior where two known labels are all there is.

    >>> from gdr_core.lessons.record import Figure
    >>> method_of(Figure(1, "relabel", "karate")).prior
    'uniform'
    """
    options = {} if homophily is None else {"homophily": round(float(homophily), 2)}
    prior = "uniform" if figure.dataset == "karate" else "projection"
    return Method.on(figure.dataset, prior=prior, options=options)


class ResultFacts:
    """Of `smoothing` and `relabel`: times are in relaxation times.

    prior()            accuracy of the prior on validation nodes
    accuracy(t_min)    accuracy of GDR there, if only what comes from t_min on counts
    best(), best_time()  the accuracy at the t_min that GDR chose, and that t_min
    changed(t_min)     number of nodes whose label is not the prior's
    energy(t)          Dirichlet energy of the beliefs at t, as a share of that at 0
    end()              the last time of the window
    nodes(), validation(), train()   how many there are
    """

    def __init__(self, result: GDRResult, dataset: Dataset) -> None:
        self.result, self.dataset = result, dataset

    @cached_property
    def functions(self) -> dict[str, Callable[..., float]]:
        """By name, for expressions."""
        return {name: getattr(self, name) for name in _OFFERED}

    def prior(self) -> float:
        """Accuracy before."""
        return self.result.prior_accuracy[_PART]

    def accuracy(self, t_min: float) -> float:
        """Accuracy after, for a t_min."""
        return float(self.result.accuracy[_PART][self._index(t_min)])

    def best(self) -> float:
        """Accuracy after, for the chosen t_min."""
        return float(self.result.accuracy[_PART][self.result.chosen])

    def best_time(self) -> float:
        """The chosen t_min."""
        return float(self.result.relative_times[self.result.chosen])

    def changed(self, t_min: float) -> float:
        """How many labels differ from the prior's."""
        return float(self.result.scan.relabelled[self._index(t_min)])

    def energy(self, time: float) -> float:
        """How rough the beliefs still are."""
        return float(self.energies[self._index(time)])

    def end(self) -> float:
        """The last time."""
        return float(self.result.relative_times[-1])

    def nodes(self) -> float:
        """Nodes in all."""
        return float(self.dataset.nodes)

    def validation(self) -> float:
        """Validation nodes."""
        return float(self.dataset.split.validation.size)

    def train(self) -> float:
        """Nodes whose class is given."""
        return float(self.dataset.split.train.size)

    @cached_property
    def energies(self) -> np.ndarray:
        """The Dirichlet energy at every time, as a share of that at 0."""
        edges = self.dataset.undirected.tocoo()
        found = np.array([self._energy(edges, i) for i in range(self.result.times.size)])
        return found / found[0]

    def _energy(self, edges: sp.coo_array, index: int) -> float:
        now = self.result.trajectories.at(index)
        return float((edges.data[:, None] * (now[edges.row] - now[edges.col]) ** 2).sum() / 2)

    def _index(self, time: float) -> int:
        if not 0 <= time <= self.end() * (1 + 1e-9):
            raise ExpressionError(f"{time:g} is not in the time window, 0 to {self.end():g}.")
        return self.result.index(float(time))


class HomophilyFacts:
    """Of `homophily`: the same features, the same classes, and links that agree with them less.

    before(h), after(h)   accuracy on validation nodes with a share h of links inside a class
    share(h)              the share that the graph really has
    """

    def __init__(self, figure: Figure, run: Run) -> None:
        self.figure, self.run = figure, run

    @cached_property
    def functions(self) -> dict[str, Callable[..., float]]:
        """By name, for expressions."""
        return {"before": self.before, "after": self.after, "share": self.share}

    def before(self, homophily: float) -> float:
        """Accuracy of the prior."""
        return self._result(homophily).prior_accuracy[_PART]

    def after(self, homophily: float) -> float:
        """Accuracy of GDR at its chosen t_min."""
        result = self._result(homophily)
        return float(result.accuracy[_PART][result.chosen])

    def share(self, homophily: float) -> float:
        """Measured homophily of the generated graph."""
        return edge_homophily(self.run(self._method(homophily))[1])

    def _result(self, homophily: float) -> GDRResult:
        return self.run(self._method(homophily))[0]

    def _method(self, homophily: float) -> Method:
        if not 0 <= homophily <= 1:
            raise ExpressionError(f"A homophily lies between 0 and 1, and {homophily:g} does not.")
        return method_of(self.figure, homophily)
