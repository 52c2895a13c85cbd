"""How high every class gets from t_min on: running maxima, excess over π, margins and peaks.

The rules of `rules` decide by these numbers in their own pass; everybody who tells of them later
(tiles, ledger, pictures, cards, lists, exports) reads them here, for one t_min or for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdr_core.diffusion.trajectories import Trajectories


@dataclass(frozen=True, eq=False)
class Outlook:
    """What lies ahead of every t_min of the grid; index i means t_min = times[i].

    trajectories  p_j(t)
    stationary    π, shape (nodes, classes)
    predicted     the label of each node for each t_min, shape (times, nodes)

    `highest` answers for one t_min. The others come from one pass that goes back from the end of
    time, made when the first of them is asked for: who moves t_min step by step writes no
    trajectory out again.
    """

    trajectories: Trajectories
    stationary: np.ndarray
    predicted: np.ndarray

    @cached_property
    def margins(self) -> np.ndarray:
        """How far the largest excess over π lies above the second, float32, (times, nodes)."""
        return self._pass[0]

    @cached_property
    def peaks(self) -> np.ndarray:
        """Index of the time at which the class of the node's label is highest, (times, nodes)."""
        return self._pass[1]

    @cached_property
    def last_overshoots(self) -> np.ndarray:
        """For each node the last index at which a class lies above π, −1 if none.

        It never overshoots for t_min = times[i] exactly if its last index is below i.
        """
        return self._pass[2]

    @property
    def nbytes(self) -> int:
        """Bytes held by what was computed so far."""
        return sum(array.nbytes for array in self.__dict__.get("_pass", ()))

    def highest(
        self, t_min_index: int, nodes: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """max_{t ≥ t_min} (p − π) and the index of the time of that maximum, (nodes, classes)."""
        if nodes is not None:
            late = self.trajectories.values(nodes)[t_min_index:]
            return late.max(axis=0) - self.stationary[nodes], t_min_index + late.argmax(axis=0)
        excess, places = np.empty(self.stationary.shape), np.empty(self.stationary.shape, np.int64)
        for rows, scores in self.trajectories.blocks():
            late = scores[t_min_index:]
            excess[rows] = late.max(axis=0).T - self.stationary[rows]
            places[rows] = t_min_index + late.argmax(axis=0).T
        return excess, places

    @cached_property
    def _pass(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Margins, peaks and last overshoots.

        With M(i) = max_{k ≥ i} p(t_k) one comparison a step is enough: M(i) = max(p(t_i), M(i+1)).
        """
        shape = self.predicted.shape
        margins = np.empty(shape, dtype=np.float32)
        peaks = np.empty(shape, dtype=np.int16 if shape[0] < 2**15 else np.int32)
        last = np.full(shape[1], -1)
        for rows, scores in self.trajectories.blocks():
            scores -= self.stationary[rows].T
            self._go_back(rows, scores, margins, peaks, last)
        return margins, peaks, last

    def _go_back(
        self,
        rows: slice,
        excess: np.ndarray,
        margins: np.ndarray,
        peaks: np.ndarray,
        last: np.ndarray,
    ) -> None:
        """Fill in one block of nodes; excess is p − π, shape (times, classes, nodes)."""
        every, ended = np.arange(excess.shape[2]), last[rows]
        highest, when = excess[-1].copy(), np.full(excess.shape[1:], excess.shape[0] - 1)
        for i in range(excess.shape[0] - 1, -1, -1):
            risen = excess[i] >= highest  # of equal heights the earliest counts
            np.copyto(highest, excess[i], where=risen)
            np.copyto(when, i, where=risen)
            margins[i, rows] = lead(highest)
            peaks[i, rows] = when[self.predicted[i, rows], every]
            over = (excess[i] > self.trajectories.error_bound).any(axis=0)
            ended[(ended < 0) & over] = i


def lead(heights: np.ndarray) -> np.ndarray:
    """How far the largest of each column lies above the second largest; itself if it is alone."""
    if len(heights) < 2:
        return heights[0]
    largest, second = np.maximum(heights[0], heights[1]), np.minimum(heights[0], heights[1])
    for height in heights[2:]:
        np.maximum(second, np.minimum(largest, height), out=second)
        np.maximum(largest, height, out=largest)
    return largest - second
