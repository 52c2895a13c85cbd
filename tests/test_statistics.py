"""The numbers of a dataset against NetworkX, and against graphs that can be checked by hand."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core import datasets
from gdr_core.datasets import Dataset, Provenance, Split
from gdr_core.graphs import statistics


def dataset(adjacency, labels, classes=3, split=None, directed=False) -> Dataset:
    nodes = adjacency.shape[0]
    nobody = np.array([], dtype=int)
    return Dataset(
        name="made",
        adjacency=sp.csr_array(adjacency),
        features=sp.csr_array(np.ones((nodes, 2))),
        labels=np.asarray(labels),
        class_names=tuple(f"class {k}" for k in range(classes)),
        node_names=tuple(str(i) for i in range(nodes)),
        split=split or Split(nobody, nobody, nobody),
        directed=directed,
        layout=np.zeros((nodes, 2)),
        provenance=Provenance("made here", "none", "free"),
    )


@st.composite
def labelled_graphs(draw) -> Dataset:
    nodes = draw(st.integers(1, 12))
    pairs = [(i, j) for i in range(nodes) for j in range(i)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    matrix = np.zeros((nodes, nodes))
    for i, j in edges:
        matrix[i, j] = matrix[j, i] = 1
    labels = draw(st.lists(st.integers(-1, 2), min_size=nodes, max_size=nodes))
    return dataset(matrix, labels)


def networkx_of(graph: Dataset) -> nx.Graph:
    made = nx.from_scipy_sparse_array(graph.undirected)
    nx.set_node_attributes(made, dict(enumerate(graph.labels.tolist())), "label")
    return made


@given(labelled_graphs())
@settings(deadline=None)
def test_degrees_and_components_agree_with_networkx(graph):
    oracle = networkx_of(graph)
    assert statistics.degrees(graph).tolist() == [oracle.degree(i) for i in range(graph.nodes)]
    sizes = sorted(map(len, nx.connected_components(oracle)), reverse=True)
    assert statistics.component_sizes(graph).tolist() == sizes
    histogram = nx.degree_histogram(oracle)
    degree, count = statistics.degree_counts(graph)
    assert {k: n for k, n in enumerate(histogram) if n} == dict(
        zip(degree.tolist(), count.tolist(), strict=True)
    )
    assert statistics.mean_degree(graph) == pytest.approx(2 * graph.edges / graph.nodes)


@given(labelled_graphs())
@settings(deadline=None)
def test_homophily_counts_edges_within_a_class(graph):
    label = graph.labels.tolist()
    edges = [(i, j) for i, j in networkx_of(graph).edges if label[i] >= 0 and label[j] >= 0]
    if not edges:
        assert np.isnan(statistics.edge_homophily(graph))
        return
    share = sum(label[i] == label[j] for i, j in edges) / len(edges)
    assert statistics.edge_homophily(graph) == pytest.approx(share)


@given(labelled_graphs())
@settings(deadline=None)
def test_chance_homophily_is_one_less_the_spread_that_modularity_subtracts(graph):
    """Modularity of the classes is homophily minus chance, where every label is known."""
    if (graph.labels < 0).any() or not graph.edges:
        return
    groups = [set(np.flatnonzero(graph.labels == k).tolist()) for k in range(graph.classes)]
    modularity = nx.community.modularity(networkx_of(graph), [group for group in groups if group])
    difference = statistics.edge_homophily(graph) - statistics.chance_homophily(graph)
    assert difference == pytest.approx(modularity)


def test_direction_is_forgotten_for_neighbours_and_kept_for_edges():
    there_and_back = np.array([[0, 1, 1], [1, 0, 0], [0, 0, 0]])
    graph = dataset(there_and_back, [0, 0, 1], directed=True)
    assert statistics.degrees(graph).tolist() == [2, 1, 1]
    assert statistics.edge_homophily(graph) == pytest.approx(2 / 3)
    assert statistics.component_sizes(graph).tolist() == [3]


def test_split_counts_cover_every_labelled_node_once():
    graph = datasets.load_dataset("cora")
    counts = statistics.split_counts(graph)
    assert counts["train"].tolist() == [20] * 7
    assert sum(part.sum() for part in counts.values()) == graph.nodes
    assert sum(counts.values()).tolist() == np.bincount(graph.labels).tolist()


def test_neighbour_classes_sum_to_the_degree_and_keep_the_unknown_apart():
    star = np.zeros((4, 4))
    star[0, 1:] = star[1:, 0] = 1
    graph = dataset(star, [0, 1, 1, -1])
    assert statistics.neighbour_classes(graph, 0).tolist() == [0, 2, 0, 1]
    assert statistics.neighbour_classes(graph, 3).tolist() == [1, 0, 0, 0]


def test_summary_of_cora():
    numbers = statistics.summarise(datasets.load_dataset("cora"))
    assert (numbers.nodes, numbers.edges, numbers.components) == (2708, 5278, 78)
    assert numbers.mean_degree == pytest.approx(2 * 5278 / 2708)
    assert 0.80 < numbers.edge_homophily < 0.82
