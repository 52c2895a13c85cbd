"""Why a node got its label: which nodes its winning class came from.

A node's score is a sum over sources, p_j(t) = Σ_i (e^{−tL})_{ji} 𝓗_i, so row j of the kernel at the
peak time splits the score into shares of single nodes that add up to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdr_core import gate
from gdr_core.diffusion.impulse import check_node, kernel_row
from gdr_core.gdr.result import GDRResult
from gdr_core.laplacians import Laplacian
from gdr_core.progress import Progress, ignore


@dataclass(frozen=True, eq=False)
class Explanation:
    """Where the score of one node and class comes from.

    time             when the class peaks at this node, from t_min on, or the time asked for
    contributions    what every node of the graph adds to the score; they sum to `score`
    score            p_j at that time
    stationary       π_j, what the score will fall back to
    training         mask of the sources whose label was given

    >>> import numpy as np
    >>> from gdr_core.explanation.contributions import Explanation
    >>> found = Explanation(0, 1, 0.5, np.array([0.125, 0.375]), 0.25, np.array([False, True]))
    >>> found.score, found.overshoot, found.largest(1).tolist(), found.shares().tolist()
    (0.5, 0.25, [1], [0.25, 0.75])
    """

    node: int
    label: int
    time: float
    contributions: np.ndarray
    stationary: float
    training: np.ndarray

    @property
    def score(self) -> float:
        """p_j(time) = Σ_i contributions_i."""
        return float(self.contributions.sum())

    @property
    def overshoot(self) -> float:
        """p_j − π_j at the peak."""
        return self.score - self.stationary

    def shares(self) -> np.ndarray:
        """Contributions as shares of the score; zeros where the score is zero."""
        return self.contributions / self.score if self.score else np.zeros_like(self.contributions)

    def largest(self, count: int = 10) -> np.ndarray:
        """The nodes that contributed most, largest first."""
        order = np.argsort(-self.contributions, kind="stable")[:count]
        return order[self.contributions[order] > 0]


def explain(
    laplacian: Laplacian,
    result: GDRResult,
    node: int,
    label: int | None = None,
    t_min_index: int | None = None,
    *,
    time: float | None = None,
    tolerance: float = 1e-9,
    progress: Progress = ignore,
) -> Explanation:
    """Split the score of one node and class into what each node of the graph contributed.

    label        the class; by default the one the node has after reclassification
    t_min_index  which t_min of the result's grid; by default the chosen one
    time         when, in the time of the Laplacian; by default at the peak from t_min on

    The label of member 10 of the karate club comes from itself and from members 4 and 5:

    >>> from gdr_core import compute_prior, load_dataset, make_laplacian, reclassify
    >>> from gdr_core.explanation.contributions import explain
    >>> club = load_dataset("karate")
    >>> laplacian = make_laplacian("combinatorial", club.adjacency)
    >>> result = reclassify(laplacian, compute_prior("uniform", club), club.labels, club.split)
    >>> explain(laplacian, result, 10).largest(3).tolist()
    [10, 4, 5]
    """
    node = check_node(laplacian, node)
    gate.check_record(result, "result", GDRResult)
    if result.truth.size != laplacian.nodes:
        raise ValueError(
            f"the result is about {result.truth.size} nodes, the Laplacian about {laplacian.nodes}"
        )
    given = result.predictions(t_min_index)[node] if label is None else label
    label = gate.whole(given, "class")
    classes = result.start.shape[1]
    if not 0 <= label < classes:
        raise ValueError(f"class must lie between 0 and {classes - 1}, got {label}")
    if time is None:
        time = float(result.peak_times(t_min_index, np.array([node]))[0, label])
    row = kernel_row(laplacian, node, time, tolerance=tolerance, progress=progress)
    training = np.zeros(laplacian.nodes, dtype=bool)
    training[result.split.train] = True
    return Explanation(
        node=int(node),
        label=label,
        time=time,
        contributions=row * result.start[:, label],
        stationary=float(result.stationary[node, label]),
        training=training,
    )


def label_changes(result: GDRResult, node: int) -> list[tuple[float, int]]:
    """The history of a node's label along t_min: (t_min from which it holds, label)."""
    labels = result.scan.predicted[:, node]
    starts = np.concatenate([[0], np.flatnonzero(labels[1:] != labels[:-1]) + 1])
    return [(float(result.times[i]), int(labels[i])) for i in starts]
