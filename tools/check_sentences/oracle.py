"""Exact curves by dense eigenvectors, and the methods whose curves are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import scipy.linalg

from gdr_core import datasets, laplacians, priors
from gdr_core.gdr import GDROptions, GDRResult, reclassify
from gdr_core.laplacians import LAPLACIANS, Laplacian

FINER = 4  # times looked at between two of the grid
PRIORS = ("projection", "uniform", "label-propagation")


@dataclass(eq=False)
class Oracle:
    """The exact curves of some nodes by eigenvectors; nothing of the engine is used.

    values   p on the grid, shape (times, nodes, classes)
    fine     p on a grid that is FINER times finer
    limit    the part of H in the null space of L: where all curves end
    """

    times: np.ndarray
    values: np.ndarray
    fine: np.ndarray
    limit: np.ndarray
    pi: np.ndarray

    @cached_property
    def peaks(self) -> np.ndarray:
        """The highest value from each t_min on, on the grid."""
        return np.maximum.accumulate(self.values[::-1])[::-1]

    @cached_property
    def fine_peaks(self) -> np.ndarray:
        """The same on the finer grid, at the times of the grid."""
        return np.maximum.accumulate(self.fine[::-1])[::-1][::FINER]


def oracle(laplacian: Laplacian, result: GDRResult, nodes: np.ndarray) -> Oracle:
    """Dense curves of the nodes, with π as the definition says it."""
    s = laplacian.scaling
    symmetric = s[:, None] * laplacian.dense() / s[None, :]
    rates, vectors = scipy.linalg.eigh((symmetric + symmetric.T) / 2)
    rates = np.where(rates < 1e-9 * max(rates[-1], 1e-300), 0.0, rates)
    rows = vectors[nodes] / s[nodes][:, None]
    parts = vectors.T @ (s[:, None] * result.start)
    steps = result.times
    between = [np.linspace(a, b, FINER, endpoint=False) for a, b in pairwise(steps)]
    fine_times = np.concatenate([*between, steps[-1:]])
    fine = np.stack([rows @ (np.exp(-rates * t)[:, None] * parts) for t in fine_times])
    still = rates == 0
    return Oracle(
        times=result.relative_times,
        values=fine[::FINER],
        fine=fine,
        limit=rows[:, still] @ parts[still],
        pi=stationary(laplacian, result)[nodes],
    )


def stationary(laplacian: Laplacian, result: GDRResult) -> np.ndarray:
    """π: over all nodes the column mean, in the plain case; else as the Laplacian defines it."""
    start = result.start
    if laplacian.name == "combinatorial" and result.options.stationary == "global":
        return np.broadcast_to(start.mean(axis=0), start.shape)
    return laplacian.stationary(start, result.options.stationary)


def solve(name: str, prior: str, kind: str, scope: str = "global"):  # type: ignore[no-untyped-def]
    """Dataset, Laplacian and result of one method."""
    data = datasets.load_dataset(name)
    directed = LAPLACIANS[kind].directed
    laplacian = laplacians.make_laplacian(kind, data.adjacency if directed else data.undirected)
    scores = priors.compute_prior(prior, data)
    options = GDROptions(stationary=scope)
    return data, laplacian, reclassify(laplacian, scores, data.labels, data.split, options)


def small_graphs() -> list[str]:
    """All datasets of at most 400 nodes; those that are fetched only where they were."""
    listed = [
        name
        for name in datasets.names()
        if datasets.spec_of(name).kind != "citation" and datasets.available(name)
    ]
    return [name for name in listed if datasets.load_dataset(name).nodes <= 400]


def methods(data: datasets.Dataset) -> list[tuple[str, str, str]]:
    """Prior, Laplacian and scope of π that are checked on a small graph, the app's own first."""
    found = [(prior, "combinatorial", "global") for prior in PRIORS]
    found += [("projection", "combinatorial", "component"), ("projection", "max-entropy", "global")]
    found += [
        (prior, kind, "global") for prior in PRIORS[:2] for kind in ("random-walk", "symmetric")
    ]
    if data.directed:
        kinds = [kind for kind, entry in LAPLACIANS.items() if entry.directed]
        found += [("projection", kind, "global") for kind in kinds]
    return found
