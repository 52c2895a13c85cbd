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
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp
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


@dataclass(frozen=True, eq=False)
class Work:
    """The job on one graph, from adjacency and H to the accuracy curve."""

    kind: str
    adjacency: sp.csr_array
    prior: np.ndarray
    labels: np.ndarray
    split: Split

    @classmethod
    def of(cls, nodes: int, edges: int, kind: str, seed: int) -> Work:
        """On a graph drawn at random, with as many classes as all rows have."""
        adjacency = powerlaw_graph(nodes, edges, seed, directed=kind == "directed")
        prior = np.full((nodes, CLASSES), 1 / CLASSES)
        return cls(kind, adjacency, prior, *_random_labels(nodes, seed))

    def run(self, options: GDROptions) -> tuple[Lap, Laplacian, GDRResult]:
        """With all cores and the fastest products that are there; what comes of it may be large."""
        clock = perf_counter()
        laplacian = make_laplacian(self.kind, self.adjacency)
        result = reclassify(laplacian, self.prior, self.labels, self.split, options)
        lap = Lap(perf_counter() - clock, result.trajectories.products)
        return lap, laplacian, result

    def run_on_one_core(self, options: GDROptions) -> Lap:
        """With SciPy alone: what ours is compared with."""
        with using("scipy"), threadpool_limits(1):
            return self.run(options)[0]


@dataclass(frozen=True)
class Lap:
    """How long the job took once, and how many sparse products were in it."""

    seconds: float
    products: int


def measure(
    nodes: int, edges: int, kind: str, precision: str = "float64", seed: int = 0
) -> dict[str, Any]:
    """Seconds from adjacency and H to the accuracy curve, both ways, and of bare products."""
    work = Work.of(nodes, edges, kind, seed)
    options = GDROptions(precision=precision, tolerance=TOLERANCES[precision])
    first, laplacian, result = work.run(options)
    memory = peak_memory()
    each = _seconds_per_product(laplacian, work.prior, precision)
    repeats = next(count for most, count in _REPEATS.items() if nodes <= most)
    ours, theirs, alike = _in_turns(work, options, first.seconds, repeats)
    spent, baseline = median(ours), _median(theirs)
    return {
        "kind": kind,
        "precision": precision,
        "nodes": nodes,
        "edges": edges,
        "classes": CLASSES,
        "times": int(result.times.size),
        "threads": threads(),
        "tolerance": options.tolerance,
        "products": first.products,
        "seconds": spent,
        "laps": ours,
        "one_core": baseline,
        "one_core_laps": [lap.seconds for lap in theirs],
        "one_core_tolerance": GDROptions().tolerance,
        "one_core_products": theirs[-1].products,
        "speed": baseline / spent,
        "same_tolerance": _alike(alike, spent),
        "stages": result.seconds,
        "product_seconds": first.products * each,
        "ratio": spent / (first.products * each),
        "peak_bytes": memory,
        "error_bound": result.error_bound,
        **(compared(laplacian, result) if nodes <= COMPARED else {}),
    }


def _in_turns(
    work: Work, options: GDROptions, first: float, repeats: int
) -> tuple[list[float], list[Lap], list[Lap]]:
    """Our seconds, beginning with those of the first run; the baseline; and the baseline once more
    at our tolerance, where that is not its own."""
    plain = GDROptions()
    ours, theirs, alike = [first], [], []
    for turn in range(repeats):
        theirs.append(work.run_on_one_core(plain))
        if options.tolerance != plain.tolerance:
            alike.append(work.run_on_one_core(GDROptions(tolerance=options.tolerance)))
        if turn + 1 < repeats:
            ours.append(work.run(options)[0].seconds)
    return ours, theirs, alike


def _median(laps: list[Lap]) -> float:
    return median(lap.seconds for lap in laps)


def _alike(laps: list[Lap], ours: float) -> dict[str, Any] | None:
    """One core in float64 at our tolerance: what is left of the ratio when both take as few terms.

    None where the tolerance is the baseline's own.
    """
    if not laps:
        return None
    return {
        "one_core": _median(laps),
        "laps": [lap.seconds for lap in laps],
        "products": laps[-1].products,
        "speed": _median(laps) / ours,
    }


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
