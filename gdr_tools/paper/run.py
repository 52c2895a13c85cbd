"""Running one cell: a prior or a network over its seeds, and GDR with every rule on top.

Protocol. Training labels enter priors, networks and diffusion. Validation labels choose t_min (see
`gdr_core.gdr.scan.choose`) and the epoch whose weights a network keeps. Test labels are compared
with, and decide nothing. Settings of the methods are the defaults of the library.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from time import perf_counter
from typing import Any

import numpy as np

from gdr_core import __version__, priors
from gdr_core.datasets import Dataset, load_dataset
from gdr_core.gdr import RULES, GDRResult, with_rule
from gdr_core.gdr.reclassify import Stopwatch
from gdr_core.progress import Progress, ignore, part
from gdr_tools.paper.cells import SEEDS, Cell


def run_cell(cell: Cell, seeds: int = SEEDS, progress: Progress = ignore) -> dict[str, Any]:
    """The result of a cell as plain numbers, ready for JSON."""
    dataset = load_dataset(cell.dataset, split=cell.split)
    body = GROUPS[cell.group](cell, dataset, seeds, progress)
    return {"cell": vars(cell), "versions": versions(), **body}


def _measure_size(cell: Cell, dataset: Dataset, seeds: int, progress: Progress) -> dict[str, Any]:
    """Table 1: counts."""
    return {
        "nodes": dataset.nodes,
        "edges": dataset.edges,
        "classes": dataset.classes,
        "features": dataset.features.shape[1],
    }


def _prior_and_gdr(cell: Cell, dataset: Dataset, seeds: int, progress: Progress) -> dict[str, Any]:
    """A prior over its seeds, and what GDR makes of each by every rule."""
    laplacian = cell.reclassified(seed=0).make_laplacian(dataset)
    runs = []
    for seed, report in _seed_steps(cell, seeds, progress):
        method, watch = cell.reclassified(seed), Stopwatch()
        prior = method.compute_prior(dataset, report, cache=False)
        watch.lap("prior")
        result = method.reclassify(dataset, prior, laplacian)
        watch.lap("gdr")
        spent = {f"{stage}_seconds": seconds for stage, seconds in watch.laps.items()}
        runs.append({"seed": seed, **spent, **_read_by_every_rule(result)})
    return {
        "laplacian": laplacian.name,
        "relaxation_time": laplacian.relaxation_time,
        "settings": dict(priors.PRIORS[cell.method].defaults),
        "seeds": [run["seed"] for run in runs],
        "prior": summary([run["prior"] for run in runs]),
        "gdr": {rule: _rule_summary([run[rule] for run in runs]) for rule in RULES},
        "seconds": {
            stage: float(np.mean([run[f"{stage}_seconds"] for run in runs]))
            for stage in ("prior", "gdr")
        },
        "runs": runs,
    }


def _read_by_every_rule(result: GDRResult) -> dict[str, Any]:
    """One diffusion: the prior before it, and what each rule makes of it."""
    outcome: dict[str, Any] = {
        "error_bound": result.error_bound,
        "prior": {key: result.prior_accuracy[key] for key in ("validation", "test")},
    }
    for rule in RULES:
        read = with_rule(result, rule)
        outcome[rule] = {
            "validation": float(read.accuracy["validation"][read.chosen]),
            "test": float(read.accuracy["test"][read.chosen]),
            "t_min": float(read.times[read.chosen]),
            "t_min_relative": float(read.relative_times[read.chosen]),
            "relabelled": int(read.scan.relabelled[read.chosen]),
        }
    return outcome


def network(cell: Cell, dataset: Dataset, seeds: int, progress: Progress) -> dict[str, Any]:
    """A network over its seeds; what counts are the weights with the lowest validation loss."""
    from gdr_core.neural import Training, recommended

    options = recommended(cell.method, cell.direction, cell.dataset)
    runs = []
    for seed, report in _seed_steps(cell, seeds, progress):
        clock = perf_counter()
        training = Training(dataset, options, seed)
        for record in training.records():
            report(record.epoch / options.epochs, f"{cell.key} epoch {record.epoch}")
        best = training.best
        assert best is not None
        runs.append(
            {
                "seed": seed,
                "validation": best.validation_accuracy,
                "test": best.test_accuracy,
                "epoch": best.epoch,
                "epochs": training.epoch,
                "t": best.time,
                "seconds": perf_counter() - clock,
            }
        )
    return {
        "settings": options.as_dict(),
        "seeds": [run["seed"] for run in runs],
        "network": summary(runs),
        "t": None if runs[0]["t"] is None else float(np.mean([run["t"] for run in runs])),
        "seconds": {"network": float(np.mean([run["seconds"] for run in runs]))},
        "runs": runs,
    }


def _seed_steps(cell: Cell, seeds: int, progress: Progress) -> Sequence[tuple[int, Progress]]:
    """The seeds of a cell, each with its stretch of the progress; one where nothing is random."""
    random = cell.group == "networks" or priors.PRIORS[cell.method].random
    count = seeds if random else 1
    return [(seed, part(progress, seed / count, (seed + 1) / count)) for seed in range(count)]


def summary(runs: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Mean and standard deviation over seeds of validation and test accuracy."""
    result = {}
    for key in ("validation", "test"):
        values = np.array([run[key] for run in runs])
        result[key] = float(values.mean())
        result[f"{key}_spread"] = float(values.std(ddof=1)) if values.size > 1 else 0.0
    return result


def _rule_summary(runs: Sequence[dict[str, Any]]) -> dict[str, float]:
    """The same for one rule of GDR, with the median t_min and the mean number of changes."""
    return summary(runs) | {
        "t_min": float(np.median([run["t_min"] for run in runs])),
        "t_min_relative": float(np.median([run["t_min_relative"] for run in runs])),
        "relabelled": float(np.mean([run["relabelled"] for run in runs])),
    }


def versions() -> dict[str, str]:
    """The library and what it stands on."""
    packages = ("numpy", "scipy", "scikit-learn", "torch")
    found = {name: version(name) for name in packages}
    return {"gdr_core": __version__, "python": platform.python_version(), **found}


GROUPS = {
    "sizes": _measure_size,
    "undirected": _prior_and_gdr,
    "directed": _prior_and_gdr,
    "networks": network,
}
