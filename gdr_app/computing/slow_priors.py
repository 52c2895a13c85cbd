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
    from gdr_core.method import Method


def slow_prior(view: Method, dataset: Dataset, progress: Progress) -> np.ndarray:
    """H of a view's prior, computed in a worker unless it is kept on disk; own data are not."""
    if view.dataset.own is not None:
        return _probabilities(ask_worker(PRIOR, _asked(view), progress, own=pack(dataset)))
    options = dict(view.prior_options)
    if (known := priors.recall(view.prior, dataset, seed=view.seed, **options)) is not None:
        return known
    return _probabilities(ask_worker(PRIOR, prior_request(view), progress))


def prior_request(view: Method) -> dict[str, object]:
    """The arguments that ask a worker for the prior of a view."""
    return {**request_of(view.prior, view.dataset), **_asked(view)}


def _asked(view: Method) -> dict[str, object]:
    return {"prior": view.prior, "seed": view.seed, "options": dict(view.prior_options)}


def _probabilities(answer: dict[str, Any]) -> np.ndarray:
    found: np.ndarray = answer["probabilities"]
    return found.copy()  # what came over the pipe is a view of its bytes


def request_of(prior: str, choice: DatasetChoice) -> dict[str, object]:
    """The arguments that ask a worker for a prior of the chosen dataset."""
    load = {"split": choice.split, "seed": choice.seed, **dict(choice.options)}
    return {"dataset": choice.name, "load": load, "prior": prior, "seed": choice.seed}
