"""What lies ahead of every t_min, node by node, from one pass over the trajectories.

`GDRResult` answers for one t_min at a time, and each answer writes trajectories out. Who moves
t_min step by step, as a slider does, asks once for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core.gdr.result import GDRResult


@dataclass(frozen=True, eq=False)
class Outlook:
    """From each t_min on; index i means t_min = times[i], as in `GDRResult`.

    margins          how far the largest excess over π lies above the second largest, in single
                     precision, shape (times, nodes)
    peaks            index of the time at which the class of the node's label is highest, shape
                     (times, nodes)
    last_overshoots  for each node the last index at which a class lies above π, −1 if none: it
                     never overshoots for t_min = times[i] exactly if its last index is below i
    """

    margins: np.ndarray
    peaks: np.ndarray
    last_overshoots: np.ndarray

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.margins.nbytes + self.peaks.nbytes + self.last_overshoots.nbytes


def look_ahead(result: GDRResult) -> Outlook:
    """Margins, peaks and last overshoots for every t_min, going back from the end of time.

    With M(i) = max_{k ≥ i} p(t_k) the pass needs one comparison a step: M(i) = max(p(t_i), M(i+1)).
    """
    shape = result.scan.labels.shape
    found = Outlook(
        margins=np.empty(shape, dtype=np.float32),
        peaks=np.empty(shape, dtype=np.int16 if shape[0] < 2**15 else np.int32),
        last_overshoots=np.full(shape[1], -1),
    )
    for rows, scores in result.trajectories.blocks():
        scores -= result.stationary[rows].T
        _go_back(result, rows, scores, found)
    return found


def _go_back(result: GDRResult, rows: slice, excess: np.ndarray, found: Outlook) -> None:
    """Fill in one block of nodes; excess is p − π, shape (times, classes, nodes)."""
    every = np.arange(excess.shape[2])
    last = found.last_overshoots[rows]
    highest, when = excess[-1].copy(), np.full(excess.shape[1:], excess.shape[0] - 1)
    for i in range(excess.shape[0] - 1, -1, -1):
        risen = excess[i] >= highest  # of equal heights the earliest counts
        np.copyto(highest, excess[i], where=risen)
        np.copyto(when, i, where=risen)
        found.margins[i, rows] = _lead(highest)
        found.peaks[i, rows] = when[result.scan.labels[i, rows], every]
        last[(last < 0) & (excess[i] > result.error_bound).any(axis=0)] = i


def _lead(heights: np.ndarray) -> np.ndarray:
    """How far the largest of each column lies above the second largest."""
    if len(heights) < 2:
        return heights[0]
    largest, second = np.maximum(heights[0], heights[1]), np.minimum(heights[0], heights[1])
    for height in heights[2:]:
        np.maximum(second, np.minimum(largest, height), out=second)
        np.maximum(largest, height, out=largest)
    return largest - second
