"""Influence beside the centralities that everybody knows."""

from __future__ import annotations

from typing import Final

import networkx as nx
import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from gdr_core.datasets import Dataset
from gdr_core.structure.influence import Influence

SCALES: Final = {"Early": 0.25, "Middle": 0.5, "Last": 1.0}  # of the logarithmic time axis


def scale_correlations(graph: Dataset, found: Influence) -> pd.DataFrame:
    """Spearman's rank correlation with degree, closeness and PageRank at three times.

    Empty where all nodes have the same count or centrality: ranks need a difference.
    """
    shares = found.centrality()
    last = found.times.size - 1
    rows = [
        {"Centrality": name}
        | {
            scale: _correlation(values, shares[:, round(part * last)])
            for scale, part in SCALES.items()
        }
        for name, values in _centralities(graph).items()
    ]
    return pd.DataFrame(rows)


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
