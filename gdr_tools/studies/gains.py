"""Where GDR gains and where it loses: every dataset, and block models from homophily 0 to 1.

The numbers that the Structure page draws behind a visitor's own graph, of a fixed, cheap method
(projection prior, combinatorial Laplacian, rule overshoot) with t_min chosen on validation nodes.
Each graph is measured twice: with the classes of test nodes held back and judged on validation
nodes, as pages show it until somebody asks for test, and with all classes, judged on test nodes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from gdr_core.datasets import Dataset, MissingFilesError, load_dataset, names, spec_of
from gdr_core.datasets.hiding import hide_test
from gdr_core.gdr.reclassify import reclassify
from gdr_core.graphs.homophily import homophily
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import compute_prior
from gdr_core.progress import Progress, ignore
from gdr_tools.studies.randomising import accuracy

GRID: Final = tuple(k / 10 for k in range(11))
DRAWS: Final = 5
METHOD: Final = "projection prior, combinatorial Laplacian, rule overshoot"


JUDGED: Final = {
    "hidden": "validation nodes, on which t_min is chosen too, without any class of a test node",
    "revealed": "test nodes; t_min chosen on validation nodes",
}


@dataclass(frozen=True)
class Gain:
    """One graph: its homophily, and the accuracy of the judged nodes before and after GDR.

    Both are made from the classes that the dataset shows.
    """

    name: str
    kind: str
    seed: int
    edge: float
    adjusted: float
    class_insensitive: float
    prior: float
    gdr: float


def gain_on(data: Dataset, kind: str, seed: int) -> Gain:
    """Measure one graph: on test nodes, or where test is hidden on validation nodes."""
    start = compute_prior("projection", data, cache=False)
    laplacian = make_laplacian("combinatorial", data.undirected)
    result = reclassify(laplacian, start, data.labels, data.split)
    after = result.at(result.chosen).predicted
    judged = data.split.validation if data.test_hidden else data.split.test
    return Gain(
        data.name,
        kind,
        seed,
        **asdict(homophily(data)),
        prior=accuracy(start.argmax(axis=1), data.labels, judged),
        gdr=accuracy(after, data.labels, judged),
    )


def all_gains(progress: Progress = ignore) -> dict[str, Any]:
    """Every dataset that is here, and the grid of block models."""
    listed = [name for name in names() if name != "sbm" and not _is_small(name)]
    steps = len(listed) + len(GRID)
    found: dict[str, list[Gain]] = {state: [] for state in JUDGED}
    left_out = []
    for k, name in enumerate(listed):
        progress(k / steps, name)
        try:
            _add(found, load_dataset(name), "dataset", 0)
        except (MissingFilesError, ValueError) as error:
            left_out.append({"name": name, "why": str(error)})
    for k, share in enumerate(GRID):
        progress((len(listed) + k) / steps, f"block models of homophily {share:g}")
        for seed in range(DRAWS):
            blocks = load_dataset("sbm", nodes=400, homophily=share, seed=seed)
            _add(found, blocks, "block model", seed)
    states = {
        state: {"judged": JUDGED[state], "graphs": [asdict(each) for each in graphs]}
        for state, graphs in found.items()
    }
    return {"method": METHOD, "draws": DRAWS, "left_out": left_out, **states}


def _add(found: dict[str, list[Gain]], data: Dataset, kind: str, seed: int) -> None:
    """One graph in both states, or in none."""
    both = {"hidden": gain_on(hide_test(data), kind, seed), "revealed": gain_on(data, kind, seed)}
    for state, gain in both.items():
        found[state].append(gain)


def _is_small(name: str) -> bool:
    return spec_of(name).kind == "small"
