"""One graph read three ways: along its arrows, against them, and with the arrows forgotten.

For each reading: where a walker spends its time, how fast differences vanish (λ₂), where beliefs
end up (π), and what reclassification makes of a prior.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets import Dataset
from gdr_core.diffusion import impulse
from gdr_core.gdr import GDRResult
from gdr_core.laplacians import DIRECTIONS, LAPLACIANS, Laplacian, pagerank
from gdr_core.method import Method
from gdr_core.progress import Progress, ignore

READINGS: Final = (*DIRECTIONS, "undirected")
EQUAL: Final = 1e-9  # relative difference of visits that is taken for rounding
# The undirected Laplacian that a directed one becomes, up to a factor, when A = Aᵀ and α = 1.
COUNTERPARTS: Final = {
    "directed": "combinatorial",
    "directed-normalised": "symmetric",
    "directed-random-walk": "random-walk",
}


@dataclass(frozen=True, eq=False)
class Study:
    """What one reading of a graph leads to.

    reading     forward, backward or undirected
    arrows      the adjacency that the walk follows: A, Aᵀ or the symmetric one
    visits      share of time that the walk spends at each node: PageRank φ, or d/Σd undirected
    laplacian   of the reading
    result      reclassification of the prior with it
    """

    reading: str
    arrows: sp.csr_array
    visits: np.ndarray
    laplacian: Laplacian
    result: GDRResult

    @property
    def gap(self) -> float:
        """λ₂ of the largest component."""
        return self.laplacian.gap

    @cached_property
    def dangling(self) -> np.ndarray:
        """Mask of the nodes from which no arrow leads on."""
        return np.diff(self.arrows.indptr) == 0

    @cached_property
    def places(self) -> np.ndarray:
        """Each node's place by visits, 1 for the most visited: one more than there are nodes with
        more visits. Nodes with equal visits, to rounding, share a place."""
        falling = -np.sort(-self.visits)
        return 1 + np.searchsorted(-falling, -self.visits * (1 + EQUAL), side="right")

    def curves(self, node: int, relative_times: np.ndarray) -> np.ndarray:
        """p(t) of one node at times given in relaxation times, shape (times, classes).

        One column of work instead of one for each class: p_j(t) = Σ_i (e^{−tL})_{ji} 𝓗_i, and row
        j of e^{−tL} is its column j, up to the similarity (see `diffusion.kernel_row`).
        """
        times = relative_times * self.laplacian.relaxation_time
        columns = impulse(self.laplacian, node, times, tolerance=1e-8).values()[:, :, 0]
        scale = self.laplacian.scaling**2
        return (columns * (scale / scale[node])) @ self.result.start


def read(method: Method, reading: str) -> Method:
    """The method that reads the graph one way: with a directed Laplacian or its counterpart."""
    check(reading, method.laplacian)
    if reading == "undirected":
        return replace(method, laplacian=COUNTERPARTS[method.laplacian])
    return replace(method, direction=reading)


def study(
    method: Method,
    reading: str,
    dataset: Dataset,
    prior: np.ndarray,
    progress: Progress = ignore,
) -> Study:
    """Read the graph one way (see `read`).

    method    with a directed Laplacian; its dataset and prior are given beside it, so that three
              readings share them
    """
    method = read(method, reading)
    followed = arrows_of(dataset, reading)
    progress(0.0, "where a walker spends its time")
    visits = _visits_of(followed, method)
    laplacian = method.make_laplacian(dataset)
    progress(0.2, "how fast differences vanish")
    _ = laplacian.relaxation_time
    progress(0.4, "reclassifying")
    result = method.reclassify(dataset, prior, laplacian)
    return Study(reading, followed, visits, laplacian, result)


def _visits_of(followed: sp.csr_array, method: Method) -> np.ndarray:
    """The share of its time that the walk spends at each node."""
    if method.is_directed:
        return pagerank(followed, method.alpha)
    degrees = np.asarray(followed.sum(axis=1)).ravel()
    return degrees / degrees.sum()


def arrows_of(dataset: Dataset, reading: str) -> sp.csr_array:
    """The adjacency that a reading follows."""
    if reading == "undirected":
        return dataset.undirected
    return dataset.adjacency if reading == "forward" else sp.csr_array(dataset.adjacency.T)


def common_times(form: str, count: int = 160, first: float = 1e-3) -> np.ndarray:
    """One grid for all readings, in relaxation times, up to the directed form's horizon."""
    return np.geomspace(first, LAPLACIANS[form].horizon, count)


def check(reading: str, form: str) -> None:
    """Refuse a reading or a form that there is not."""
    if reading not in READINGS:
        raise ValueError(f"unknown reading {reading!r}; there are {', '.join(READINGS)}")
    if form not in COUNTERPARTS:
        raise ValueError(f"unknown directed form {form!r}; there are {', '.join(COUNTERPARTS)}")
