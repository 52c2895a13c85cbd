"""What a figure offers to expressions: exact numbers of a sketch, by dense arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from gdr_core.laplacians import Laplacian
from gdr_core.lessons.expressions import ExpressionError
from gdr_core.sketches import Sketch

_OFFERED = (
    *("p", "pi", "peak", "peak_time", "overshoot", "rises", "label"),
    *("energy", "rate", "relaxation", "degree"),
)
_TIMES = 600  # points of the grid on which peaks are looked for, before they are made exact


class SketchFacts:
    """p(t), π, peaks and overshoots of a sketch.

    p(node, t, class)             belief at a time; the class is 1 if it is left out
    pi(node, class)               where it is compared with: the mean over the graph
    peak(node, class)             the highest p of all times t ≥ 0, and peak_time when that is
    overshoot(node, t_min, class) how far p gets above π from t_min on, 0 if it does not
    rises(node, class)            1 if p starts at π or below and rises above it later, else 0
    label(node, t_min)            the class of the largest overshoot, 0 if none
    energy(t)                     Dirichlet energy: Σ over edges of w (p_i − p_j)², all classes
    rate(), relaxation()          λ₂ and 1/λ₂
    degree(node)                  sum of the weights of its edges

    >>> from gdr_core.sketches import GALLERY
    >>> facts = SketchFacts(GALLERY["pair"].sketch)
    >>> round(facts.p("b", 0.5), 6), facts.rate()
    (0.31606, 2.0)
    """

    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch

    @cached_property
    def functions(self) -> dict[str, Callable[..., float]]:
        """By name, for expressions."""
        return {name: getattr(self, name) for name in _OFFERED}

    def p(self, node: object, time: float, number: float = 1) -> float:
        """p_j(t) of a class."""
        return float(self._at(float(time))[self._place(node), self._class(number)])

    def pi(self, node: object, number: float = 1) -> float:
        """π_j of a class."""
        return float(self._stationary[self._place(node), self._class(number)])

    def peak(self, node: object, number: float = 1) -> float:
        """The highest belief."""
        return self._summit(node, 0.0, number)[0]

    def peak_time(self, node: object, number: float = 1) -> float:
        """When the belief is highest; 0 where it only falls."""
        return self._summit(node, 0.0, number)[1]

    def overshoot(self, node: object, t_min: float = 0.0, number: float = 1) -> float:
        """Ω from t_min on."""
        return max(self._summit(node, float(t_min), number)[0] - self.pi(node, number), 0.0)

    def rises(self, node: object, number: float = 1) -> float:
        """Whether the belief rises above π, having started at π or below."""
        start = self.p(node, 0.0, number) <= self.pi(node, number) + 1e-12
        return float(start and self.overshoot(node, 0.0, number) > 1e-9)

    def label(self, node: object, t_min: float = 0.0) -> float:
        """The number of the class that overshoots most."""
        heights = [self.overshoot(node, t_min, k + 1) for k in range(self.sketch.classes)]
        return float(np.argmax(heights) + 1) if max(heights) > 1e-9 else 0.0

    def energy(self, time: float) -> float:
        """How rough the beliefs are at a time."""
        weights = np.maximum(self.sketch.adjacency, self.sketch.adjacency.T)
        now = self._at(float(time))
        apart = ((now[:, None, :] - now[None, :, :]) ** 2).sum(axis=2)
        return float((weights * apart).sum() / 2)

    def rate(self) -> float:
        """λ₂."""
        return round(float(self._operator.gap), 12)

    def relaxation(self) -> float:
        """1/λ₂."""
        return 1 / self.rate()

    def degree(self, node: object) -> float:
        """The sum of the weights of a node's edges."""
        matrix = np.maximum(self.sketch.adjacency, self.sketch.adjacency.T)
        return float(matrix[self._place(node)].sum())

    @cached_property
    def _operator(self) -> Laplacian:
        return self.sketch.operator()

    @cached_property
    def _modes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """λ, Φ and c with p(t) = Φ e^{−tλ} c, one column of Φ and one row of c for each λ.

        L = diag(s)⁻¹ S diag(s) with S symmetric, so S = U diag(λ) Uᵀ, Φ = diag(s)⁻¹ U and
        c = Uᵀ diag(s) H; no λ is negative.
        """
        scaling = self._operator.scaling[:, None]
        rates, vectors = np.linalg.eigh(self._operator.apply_symmetric(np.eye(scaling.size)))
        return np.maximum(rates, 0.0), vectors / scaling, vectors.T @ (scaling * self._start)

    @cached_property
    def _start(self) -> np.ndarray:
        return np.array(self.sketch.beliefs, dtype=np.float64)

    @cached_property
    def _stationary(self) -> np.ndarray:
        return self._operator.stationary(self._start)

    def _at(self, time: float) -> np.ndarray:
        if not 0 <= time < 1e6:
            raise ExpressionError(f"{time:g} is not a time from 0 on.")
        if time == 0:
            return self._start
        rates, shapes, shares = self._modes
        return (shapes * np.exp(-time * rates)) @ shares

    @cached_property
    def _grid(self) -> tuple[np.ndarray, np.ndarray]:
        """Times, and p at all of them, shape (times, nodes, classes)."""
        last = 12 / max(self.rate(), 1e-9)
        times = np.concatenate([[0.0], np.geomspace(last * 1e-6, last, _TIMES)])
        return times, np.stack([self._at(float(time)) for time in times])

    def _summit(self, node: object, start: float, number: float) -> tuple[float, float]:
        """The highest belief from a time on, and when that is."""
        from scipy.optimize import minimize_scalar

        times, values = self._grid
        curve = values[:, self._place(node), self._class(number)]
        if start >= times[-1]:
            return self.p(node, start, number), start
        kept = np.flatnonzero(times > start)
        best = int(kept[curve[kept].argmax()])
        low = max(start, float(times[max(best - 1, 0)]))
        high = float(times[min(best + 1, times.size - 1)])
        found = minimize_scalar(
            lambda time: -self.p(node, time, number), bounds=(low, high), method="bounded"
        )
        ends = [(self.p(node, start, number), start), (float(curve[best]), float(times[best]))]
        return max([*ends, (-float(found.fun), float(found.x))])

    def _place(self, node: object) -> int:
        name = f"{node:g}" if isinstance(node, int | float) else str(node)
        if name not in self.sketch.names:
            known = ", ".join(self.sketch.names)
            raise ExpressionError(f"The figure has no node “{name[:20]}”; it has {known}.")
        return self.sketch.names.index(name)

    def _class(self, number: float) -> int:
        if number not in range(1, self.sketch.classes + 1):
            raise ExpressionError(
                f"The figure has no class {number}: it has {self.sketch.classes}."
            )
        return int(number) - 1
