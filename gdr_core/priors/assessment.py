"""How good a classifier is, class by class, and whether its confidence can be believed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from gdr_core.datasets.record import UNKNOWN

BINS = 10
VERDICTS = ("wrong", "right", "not judged")


@dataclass(frozen=True, eq=False)
class Reliability:
    """Confidence against truth, in bins that hold equally many nodes.

    confidence   mean of the largest probability in each bin
    accuracy     share of the bin's nodes that are right
    nodes        number of nodes in each bin
    """

    confidence: np.ndarray
    accuracy: np.ndarray
    nodes: np.ndarray

    @property
    def error(self) -> float:
        """Expected calibration error: Σ_b (n_b / n) |accuracy_b − confidence_b|."""
        if not self.nodes.sum():
            return float("nan")
        return float(np.average(np.abs(self.accuracy - self.confidence), weights=self.nodes))

    @property
    def mean_confidence(self) -> float:
        """The largest probability, averaged over all nodes; NaN without any."""
        if not self.nodes.sum():
            return float("nan")
        return float(np.average(self.confidence, weights=self.nodes))


def _known_members(truth: np.ndarray, members: np.ndarray) -> np.ndarray:
    """The members whose class is known."""
    return members[truth[members] != UNKNOWN]


def confusion(
    truth: np.ndarray, predicted: np.ndarray, members: np.ndarray, classes: int
) -> np.ndarray:
    """C_ab: how many members of class a are predicted as class b."""
    known = _known_members(truth, members)
    pairs = truth[known] * classes + predicted[known]
    return np.bincount(pairs, minlength=classes**2).reshape(classes, classes)


def mistakes(matrix: np.ndarray) -> int:
    """Σ_{a≠b} C_ab: how many nodes are called what they are not."""
    return int(matrix.sum() - matrix.trace())


def verdicts(truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """For each node the number of its word in VERDICTS."""
    return np.select([truth == UNKNOWN, truth == predicted], [2, 1], 0)


def wrong_first(truth: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """All nodes: wrong ones first, then right ones, then those not judged; the surest lead."""
    codes = verdicts(truth, probabilities.argmax(axis=1))
    return np.lexsort((-probabilities.max(axis=1), codes))


def wrong_nearby(adjacency: sp.csr_array, truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """For every node the share of its neighbours that are wrong, of those whose class is known.

    NaN where no neighbour's class is known. A path of four nodes, of which the second is wrong and
    the last is not known:

    >>> path = sp.csr_array(np.eye(4, k=1) + np.eye(4, k=-1))
    >>> wrong_nearby(path, np.array([0, 0, 1, -1]), np.array([0, 1, 1, 0])).tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    links = (adjacency != 0).astype(np.float64)
    links = links - sp.diags_array(links.diagonal())  # a node is not its own neighbour
    known = truth != UNKNOWN
    judged = links @ known.astype(np.float64)
    return _shares(links @ (known & (predicted != truth)).astype(np.float64), judged)


def precision(matrix: np.ndarray) -> np.ndarray:
    """C_bb / Σ_a C_ab: of the nodes called b, the share that are. NaN where none is called so."""
    return _shares(matrix.diagonal(), matrix.sum(axis=0))


def recall(matrix: np.ndarray) -> np.ndarray:
    """C_aa / Σ_b C_ab: of the nodes that are a, the share called so. NaN for an empty class."""
    return _shares(matrix.diagonal(), matrix.sum(axis=1))


def reliability(
    truth: np.ndarray, probabilities: np.ndarray, members: np.ndarray, bins: int = BINS
) -> Reliability:
    """Confidence and accuracy of the members, in up to `bins` bins of equal numbers."""
    known = _known_members(truth, members)
    confidence = probabilities[known].max(axis=1)
    right = probabilities[known].argmax(axis=1) == truth[known]
    if not known.size:
        return Reliability(*(np.empty(0) for _ in range(3)))
    edges = np.percentile(confidence, np.linspace(0, 1, bins + 1) * 100)
    bin_of = np.searchsorted(edges[1:-1], confidence)
    nodes = np.bincount(bin_of, minlength=bins)
    filled = nodes > 0
    return Reliability(
        confidence=np.bincount(bin_of, confidence, bins)[filled] / nodes[filled],
        accuracy=np.bincount(bin_of, right, bins)[filled] / nodes[filled],
        nodes=nodes[filled],
    )


def confidences(
    truth: np.ndarray, probabilities: np.ndarray, members: np.ndarray, bins: int = 2 * BINS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Histogram of the largest probability: edges, and right and wrong nodes in each bin."""
    known = _known_members(truth, members)
    largest = probabilities[known].max(axis=1)
    right = probabilities[known].argmax(axis=1) == truth[known]
    edges = np.linspace(0, 1, bins + 1)
    return edges, np.histogram(largest[right], edges)[0], np.histogram(largest[~right], edges)[0]


def _shares(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
