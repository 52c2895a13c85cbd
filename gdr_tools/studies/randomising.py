"""What is lost when a graph's links, or its features, say less and less.

A share of the edges is rewired (all degrees kept), or a share of the nodes exchange their features;
then features, graph and classes are less aligned, and everything that learns from them does worse.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean, stdev
from typing import Any, Final

import numpy as np

from gdr_core import priors
from gdr_core.datasets import Dataset
from gdr_core.datasets.record import UNKNOWN
from gdr_core.gdr.reclassify import reclassify
from gdr_core.laplacians import make_laplacian
from gdr_core.progress import Progress, ignore
from gdr_core.structure.alignment import alignment, check_alignable, measure_at
from gdr_core.structure.randomiser import randomised
from gdr_core.structure.subspaces import Bases, bases_of

_WHAT: Final = ("edges", "features")
SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
DRAWS: Final = 3
_NETWORK: Final = "gcn"


@dataclass(frozen=True)
class Point:
    """One randomised version: accuracies on the judged nodes, and how well the three agree.

    edges, features   the shares that are randomised
    gap               how far S lies below that of chance, as a share. All versions are read at the
                      dimensions of the dataset itself, and compared with its own fully randomised
                      versions: that of nothing randomised is the dataset's own.
    """

    edges: float
    features: float
    draw: int
    prior: float
    gdr: float
    network: float | None
    gap: float


@dataclass(frozen=True)
class _Method:
    """What all versions have in common: the method, who is judged, and what S is compared with."""

    prior: str
    part: str
    network: bool
    dimensions: tuple[int, int]
    chance: float


def sweep(
    dataset: Dataset,
    what: str = "edges",
    *,
    prior: str = "projection",
    part: str = "validation",
    shares: tuple[float, ...] = SHARES,
    draws: int = DRAWS,
    network: bool = False,
    seed: int = 0,
    progress: Progress = ignore,
) -> list[Point]:
    """Prior, GDR, a GCN if asked for, and alignment, on randomised versions of a dataset.

    what     `edges` or `features`
    part     whose accuracy is reported; t_min is chosen on validation nodes as always
    """
    if what not in _WHAT:
        raise ValueError(f"choose what is randomised: {' or '.join(_WHAT)}, not {what!r}")
    check_alignable(dataset)
    bases = bases_of(dataset)
    itself = alignment(dataset, seed=seed, bases=bases)
    method = _Method(prior, part, network, itself.dimensions, fmean(itself.randomised))
    versions = [(share, draw) for share in shares for draw in range(draws if share else 1)]
    found = []
    for k, (share, draw) in enumerate(versions):
        progress(k / len(versions), f"{share:.0%} of the {what} randomised")
        found.append(_point(dataset, {what: share}, method, draw, seed, bases))
    return found


def point_at(
    dataset: Dataset,
    *,
    edges: float,
    features: float,
    dimensions: tuple[int, int],
    chance: float,
    prior: str = "projection",
    part: str = "validation",
    network: bool = False,
    seed: int = 0,
    progress: Progress = ignore,
) -> Point:
    """The same for one version, with a share of the edges and one of the features randomised.

    dimensions, chance   where S of the dataset is read, and what it is there for its randomised
                         versions on average

    >>> from gdr_core import load_dataset
    >>> from gdr_core.structure.alignment import alignment
    >>> blocks = load_dataset("sbm", nodes=60, homophily=0.8)
    >>> itself = alignment(blocks, draws=1)
    >>> read = {"dimensions": itself.dimensions, "chance": itself.randomised[0]}
    >>> point_at(blocks, edges=0.0, features=0.0, **read).gap == itself.gap
    True
    """
    check_alignable(dataset)
    progress(0.1, f"{edges:.0%} of the edges and {features:.0%} of the features randomised")
    method = _Method(prior, part, network, (dimensions[0], dimensions[1]), chance)
    return _point(dataset, {"edges": edges, "features": features}, method, 0, seed)


def by_share(points: list[Point], what: str = "edges") -> list[dict[str, Any]]:
    """The means over the draws and their standard deviations, one record a share of `what`.

    The deviations are under the names of the means with `_spread` behind; 0 of a single draw.
    """
    records = [asdict(point) | {"share": getattr(point, what)} for point in points]
    shares = sorted({record["share"] for record in records})
    return [_mean([each for each in records if each["share"] == share]) for share in shares]


def gain_spread(points: list[Point], share: float, what: str = "edges") -> float:
    """Standard deviation of GDR's gain over the draws of a share, in points; 0 of a single one."""
    gains = [100 * (point.gdr - point.prior) for point in points if getattr(point, what) == share]
    return stdev(gains) if len(gains) > 1 else 0.0


def _mean(records: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {"share": records[0]["share"]}
    for name in _MEASURED:
        values = [record[name] for record in records]
        known = values[0] is not None
        found[name] = fmean(values) if known else None
        found[f"{name}_spread"] = stdev(values) if known and len(values) > 1 else 0.0
    return found


_MEASURED: Final = ("prior", "gdr", "network", "gap")


def _point(
    dataset: Dataset,
    shares: dict[str, float],
    method: _Method,
    draw: int,
    seed: int,
    bases: Bases | None = None,
) -> Point:
    """One version; what is not randomised keeps its directions, where they are at hand."""
    edges, features = shares.get("edges", 0.0), shares.get("features", 0.0)
    data = randomised(dataset, edges=edges, features=features, seed=seed + draw)
    judged = getattr(data.split, method.part)
    start = priors.compute_prior(method.prior, data, seed=seed + draw, cache=False)
    laplacian = make_laplacian("combinatorial", data.undirected)
    result = reclassify(laplacian, start, data.labels, data.split)
    after = result.at(result.chosen).predicted
    deep = None
    if method.network:
        beliefs = priors.compute_prior(_NETWORK, data, seed=seed + draw, cache=False)
        deep = accuracy(beliefs.argmax(axis=1), data.labels, judged)
    measure = measure_at(
        data,
        method.dimensions,
        features=bases.features if bases and not features else None,
        graph=bases.graph if bases and not edges else None,
    )
    return Point(
        edges,
        features,
        draw,
        accuracy(start.argmax(axis=1), data.labels, judged),
        accuracy(after, data.labels, judged),
        deep,
        (method.chance - measure) / method.chance if method.chance else 0.0,
    )


def accuracy(predicted: np.ndarray, truth: np.ndarray, members: np.ndarray) -> float:
    """Share of the members with a known class that are predicted right."""
    known = members[truth[members] != UNKNOWN]
    return float((predicted[known] == truth[known]).mean()) if known.size else float("nan")
