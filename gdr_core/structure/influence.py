"""Who makes whom overshoot, when and by how much.

Unit mass on node i spreads as p_j(t | e_i) = (e^{−tL})_{ji}. If it lifts node j above its long-run
value π_j at some time, j is under the influence of i (the paper, and Arnaudon, Peach and Barahona
2020 on multiscale centrality); the time of the highest point says at which scale, its height how
strongly. Node i itself, which starts with all the mass, is left out.

With the eigenvectors u_k of S = diag(s) L diag(s)⁻¹,

    p_j(t | e_i) − π_j = (s_i / s_j) Σ_{λ_k > 0} u_k(i) u_k(j) e^{−λ_k t},

so small graphs are decided for all pairs from one decomposition. On large ones the sources of one
node are a row of e^{−tL}, which one diffusion gives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.diffusion.engine import UnprovableError
from gdr_core.diffusion.impulse import check_node, impulse
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore, part

LARGEST = 600  # nodes, up to which all pairs are computed
TIMES = 240
_TOLERANCE = 1e-9  # of the height: above rounding in some hundred terms
_LOOSEST = 1e-6  # of the mass, to which heights are known where no smaller error can be proved


class TooLongError(ValueError):
    """Mass spreads so slowly on a graph that heights cannot be told."""


@dataclass(frozen=True, eq=False)
class Influence:
    """For pairs of nodes: the height of the overshoot and the time of its peak.

    heights      entry [i, j]: how far mass from i lifts j above π_j, at most; 0 where it never does
                 on the times looked at
    peak_times   when, in the time of the Laplacian; NaN where there is no overshoot
    times        that were looked at
    """

    heights: np.ndarray
    peak_times: np.ndarray
    times: np.ndarray

    @property
    def overshoots(self) -> np.ndarray:
        """Whether j is under the influence of i."""
        return np.isfinite(self.peak_times)

    def centrality(self) -> np.ndarray:
        """For each node and time τ the share of the others that it has made peak by τ.

        Shape (nodes, times). It grows with τ from 0 to the share of nodes under its influence at
        any scale. This is a plain count of the paper's events, not the measure of Arnaudon et al.,
        which compares peak times along triangles.
        """
        others = max(self.heights.shape[1] - 1, 1)
        reached = np.array([(self.peak_times <= time).sum(axis=1) for time in self.times])
        return reached.T / others


def influence(laplacian: Laplacian, *, progress: Progress = ignore) -> Influence:
    """All pairs of a graph of up to a few hundred nodes.

    >>> import numpy as np
    >>> from gdr_core import make_laplacian
    >>> from gdr_core.structure.influence import influence
    >>> path = make_laplacian("combinatorial", np.eye(4, k=1) + np.eye(4, k=-1))
    >>> influence(path).overshoots.astype(int)
    array([[0, 1, 0, 0],
           [1, 0, 0, 0],
           [0, 0, 0, 1],
           [0, 0, 1, 0]])
    """
    if laplacian.nodes > LARGEST:
        raise ValueError(
            f"all pairs are computed for up to {LARGEST} nodes, this graph has {laplacian.nodes}: "
            "take the sources of one node"
        )
    rates, vectors = np.linalg.eigh(_symmetric(laplacian))
    moving = rates > 1e-10 * max(rates[-1], 1e-300)
    rates, vectors = rates[moving], vectors[:, moving]
    times = _times(rates)
    scale = laplacian.scaling
    best = np.full((laplacian.nodes, laplacian.nodes), -np.inf)
    when = np.zeros(best.shape)
    for k, time in enumerate(times):
        excess = (vectors * np.exp(-rates * time)) @ vectors.T
        excess *= scale[:, None] / scale
        higher = excess > best
        best[higher], when[higher] = excess[higher], time
        progress((k + 1) / times.size, "influence")
    return _found(best, when, times, np.arange(laplacian.nodes))


def sources_of(
    laplacian: Laplacian, node: int, *, times: int = TIMES, progress: Progress = ignore
) -> Influence:
    """Who makes one node overshoot: heights and peak times of shape (nodes, 1), on any graph.

    Row `node` of e^{−tL} for all times comes from one diffusion, since S is symmetric:
    (e^{−tL})_{ji} = s_i² (e^{−tL})_{ij} / s_j². Heights are known to 10⁻⁸ of the mass; where this
    cannot be proved since diffusion takes long, to as little as can be, and to 10⁻⁶ at least.
    """
    check_node(laplacian, node)
    if not laplacian.gap:
        grid = np.zeros(1)
    else:
        grid = np.geomspace(1e-3 / laplacian.upper_bound, 20 / laplacian.gap, times)
    spread = _spread(laplacian, node, grid, part(progress, 0.0, 0.5))
    share = laplacian.scaling**2 / laplacian.scaling[node] ** 2
    best, when = _highest(spread, share, _long_run(laplacian, node), part(progress, 0.5, 1.0))
    best[np.abs(best) <= 2 * spread.error_bound * share] = 0
    return _found(best[:, None], when[:, None], grid, np.array([node]))


def _spread(laplacian: Laplacian, node: int, times: np.ndarray, progress: Progress) -> Trajectories:
    """Unit mass let go on the node, with the smallest error that can be proved."""
    try:
        return impulse(laplacian, node, times, progress=progress)
    except UnprovableError as problem:
        if problem.least > _LOOSEST:
            raise TooLongError(
                "Mass spreads so slowly on this graph that heights cannot be told to a millionth "
                "of it: its relaxation time is too long. Try another Laplacian or a part of the "
                "graph."
            ) from problem
        return impulse(laplacian, node, times, tolerance=problem.least, progress=progress)


def _highest(
    spread: Trajectories, share: np.ndarray, ends: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """How far each row is above its end at most, and when: one time after another, so that the
    times take no more memory than the nodes do."""
    best, when = np.full(ends.size, -np.inf), np.zeros(ends.size)
    for k, time in enumerate(spread.times):
        excess = spread.at(k)[:, 0] * share - ends
        higher = excess > best
        best[higher], when[higher] = excess[higher], time
        progress((k + 1) / spread.times.size, "looking for the highest points")
    return best, when


def _long_run(laplacian: Laplacian, node: int) -> np.ndarray:
    """π at the node after an impulse at each other node: the limit of that row of e^{−tL}."""
    start = np.zeros((laplacian.nodes, 1))
    start[node] = 1.0
    square = laplacian.scaling**2
    return laplacian.stationary(start, "component")[:, 0] * square / square[node]


def _found(best: np.ndarray, when: np.ndarray, times: np.ndarray, nodes: np.ndarray) -> Influence:
    above = best > _TOLERANCE * np.maximum(best.max(initial=0.0), 1e-300)
    above[nodes, np.arange(nodes.size)] = False
    return Influence(np.where(above, best, 0.0), np.where(above, when, np.nan), times)


def _symmetric(laplacian: Laplacian) -> np.ndarray:
    matrix = laplacian.apply_symmetric(np.eye(laplacian.nodes))
    return (matrix + matrix.T) / 2


def _times(rates: np.ndarray) -> np.ndarray:
    """From well before the fastest mode to well after the slowest."""
    if not rates.size:
        return np.zeros(1)
    return np.geomspace(1e-3 / rates[-1], 20 / rates[0], TIMES)
