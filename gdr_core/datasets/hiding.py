"""Test means test: a dataset whose test classes are held back until somebody asks for them.

Who chooses anything by looking at test nodes tunes to them, and their accuracy no longer tells how
a method does on new nodes. So whatever is shown while test is hidden is made from `hide_test`, in
which the class of a test node is simply not known: what is not there cannot be shown, and nothing
that is computed from it (a count, a share, a list, an order) can give it away.

Nodes in no part of the split keep their class: no method sees it and no accuracy counts it, so
looking at it tunes nothing that is judged.
"""

from __future__ import annotations

from copy import copy

import numpy as np

from gdr_core.datasets.record import UNKNOWN, Dataset

NOT_KNOWN, HIDDEN = "unknown", "hidden"


def hide_test(dataset: Dataset) -> Dataset:
    """The same dataset without the classes of its test nodes; all other arrays are shared."""
    if dataset.test_hidden:
        return dataset
    labels = dataset.labels.copy()
    labels[dataset.split.test] = UNKNOWN
    labels.flags.writeable = False
    hidden = copy(dataset)  # not `replace`, which checks and copies the matrices again
    object.__setattr__(hidden, "labels", labels)
    object.__setattr__(hidden, "test_hidden", True)
    return hidden


def truth_codes(dataset: Dataset) -> np.ndarray:
    """For every node the place of its true class in `truth_names`."""
    codes = np.where(dataset.labels == UNKNOWN, dataset.classes, dataset.labels)
    if dataset.test_hidden:
        codes[dataset.split.test] = dataset.classes + 1
    return codes


def truth_names(class_names: tuple[str, ...] | list[str]) -> list[str]:
    """The words for `truth_codes`: the classes, then `unknown` and `hidden`."""
    return [*class_names, NOT_KNOWN, HIDDEN]


def truth_of(dataset: Dataset, node: int) -> str:
    """The true class of one node by name, or why it is not told."""
    label = int(dataset.labels[node])
    if label != UNKNOWN:
        return dataset.class_names[label]
    return HIDDEN if _is_hidden(dataset, node) else NOT_KNOWN


def _is_hidden(dataset: Dataset, node: int) -> bool:
    """Whether the node's class is held back because it is a test node."""
    return dataset.test_hidden and bool(np.isin(node, dataset.split.test))
