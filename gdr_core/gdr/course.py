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


class CoursesAlong:
    """The courses of all classes at one node for every t_min, found together in one pass."""

    def __init__(self, result: GDRResult, node: int) -> None:
        curves = result.trajectories.values(np.array([node]))[:, 0].astype(np.float64)
        self._curves, self._error = curves, float(result.error_bound)
        self._peaks, self._places = _running_peaks(curves), peak_indices(curves, self._error)
        self._start, self._end = result.start[node], result.limit[node]
        self._compared, self._times = result.stationary[node], result.relative_times

    def at(self, t_min_index: int) -> Courses:
        """What every class does from one t_min on."""
        return Courses(
            start=self._start,
            now=self._curves[t_min_index],
            peak=self._peaks[t_min_index],
            peak_index=self._places[t_min_index],
            last=self._curves[-1],
            end=self._end,
            compared=self._compared,
            times=self._times,
            t_min_index=t_min_index,
            error=self._error,
        )


def courses(result: GDRResult, node: int, t_min_index: int | None = None) -> Courses:
    """What every class does at one node from one t_min on, the chosen one by default."""
    return CoursesAlong(result, node).at(result.resolve(t_min_index))


def peak_indices(curves: np.ndarray, error: float) -> np.ndarray:
    """For every t_min the index of the highest value from there on; curves has times first.

    Of heights that are equal to within the error of both the earliest counts. A time that is as
    high as all that follow it is the peak for itself, and for all before it up to the last such
    time: so the peak is the first such time from t_min on.
    """
    places = np.arange(len(curves)).reshape(-1, *(1 for _ in curves.shape[1:]))
    highest = np.where(curves >= _running_peaks(curves) - 2 * error, places, len(curves))
    return np.minimum.accumulate(highest[::-1], axis=0)[::-1]


def _running_peaks(curves: np.ndarray) -> np.ndarray:
    """max_{t ≥ t_min} p(t) for every t_min."""
    return np.maximum.accumulate(curves[::-1], axis=0)[::-1]
