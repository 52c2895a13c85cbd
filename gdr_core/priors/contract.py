"""What every prior may see, what it must be given and what it gives back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gdr_core.datasets.record import UNKNOWN, Dataset, Split
from gdr_core.priors.specification import PriorSpec


def visible(dataset: Dataset, spec: PriorSpec) -> Dataset:
    """The dataset as the prior may see it: labels it has no right to are removed.

    Labels outside the training set become unknown and the test set is empty. Validation nodes
    and labels stay only for priors that say they read them.
    """
    nobody = np.empty(0, dtype=np.int64)
    validation = dataset.split.validation if spec.reads_validation else nobody
    known = np.concatenate([dataset.split.train, validation])
    labels = np.full_like(dataset.labels, UNKNOWN)
    labels[known] = dataset.labels[known]
    split = Split(dataset.split.train, validation, nobody, name=dataset.split.name)
    return replace(dataset, labels=labels, split=split)


def check_usable(dataset: Dataset, spec: PriorSpec) -> None:
    """Refuse a dataset on which the prior has no meaning, and say why."""
    if dataset.classes < 2:
        raise ValueError(
            f"a prior needs at least two classes, but {dataset.name} has {dataset.classes}"
        )
    if spec.needs_features and dataset.features.shape[1] == 0:
        raise ValueError(
            f"{spec.name} classifies by features, but {dataset.name} has none; "
            "uniform, label-propagation and deepwalk need none"
        )
    if spec.needs_training:
        _refuse_missing_classes(dataset)


def finished(scores: np.ndarray, dataset: Dataset) -> np.ndarray:
    """H: rows divided by their sum, rows without any score uniform, training rows one-hot."""
    expected = (dataset.nodes, dataset.classes)
    if scores.shape != expected:
        raise ValueError(f"a prior must have shape {expected}, got {scores.shape}")
    if not np.isfinite(scores).all() or scores.min(initial=0.0) < 0:
        raise ValueError("a prior must have finite entries that are not negative")
    probabilities = np.full(expected, 1.0 / dataset.classes)
    # By the largest entry first: the sum of a row of tiny scores would lose its digits.
    largest = scores.max(axis=1)
    scored = largest > 0
    rows = scores[scored].astype(np.float64) / largest[scored, None]
    probabilities[scored] = rows / rows.sum(axis=1, keepdims=True)
    train = dataset.split.train
    probabilities[train] = np.eye(dataset.classes)[dataset.labels[train]]
    return probabilities


def _refuse_missing_classes(dataset: Dataset) -> None:
    present = np.bincount(dataset.labels[dataset.split.train], minlength=dataset.classes) > 0
    if not present.all():
        missing = ", ".join(dataset.class_names[k] for k in np.flatnonzero(~present))
        raise ValueError(
            f"every class needs a training node, but these have none in the "
            f"{dataset.split.name} split: {missing}"
        )
