"""The numbers of one node, class by class: where it starts, how high it gets, where it ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.gdr.result import GDRResult


@dataclass(frozen=True, eq=False)
class Reading:
    """One entry for each class.

    start        p(0), which is 𝓗
    now          p(t_min)
    peak         max_{t ≥ t_min} p
    peak_time    when that is, in relaxation times
    stationary   π
    overshoot    Ω = max(0, peak − π)
    """

    start: np.ndarray
    now: np.ndarray
    peak: np.ndarray
    peak_time: np.ndarray
    stationary: np.ndarray
    overshoot: np.ndarray


def read(result: GDRResult, node: int, index: int | None = None) -> Reading:
    """The numbers of one node for one t_min, the chosen one by default."""
    first = result.resolve(index)
    curves = result.trajectories.values(np.array([node]))[:, 0]
    late = curves[first:]
    peak = late.max(axis=0)
    return Reading(
        start=result.start[node],
        now=curves[first],
        peak=peak,
        peak_time=result.relative_times[first + late.argmax(axis=0)],
        stationary=result.stationary[node],
        overshoot=np.maximum(peak - result.stationary[node], 0),
    )
