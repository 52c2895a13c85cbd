"""What diffusion and depth wash out: Dirichlet energy, accuracy and distinct labels.

Heat with the Laplacian L = I − Â and propagation by powers of the same matrix are two walks of one
kind: e^{−tL} = Σ_k Poisson_t(k) Â^k averages over depths k, t of them on average. So the time t and
the depth k share an axis.

The Dirichlet energy of beliefs p over a graph, ½ Σ_ij a_ij ‖p_i/√d_i − p_j/√d_j‖² = tr pᵀ L p, is
what differs along links; both walks drive it to 0, and with it everything that tells one node of
a component from another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.record import UNKNOWN, Dataset
from gdr_core.diffusion.engine import diffuse
from gdr_core.laplacians import make_laplacian
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore, part

MOST_DEPTH = 64
TIMES = 80
_TIED = 2e-6  # of the largest entry at the start: twice what diffusion may be off by
_FIRST = 0.02  # time after 0: energy falls at once


@dataclass(frozen=True, eq=False)
class Smoothing:
    """What is left after each time or depth.

    steps      times t, or depths k
    energy     Dirichlet energy as a share of that at the start
    labels     number of distinct largest classes over all nodes
    accuracy   share of the judged nodes whose largest class is theirs; NaN where none is judged

    Of classes that are the largest within `_TIED`, the first counts: symmetry makes beliefs equal,
    and which of them rounding makes the larger says nothing.
    """

    steps: np.ndarray
    energy: np.ndarray
    labels: np.ndarray
    accuracy: np.ndarray


def heat_smoothing(
    dataset: Dataset, start: np.ndarray, judged: np.ndarray, *, progress: Progress = ignore
) -> Smoothing:
    """Diffusion of beliefs with L = I − Â, for times from 0 to the depth looked at.

    judged   the nodes whose accuracy is taken, e.g. those of validation

    >>> from gdr_core import compute_prior, load_dataset
    >>> from gdr_core.structure.smoothing import heat_smoothing
    >>> club = load_dataset("karate")
    >>> found = heat_smoothing(club, compute_prior("uniform", club), club.split.validation)
    >>> bool((found.energy[1:] <= found.energy[:-1] + 1e-9).all())
    True
    """
    laplacian = _propagation_laplacian(dataset)
    times = np.concatenate([[0.0], np.geomspace(_FIRST, MOST_DEPTH, TIMES)])
    first, rest = part(progress, 0.0, 0.5), part(progress, 0.5, 1.0)
    paths = diffuse(laplacian, _checked(dataset, start), times, progress=first)
    blocks = (paths.at(k) for k in range(times.size))
    return _measured(dataset, laplacian, times, blocks, judged, rest)


def depth_smoothing(
    dataset: Dataset, start: np.ndarray, judged: np.ndarray, *, progress: Progress = ignore
) -> Smoothing:
    """Propagation Â^k of the same beliefs, for depths 0, 1, …: a GCN without weights."""
    laplacian = _propagation_laplacian(dataset)
    blocks = _powers(laplacian, _checked(dataset, start))
    return _measured(dataset, laplacian, np.arange(MOST_DEPTH + 1), blocks, judged, progress)


def _propagation_laplacian(dataset: Dataset) -> Laplacian:
    """L = I − Â with Â = D̄^{−1/2} (A + I) D̄^{−1/2}; directions are forgotten."""
    looped = sp.csr_array(dataset.undirected + sp.eye_array(dataset.nodes))
    return make_laplacian("symmetric", looped)


def _dirichlet_energy(laplacian: Laplacian, block: np.ndarray) -> float:
    """tr pᵀ L p, over all columns of p."""
    return float(np.sum(block * laplacian.apply(block)))


def first_largest(block: np.ndarray, margin: float) -> np.ndarray:
    """The first class of each row that is the largest within a margin.

    >>> first_largest(np.array([[0.3, 0.3 + 1e-9], [0.2, 0.4]]), 1e-6)
    array([0, 1])
    """
    return np.asarray(np.argmax(block >= block.max(axis=1, keepdims=True) - margin, axis=1))


def _powers(laplacian: Laplacian, block: np.ndarray) -> Iterator[np.ndarray]:
    for _ in range(MOST_DEPTH + 1):
        yield block
        block = block - laplacian.apply(block)


def _checked(dataset: Dataset, start: np.ndarray) -> np.ndarray:
    block = np.asarray(start, dtype=np.float64)
    if block.ndim != 2 or block.shape[0] != dataset.nodes:
        raise ValueError(f"beliefs must have a row for each of the {dataset.nodes} nodes")
    return block


def _measured(
    dataset: Dataset,
    laplacian: Laplacian,
    steps: np.ndarray,
    blocks: Iterable[np.ndarray],
    judged: np.ndarray,
    progress: Progress,
) -> Smoothing:
    known = judged[dataset.labels[judged] != UNKNOWN]
    energy, labels, accuracy = [], [], []
    margin = 0.0
    for place, block in enumerate(blocks):
        if place == 0:
            margin = _TIED * float(np.abs(block).max(initial=0.0))
        largest = first_largest(block, margin)
        energy.append(_dirichlet_energy(laplacian, block))
        labels.append(np.unique(largest).size)
        right = largest[known] == dataset.labels[known]
        accuracy.append(float(right.mean()) if known.size else float("nan"))
        progress((place + 1) / steps.size, "measuring what is left")
    return Smoothing(
        np.asarray(steps, dtype=np.float64),
        np.array(energy) / energy[0] if energy[0] > 0 else np.zeros(len(energy)),
        np.array(labels),
        np.array(accuracy),
    )
