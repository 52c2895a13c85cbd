"""Probabilities that mean what they say: one temperature, fitted on nodes whose class is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import log_softmax

from gdr_core.datasets.record import UNKNOWN

_SMALLEST = 1e-12  # a probability of zero would be a certainty that no temperature can mend
_WIDEST = 8.0  # |ln T|: a classifier that is a thousand times too sure or too modest
FEWEST = 20  # nodes: with fewer, T would be chance


@dataclass(frozen=True)
class Calibration:
    """q_iμ ∝ ((1 − ε) p_iμ + ε/classes)^{1/T}: the order stays, confidence becomes honest.

    temperature   T; above 1 the classifier was too sure, below 1 too modest; 1 where there were
                  too few nodes to tell
    loss          mean −log q of the true classes of the nodes that T was fitted on
    nodes         how many these were
    evenness      ε, the part that is shared out evenly first; 0 unless a choice of it was asked for
    """

    temperature: float
    loss: float
    nodes: int
    evenness: float = 0.0

    @property
    def enough(self) -> bool:
        """Whether there were nodes enough to fit T."""
        return self.nodes >= FEWEST

    def __call__(self, probabilities: np.ndarray) -> np.ndarray:
        """q for rows of probabilities."""
        mixed = _mixed(probabilities, self.evenness)
        return np.exp(log_softmax(_logs(mixed) / self.temperature, axis=1))


def calibrate(
    probabilities: np.ndarray,
    truth: np.ndarray,
    members: np.ndarray,
    evenness: Sequence[float] = (0.0,),
) -> Calibration:
    """The temperature with the lowest log-loss on the members whose class is known.

    The log-loss of a calibrated classifier judges how well it tells classes apart; it changes
    smoothly with a classifier's settings, where accuracy goes in steps of whole nodes.

    evenness   values of ε to choose from, by the same loss. Where a true class often has a
               probability of exactly 0, T alone would be fitted to those few nodes, and would make
               all others far too modest

    >>> import numpy as np
    >>> sure = np.tile([0.99, 0.01], (40, 1))
    >>> found = calibrate(sure, np.arange(40) % 4 // 3, np.arange(40))
    >>> found(sure[:1]).round(2)
    array([[0.75, 0.25]])
    """
    known = members[truth[members] != UNKNOWN]
    rows, labels = probabilities[known], truth[known]
    if known.size < FEWEST:
        loss = _loss(_logs(rows), labels, 0.0) if known.size else float("nan")
        return Calibration(1.0, loss, int(known.size))
    fits = (replace(_fitted(_mixed(rows, part), labels), evenness=part) for part in evenness)
    return min(fits, key=lambda fit: fit.loss)


def _fitted(rows: np.ndarray, labels: np.ndarray) -> Calibration:
    """T for rows of probabilities and their true classes."""
    from scipy.optimize import minimize_scalar  # here: it takes a while to import

    logs = _logs(rows)
    found = minimize_scalar(
        lambda bend: _loss(logs, labels, bend), bounds=(-_WIDEST, _WIDEST), method="bounded"
    )
    return Calibration(float(np.exp(found.x)), float(found.fun), int(labels.size))


def _mixed(rows: np.ndarray, evenness: float) -> np.ndarray:
    return (1 - evenness) * rows + evenness / rows.shape[1] if evenness else rows


def _loss(logs: np.ndarray, labels: np.ndarray, bend: float) -> float:
    """mean −log q with T = e^bend."""
    return float(-log_softmax(logs * np.exp(-bend), axis=1)[np.arange(labels.size), labels].mean())


def _logs(probabilities: np.ndarray) -> np.ndarray:
    return np.log(np.maximum(probabilities, _SMALLEST))
