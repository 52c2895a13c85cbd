"""Benchmark of the engine: whole job, same grid, floor. Ratios to baselines of the same run.

Everything, the baselines included, runs on one core: linear algebra on several threads would help
only one side, and measures the load of the machine as much as the program.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import scipy
from threadpoolctl import threadpool_limits

from gdr_core.datasets import Dataset, available, load_dataset
from gdr_core.diffusion import diffuse, linear
from gdr_core.gdr import initial_condition, reclassify
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
from gdr_core.progress import Progress, ignore
from gdr_tools.bench import recipe

DATASETS = ("cora", "citeseer", "pubmed", "wikipedia")
SIZES = ((10_000, 100_000), (100_000, 1_000_000), (1_000_000, 10_000_000))
KINDS = ("combinatorial", "directed")
REPEATS = 5
_GRID_TOLERANCE = 1e-7


def run(quick: bool = False, progress: Progress = ignore) -> dict[str, Any]:
    """All measurements as plain numbers; `quick` takes Cora only and leaves the floor out."""
    with threadpool_limits(1):
        return measure(quick, progress)


def measure(quick: bool, progress: Progress) -> dict[str, Any]:
    """What `run` does, on as many threads as it is given."""
    names = [name for name in DATASETS[: 1 if quick else None] if available(name)]
    steps = len(names) + (0 if quick else len(SIZES) * len(KINDS))
    result: dict[str, Any] = {"versions": versions(), "datasets": {}, "floor": []}
    result["missing"] = [name for name in DATASETS if not quick and name not in names]
    for i, name in enumerate(names):
        progress(i / steps, f"{name}: the recipe, then ours")
        result["datasets"][name] = compare(load_dataset(name))
    if not quick:
        jobs = [(size, kind) for kind in KINDS for size in SIZES]
        for i, ((nodes, edges), kind) in enumerate(jobs):
            progress((len(names) + i) / steps, f"floor: {nodes:,} nodes, {kind}")
            result["floor"].append(floor(nodes, edges, kind))
    progress(1.0, "done")
    return result


def compare(dataset: Dataset) -> dict[str, Any]:
    """Both comparisons on one dataset: the recipe runs once, ours is the median of five runs."""
    prior = compute_prior("projection", dataset, cache=False)
    start = initial_condition(prior, dataset.labels, dataset.split)
    reclassify(
        make_laplacian("combinatorial", dataset.adjacency), start, dataset.labels, dataset.split
    )
    theirs = recipe.run(dataset, start)
    trajectories = theirs.pop("trajectories")
    totals, chosen = [], None
    for _ in range(REPEATS):
        clock = perf_counter()
        laplacian = make_laplacian("combinatorial", dataset.adjacency)
        chosen = reclassify(laplacian, start, dataset.labels, dataset.split)
        totals.append(perf_counter() - clock)
    assert chosen is not None
    ours = {
        "total": median(totals),
        **chosen.seconds,
        "test_accuracy": float(chosen.accuracy["test"][chosen.chosen]),
    }
    same = same_grid(dataset, start, theirs["stop"], trajectories)
    return {
        "recipe": theirs,
        "ours": ours,
        "ratio": theirs["total"] / ours["total"],
        "same_grid": {**same, "ratio": theirs["exponentials"] / same["seconds"]},
    }


def same_grid(
    dataset: Dataset, start: np.ndarray, stop: float, reference: np.ndarray
) -> dict[str, float]:
    """Our engine on the recipe's own 1,000 times, every value written out."""
    times = linear(stop, recipe.TIMES)
    laps = []
    for _ in range(3):
        clock = perf_counter()
        laplacian = make_laplacian("combinatorial", dataset.adjacency)
        record = diffuse(laplacian, start, times, tolerance=_GRID_TOLERANCE)
        values = record.values()
        laps.append(perf_counter() - clock)
    largest = max(float(np.abs(values[i] - reference[i]).max()) for i in range(times.size))
    return {
        "seconds": median(laps),
        "largest_difference": largest,
        "error_bound": record.error_bound,
        "products": record.products,
    }


def floor(nodes: int, edges: int, kind: str) -> dict[str, Any]:
    """One size of the scaling benchmark, in a process of its own."""
    command = [sys.executable, "-m", "gdr_tools.bench.floor", str(nodes), str(edges), kind]
    one_core = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=one_core)
    if done.returncode:
        raise OSError(f"the measurement of {nodes:,} nodes failed: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def versions() -> dict[str, str]:
    """What was measured with."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "machine": platform.machine(),
    }


def table(result: dict[str, Any]) -> str:
    """The measurements for people."""
    lines = ["Whole job: adjacency and H to the accuracy curve over t_min (seconds)"]
    lines.append(f"{'':<12}{'recipe':>10}{'ours':>10}{'ratio':>9}   test accuracy: recipe, ours")
    for name, row in result["datasets"].items():
        lines.append(
            f"{name:<12}{row['recipe']['total']:>10.2f}{row['ours']['total']:>10.3f}"
            f"{row['ratio']:>8.0f}×   {row['recipe']['test_accuracy']:.1%}, "
            f"{row['ours']['test_accuracy']:.1%}"
        )
    lines += ["", "Same grid: 1,000 times in [0, 1/λ₂], every value (seconds)"]
    lines.append(
        f"{'':<12}{'expm_mult.':>10}{'ours':>10}{'ratio':>9}{'difference':>13}{'proved':>10}"
    )
    for name, row in result["datasets"].items():
        same = row["same_grid"]
        lines.append(
            f"{name:<12}{row['recipe']['exponentials']:>10.2f}{same['seconds']:>10.3f}"
            f"{same['ratio']:>8.0f}×{same['largest_difference']:>13.1e}{same['error_bound']:>10.1e}"
        )
    if result["floor"]:
        lines += ["", "Floor: power-law graphs, 8 classes (seconds; ns for an edge in a product)"]
        lines.append(
            f"{'kind':<16}{'nodes':>10}{'edges':>12}{'total':>9}{'products':>10}{'ratio':>8}"
            f"{'memory':>9}{'number':>8}{'ns':>6}"
        )
    for row in result["floor"]:
        lines.append(
            f"{row['kind']:<16}{row['nodes']:>10,}{row['edges']:>12,}{row['seconds']:>9.1f}"
            f"{row['product_seconds']:>10.1f}{row['ratio']:>7.2f}×{row['peak_bytes'] / 1e9:>7.2f}GB"
            f"{row['products']:>8}{1e9 * row['seconds'] / row['products'] / row['edges']:>6.1f}"
        )
    lines += [f"{name}: not measured, its data are not here" for name in result["missing"]]
    return "\n".join(lines)
