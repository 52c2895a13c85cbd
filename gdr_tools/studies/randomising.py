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
from gdr_core.structure.alignment import Alignment, alignment, measure_at
from gdr_core.structure.randomiser import randomised

WHAT: Final = ("edges", "features")
SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
DRAWS: Final = 3
NETWORK: Final = "gcn"


@dataclass(frozen=True)
class Point:
    """One randomised version: accuracies on the judged nodes, and how well the three agree.

    gap   how far S lies below that of chance, as a share. All versions are read at the dimensions
          of the dataset itself, and compared with its own fully randomised version.
    """

    share: float
    draw: int
    prior: float
    gdr: float
    network: float | None
    gap: float


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
    if what not in WHAT:
        raise ValueError(f"choose what is randomised: {' or '.join(WHAT)}, not {what!r}")
    found = []
    itself = alignment(dataset, draws=1, seed=seed)
    versions = [(share, draw) for share in shares for draw in range(draws if share else 1)]
    for k, (share, draw) in enumerate(versions):
        progress(k / len(versions), f"{share:.0%} of the {what} randomised")
        mixed = randomised(dataset, **{what: share}, seed=seed + draw)  # type: ignore[arg-type]
        found.append(_point(mixed, share, draw, prior, part, network, itself, seed + draw))
    return found


def by_share(points: list[Point]) -> list[dict[str, Any]]:
    """The means over the draws, one record a share."""
    shares = sorted({point.share for point in points})
    return [_mean([asdict(p) for p in points if p.share == share]) for share in shares]


def gain_spread(points: list[Point], share: float) -> float:
    """Standard deviation of GDR's gain over the draws of a share, in points; 0 of a single one."""
    gains = [100 * (point.gdr - point.prior) for point in points if point.share == share]
    return stdev(gains) if len(gains) > 1 else 0.0


def _mean(records: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        name: None if records[0][name] is None else fmean(record[name] for record in records)
        for name in records[0]
        if name != "draw"
    }


def _point(
    data: Dataset,
    share: float,
    draw: int,
    prior: str,
    part: str,
    network: bool,
    itself: Alignment,
    seed: int,
) -> Point:
    judged = getattr(data.split, part)
    start = priors.compute_prior(prior, data, seed=seed, cache=False)
    laplacian = make_laplacian("combinatorial", data.undirected)
    result = reclassify(laplacian, start, data.labels, data.split)
    after = result.at(result.chosen).predicted
    deep = None
    if network:
        beliefs = priors.compute_prior(NETWORK, data, seed=seed, cache=False)
        deep = accuracy(beliefs.argmax(axis=1), data.labels, judged)
    return Point(
        share,
        draw,
        accuracy(start.argmax(axis=1), data.labels, judged),
        accuracy(after, data.labels, judged),
        deep,
        1 - measure_at(data, itself.dimensions) / fmean(itself.randomised),
    )


def accuracy(predicted: np.ndarray, truth: np.ndarray, members: np.ndarray) -> float:
    """Share of the members with a known class that are predicted right."""
    known = members[truth[members] != UNKNOWN]
    return float((predicted[known] == truth[known]).mean()) if known.size else float("nan")
