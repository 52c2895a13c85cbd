"""What a delta impulse does to every node: who overshoots, who late, and who never.

Unit mass is put on a source i. As time goes on, p_j(t) = (e^{−tL})_{ji} of every other node of the
component goes to π_j. Near the source it often rises above π_j first (it overshoots); other nodes
rise to π_j and never pass it; some overshoot, but long after the source's own neighbours.

"Never" is a statement about all times. In components of up to 400 nodes it is proved with the
eigenvectors (`diffusion.exact`). In larger ones curves are known at the times of a grid only, and
what is said is that a node does not overshoot before the last of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gdr_core.diffusion import exact, impulse
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.explanation.quantities import shown
from gdr_core.graphs.neighbourhood import Neighbourhood, Sample
from gdr_core.laplacians import Laplacian
from gdr_core.progress import Progress, ignore

KINDS = ("source", "overshoots", "overshoots late", "never overshoots", "not by then")
SOURCE, EARLY, LATE, NEVER, UNSEEN = range(len(KINDS))
_LATE_FACTOR = 10.0


@dataclass(frozen=True, eq=False)
class Responses:
    """The curves of some nodes after an impulse at a source.

    nodes        node numbers in the whole graph
    distances    hops from the source
    times        the time grid, in the time of the Laplacian
    values       p_j(t), shape (times, nodes)
    stationary   π_j, the true limit within the component
    peak_times   when each curve is highest, in the time of the Laplacian; of all times where these
                 are decided, else of the grid
    heights      p_j − π_j there; what is not above the error counts as no overshoot
    kinds        one of KINDS for each node, as its number
    late_from    overshoots that peak after this time count as late; infinity where none can
    error_bound  no value is off by more than this
    proved       whether kinds hold for all times rather than for those of the grid
    unit         one relaxation time, in the time of the Laplacian
    """

    nodes: np.ndarray
    distances: np.ndarray
    times: np.ndarray
    values: np.ndarray
    stationary: np.ndarray
    peak_times: np.ndarray
    heights: np.ndarray
    kinds: np.ndarray
    late_from: float
    error_bound: float
    proved: bool
    unit: float

    @property
    def relative_times(self) -> np.ndarray:
        """The time grid in relaxation times."""
        return self.times / self.unit

    @property
    def names(self) -> tuple[str, ...]:
        """KINDS with the time, in relaxation times, before which a node does not overshoot."""
        return (*KINDS[:UNSEEN], f"not before t = {shown(float(self.relative_times[-1]))}")

    @property
    def overshoots(self) -> np.ndarray:
        """Mask of the nodes that overshoot; the source, which starts with all mass, is one."""
        return np.isin(self.kinds, (SOURCE, EARLY, LATE))

    @property
    def first_wave(self) -> int:
        """Index of the time at which the direct neighbours peak (their median); 0 without any."""
        if not np.isfinite(self.late_from):
            return 0
        return int(np.abs(self.times - self.late_from / _LATE_FACTOR).argmin())

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
            peak_times=self.peak_times[places],
            heights=self.heights[places],
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
    highest = _highest(laplacian, around.centre, nodes, values, stationary, found)
    kinds, late_from = classify(highest, distances)
    return Responses(
        nodes=nodes,
        distances=distances,
        times=times,
        values=values,
        stationary=stationary,
        peak_times=highest.peak_time,
        heights=highest.height,
        kinds=kinds,
        late_from=late_from,
        error_bound=found.error_bound,
        proved=_is_small(laplacian, around.centre),
        unit=laplacian.relaxation_time if np.isfinite(laplacian.relaxation_time) else 1.0,
    )


def classify(highest: exact.Ever, distances: np.ndarray) -> tuple[np.ndarray, float]:
    """The kind of every node's response, and the time from which an overshoot counts as late.

    An overshoot is late if it peaks more than ten times later than the source's direct neighbours
    do (the median of those that overshoot).
    """
    direct = highest.peak_time[highest.overshoots & (distances == 1)]
    late_from = _LATE_FACTOR * float(np.median(direct)) if direct.size else np.inf
    kinds = np.select(
        [highest.overshoots & (highest.peak_time > late_from), highest.overshoots, highest.never],
        [LATE, EARLY, NEVER],
        UNSEEN,
    )
    kinds[distances == 0] = SOURCE
    return kinds, late_from


def overshooting_sources(laplacian: Laplacian) -> np.ndarray:
    """For every node as the source, how many other nodes overshoot; for small graphs only."""
    return np.array([_count_overshoots(laplacian, node) for node in range(laplacian.nodes)])


def _count_overshoots(laplacian: Laplacian, source: int) -> int:
    others = np.flatnonzero(laplacian.components == laplacian.components[source])
    others = others[others != source]
    return int(exact.ever(exact.modes(laplacian, source, others)).overshoots.sum())


def _is_small(laplacian: Laplacian, source: int) -> bool:
    inside = laplacian.components == laplacian.components[source]
    return int(inside.sum()) <= exact.LARGEST


def _highest(
    laplacian: Laplacian,
    source: int,
    nodes: np.ndarray,
    values: np.ndarray,
    stationary: np.ndarray,
    found: Trajectories,
) -> exact.Ever:
    """How high every curve gets: over all times in small graphs, else over those of the grid."""
    if _is_small(laplacian, source):
        return exact.ever(exact.modes(laplacian, source, nodes))
    height = values.max(axis=0) - stationary
    return exact.Ever(
        overshoots=height > found.error_bound,
        never=np.zeros(nodes.size, dtype=bool),
        peak_time=found.times[values.argmax(axis=0)],
        height=height,
    )
