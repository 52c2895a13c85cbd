"""The floor: how near the whole job comes to the time of its sparse products alone.

Run as `python -m gdr_tools.bench.floor NODES EDGES KIND`; prints one JSON object. Each size runs in
a process of its own, so that the peak memory is its own too.
"""

from __future__ import annotations

import json
import re
import resource
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from gdr_core.datasets.record import Split
from gdr_core.diffusion.recurrence import DoubledOperator
from gdr_core.gdr import reclassify
from gdr_core.laplacians import make_laplacian
from gdr_tools.bench.powerlaw import powerlaw_graph

CLASSES = 8
PER_CLASS = 100
_TIMED_PRODUCTS = 24


def measure(nodes: int, edges: int, kind: str, seed: int = 0) -> dict[str, Any]:
    """Seconds from adjacency and H to the accuracy curve, and of as many bare products."""
    adjacency = powerlaw_graph(nodes, edges, seed, directed=kind == "directed")
    labels, split = _random_labels(nodes, seed)
    prior = np.full((nodes, CLASSES), 1 / CLASSES)
    clock = perf_counter()
    laplacian = make_laplacian(kind, adjacency)
    result = reclassify(laplacian, prior, labels, split)
    total = perf_counter() - clock
    memory = _peak_memory()
    each = _seconds_per_product(DoubledOperator(laplacian), prior)
    products = result.trajectories.products * each
    return {
        "kind": kind,
        "nodes": nodes,
        "edges": edges,
        "classes": CLASSES,
        "times": int(result.times.size),
        "products": result.trajectories.products,
        "seconds": total,
        "stages": result.seconds,
        "product_seconds": products,
        "ratio": total / products,
        "peak_bytes": memory,
        "error_bound": result.error_bound,
    }


def _peak_memory() -> int:
    """Largest resident size of this process, in bytes.

    Linux counts what the parent held before this program was started into `ru_maxrss`; the
    high-water mark in /proc begins with the program.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        if found:
            return int(found[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _seconds_per_product(operator: DoubledOperator, block: np.ndarray) -> float:
    """Median seconds of one product with the operator, over a few."""
    laps = []
    for _ in range(_TIMED_PRODUCTS):
        clock = perf_counter()
        operator.apply(block)
        laps.append(perf_counter() - clock)
    return float(np.median(laps))


def _random_labels(nodes: int, seed: int) -> tuple[np.ndarray, Split]:
    """Random classes and a split: only the cost is of interest here."""
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, CLASSES, nodes)
    labels[:CLASSES] = np.arange(CLASSES)
    chosen = generator.permutation(np.arange(CLASSES, nodes))
    train = np.concatenate([np.arange(CLASSES), chosen[: CLASSES * (PER_CLASS - 1)]])
    rest = chosen[CLASSES * (PER_CLASS - 1) :]
    half = rest.size // 2
    return labels, Split(train, rest[:half], rest[half:], name="random")


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
