"""The floor: the whole job on large graphs, against the engine on one core with SciPy.

Run as `python -m gdr_tools.bench.floor NODES EDGES KIND PRECISION`; prints one JSON object. Each
row runs in a process of its own, so that the peak memory is its own too. Ours comes first, for the
sake of that peak; then the baseline and ours take turns.
"""

from __future__ import annotations

import json
import re
import resource
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from gdr_core.datasets.record import Split
from gdr_core.diffusion import diffuse
from gdr_core.diffusion.recurrence import steps_for
from gdr_core.gdr import GDROptions, GDRResult, reclassify
from gdr_core.laplacians import Laplacian, make_laplacian
from gdr_core.products import threads, using
from gdr_tools.bench.powerlaw import powerlaw_graph

CLASSES = 8
PER_CLASS = 100
TOLERANCES = {"float64": 1e-7, "float32": 5e-2}
COMPARED = 100_000  # nodes, up to which values are compared with a stricter run
_TIMED_PRODUCTS = 12
_REPEATS = {100_000: 3, 10_000_000: 1}  # up to so many nodes


def measure(
    nodes: int, edges: int, kind: str, precision: str = "float64", seed: int = 0
) -> dict[str, Any]:
    """Seconds from adjacency and H to the accuracy curve, both ways, and of bare products."""
    adjacency = powerlaw_graph(nodes, edges, seed, directed=kind == "directed")
    labels, split = _random_labels(nodes, seed)
    prior = np.full((nodes, CLASSES), 1 / CLASSES)
    options = GDROptions(precision=precision, tolerance=TOLERANCES[precision])

    def job(chosen: GDROptions) -> tuple[float, Laplacian, GDRResult]:
        clock = perf_counter()
        laplacian = make_laplacian(kind, adjacency)
        result = reclassify(laplacian, prior, labels, split, chosen)
        return perf_counter() - clock, laplacian, result

    def one_core(chosen: GDROptions) -> tuple[float, int]:
        with ExitStack() as stack:
            stack.enter_context(using("scipy"))
            stack.enter_context(threadpool_limits(1))
            spent, _, found = job(chosen)
        return spent, found.trajectories.products

    first, laplacian, result = job(options)
    memory = peak_memory()
    each = _seconds_per_product(laplacian, prior, precision)
    ours, theirs, alike = [first], [], []
    repeats = next(count for most, count in _REPEATS.items() if nodes <= most)
    for turn in range(repeats):
        theirs.append(one_core(GDROptions()))
        if options.tolerance != GDROptions().tolerance:
            alike.append(one_core(GDROptions(tolerance=options.tolerance)))
        if turn + 1 < repeats:
            ours.append(job(options)[0])
    products = result.trajectories.products * each
    baseline = median(spent for spent, _ in theirs)
    return {
        "kind": kind,
        "precision": precision,
        "nodes": nodes,
        "edges": edges,
        "classes": CLASSES,
        "times": int(result.times.size),
        "threads": threads(),
        "tolerance": options.tolerance,
        "products": result.trajectories.products,
        "seconds": median(ours),
        "laps": ours,
        "one_core": baseline,
        "one_core_laps": [spent for spent, _ in theirs],
        "one_core_tolerance": GDROptions().tolerance,
        "one_core_products": theirs[-1][1],
        "speed": baseline / median(ours),
        "same_tolerance": _alike(alike, median(ours)),
        "stages": result.seconds,
        "product_seconds": products,
        "ratio": median(ours) / products,
        "peak_bytes": memory,
        "error_bound": result.error_bound,
        **(compared(laplacian, result) if nodes <= COMPARED else {}),
    }


def _alike(runs: list[tuple[float, int]], ours: float) -> dict[str, Any] | None:
    """One core in float64 at our tolerance: what is left of the ratio when both take as few terms.

    None where the tolerance is the baseline's own.
    """
    if not runs:
        return None
    spent = median(seconds for seconds, _ in runs)
    laps = [seconds for seconds, _ in runs]
    return {"one_core": spent, "laps": laps, "products": runs[-1][1], "speed": spent / ours}


def compared(laplacian: Laplacian, result: GDRResult) -> dict[str, float]:
    """The largest difference from float64 at tolerance 1e-10, or the least that can be proved."""
    for tolerance in (1e-10, 1e-9, 1e-8):
        try:
            exact = diffuse(laplacian, result.start, result.times, tolerance=tolerance)
        except ValueError:
            continue
        rows = exact.spans()
        largest = max(
            float(np.abs(exact.block(one) - result.trajectories.block(one)).max()) for one in rows
        )
        return {"difference": largest, "reference_bound": exact.error_bound}
    return {}


def peak_memory() -> int:
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


def _seconds_per_product(laplacian: Laplacian, block: np.ndarray, precision: str) -> float:
    """Median seconds of one step of the recurrence, over a few."""
    steps, laps = steps_for(laplacian, block.shape[1], precision), []
    for _ in range(_TIMED_PRODUCTS):
        clock = perf_counter()
        steps.apply(block)
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
    print(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4])))
