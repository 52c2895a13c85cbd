"""How many nodes each t_min of the grid fixes and breaks: all of them at once.

counts = tallies(result)
counts.fixed[index]     # the same number as result.at(index).tally.fixed
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gdr_core.datasets.record import UNKNOWN

if TYPE_CHECKING:
    from gdr_core.gdr.result import GDRResult


@dataclass(frozen=True, eq=False)
class Tallies:
    """Counts for every t_min of the grid, each of shape (times,); the words are those of `Changes`.

    >>> few = Tallies(*np.array([[5, 2], [3, 1], [1, 0], [1, 1], [0, 0]]))
    >>> few.relabelled - few.fixed - few.broken - few.still_wrong - few.not_judged
    array([0, 0])
    """

    relabelled: np.ndarray
    fixed: np.ndarray
    broken: np.ndarray
    still_wrong: np.ndarray
    not_judged: np.ndarray


def tallies(result: GDRResult) -> Tallies:
    """Count what happens to the nodes, judged by the classes that the result knows.

    A node that was wrong is fixed where its label is its class; one that was right is broken where
    it is not. What moves and is neither is still wrong, or its class is not known.

    >>> from gdr_core import compute_prior, load_dataset, make_laplacian, reclassify
    >>> club = load_dataset("karate")
    >>> laplacian = make_laplacian("combinatorial", club.adjacency)
    >>> result = reclassify(laplacian, compute_prior("uniform", club), club.labels, club.split)
    >>> counts, last = tallies(result), result.times.size - 1
    >>> bool(counts.fixed[last] == result.at(last).tally.fixed)
    True
    """
    labels, truth = result.scan.predicted, result.truth
    known, was_right = truth != UNKNOWN, result.prior_labels == truth
    target = truth.astype(labels.dtype)
    wrong, right, unknown = (np.flatnonzero(m) for m in (known & ~was_right, was_right, ~known))
    prior = result.prior_labels.astype(labels.dtype)
    fixed = (labels[:, wrong] == target[wrong]).sum(axis=1)
    broken = (labels[:, right] != target[right]).sum(axis=1)
    not_judged = (labels[:, unknown] != prior[unknown]).sum(axis=1)
    moved = result.scan.relabelled
    return Tallies(moved, fixed, broken, moved - fixed - broken - not_judged, not_judged)
