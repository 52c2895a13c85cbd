"""Several methods on one graph side by side: where they agree, what GDR fixes for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gdr_core.datasets.record import PARTS, UNKNOWN
from gdr_core.gdr.result import GDRResult


@dataclass(frozen=True)
class Standing:
    """Accuracies of one method on one part of the split, before and after GDR.

    relabelled   number of nodes of the whole graph whose label changed
    time         the chosen t_min, in relaxation times
    """

    name: str
    before: float
    after: float
    relabelled: int
    time: float


@dataclass(frozen=True, eq=False)
class Shared:
    """Nodes on which all methods were alike before GDR, and how many of them turned.

    nodes   those that turned for at least one method, most turns first
    turned  for how many methods each turned
    """

    nodes: np.ndarray
    turned: np.ndarray


def standings(results: Mapping[str, GDRResult], part: str) -> list[Standing]:
    """Accuracy before and after at each method's own chosen t_min."""
    if part not in PARTS:
        raise ValueError(f"unknown part {part!r}; there are {', '.join(PARTS)}")
    return [
        Standing(
            name=name,
            before=result.prior_accuracy[part],
            after=float(result.accuracy[part][result.chosen]),
            relabelled=int(result.scan.relabelled[result.chosen]),
            time=float(result.relative_times[result.chosen]),
        )
        for name, result in results.items()
    ]


def agreement(labels: np.ndarray) -> np.ndarray:
    """Share of nodes on which each pair gives the same label; labels has one row a method."""
    labels = np.atleast_2d(labels)
    if labels.shape[1] == 0:
        return np.ones((labels.shape[0],) * 2)
    return np.stack([(labels == row).mean(axis=1) for row in labels])


def labels_before(results: Mapping[str, GDRResult]) -> np.ndarray:
    """The labels of every method before GDR, one row each."""
    return np.stack([result.prior_labels for result in results.values()])


def labels_after(results: Mapping[str, GDRResult]) -> np.ndarray:
    """The labels of every method after GDR at its own chosen t_min, one row each."""
    return np.stack([result.predictions() for result in results.values()])


def fixed_by_all(
    before: np.ndarray, after: np.ndarray, truth: np.ndarray, members: np.ndarray
) -> Shared:
    """Nodes that every method got wrong and GDR puts right for at least one."""
    return _turned(before != truth, after == truth, truth, members)


def broken_by_all(
    before: np.ndarray, after: np.ndarray, truth: np.ndarray, members: np.ndarray
) -> Shared:
    """Nodes that every method got right and GDR puts wrong for at least one."""
    return _turned(before == truth, after != truth, truth, members)


def _turned(alike: np.ndarray, turns: np.ndarray, truth: np.ndarray, members: np.ndarray) -> Shared:
    known = members[truth[members] != UNKNOWN]
    counts = turns[:, known].sum(axis=0)
    chosen = np.flatnonzero(alike[:, known].all(axis=0) & (counts > 0))
    order = chosen[np.argsort(-counts[chosen], kind="stable")]
    return Shared(known[order], counts[order])
