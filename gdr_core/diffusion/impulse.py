"""Single columns and rows of the heat kernel: where mass goes, and where it came from."""

from __future__ import annotations

import numpy as np

from gdr_core import gate
from gdr_core.diffusion.engine import diffuse
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.laplacians.operator import Laplacian
from gdr_core.progress import Progress, ignore


def impulse(
    laplacian: Laplacian,
    source: int,
    times: np.ndarray,
    *,
    nodes: np.ndarray | None = None,
    tolerance: float = 1e-8,
    progress: Progress = ignore,
) -> Trajectories:
    """(e^{−tL})_{j, source} for all j: unit mass put on one node and let go."""
    place = check_node(laplacian, source)
    start = np.zeros((laplacian.nodes, 1))
    start[place, 0] = 1.0
    return diffuse(laplacian, start, times, nodes=nodes, tolerance=tolerance, progress=progress)


def kernel_row(
    laplacian: Laplacian,
    target: int,
    time: float,
    *,
    tolerance: float = 1e-8,
    progress: Progress = ignore,
) -> np.ndarray:
    """(e^{−tL})_{target, i} for all i: how much of each node's start is at the target at time t.

    S is symmetric, so a row of e^{−tS} is a column; the similarity turns it into a row of e^{−tL}:
    (e^{−tL})_{ji} = s_i (e^{−tS})_{ij} / s_j = s_i² (e^{−tL})_{ij} / s_j².
    """
    target = check_node(laplacian, target)
    times = np.array([gate.finite(time, "time", 0)])
    column = impulse(laplacian, target, times, tolerance=tolerance, progress=progress)
    scale = laplacian.scaling**2
    return column.at(0)[:, 0] * scale / scale[target]


def check_node(laplacian: Laplacian, node: int) -> int:
    """A node number within the graph."""
    gate.check_record(laplacian, "laplacian", Laplacian)
    number = gate.whole(node, "node")
    if not 0 <= number < laplacian.nodes:
        raise ValueError(f"node must lie between 0 and {laplacian.nodes - 1}, got {number}")
    return number
