"""Where GDR gains and where it loses: every dataset, and block models from homophily 0 to 1.

The numbers that the Structure page draws behind a visitor's own graph. A fixed, cheap method
(projection prior, combinatorial Laplacian, rule overshoot) on test nodes; t_min is chosen on
validation nodes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from gdr_core.datasets import Dataset, MissingFilesError, load_dataset, names, spec_of
from gdr_core.gdr.reclassify import reclassify
from gdr_core.graphs.homophily import homophily
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
from gdr_core.progress import Progress, ignore
from gdr_tools.studies.randomising import accuracy

GRID: Final = tuple(k / 10 for k in range(11))
DRAWS: Final = 5
METHOD: Final = "projection prior, combinatorial Laplacian, rule overshoot"


@dataclass(frozen=True)
class Gain:
    """One graph: its homophily, and test accuracy before and after GDR."""

    name: str
    kind: str
    seed: int
    edge: float
    adjusted: float
    class_insensitive: float
    prior: float
    gdr: float


def gain_on(data: Dataset, kind: str, seed: int) -> Gain:
    """Measure one graph."""
    start = compute_prior("projection", data, cache=False)
    laplacian = make_laplacian("combinatorial", data.undirected)
    result = reclassify(laplacian, start, data.labels, data.split)
    after = result.at(result.chosen).predicted
    test = data.split.test
    return Gain(
        data.name,
        kind,
        seed,
        **asdict(homophily(data)),
        prior=accuracy(start.argmax(axis=1), data.labels, test),
        gdr=accuracy(after, data.labels, test),
    )


def all_gains(progress: Progress = ignore) -> dict[str, Any]:
    """Every dataset that is here, and the grid of block models."""
    listed = [name for name in names() if name != "sbm" and not _is_small(name)]
    steps = len(listed) + len(GRID)
    found: list[Gain] = []
    left_out = []
    for k, name in enumerate(listed):
        progress(k / steps, name)
        try:
            found.append(gain_on(load_dataset(name), "dataset", 0))
        except (MissingFilesError, ValueError) as error:
            left_out.append({"name": name, "why": str(error)})
    for k, share in enumerate(GRID):
        progress((len(listed) + k) / steps, f"block models of homophily {share:g}")
        for seed in range(DRAWS):
            blocks = load_dataset("sbm", nodes=400, homophily=share, seed=seed)
            found.append(gain_on(blocks, "block model", seed))
    return {
        "method": METHOD,
        "judged": "test nodes; t_min chosen on validation nodes",
        "draws": DRAWS,
        "graphs": [asdict(each) for each in found],
        "left_out": left_out,
    }


def _is_small(name: str) -> bool:
    return spec_of(name).kind == "small"
