"""What a worker can be asked to do. The functions are named, so that asking imports none of them.

Training has a protocol of its own (see `training`); everything else is a function of plain
arguments and a progress callback that gives a dictionary of numbers and arrays.
"""

from __future__ import annotations

from typing import Any, Final

from gdr_core.progress import Progress

TRAINING: Final = "training"
PRIOR: Final = "prior"
CELL: Final = "cell"
KINDS: Final = {
    PRIOR: "gdr_tools.jobs.kinds:compute_prior",
    CELL: "gdr_tools.paper.worker:run_request",
}


def compute_prior(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A prior of a dataset, both by name; it is kept in the cache of priors as well.

    dataset, load    name and options of `datasets.load_dataset`
    prior, seed      what to compute
    """
    from gdr_core import priors
    from gdr_core.datasets import load_dataset

    progress(0.0, f"loading {arguments['dataset']}")
    dataset = load_dataset(arguments["dataset"], **arguments["load"])
    found = priors.compute_prior(
        arguments["prior"], dataset, seed=arguments["seed"], progress=progress
    )
    return {"probabilities": found}
