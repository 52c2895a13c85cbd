"""What curves do from t_min on: where they stand, how high they get, where they end.

Everything that is said or marked about a curve is read from this record, so that words, marks and
labels cannot disagree. A curve is looked at from t_min to the end of the time window, at the times
of the grid; where it ends as t → ∞ is known exactly and is no guess from the window.

Two levels belong to a curve and differ in a graph of several components: π, which it is
*compared with* (by default the stationary state over the whole graph), and the value where it
*ends*, the stationary state of its own component.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.gdr.result import GDRResult

SETTLED = 0.01  # of the height of what is looked at


@dataclass(frozen=True)
class Course:
    """One curve from t_min on. Every value of p is known to within `error` (proved).

    start       p(0)
    now         p(t_min)
    peak        the highest p from t_min to the end of the window
    peak_time   when that is, in relaxation times
    peak_index  the same as an index of the time grid
    last        p at the end of the window
    end         the limit of p as t → ∞
    compared    π
    t_min       in relaxation times
    window      end of the time window, in relaxation times
    """

    start: float
    now: float
    peak: float
    peak_time: float
    peak_index: int
    last: float
    end: float
    compared: float
    t_min: float
    window: float
    error: float

    @property
    def height(self) -> float:
        """How far the curve gets above π; negative where it stays below."""
        return self.peak - self.compared

    @property
    def overshoots(self) -> bool:
        """Whether it gets above π by more than the error."""
        return self.height > self.error

    @property
    def rises(self) -> bool:
        """Whether the peak lies above p(t_min) by more than the error of both."""
        return self.peak - self.now > 2 * self.error

    @property
    def falls(self) -> bool:
        """Whether the end lies below the peak by more than the error."""
        return self.peak - self.end > self.error

    @property
    def climbs_on(self) -> bool:
        """Whether the end lies above all that the window shows by more than the error."""
        return self.end - self.peak > self.error

    @property
    def returns(self) -> bool:
        """A true overshoot: it rises after t_min, gets above π, and ends below its peak."""
        return self.rises and self.overshoots and self.falls

    @property
    def ends_at_compared(self) -> bool:
        """Whether the curve ends at the value it is compared with."""
        return abs(self.end - self.compared) <= self.error

    @property
    def settled(self) -> bool:
        """Whether the window shows the end: from p(t_min) or the peak all but 1 % is done."""
        reach = max(abs(self.now - self.end), abs(self.peak - self.end))
        return abs(self.last - self.end) <= max(SETTLED * reach, 2 * self.error)


@dataclass(frozen=True, eq=False)
class Courses:
    """The courses of all classes at one node; entry k of each array is class k, as in `Course`."""

    start: np.ndarray
    now: np.ndarray
    peak: np.ndarray
    peak_index: np.ndarray
    last: np.ndarray
    end: np.ndarray
    compared: np.ndarray
    times: np.ndarray
    t_min_index: int
    error: float

    @property
    def peak_time(self) -> np.ndarray:
        """When each class is highest, in relaxation times."""
        return self.times[self.peak_index]

    @property
    def overshoot(self) -> np.ndarray:
        """Ω = max(0, peak − π)."""
        return np.maximum(self.peak - self.compared, 0)

    def of(self, k: int) -> Course:
        """The course of one class."""
        return Course(
            start=float(self.start[k]),
            now=float(self.now[k]),
            peak=float(self.peak[k]),
            peak_time=float(self.peak_time[k]),
            peak_index=int(self.peak_index[k]),
            last=float(self.last[k]),
            end=float(self.end[k]),
            compared=float(self.compared[k]),
            t_min=float(self.times[self.t_min_index]),
            window=float(self.times[-1]),
            error=self.error,
        )


def courses(result: GDRResult, node: int, t_min_index: int | None = None) -> Courses:
    """What every class does at one node from one t_min on, the chosen one by default."""
    first = result.resolve(t_min_index)
    curves = result.trajectories.values(np.array([node]))[:, 0].astype(np.float64)
    late = curves[first:]
    highest = late.max(axis=0)
    return Courses(
        start=result.start[node],
        now=curves[first],
        peak=highest,
        peak_index=first + (late >= highest - 2 * result.error_bound).argmax(axis=0),
        last=curves[-1],
        end=result.limit[node],
        compared=result.stationary[node],
        times=result.relative_times,
        t_min_index=first,
        error=float(result.error_bound),
    )


def peak_indices(curves: np.ndarray, error: float) -> np.ndarray:
    """For every t_min the index of the highest value from there on; curves has times first.

    Of heights that are equal to within the error of both the earliest counts, as in `courses`.
    """
    places = np.empty(curves.shape, dtype=np.int64)
    best, place = curves[-1].copy(), np.full(curves.shape[1:], len(curves) - 1)
    for i in range(len(curves) - 1, -1, -1):
        np.copyto(place, i, where=curves[i] >= best - 2 * error)
        np.maximum(best, curves[i], out=best)
        places[i] = place
    return places
