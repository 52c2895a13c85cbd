"""Curves beyond the time window, so that a chart can show where they settle.

The window is where t_min is chosen and overshoots are looked for; it may end long before the
slowest differences have gone. What comes after it is for looking at only: no label depends on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.diffusion import diffuse
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.gdr.course import SETTLED
from gdr_core.gdr.result import GDRResult
from gdr_core.laplacians import Laplacian
from gdr_core.progress import Progress, ignore

FAR = 8.0  # relaxation times, after which the slowest difference has shrunk to 0.03 %
TOLERANCE = 1e-4  # of what is drawn
_MOST_WORK = 2e9  # multiplications that a chart is worth: about two seconds
_AFTERWARDS = 4  # times drawn after the curves have settled


@dataclass(frozen=True, eq=False)
class Drawn:
    """Curves as they are drawn: the window, and what follows until they have settled.

    times     in relaxation times
    values    p(t), shape (times, nodes, classes)
    window    how many of the times belong to the window
    settled   whether all curves are within 1 % of the drawn height of where they end
    """

    times: np.ndarray
    values: np.ndarray
    window: int
    settled: bool


def _later_times(times: np.ndarray, unit: float) -> np.ndarray:
    """A grid that goes on where `times` ends, to FAR relaxation times, in steps as long in log t.

    Empty where the window reaches that far already.
    """
    last, far = times[-1], FAR * unit
    if not last < far * 0.999:
        return np.empty(0)
    ratio = max(last / times[-2], 1.02) if times[-2] > 0 else 1.1
    count = max(int(np.ceil(np.log(far / last) / np.log(ratio))), 2)
    return np.geomspace(last, far, count + 1)[1:]


def until_settled(laplacian: Laplacian, times: np.ndarray) -> np.ndarray:
    """A time grid with its continuation, for one impulse; without where that takes too long."""
    later = _later_times(times, _finite(laplacian.relaxation_time))
    if not later.size or multiplications(laplacian, 1, later[-1]) > _MOST_WORK:
        return times
    return np.concatenate([times, later])


def onward(
    laplacian: Laplacian, result: GDRResult, *, progress: Progress = ignore
) -> Trajectories | None:
    """All curves after the window; None where there is no need, or where it would take too long."""
    return onward_from(laplacian, result.start, result.times, progress=progress)


def onward_from(
    laplacian: Laplacian, start: np.ndarray, times: np.ndarray, *, progress: Progress = ignore
) -> Trajectories | None:
    """The same for what was diffused and the times of the window."""
    later = _later_times(times, _finite(laplacian.relaxation_time))
    if not later.size or multiplications(laplacian, start.shape[1], later[-1]) > _MOST_WORK:
        return None
    return diffuse(laplacian, start, later, tolerance=TOLERANCE, progress=progress)


def drawn(result: GDRResult, later: Trajectories | None, nodes: np.ndarray) -> Drawn:
    """The curves of some nodes, until all of them have settled or as far as they are known."""
    times, values = result.relative_times, result.trajectories.values(nodes)
    window = times.size
    if later is not None:
        times = np.concatenate([times, later.times / _unit(result)])
        values = np.concatenate([values, later.values(nodes).astype(np.float64)])
    span = float(np.ptp(values)) or 1.0
    away = np.abs(values - result.limit[nodes]).max(axis=(1, 2)) > SETTLED * span
    still = int(np.flatnonzero(away)[-1]) + 1 if away.any() else 0
    settled = still < times.size
    until = max(window, min(still + _AFTERWARDS, times.size))
    return Drawn(times[:until], values[:until], window, settled)


def _unit(result: GDRResult) -> float:
    return _finite(result.relaxation_time)


def _finite(relaxation_time: float) -> float:
    """Without edges nothing relaxes, and the unit is 1."""
    return relaxation_time if np.isfinite(relaxation_time) else 1.0


def multiplications(
    laplacian: Laplacian, columns: int, last: float, tolerance: float = TOLERANCE
) -> float:
    """Multiplications, roughly: the Chebyshev series needs √(2 z ln 1/ε) terms, z = tΛ/2."""
    terms = np.sqrt(last * laplacian.upper_bound * np.log(1 / tolerance)) + 20
    size = laplacian.weights.nnz + 2 * laplacian.nodes
    return float(terms * size * columns)
