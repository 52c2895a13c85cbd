"""Settings found on validation nodes, for who leaves the choice to us.

Those of FOR_DATASETS were found by `python -m gdr_core tune PRIOR --dataset NAME` on the public
split: of all settings on its grid, the one with the lowest calibrated log-loss on the validation
nodes, averaged over neighbouring settings. Test nodes were not looked at. The grids, with what
every setting reached, are in `data/results/beyond/tuning.json`. Those of USUAL, for every other
dataset, come from no committed search.
"""

from __future__ import annotations

from typing import Any

USUAL: dict[str, dict[str, Any]] = {
    "linear": {"features": "tf-idf", "penalty": 1e-3},
    "heat-linear": {"features": "unit-rows", "time": 4.0, "penalty": 1e-3},
    "sgc": {"features": "row-normalised", "steps": 2, "penalty": 1e-4},
}
FOR_DATASETS: dict[tuple[str, str], dict[str, Any]] = {
    ("linear", "cora"): {"features": "tf-idf", "penalty": 0.01},
    ("linear", "citeseer"): {"features": "unit-rows", "penalty": 0.1},
    ("linear", "pubmed"): {"features": "unit-rows", "penalty": 0.01},
    ("heat-linear", "cora"): {"features": "tf-idf", "time": 4.0, "penalty": 3.2e-4},
    ("heat-linear", "citeseer"): {"features": "unit-rows", "time": 5.7, "penalty": 3.2e-3},
    ("heat-linear", "pubmed"): {"features": "unit-rows", "time": 5.7, "penalty": 3.2e-4},
    ("sgc", "cora"): {"features": "tf-idf", "steps": 3, "penalty": 1e-3},
    ("sgc", "citeseer"): {"features": "unit-rows", "steps": 6, "penalty": 3.2e-3},
    ("sgc", "pubmed"): {"features": "unit-rows", "steps": 8, "penalty": 1e-4},
}


def recommended(prior: str, dataset: str | None = None, **changes: Any) -> dict[str, Any]:
    """The settings of a prior: as given, else as found for the dataset, else the usual ones.

    >>> recommended("heat-linear", "a graph of one's own", time=2.0)["time"]
    2.0
    """
    given = {name: value for name, value in changes.items() if value is not None}
    return {**USUAL[prior], **FOR_DATASETS.get((prior, str(dataset)), {}), **given}
