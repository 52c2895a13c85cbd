"""What a worker does when it is asked for one setting of a grid."""

from __future__ import annotations

from typing import Any

from gdr_core.progress import Progress
from gdr_tools.tuning.search import judged


def judge_request(arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Calibrated log-loss and accuracy of a setting on the validation nodes.

    prior, settings, seeds   what is judged; see `search.judged`
    dataset, split           on which nodes
    """
    from gdr_core.datasets import load_dataset

    progress(0.0, f"loading {arguments['dataset']}")
    dataset = load_dataset(arguments["dataset"], split=arguments["split"])
    found = judged(arguments["prior"], dataset, arguments["settings"], arguments["seeds"])
    progress(1.0, "judged")
    return {"loss": found[0], "accuracy": found[1]}
