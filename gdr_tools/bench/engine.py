"""Benchmark of the engine: whole job, same grid, floor. Ratios to baselines of the same run.

Whole job and same grid run on one core, the baselines included: linear algebra on several threads
would help only one side, and measures the load of the machine as much as the program. The recipe
and ours take turns, five times, so that whatever else the machine does meets both; the ratio is the
median of the five, and the spread of each side is printed beside it, with the same ratio in seconds
of the processor, which other programs disturb least. The floor uses all cores,
against the engine on one core with SciPy in the same process.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
import scipy
from threadpoolctl import threadpool_limits

from gdr_core.datasets import Dataset, available, load_dataset
from gdr_core.diffusion import diffuse, linear
from gdr_core.gdr import GDRResult, initial_condition, reclassify
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
from gdr_core.progress import Progress, ignore
from gdr_tools.bench import recipe

DATASETS = ("cora", "citeseer", "pubmed", "wikipedia")
SIZES = ((10_000, 100_000), (100_000, 1_000_000), (1_000_000, 10_000_000))
KINDS = ("combinatorial", "directed")
PRECISIONS = ("float64", "float32")
REPEATS = 5
_GRID_TOLERANCE = 1e-7


def run(
    quick: bool = False,
    nodes: int | None = None,
    progress: Progress = ignore,
    datasets: Sequence[str] | None = None,
    out: Path | None = None,
) -> dict[str, Any]:
    """All measurements as plain numbers; `quick` takes Cora only and leaves the floor out.

    nodes      the largest graph of the floor, 0 for none; rows are told to `progress` as they come
    datasets   those to take instead of all
    out        a file that is written anew after each row: a run cut off keeps what it measured
    """
    wanted = tuple(datasets or DATASETS[: 1 if quick else None])
    with threadpool_limits(1):
        result = measure(wanted, progress, out)
    sizes = [] if quick else [size for size in SIZES if nodes is None or size[0] <= nodes]
    rows = [(size, kind, one) for size in sizes for kind in KINDS for one in PRECISIONS]
    for i, (size, kind, precision) in enumerate(rows):
        progress(i / len(rows), f"floor: {size[0]:,} nodes, {kind}, {precision}")
        result["floor"].append(floor(*size, kind, precision))
        _keep(result, out)
        progress((i + 1) / len(rows), _floor_line(result["floor"][-1]))
    progress(1.0, "done")
    return result


def measure(wanted: Sequence[str], progress: Progress, out: Path | None = None) -> dict[str, Any]:
    """The comparisons with the recipe, on as many threads as there are given."""
    names = [name for name in wanted if available(name)]
    result: dict[str, Any] = {"versions": versions(), "datasets": {}, "floor": []}
    result["missing"] = [name for name in wanted if name not in names]
    for i, name in enumerate(names):
        progress(i / len(names), f"{name}: the recipe and ours, {REPEATS} times each")
        result["datasets"][name] = compare(load_dataset(name))
        _keep(result, out)
        progress((i + 1) / len(names), _whole_line(name, result["datasets"][name]))
    return result


def _keep(result: dict[str, Any], out: Path | None) -> None:
    """The file of results, replaced in one move."""
    if out is None:
        return
    partial = out.with_name(f"{out.name}.part")
    try:
        partial.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        partial.replace(out)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def compare(dataset: Dataset) -> dict[str, Any]:
    """Both comparisons on one dataset: the recipe and ours take turns."""
    prior = compute_prior("projection", dataset, cache=False)
    start = initial_condition(prior, dataset.labels, dataset.split)
    _ours(dataset, start)
    turns = [
        (_lap(_ours, dataset, start), _lap(recipe.run, dataset, start)) for _ in range(REPEATS)
    ]
    chosen, theirs = turns[-1][0].result, turns[-1][1].result
    trajectories = theirs.pop("trajectories")
    ours, recipes = ([turn[side].seconds for turn in turns] for side in (0, 1))
    ratios = [other / own for own, other in zip(ours, recipes, strict=True)]
    worked = [other.worked / own.worked for own, other in turns]
    same = same_grid(dataset, start, theirs["stop"], trajectories)
    exponentials = median(other.result["exponentials"] for _, other in turns)
    return {
        "recipe": {**theirs, "total": median(recipes), "laps": recipes},
        "ours": {
            **chosen.seconds,
            "total": median(ours),
            "laps": ours,
            "test_accuracy": float(chosen.accuracy["test"][chosen.chosen]),
        },
        "ratio": median(ratios),
        "ratios": ratios,
        "processor_ratio": median(worked),
        "processor_ratios": worked,
        "same_grid": {
            **same,
            "exponentials": exponentials,
            "ratio": exponentials / same["seconds"],
        },
    }


class _Lap(NamedTuple):
    """What a call gave, its seconds, and those that the processor worked on it."""

    result: Any
    seconds: float
    worked: float


def _lap(call: Callable[..., Any], *given: Any) -> _Lap:
    clock, worked = perf_counter(), process_time()
    result = call(*given)
    return _Lap(result, perf_counter() - clock, process_time() - worked)


def _ours(dataset: Dataset, start: np.ndarray) -> GDRResult:
    """The whole job."""
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    return reclassify(laplacian, start, dataset.labels, dataset.split)


def spread(laps: list[float]) -> str:
    """The smallest and the largest as parts of the median.

    >>> spread([1.0, 2.0, 3.0])
    '-50 to +50 %'
    """
    middle = median(laps)
    low, high = (100 * (end / middle - 1) for end in (min(laps), max(laps)))
    return f"{low:+.0f} to {high:+.0f} %"


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


def floor(nodes: int, edges: int, kind: str, precision: str) -> dict[str, Any]:
    """One row of the scaling benchmark, in a process of its own."""
    words = [str(nodes), str(edges), kind, precision]
    command = [sys.executable, "-m", "gdr_tools.bench.floor", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
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


def _whole_line(name: str, row: dict[str, Any]) -> str:
    """One line of the first table."""
    ratios = row["ratios"]
    return (
        f"{name:<12}{row['recipe']['total']:>10.2f}{row['ours']['total']:>10.3f}"
        f"{row['ratio']:>8.0f}×{min(ratios):>7.0f}× to{max(ratios):>5.0f}×"
        f"{spread(row['recipe']['laps']):>16}{spread(row['ours']['laps']):>16}"
        f"{row['processor_ratio']:>10.0f}×"
        f"   {row['recipe']['test_accuracy']:.1%}, {row['ours']['test_accuracy']:.1%}"
    )


def _floor_line(row: dict[str, Any]) -> str:
    """One line of the last table."""
    difference = f"{row['difference']:.1e}" if "difference" in row else "–"
    return (
        f"{row['kind']:<14}{row['precision']:<9}{row['nodes']:>10,}{row['edges']:>12,}"
        f"{row['one_core']:>10.1f}{row['seconds']:>9.1f}{row['speed']:>7.2f}×"
        f"{row['ratio']:>10.2f}×{row['peak_bytes'] / 1e9:>7.2f}GB{row['products']:>6}"
        f"{row['error_bound']:>10.1e}{difference:>10}{row['tolerance']:>9.0e}"
        f"{row['one_core_tolerance']:>9.0e}{row['one_core_products']:>6}{_alike_words(row)}"
    )


def _alike_words(row: dict[str, Any]) -> str:
    """The ratio to one core at our tolerance, where that is not the usual one."""
    if (alike := row["same_tolerance"]) is None:
        return f"{'–':>14}"
    return f"{alike['speed']:>8.2f}×{alike['products']:>5}"


def table(result: dict[str, Any]) -> str:
    """The measurements for people."""
    lines = [
        f"Whole job: adjacency and H to the accuracy curve (seconds, median of {REPEATS} turns)"
    ]
    lines.append(
        f"{'':<12}{'recipe':>10}{'ours':>10}{'ratio':>9}{'from to':>16}{'recipe varies':>16}"
        f"{'ours varies':>16}{'processor':>11}   test accuracy: recipe, ours"
    )
    lines += [_whole_line(name, row) for name, row in result["datasets"].items()]
    lines += ["", "Same grid: 1,000 times in [0, 1/λ₂], every value (seconds)"]
    lines.append(
        f"{'':<12}{'expm_mult.':>10}{'ours':>10}{'ratio':>9}{'difference':>13}{'proved':>10}"
    )
    for name, row in result["datasets"].items():
        same = row["same_grid"]
        lines.append(
            f"{name:<12}{same['exponentials']:>10.2f}{same['seconds']:>10.3f}"
            f"{same['ratio']:>8.0f}×{same['largest_difference']:>13.1e}{same['error_bound']:>10.1e}"
        )
    if result["floor"]:
        lines += ["", "Floor: power-law graphs, 8 classes, 200 times (seconds)"]
        lines.append(
            f"{'kind':<14}{'':<9}{'nodes':>10}{'edges':>12}{'one core':>10}{'ours':>9}{'speed':>8}"
            f"{'/products':>11}{'memory':>9}{'terms':>6}{'proved':>10}{'error':>10}"
            f"{'toler.':>9}{'its':>9}{'terms':>6}{'same toler.':>14}"
        )
    lines += [_floor_line(row) for row in result["floor"]]
    if result["floor"]:
        lines.append(
            "toler., terms: tolerance and sparse products of ours; its: those of one core. same "
            "toler.: the speed against one core at the tolerance of ours, and its products then."
        )
    lines += [f"{name}: not measured, its data are not here" for name in result["missing"]]
    return "\n".join(lines)
