"""Harmonic functions on the graph (Zhu, Ghahramani and Lafferty 2003)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import cg

from gdr_core.datasets.record import Dataset
from gdr_core.progress import Progress

_ITERATIONS_PER_REPORT = 25
_MOST_ITERATIONS = 20_000


def label_propagation(
    dataset: Dataset,
    *,
    seed: int,
    progress: Progress,
    mass_normalisation: bool,
    tolerance: float,
) -> np.ndarray:
    """F with F = labels on training nodes, and elsewhere each row the mean of its neighbours'.

    With L = D - A in blocks of unlabelled (u) and labelled (l) nodes, F_u solves
    L_uu F_u = A_ul F_l, one class at a time by conjugate gradients with Jacobi preconditioner.
    F_iμ is the probability that a random walk from i meets a training node of class μ first.

    With few training nodes on a large graph, walks forget where they began: F is almost the same
    for all nodes and the training nodes with most edges win everywhere. Zhu's class mass
    normalisation then multiplies each class by the share of training nodes it has, divided by its
    total over the unlabelled nodes.

    Directions are forgotten. Nodes that no training node can reach get the uniform row.
    """
    adjacency = dataset.undirected
    free = _reached_and_free(adjacency, dataset.split.train)
    train = dataset.split.train
    known = np.eye(dataset.classes)[dataset.labels[train]]
    scores = np.zeros((dataset.nodes, dataset.classes))
    scores[train] = known
    if free.size:
        degrees = np.asarray(adjacency.sum(axis=1)).ravel()[free]
        inner = sp.csr_array(sp.diags_array(degrees) - adjacency[free][:, free])
        outer = adjacency[free][:, train] @ known
        harmonic = np.clip(_solved(inner, degrees, outer, tolerance, progress), 0.0, None)
        scores[free] = _mass_normalised(harmonic, known) if mass_normalisation else harmonic
    return scores


def _mass_normalised(harmonic: np.ndarray, known: np.ndarray) -> np.ndarray:
    mass = harmonic.mean(axis=0)
    wanted = known.mean(axis=0)
    return harmonic * np.divide(wanted, mass, out=np.zeros_like(mass), where=mass > 0)


def _reached_and_free(adjacency: sp.csr_array, train: np.ndarray) -> np.ndarray:
    _, component = connected_components(adjacency, directed=False)
    free = np.isin(component, component[train])
    free[train] = False
    return np.flatnonzero(free)


def _solved(
    inner: sp.csr_array,
    degrees: np.ndarray,
    outer: np.ndarray,
    tolerance: float,
    progress: Progress,
) -> np.ndarray:
    preconditioner = sp.diags_array(1.0 / degrees)
    solution = np.zeros_like(outer)
    for k in range(outer.shape[1]):
        report = _Reporter(progress, k, outer.shape[1])
        report(None)
        solution[:, k], failed = cg(
            inner,
            outer[:, k],
            rtol=tolerance,
            maxiter=_MOST_ITERATIONS,
            M=preconditioner,
            callback=report,
        )
        if failed:
            raise ArithmeticError(
                f"label propagation did not reach the tolerance {tolerance:g} "
                f"in {_MOST_ITERATIONS} iterations; try a larger tolerance"
            )
    return solution


class _Reporter:
    """Counts the iterations of one class's solution and reports now and then."""

    def __init__(self, progress: Progress, done: int, classes: int) -> None:
        self.progress, self.done, self.classes, self.iterations = progress, done, classes, 0

    def __call__(self, _: object) -> None:
        if self.iterations % _ITERATIONS_PER_REPORT == 0:
            message = f"class {self.done + 1} of {self.classes}, iteration {self.iterations}"
            self.progress(self.done / self.classes, message)
        self.iterations += 1
