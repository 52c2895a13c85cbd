"""Priors that take seconds or minutes: from the disk, or from a worker process.

The server itself imports neither torch nor scikit-learn for them, and goes on drawing pages while
they are computed. Who leaves the page, chooses something else or cancels leaves the work to others
who have asked for the same; without any it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gdr_app.computing.asking import ask_worker
from gdr_core import priors
from gdr_core.datasets import Dataset
from gdr_core.datasets.own.packing import pack
from gdr_core.progress import Progress
from gdr_tools.jobs.kinds import PRIOR

if TYPE_CHECKING:
    from gdr_core.datasets import DatasetChoice


def slow_prior(
    prior: str, choice: DatasetChoice, dataset: Dataset, progress: Progress
) -> np.ndarray:
    """H of a prior, computed in a worker unless it is kept on disk; own data are not."""
    if choice.own is not None:
        asked = {"prior": prior, "seed": choice.seed}
        return _probabilities(ask_worker(PRIOR, asked, progress, own=pack(dataset)))
    if (known := priors.recall(prior, dataset, seed=choice.seed)) is not None:
        return known
    return _probabilities(ask_worker(PRIOR, request_of(prior, choice), progress))


def _probabilities(answer: dict[str, Any]) -> np.ndarray:
    found: np.ndarray = answer["probabilities"]
    return found.copy()  # what came over the pipe is a view of its bytes


def request_of(prior: str, choice: DatasetChoice) -> dict[str, object]:
    """The arguments that ask a worker for a prior of the chosen dataset."""
    load = {"split": choice.split, "seed": choice.seed, **dict(choice.options)}
    return {"dataset": choice.name, "load": load, "prior": prior, "seed": choice.seed}
