"""Walks so long that only their slowest modes are left.

With the eigenvectors v_k of S = I − D^{−1/2} A D^{−1/2}, rates λ_k > 0 and x = √π,

    Π P(t) − π πᵀ = Σ_c (π_c π_cᵀ)/π(c) − π πᵀ + diag(x) [Σ_k e^{−tλ_k} v_k v_kᵀ] diag(x),

where c are the connected components, and π_c is π inside of c and 0 elsewhere. Modes that are left
out add at most e^{−tλ}, λ being the last rate that is known. What is left is small, but keeps its
digits: nothing of size one is subtracted. As no proof says that the method of Lanczos has missed no
mode, what is told of a partition is compared with the series of `walking`.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore
from gdr_core.structure.large.moving import membership
from gdr_core.structure.large.walking import TOLERANCE, root_of
from gdr_core.structure.leading import leading_directions

_MODES = 16
_EXACT = 1e-11  # relative error of the modes
_SMALL = 1e-9  # of the largest mode: gains below it are rounding


class SlowModes:
    """The slowest modes of a random walk; for `outside` see `walking.root_of`.

    >>> from gdr_core import load_dataset, make_laplacian
    >>> from gdr_core.structure.large.slow import SlowModes
    >>> club = make_laplacian("random-walk", load_dataset("karate").undirected)
    >>> bool(abs(SlowModes(club).rates[0] - club.gap) < 1e-9)
    True
    """

    def __init__(self, laplacian: Laplacian, outside: float = 0.0) -> None:
        self.root, self.outside = root_of(laplacian, outside), outside
        self.share = np.square(self.root)
        self.pieces = laplacian.components
        self.held = np.bincount(self.pieces, self.share)
        rest = 1 - laplacian.rates
        matrix = sp.csr_array(laplacian.weights + sp.diags_array(rest))
        null = membership(self.pieces)
        known = sp.csr_array(
            sp.diags_array(self.root) @ null @ sp.diags_array(1 / np.sqrt(self.held))
        )
        count = min(_MODES, laplacian.nodes - self.held.size - 1)
        if laplacian.nodes <= 4 * _MODES or count < 1:
            values, vectors = _all_modes(matrix, known)
        else:
            values, vectors = leading_directions(matrix, count, _EXACT, known)
        self.rates, self.vectors = 1 - values, vectors

    def suffice(self, time: float) -> bool:
        """Whether what they leave out is smaller than the error of a series."""
        return bool(np.exp(-time * self.rates[-1]) <= TOLERANCE)


def _all_modes(matrix: sp.csr_array, known: sp.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """All modes of a small matrix but those that are known, largest first."""
    full = matrix.toarray() - 2 * (known @ known.T).toarray()  # these go below all others
    values, vectors = np.linalg.eigh(full)
    order = np.argsort(-values)[: full.shape[0] - known.shape[1]]
    return values[order], vectors[:, order]


class SlowWalk:
    """The same as `GroupWalk` tells, from the slowest modes, times a factor e^{tλ}.

    λ is the slowest rate, and 0 where the graph has several components, isolated nodes among them.
    The stability is told as it is.
    """

    products = 0

    def __init__(self, modes: SlowModes, time: float) -> None:
        self._modes, self._whole = modes, modes.held.size == 1 and not modes.outside
        self.share, self.time = modes.share, time
        slowest = float(modes.rates[0]) if self._whole else 0.0
        self._left = np.exp(-time * (modes.rates - slowest))
        self._factor = float(np.exp(-time * slowest))
        self.noise = _SMALL

    @cached_property
    def _loads(self) -> np.ndarray:
        """diag(x) v_k e^{−tλ_k/2} for all modes."""
        return self._modes.root[:, None] * self._modes.vectors * np.sqrt(self._left)

    def between(self, groups: np.ndarray, progress: Progress = ignore) -> np.ndarray:
        """e^{tλ} Hᵀ [Π P(t) − π πᵀ] H, symmetric."""
        loads = np.asarray(membership(groups).T @ self._loads)
        held = np.bincount(groups, self.share)
        found = loads @ loads.T
        if not self._whole:
            inside = self._inside(groups)
            found += (inside @ sp.diags_array(1 / self._modes.held) @ inside.T).toarray()
            found -= np.outer(held, held)
        return found

    def towards(self, groups: np.ndarray, progress: Progress = ignore) -> tuple[np.ndarray, float]:
        """e^{tλ} [P(t) − 1 πᵀ] H as float32, and the stability of the groups."""
        loads = np.asarray(membership(groups).T @ self._loads)
        found = (self._loads @ loads.T) / self.share[:, None]
        if not self._whole:
            inside = (self._inside(groups) @ sp.diags_array(1 / self._modes.held)).toarray()
            found += inside[:, self._modes.pieces].T - np.bincount(groups, self.share)
        return found.astype(np.float32), self.stability(groups)

    def stability(self, groups: np.ndarray, progress: Progress = ignore) -> float:
        """r(t) of the groups."""
        found = float(np.square(membership(groups).T @ self._loads).sum()) * self._factor
        if self._whole:
            return found
        stayed = (self._inside(groups).power(2) @ sp.diags_array(1 / self._modes.held)).sum()
        return found + float(stayed - np.square(np.bincount(groups, self.share)).sum())

    def returns(self, random: np.random.Generator) -> np.ndarray:
        """e^{tλ} [P_ii(t) − π_i] for every node."""
        found = np.square(self._loads).sum(axis=1) / self.share
        if self._whole:
            return found
        return found + self.share * (1 / self._modes.held[self._modes.pieces] - 1)

    def _inside(self, groups: np.ndarray) -> sp.csr_array:
        """π of each group inside of each component."""
        weigh = membership(groups).T @ sp.diags_array(self.share)
        return sp.csr_array(weigh @ membership(self._modes.pieces))
