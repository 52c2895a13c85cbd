"""Influence beside the centralities that everybody knows."""

from __future__ import annotations

from typing import Final

import networkx as nx
import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from gdr_core.datasets import Dataset
from gdr_core.structure.influence import Influence

SCALES: Final = {"Early": 0.25, "Middle": 0.5, "Last": 1.0}  # share of the pairs that have peaked


def scale_correlations(graph: Dataset, found: Influence) -> pd.DataFrame:
    """Spearman's rank correlation with degree, closeness and PageRank at three times.

    They are the times by which a quarter, half and all of the pairs that overshoot have peaked.
    Empty where all nodes have the same count or centrality: ranks need a difference.
    """
    shares = found.centrality()
    peaks = found.peak_times[found.overshoots]
    steps = {scale: _step(found.times, peaks, part) for scale, part in SCALES.items()}
    rows = [
        {"Centrality": name}
        | {scale: _correlation(values, shares[:, step]) for scale, step in steps.items()}
        for name, values in _centralities(graph).items()
    ]
    return pd.DataFrame(rows)


def _step(times: np.ndarray, peaks: np.ndarray, part: float) -> int:
    """The first time by which a share of the peaks has passed."""
    if not peaks.size:
        return times.size - 1
    when = float(np.quantile(peaks, part, method="inverted_cdf"))
    return min(int(np.searchsorted(times, when)), times.size - 1)


def _centralities(graph: Dataset) -> dict[str, np.ndarray]:
    network = nx.from_scipy_sparse_array(graph.undirected)
    measures = {
        "degree": dict(network.degree()),
        "closeness": nx.closeness_centrality(network),
        "PageRank": nx.pagerank(network),
    }
    return {name: np.array([found[k] for k in network]) for name, found in measures.items()}


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    if np.ptp(one) < 1e-12 or np.ptp(other) < 1e-12:
        return float("nan")
    return float(spearmanr(one, other).statistic)
