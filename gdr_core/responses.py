"""What a delta impulse does to every node: who overshoots, who late, who only fills up.

Unit mass is put on a source i. As time goes on, p_j(t) = (e^{−tL})_{ji} of every other node of the
component goes to π_j. Near the source it first rises above π_j (it overshoots); far away it comes
up to π_j from below; some nodes overshoot, but long after the source's own neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gdr_core.diffusion import impulse
from gdr_core.laplacians import Laplacian
from gdr_core.neighbourhood import Neighbourhood, Sample
from gdr_core.progress import Progress, ignore

KINDS = ("source", "overshoots", "overshoots late", "from below")
SOURCE, EARLY, LATE, BELOW = range(len(KINDS))
LATE_FACTOR = 10.0


@dataclass(frozen=True, eq=False)
class Responses:
    """The curves of some nodes after an impulse at a source.

    nodes        node numbers in the whole graph
    distances    hops from the source
    times        the time grid, in the time of the Laplacian
    values       p_j(t), shape (times, nodes)
    stationary   π_j, the true limit within the component
    kinds        one of KINDS for each node, as its number
    late_from    overshoots that peak after this time count as late; infinity where none can
    error_bound  no value is off by more than this
    """

    nodes: np.ndarray
    distances: np.ndarray
    times: np.ndarray
    values: np.ndarray
    stationary: np.ndarray
    kinds: np.ndarray
    late_from: float
    error_bound: float

    @property
    def peaks(self) -> np.ndarray:
        """Index of the time at which each curve is highest."""
        return self.values.argmax(axis=0)

    @property
    def first_wave(self) -> int:
        """Index of the time at which the direct neighbours peak (their median); 0 without any."""
        if not np.isfinite(self.late_from):
            return 0
        return int(np.abs(self.times - self.late_from / LATE_FACTOR).argmin())

    def ratios(self) -> np.ndarray:
        """p_j(t)/π_j, shape (times, nodes): 1 is the stationary state for every node."""
        return self.values / self.stationary

    def of(self, nodes: np.ndarray) -> Responses:
        """The same for some of the nodes, in the given order."""
        place_of = {node: place for place, node in enumerate(self.nodes.tolist())}
        if missing := [node for node in nodes.tolist() if node not in place_of]:
            raise ValueError(f"{len(missing)} nodes were not followed, e.g. {missing[0]}")
        places = np.array([place_of[node] for node in nodes.tolist()], dtype=np.int64)
        return replace(
            self,
            nodes=self.nodes[places],
            distances=self.distances[places],
            values=self.values[:, places],
            stationary=self.stationary[places],
            kinds=self.kinds[places],
        )


def respond(
    laplacian: Laplacian,
    around: Neighbourhood,
    times: np.ndarray,
    *,
    beyond: Sample | None = None,
    tolerance: float = 1e-8,
    progress: Progress = ignore,
) -> Responses:
    """Put unit mass on the centre of a neighbourhood; follow its nodes and those of a sample."""
    nodes, distances = around.nodes, around.distances
    if beyond is not None:
        new = ~np.isin(beyond.nodes, nodes)
        nodes = np.concatenate([nodes, beyond.nodes[new]])
        distances = np.concatenate([distances, beyond.distances[new]])
    start = np.zeros((laplacian.nodes, 1))
    start[around.centre] = 1.0
    stationary = laplacian.stationary(start, "component")[nodes, 0]
    found = impulse(
        laplacian, around.centre, times, nodes=nodes, tolerance=tolerance, progress=progress
    )
    values = found.values()[:, :, 0].astype(np.float64)
    kinds, late_from = classify(values, stationary, times, distances, found.error_bound)
    return Responses(
        nodes=nodes,
        distances=distances,
        times=times,
        values=values,
        stationary=stationary,
        kinds=kinds,
        late_from=late_from,
        error_bound=found.error_bound,
    )


def classify(
    values: np.ndarray,
    stationary: np.ndarray,
    times: np.ndarray,
    distances: np.ndarray,
    error: float,
) -> tuple[np.ndarray, float]:
    """The kind of every node's response, and the time from which an overshoot counts as late.

    A node overshoots if p_j exceeds π_j by more than the error. It does so late if it peaks more
    than ten times later than the source's direct neighbours do (the median of those that
    overshoot). Otherwise p_j comes up from below.
    """
    overshoots = values.max(axis=0) - stationary > error
    peak_times = times[values.argmax(axis=0)]
    direct = peak_times[overshoots & (distances == 1)]
    late_from = LATE_FACTOR * float(np.median(direct)) if direct.size else np.inf
    kinds = np.where(overshoots, np.where(peak_times > late_from, LATE, EARLY), BELOW)
    kinds[distances == 0] = SOURCE
    return kinds, late_from
