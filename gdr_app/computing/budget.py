"""What a diffusion takes: of the server's memory, and how much it may; and about how long."""

from __future__ import annotations

from typing import Final

import scipy.sparse as sp

from gdr_core.datasets import Dataset
from gdr_core.gdr.onward import FAR, TOLERANCE, multiplications
from gdr_core.laplacians import Laplacian
from gdr_core.method import Method

_CURVES: Final = 40  # numbers kept for each node and class: modes of time, about as many at most
MOST: Final = 512 * 2**20  # bytes of one diffusion
# Seconds of one core, measured on graphs of 3,000 to 20,000 nodes, to a factor of two.
_PRODUCT: Final = 1e-9  # of a multiplication in a sparse product
_DECISION: Final = 7e-9  # of one class of one node at one time, in the scan
_SOURCE: Final = 4e-5  # of one node whose mass may lift another
_SETTLED, _FINE = 20.0, 1e-8  # of sources: relaxation times that are looked at, and tolerance
_SMOOTHINGS: Final = 300  # sparse products that smoothing by time and by depth takes, and …
_BLOCKS: Final = 150  # … beliefs of all nodes that it looks at
_LARGE: Final = 20_000  # nodes and stored edges, from which a relaxation time is not found at once


def diffusion_bytes(view: Method, nodes: int, classes: int) -> int:
    """About as many bytes as the diffusion of a view takes."""
    return _CURVES * nodes * classes * (4 if view.options.precision == "float32" else 8)


def check_diffusion(view: Method, dataset: Dataset) -> None:
    """Refuse a diffusion that takes more than a page may, before it begins."""
    needed = diffusion_bytes(view, dataset.nodes, dataset.classes)
    if needed > MOST:
        raise ValueError(
            f"{_too_much(dataset.nodes, dataset.classes, needed)}; on "
            "the command line there is no such limit (gdr classify)"
        )


def check_smoothing(nodes: int, classes: int) -> None:
    """The same for a diffusion whose numbers are never the short ones: of beliefs, for Structure,
    or with one class of a single impulse."""
    needed = _CURVES * nodes * classes * 8
    if needed > MOST:
        raise ValueError(_too_much(nodes, classes, needed))


def _too_much(nodes: int, classes: int, needed: int) -> str:
    among = f" and {classes:,} classes" if classes > 1 else ""
    return (
        f"{nodes:,} nodes{among} take about {needed / 1e9:.1f} GB, and a page of this server may "
        f"take {MOST / 1e9:.1f} GB"
    )


def is_large(adjacency: sp.csr_array) -> bool:
    """Whether it may take a tenth of a second or more to find the relaxation time of a graph."""
    return bool(adjacency.shape[0] + adjacency.nnz > _LARGE)


def diffusion_seconds(view: Method, laplacian: Laplacian, classes: int) -> float:
    """About as many seconds as the diffusion of a view and its scan take."""
    options = view.options
    last = float(options.times(laplacian)[-1])
    work = multiplications(laplacian, classes, last, options.tolerance)
    return _PRODUCT * work + _DECISION * options.count * laplacian.nodes * classes


def onward_seconds(laplacian: Laplacian, classes: int) -> float:
    """About as many seconds, at most, as the curves after the window take."""
    last = FAR * (laplacian.relaxation_time if laplacian.gap > 0 else 1.0)
    return _PRODUCT * multiplications(laplacian, classes, last, TOLERANCE)


def impulse_seconds(laplacian: Laplacian, last: float, tolerance: float) -> float:
    """About as many seconds as an impulse takes whose mass is followed at a few hundred nodes."""
    return 2 * _PRODUCT * multiplications(laplacian, 1, last, tolerance)


def sources_seconds(laplacian: Laplacian) -> float:
    """About as many seconds as it takes to find who lifts one node: far more where mass spreads
    slowly, as along a path."""
    last = _SETTLED * (laplacian.relaxation_time if laplacian.gap > 0 else 0.0)
    return _SOURCE * laplacian.nodes + impulse_seconds(laplacian, last, _FINE)


def smoothing_seconds(dataset: Dataset) -> float:
    """About as many seconds as smoothing by time and by depth takes."""
    size = dataset.adjacency.nnz + 3 * dataset.nodes
    work = _SMOOTHINGS * size * dataset.classes
    return _PRODUCT * work + _DECISION * _BLOCKS * dataset.nodes * dataset.classes
