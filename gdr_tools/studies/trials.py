"""Trials of a method in a worker process: several random splits, or several seeds on one split."""

from __future__ import annotations

from typing import Any

from gdr_core.datasets import Dataset
from gdr_core.gdr.trials import trials_of
from gdr_core.method import Method
from gdr_core.progress import Progress, part
from gdr_tools.jobs.kinds import asked_dataset

RANDOM = "random splits"


def run_trials(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Runs 0, 1, … of one method, on validation and on test nodes; as rows of plain values.

    dataset, load   name and options of `datasets.load_dataset`; or instead of them
    own             a dataset that is handed over
    kind            `random splits`: run k has split k; otherwise all have the split of `load`
    count           how many
    method          the other choices of a `Method`, by name
    """
    rows, count = [], arguments["count"]
    fixed = None if arguments["kind"] == RANDOM else asked_dataset(arguments, progress)
    for seed in range(count):
        report = part(progress, seed / count, (seed + 1) / count)
        dataset = fixed or asked_dataset(_with_split(arguments, seed), report)
        rows += _one(dataset, seed, arguments["method"], report)
    return {"rows": rows}


def _with_split(arguments: dict[str, Any], seed: int) -> dict[str, Any]:
    return {**arguments, "load": {**arguments["load"], "split": "random", "seed": seed}}


def _one(
    dataset: Dataset, seed: int, words: dict[str, Any], progress: Progress
) -> list[dict[str, Any]]:
    method = Method.on(dataset, prior_seed=seed, **words)
    prior = method.compute_prior(dataset, progress, cache=False)
    result = method.reclassify(dataset, prior, method.make_laplacian(dataset))
    found = trials_of(result, dataset, method=method.prior, source="here", seed=seed)
    return [vars(trial) for trial in found]
