"""What a worker can be asked to do. The functions are named, so that asking imports none of them.

Training has a protocol of its own (see `training`); everything else is a function of plain
arguments and a progress callback that gives a dictionary of numbers and arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gdr_core.progress import Progress

if TYPE_CHECKING:
    from gdr_core.datasets import Dataset

TRAINING: Final = "training"
PRIOR: Final = "prior"
CELL: Final = "cell"
STUDY: Final = "study"
TRIALS: Final = "trials"
SETTING: Final = "setting"
SEED: Final = "seed"
READING: Final = "reading"
LAYOUT: Final = "layout"
LAPLACIAN: Final = "laplacian"
DIFFUSION: Final = "diffusion"
ONWARD: Final = "onward"
DIRECTION: Final = "direction"
IMPULSE: Final = "impulse"
SOURCES: Final = "sources"
SMOOTHING: Final = "smoothing"
KINDS: Final = {
    PRIOR: "gdr_tools.jobs.kinds:compute_prior",
    CELL: "gdr_tools.paper.worker:run_request",
    STUDY: "gdr_tools.studies.worker:study",
    TRIALS: "gdr_tools.studies.trials:run_trials",
    SETTING: "gdr_tools.tuning.worker:judge_request",
    SEED: "gdr_tools.jobs.seeds:train_request",
    READING: "gdr_tools.own.requests:read_request",
    LAYOUT: "gdr_tools.own.requests:layout_request",
    LAPLACIAN: "gdr_tools.jobs.diffusions:find_laplacian",
    DIFFUSION: "gdr_tools.jobs.diffusions:diffuse_problem",
    ONWARD: "gdr_tools.jobs.diffusions:go_onward",
    DIRECTION: "gdr_tools.jobs.diffusions:study_direction",
    IMPULSE: "gdr_tools.jobs.diffusions:follow_impulse",
    SOURCES: "gdr_tools.jobs.diffusions:find_sources",
    SMOOTHING: "gdr_tools.jobs.diffusions:smooth_beliefs",
}
ANSWER: Final = "answer"  # names, in a request, the file that large arrays of the result go into


def compute_prior(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A prior of a dataset, both by name; it is kept in the cache of priors as well.

    dataset, load    name and options of `datasets.load_dataset`; or instead of them
    own              a dataset that is handed over; nothing of it is kept
    prior, seed      what to compute
    options          of the prior, those that differ from their default
    """
    from gdr_core import priors

    found = priors.compute_prior(
        arguments["prior"],
        asked_dataset(arguments, progress),
        seed=arguments["seed"],
        progress=progress,
        cache="own" not in arguments,
        **arguments.get("options", {}),
    )
    return {"probabilities": found}


def asked_dataset(arguments: dict[str, Any], progress: Progress) -> Dataset:
    """The dataset that arguments name (`dataset`, `load`), or that is handed over (`own`)."""
    from gdr_core.datasets import load_dataset
    from gdr_core.datasets.own.packing import unpack
    from gdr_tools.jobs.handover import take

    if "own" in arguments:
        progress(0.0, "loading your data")
        return unpack(take(arguments["own"]))[0]
    progress(0.0, f"loading {arguments['dataset']}")
    return load_dataset(arguments["dataset"], **arguments["load"])
