"""What one wants to know of a labelled graph before any method runs on it.

Directions are forgotten and weights ignored: A below is the 0/1 matrix of who touches whom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csgraph

from gdr_core.datasets.record import PARTS, UNKNOWN, Dataset

REST = "unused"


@dataclass(frozen=True)
class Summary:
    """The numbers that describe a dataset at a glance."""

    nodes: int
    edges: int
    classes: int
    features: int
    mean_degree: float
    components: int
    edge_homophily: float
    chance_homophily: float


def summarise(dataset: Dataset) -> Summary:
    """All single numbers of a dataset in one record."""
    return Summary(
        nodes=dataset.nodes,
        edges=dataset.edges,
        classes=dataset.classes,
        features=int(dataset.features.shape[1]),
        mean_degree=mean_degree(dataset),
        components=len(component_sizes(dataset)),
        edge_homophily=edge_homophily(dataset),
        chance_homophily=chance_homophily(dataset),
    )


def degrees(dataset: Dataset) -> np.ndarray:
    """Number of neighbours of every node: k_i = Σ_j A_ij."""
    return np.diff(dataset.undirected.indptr).astype(np.int64)


def mean_degree(dataset: Dataset) -> float:
    """Neighbours of a node on average: ⟨k⟩ = (1/N) Σ_i k_i; 0 for a graph without nodes."""
    return float(degrees(dataset).mean()) if dataset.nodes else 0.0


def degree_counts(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """The degrees that occur, ascending, and n(k) = |{i : k_i = k}| for each of them."""
    return np.unique(degrees(dataset), return_counts=True)


def component_sizes(dataset: Dataset) -> np.ndarray:
    """Nodes in each connected component, largest first. Their sum is N."""
    _, member_of = csgraph.connected_components(dataset.undirected, directed=False)
    return np.sort(np.bincount(member_of))[::-1]


def edge_homophily(dataset: Dataset) -> float:
    """Share of edges that join two nodes of one class.

    h = |{(i, j) ∈ E : y_i = y_j}| / |E|, over the edges whose two ends have a known class.
    h = 1: links never leave a class. NaN when no edge has two known ends.
    """
    links = dataset.adjacency.tocoo()
    sources, targets = dataset.labels[links.row], dataset.labels[links.col]
    known = (sources != UNKNOWN) & (targets != UNKNOWN)
    return float((sources == targets)[known].mean()) if known.any() else float("nan")


def chance_homophily(dataset: Dataset) -> float:
    """The homophily expected if links ignored classes: Σ_c (d_c / Σd)².

    d_c is the sum of the degrees of the nodes of class c. Compare `edge_homophily` with it.
    """
    known = dataset.labels != UNKNOWN
    ends = np.bincount(dataset.labels[known], degrees(dataset)[known], minlength=dataset.classes)
    return float(np.square(ends / ends.sum()).sum()) if ends.sum() else float("nan")


def split_counts(dataset: Dataset) -> dict[str, np.ndarray]:
    """For train, validation, test and the unused rest: how many nodes of each class."""
    part_of = dataset.split.part_of_nodes(dataset.nodes)
    part_of[part_of == ""] = REST
    known = dataset.labels != UNKNOWN
    return {
        part: np.bincount(dataset.labels[known & (part_of == part)], minlength=dataset.classes)
        for part in (*PARTS, REST)
    }


def neighbour_classes(dataset: Dataset, node: int) -> np.ndarray:
    """How many neighbours of one node have each class; the last entry counts the unknown."""
    graph = dataset.undirected
    labels = dataset.labels[graph.indices[graph.indptr[node] : graph.indptr[node + 1]]]
    return np.bincount(
        np.where(labels == UNKNOWN, dataset.classes, labels), minlength=dataset.classes + 1
    )
