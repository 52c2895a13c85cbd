"""One run of a setting, read in every way: validation and test accuracy of each reading.

Labels of training nodes are learned from; those of validation nodes choose t_min and the epoch
whose weights are the best; those of test nodes are only compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from gdr_core.datasets import Dataset, load_dataset
from gdr_core.gdr import RULES, GDROptions, GDRResult, reclassify, with_rule
from gdr_core.gdr.scan import accuracy
from gdr_core.laplacians import SCOPES, Laplacian, make_laplacian
from gdr_core.priors.preprocessing import PREPROCESSING
from gdr_tools.paper.attempts import machines
from gdr_tools.paper.attempts.grids import Setting, Shortfall, words

Accuracies = dict[str, tuple[float, float]]
_LINEAR_TIMES = 1000  # evenly over one relaxation time; t_min is one of the first half
_STOPPING = {
    "200 epochs": {"epochs": 200},
    "1,000 epochs with patience 10": {"epochs": 1000, "patience": 10},
}
_TRAINING: dict[str, dict[str, Any]] = {
    "averaged": {},
    "Kipf's": {"averaging": 0.0, "learning_rate": 0.01, "epochs": 200},
}


def run_setting(
    shortfall: Shortfall, setting: Setting, seed: int, dataset: Dataset | None = None
) -> Accuracies:
    """Validation and test accuracy of every reading, by the words of the reading."""
    given = _dataset(shortfall.dataset, shortfall.split) if dataset is None else dataset
    return {words(how): both for how, both in KINDS[shortfall.kind](given, setting, seed)}


def _svm(dataset: Dataset, setting: Setting, seed: int) -> Iterator[tuple[Setting, tuple]]:
    yield from reclassified(dataset, machines.svm_scores(dataset, setting, seed))


def _mlp(dataset: Dataset, setting: Setting, seed: int) -> Iterator[tuple[Setting, tuple]]:
    options = {"weight_decay": setting["weight_decay"], **_STOPPING[setting["stopping"]]}
    for weights, scores in _trained(dataset, "mlp", setting, seed, options):
        for how, both in reclassified(dataset, scores):
            yield {"weights": weights, **how}, both


def _gcn(dataset: Dataset, setting: Setting, seed: int) -> Iterator[tuple[Setting, tuple]]:
    options = {"direction": "backward", **_TRAINING[setting["training"]]}
    for weights, scores in _trained(dataset, "gcn", setting, seed, options):
        yield {"weights": weights}, judged(dataset, scores.argmax(axis=1))


def _diff_gcn(dataset: Dataset, setting: Setting, seed: int) -> Iterator[tuple[Setting, tuple]]:
    options = {"initial_time": setting["initial_time"]}
    for weights, scores in _trained(dataset, "diff-gcn", setting, seed, options):
        yield {"weights": weights}, judged(dataset, scores.argmax(axis=1))


KINDS: dict[str, Callable[[Dataset, Setting, int], Iterator[tuple[Setting, tuple]]]] = {
    "svm": _svm,
    "mlp": _mlp,
    "gcn": _gcn,
    "diff-gcn": _diff_gcn,
}


def _trained(
    dataset: Dataset, model: str, setting: Setting, seed: int, options: dict[str, Any]
) -> Iterator[tuple[str, np.ndarray]]:
    """Class probabilities of a network with its best weights, and with its last."""
    from gdr_core.neural import recommended
    from gdr_tools.paper.attempts.recipes import RecipeTraining

    prepared = replace(dataset, features=PREPROCESSING[setting["features"]](dataset.features))
    usual = {"dataset": dataset.name, "normalise_features": False}
    training = RecipeTraining(
        prepared,
        recommended(model, **{**usual, **options}),
        seed,
        setting.get("recipe", "plain"),
        setting.get("normalisation"),
    )
    for _ in training.records():
        pass
    for weights in ("best", "last"):
        yield weights, training.read(weights)


def reclassified(
    dataset: Dataset, scores: np.ndarray
) -> Iterator[tuple[Setting, tuple[float, float]]]:
    """GDR by every rule, with both π and both grids of times, from one diffusion for each grid."""
    laplacian = _laplacian(dataset)
    for times in ("logarithmic", "linear"):
        options = GDROptions(**_grid(times))
        result = reclassify(laplacian, scores, dataset.labels, dataset.split, options)
        for scope in SCOPES:
            result = replace(result, stationary=laplacian.stationary(result.start, scope))
            for rule in RULES:
                read = with_rule(result, rule)
                place, found = _chosen(read, times), read.scan.accuracy
                both = (float(found["validation"][place]), float(found["test"][place]))
                yield {"rule": rule, "π": scope, "times": times}, both


def _grid(times: str) -> dict[str, Any]:
    if times == "linear":
        return {"spacing": "linear", "count": _LINEAR_TIMES, "last": 1.0}
    return {}


def _chosen(result: GDRResult, times: str) -> int:
    """t_min as we choose it, or the plain best of the first half of the linear grid."""
    if times == "logarithmic":
        return result.chosen
    return int(np.argmax(result.scan.accuracy["validation"][: len(result.times) // 2]))


def judged(dataset: Dataset, labels: np.ndarray) -> tuple[float, float]:
    """Accuracy on validation and on test nodes."""
    parts = (dataset.split.validation, dataset.split.test)
    validation, test = (float(accuracy(labels, dataset.labels, part)) for part in parts)
    return validation, test


@lru_cache(maxsize=1)
def _dataset(name: str, split: str) -> Dataset:
    return load_dataset(name, split=split)


@lru_cache(maxsize=1)
def _laplacian(dataset: Dataset) -> Laplacian:
    return make_laplacian("combinatorial", dataset.undirected)
