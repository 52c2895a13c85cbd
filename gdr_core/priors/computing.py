"""One entry point for every prior."""

from __future__ import annotations

from typing import Any

import numpy as np

from gdr_core import gate
from gdr_core.datasets.record import Dataset
from gdr_core.priors import cache as stored
from gdr_core.priors.contract import check_usable, finished, visible
from gdr_core.priors.registry import PRIORS
from gdr_core.priors.specification import PriorSpec
from gdr_core.progress import Progress, ignore


def compute_prior(
    name: str,
    dataset: Dataset,
    *,
    seed: int = 0,
    progress: Progress = ignore,
    cache: bool = True,
    **options: Any,
) -> np.ndarray:
    """H, shape (nodes, classes), float64: the probability of each class before any diffusion.

    Rows sum to one; rows of training nodes are one at their known class; rows about which the
    prior knows nothing (empty documents, unreached nodes) are uniform. A prior sees the labels of
    training nodes, and those of validation nodes only if `PRIORS[name].reads_validation`.

    seed      fixes the result of random priors
    cache     keep the result on disk and take it from there the next time; without it the members
              of a mean are not kept either
    options   see `PRIORS[name].options`

    Two nodes of the karate club are known; of the others `uniform` knows nothing:

    >>> from gdr_core import compute_prior, load_dataset
    >>> compute_prior("uniform", load_dataset("karate"))[:3]
    array([[1. , 0. ],
           [0.5, 0.5],
           [0.5, 0.5]])
    """
    spec = spec_of(name)
    gate.check_record(dataset, "dataset", Dataset)
    gate.check_function(progress, "progress")
    chosen = spec.checked(options)
    seed = gate.check_seed(seed)
    seen = visible(dataset, spec)
    check_usable(seen, spec)
    if spec.cost == "instant":
        return _computed(spec, seen, seed, progress, chosen)
    if not cache or not stored.is_on():
        with stored.off():
            return _computed(spec, seen, seed, progress, chosen)
    key = stored.key_of(spec, seen, seed, chosen)
    known = stored.read(key, (seen.nodes, seen.classes))
    if known is None:
        known = _computed(spec, seen, seed, progress, chosen)
        stored.write(key, known)
    else:
        progress(1.0, f"{spec.label}: computed before")
    return known


def recall(name: str, dataset: Dataset, *, seed: int = 0, **options: Any) -> np.ndarray | None:
    """What `compute_prior` has kept on disk, or None; it refuses what cannot be computed, too."""
    spec = spec_of(name)
    seen = visible(dataset, spec)
    check_usable(seen, spec)
    key = stored.key_of(spec, seen, gate.check_seed(seed), spec.checked(options))
    return stored.read(key, (seen.nodes, seen.classes))


def spec_of(name: str) -> PriorSpec:
    """What is known about a prior."""
    return PRIORS[gate.check_name(name, "prior", PRIORS)]


def _computed(
    spec: PriorSpec, dataset: Dataset, seed: int, progress: Progress, options: dict[str, Any]
) -> np.ndarray:
    progress(0.0, f"{spec.label}: starting")
    scores = spec.function(dataset, seed=seed, progress=progress, **options)
    probabilities = finished(scores, dataset)
    progress(1.0, f"{spec.label}: done")
    return probabilities
