"""Ways to share the labelled nodes between training, validation and test."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral

import numpy as np

from gdr_core.datasets.record import UNKNOWN, Dataset, Split

PER_CLASS = 20
_VALIDATION = 500
_TEST = 1000


def random_split(
    labels: np.ndarray,
    class_names: tuple[str, ...],
    *,
    per_class: int | None = None,
    validation: int | None = None,
    test: int | None = None,
    seed: int = 0,
) -> Split:
    """`per_class` training nodes of every class, then validation and test from the rest.

    What is not given follows Planetoid's sizes (20 a class, 500, 1,000), made smaller where the
    graph is small: at most a fifth of the smallest class trains, at most a third of the rest
    validates. What is given is kept or refused, never changed.
    """
    labels = np.asarray(labels)
    smallest = int(np.bincount(labels[labels != UNKNOWN], minlength=len(class_names)).min())
    wanted = min(PER_CLASS, max(1, smallest // 5)) if per_class is None else per_class
    _check_sizes(per_class=wanted, validation=validation, test=test)
    generator = np.random.default_rng(seed)
    train = np.concatenate(
        [_drawn(labels, k, name, wanted, generator) for k, name in enumerate(class_names)]
    )
    rest = generator.permutation(np.setdiff1d(np.flatnonzero(labels != UNKNOWN), train))
    first, second = _shares(rest.size, validation, test)
    return Split(train, rest[:first], rest[first : first + second], "random")


def trained_classes(dataset: Dataset) -> Dataset:
    """The dataset without the classes that no training node has; their nodes become unlabelled.

    Nobody can learn such a class, and priors refuse it. A class with a single node is one of them
    in every split that does not train on that node.
    """
    split = dataset.split
    trained = np.bincount(dataset.labels[split.train], minlength=dataset.classes) > 0
    if trained.all() or not trained.any():
        return dataset
    number = np.append(np.where(trained, np.cumsum(trained) - 1, UNKNOWN), UNKNOWN)
    labels = number[dataset.labels]
    known = labels != UNKNOWN
    train, validation, test = (
        part[known[part]] for part in (split.train, split.validation, split.test)
    )
    return replace(
        dataset,
        labels=labels,
        class_names=tuple(
            n for n, there in zip(dataset.class_names, trained, strict=True) if there
        ),
        split=Split(train, validation, test, split.name),
    )


def teaching_split(labels: np.ndarray, train: np.ndarray) -> Split:
    """Train on the nodes picked by hand; the rest is shared evenly by validation and test."""
    train = np.asarray(train, dtype=np.int64)
    rest = np.setdiff1d(np.flatnonzero(np.asarray(labels) != UNKNOWN), train)
    mixed = np.random.default_rng(0).permutation(rest)
    return Split(train, mixed[: rest.size // 2], mixed[rest.size // 2 :], "teaching")


def paper_directed_split() -> Split:
    """The split of the paper's directed Cora: rows of cora.content in the order of the file."""
    return Split(np.arange(140), np.arange(200, 500), np.arange(500, 1500), name="paper-directed")


def _check_sizes(**sizes: int | None) -> None:
    for name, size in sizes.items():
        least = 1 if name == "per_class" else 0
        if size is not None and (not isinstance(size, Integral) or size < least):
            raise ValueError(f"{name} must be a whole number from {least} up, got {size!r}")


def _drawn(
    labels: np.ndarray, k: int, name: str, wanted: int, generator: np.random.Generator
) -> np.ndarray:
    members = np.flatnonzero(labels == k)
    if members.size < wanted:
        raise ValueError(
            f"class {name} has {members.size} labelled nodes, too few for per_class={wanted}"
        )
    return generator.choice(members, size=wanted, replace=False)


def _shares(left: int, validation: int | None, test: int | None) -> tuple[int, int]:
    """Sizes of validation and test among the `left` nodes that do not train."""
    if validation is None:
        validation = min(_VALIDATION, left // 3 if test is None else max(0, left - test))
    if test is None:
        test = min(_TEST, max(0, left - validation))
    if validation + test > left:
        raise ValueError(
            f"validation={validation} and test={test} need {validation + test} nodes, but only "
            f"{left} labelled nodes do not train"
        )
    return validation, test
