"""Priors that take seconds or minutes: from the disk, or from a worker process.

The server itself imports neither torch nor scikit-learn for them, and goes on drawing pages while
they are computed. Who leaves the page, chooses something else or cancels leaves the work to others
who have asked for the same; without any it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gdr_app.components.owner_key import owner_key
from gdr_app.computing.runs import address
from gdr_core import priors
from gdr_core.datasets import Dataset
from gdr_core.datasets.own.packing import pack
from gdr_core.progress import Progress
from gdr_tools.jobs import Task
from gdr_tools.jobs.everybody import pool
from gdr_tools.jobs.handover import handed_over
from gdr_tools.jobs.kinds import PRIOR

if TYPE_CHECKING:
    from gdr_core.datasets import DatasetChoice


def slow_prior(
    prior: str, choice: DatasetChoice, dataset: Dataset, progress: Progress
) -> np.ndarray:
    """H of a prior, computed in a worker unless it is kept on disk; own data are not."""
    if choice.own is not None:
        with handed_over(pack(dataset)) as data:
            return _from_worker({"own": data, "prior": prior, "seed": choice.seed}, progress)
    if (known := priors.recall(prior, dataset, seed=choice.seed)) is not None:
        return known
    return _from_worker(request_of(prior, choice), progress)


def _from_worker(request: dict[str, object], progress: Progress) -> np.ndarray:
    ticket = pool().submit(owner_key(), Task(PRIOR, request), address())
    try:
        found: np.ndarray = ticket.wait(progress)["probabilities"]
    finally:
        ticket.leave()
    return found.copy()  # what came over the pipe is a view of its bytes


def request_of(prior: str, choice: DatasetChoice) -> dict[str, object]:
    """The arguments that ask a worker for a prior of the chosen dataset."""
    load = {"split": choice.split, "seed": choice.seed, **dict(choice.options)}
    return {"dataset": choice.name, "load": load, "prior": prior, "seed": choice.seed}
