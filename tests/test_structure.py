"""Homophily, rewiring, alignment, influence, smoothing and communities, each against an oracle."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp

from gdr_core import compute_prior, load_dataset, make_laplacian
from gdr_core.datasets import Dataset
from gdr_core.graphs.homophily import homophily
from gdr_core.graphs.rewiring import rewired
from gdr_core.structure import alignment as aligning
from gdr_core.structure.communities import communities, louvain, stability, variation_of_information
from gdr_core.structure.influence import influence, sources_of
from gdr_core.structure.randomiser import randomised
from gdr_core.structure.smoothing import depth_smoothing, heat_smoothing

SMALL = ("karate", "ring-of-cliques", "star", "sbm", "grid")


def as_networkx(data: Dataset) -> nx.Graph:
    graph = nx.from_scipy_sparse_array(data.undirected)
    nx.set_node_attributes(graph, dict(enumerate(data.labels.tolist())), "class")
    return graph


@pytest.mark.parametrize("name", ["karate", "cora", "sbm"])
def test_adjusted_homophily_is_the_assortativity_coefficient(name):
    data = load_dataset(name)
    expected = nx.attribute_assortativity_coefficient(as_networkx(data), "class")
    assert homophily(data).adjusted == pytest.approx(expected, abs=1e-10)


def test_class_insensitive_homophily_follows_its_definition():
    data = load_dataset("sbm", nodes=80, homophily=0.4)
    graph = as_networkx(data)
    total = 0.0
    for k in range(data.classes):
        members = np.flatnonzero(data.labels == k)
        ends = [(i, j) for i in members.tolist() for j in graph.neighbors(i)]
        inside = np.mean([data.labels[j] == k for _, j in ends])
        total += max(0.0, inside - members.size / data.nodes)
    assert homophily(data).class_insensitive == pytest.approx(total / (data.classes - 1))


def test_homophily_is_not_defined_without_links_between_known_classes():
    data = load_dataset("karate")
    unknown = replace(data, labels=np.where(np.arange(34) == 0, data.labels, -1), split=no_split())
    found = homophily(unknown)
    assert np.isnan([found.edge, found.adjusted, found.class_insensitive]).all()


def no_split():
    from gdr_core import Split

    return Split(train=[0], validation=[], test=[])


@pytest.mark.parametrize("name", ["karate", "cora", "cora-directed"])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_rewiring_keeps_degrees_and_makes_no_odd_edge(name, share):
    data = load_dataset(name)
    found = rewired(data.adjacency, share, seed=5, directed=data.directed)
    ones = [sp.csr_array(graph.astype(bool).astype(int)) for graph in (data.adjacency, found)]
    for axis in (0, 1):
        np.testing.assert_array_equal(ones[0].sum(axis=axis), ones[1].sum(axis=axis))
    assert found.nnz == data.adjacency.nnz
    assert not found.diagonal().any()
    assert np.sort(found.data).tolist() == np.sort(data.adjacency.data).tolist()
    kept = ones[0].multiply(ones[1]).nnz / ones[0].nnz
    assert kept == 1 if share == 0 else kept >= 1 - share - 1e-9
    if share == 1 and name != "karate":
        assert kept < 0.05


def test_a_complete_graph_cannot_be_rewired():
    whole = sp.csr_array(np.ones((6, 6)) - np.eye(6))
    assert (rewired(whole, 1.0) != whole).nnz == 0


def test_randomising_features_only_exchanges_rows():
    data = load_dataset("digits")
    mixed = randomised(data, features=0.5, seed=2)
    before, after = (np.sort(each.features.sum(axis=1).ravel()) for each in (data, mixed))
    np.testing.assert_allclose(before, after)
    stayed = np.isclose(data.features.toarray(), mixed.features.toarray()).all(axis=1).mean()
    assert 0.5 <= stayed < 0.6
    with pytest.raises(ValueError, match="between 0 and 1"):
        randomised(data, edges=1.5)


@pytest.fixture(scope="module")
def blocks() -> Dataset:
    return load_dataset("sbm", nodes=90, homophily=0.85)


def test_the_shortcut_equals_principal_angles(blocks):
    bases = aligning.bases_of(blocks, most=20)
    found = aligning.distances_of(bases)
    for a, b in product((1, 4, 20), (1, 7, 20)):
        angles = scipy.linalg.subspace_angles(bases.features[:, :a], bases.graph[:, :b])
        assert found.features_graph[a - 1, b - 1] == pytest.approx(
            np.square(np.sin(angles)).sum(), abs=1e-8
        )
    for k in (1, 2, 15):
        for basis, distances in (
            (bases.features, found.features_classes),
            (bases.graph, found.graph_classes),
        ):
            angles = scipy.linalg.subspace_angles(basis[:, :k], bases.classes)
            assert distances[k - 1] == pytest.approx(np.square(np.sin(angles)).sum(), abs=1e-8)


@pytest.mark.parametrize("wide", [False, True])
def test_the_directions_of_the_features_are_those_of_a_singular_value_decomposition(wide):
    random = np.random.default_rng(0)
    table = random.random((12, 40) if wide else (40, 12))
    rows = table / table.sum(axis=1, keepdims=True)
    left = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[0]
    basis = aligning.feature_basis(sp.csr_array(table), 5)
    np.testing.assert_allclose(np.abs(left[:, :5].T @ basis), np.eye(5), atol=1e-7)


def test_the_directions_of_a_large_graph_are_those_of_the_dense_matrix(monkeypatch):
    graph = load_dataset("karate").undirected
    dense = aligning.graph_basis(graph, 6)
    monkeypatch.setattr(aligning, "_DENSE", 10)
    lanczos = aligning.graph_basis(graph, 6)
    np.testing.assert_allclose(np.abs(dense.T @ lanczos), np.eye(6), atol=1e-6)


def test_alignment_falls_when_the_graph_is_rewired(blocks):
    whole = aligning.alignment(blocks, draws=2)
    broken = aligning.alignment(randomised(blocks, edges=1.0, features=1.0, seed=9), draws=2)
    assert whole.measure < min(whole.randomised)
    assert whole.gap > 2 * broken.gap
    d = whole.distances
    assert whole.measure == pytest.approx(np.sqrt(2 * sum(x * x for x in d)))


def test_what_cannot_be_aligned_is_said(blocks):
    empty = sp.csr_array((blocks.nodes, 3))
    with pytest.raises(ValueError, match="no features"):
        aligning.alignment(replace(blocks, features=empty))
    with pytest.raises(ValueError, match="no edges"):
        aligning.alignment(replace(blocks, adjacency=sp.csr_array((blocks.nodes,) * 2)))
    with pytest.raises(ValueError, match="two known classes"):
        aligning.alignment(replace(blocks, labels=np.zeros(blocks.nodes, dtype=int)))
    with pytest.raises(ValueError, match="same features"):
        aligning.alignment(replace(blocks, features=sp.csr_array(np.ones((blocks.nodes, 2)))))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("kind", ["combinatorial", "random-walk"])
def test_influence_is_the_highest_point_of_the_heat_kernel(name, kind):
    data = load_dataset(name, **({"nodes": 40} if name == "sbm" else {}))
    laplacian = make_laplacian(kind, data.undirected)
    found = influence(laplacian)
    dense = laplacian.dense()
    chosen = np.random.default_rng(1).choice(data.nodes, min(5, data.nodes), replace=False)
    limit = scipy.linalg.expm(-1e4 / max(laplacian.gap, 1e-3) * dense)
    excess = np.array([scipy.linalg.expm(-t * dense) - limit for t in found.times[::6]])
    for source, node in product(chosen.tolist(), chosen.tolist()):
        if source == node:
            continue
        curve = excess[:, node, source]
        if curve.max() > 1e-7:
            assert found.heights[source, node] >= curve.max() - 1e-9
            near = found.times[::6][curve.argmax()]
            assert 0.4 < found.peak_times[source, node] / near < 2.5
        elif found.overshoots[source, node]:
            when = found.peak_times[source, node]
            exact = (scipy.linalg.expm(-when * dense) - limit)[node, source]
            assert exact == pytest.approx(found.heights[source, node], abs=1e-8)


@pytest.mark.parametrize("kind", ["combinatorial", "random-walk"])
def test_the_sources_of_one_node_are_a_column_of_the_matrix(kind):
    data = load_dataset("karate")
    laplacian = make_laplacian(kind, data.undirected)
    whole, column = influence(laplacian), sources_of(laplacian, 5)
    clear = np.maximum(whole.heights[:, 5], column.heights[:, 0]) > 1e-4
    assert clear.any()
    np.testing.assert_allclose(whole.heights[clear, 5], column.heights[clear, 0], rtol=2e-3)


def test_centrality_over_scales_counts_those_who_have_peaked():
    laplacian = make_laplacian("combinatorial", load_dataset("karate").undirected)
    found = influence(laplacian)
    shares = found.centrality()
    assert (np.diff(shares, axis=1) >= 0).all()
    np.testing.assert_allclose(shares[:, -1] * 33, found.overshoots.sum(axis=1))


def test_large_graphs_are_asked_for_one_node_at_a_time():
    with pytest.raises(ValueError, match="sources of one node"):
        influence(make_laplacian("combinatorial", load_dataset("cora").undirected))


def test_smoothing_against_dense_powers_and_exponentials():
    data = load_dataset("karate")
    start = compute_prior("uniform", data) + np.random.default_rng(3).random((34, data.classes))
    looped = data.undirected.toarray() + np.eye(34)
    scale = 1 / np.sqrt(looped.sum(axis=1))
    hat = scale[:, None] * looped * scale
    judged = data.split.validation
    depth, heat = depth_smoothing(data, start, judged), heat_smoothing(data, start, judged)

    def energy(block: np.ndarray) -> float:
        return float(np.trace(block.T @ (np.eye(34) - hat) @ block))

    for k in (0, 1, 5, 30):
        block = np.linalg.matrix_power(hat, k) @ start
        assert depth.energy[k] == pytest.approx(energy(block) / energy(start), abs=1e-9)
        assert depth.labels[k] == np.unique(block.argmax(axis=1)).size
    for k in (0, 10, 60):
        block = scipy.linalg.expm(-heat.steps[k] * (np.eye(34) - hat)) @ start
        assert heat.energy[k] == pytest.approx(energy(block) / energy(start), abs=1e-6)
        right = block.argmax(axis=1)[judged] == data.labels[judged]
        assert heat.accuracy[k] == pytest.approx(right.mean())
    assert (np.diff(heat.energy) <= 1e-9).all()


def covariance(adjacency: np.ndarray, time: float) -> np.ndarray:
    degrees = adjacency.sum(axis=1)
    share = degrees / degrees.sum()
    walk = scipy.linalg.expm(-time * (np.eye(len(degrees)) - adjacency / degrees[:, None]))
    return share[:, None] * walk - np.outer(share, share)


def all_partitions(nodes: int):
    """Every partition of a few nodes, as group numbers in order of first appearance."""
    found = [[0]]
    for _ in range(nodes - 1):
        found = [[*each, k] for each in found for k in range(max(each) + 2)]
    return [np.array(each) for each in found]


@pytest.mark.parametrize("time", [0.3, 1.0, 4.0])
def test_communities_are_the_best_of_all_partitions(time):
    graph = nx.barbell_graph(4, 0)
    adjacency = nx.to_numpy_array(graph)
    matrix = covariance(adjacency, time)
    best = max(stability(matrix, each) for each in all_partitions(8))
    found = communities(adjacency, [time])
    assert found.stability[0] == pytest.approx(best, abs=1e-10)
    assert stability(matrix, found.partitions[0]) == pytest.approx(best, abs=1e-10)


def test_to_first_order_stability_is_modularity():
    club = load_dataset("karate").undirected.toarray()
    degrees = club.sum(axis=1)
    first_order = club / club.sum() - np.outer(degrees, degrees) / club.sum() ** 2
    groups = louvain(first_order, np.random.default_rng(0))
    graph = nx.from_numpy_array(club)
    sets = [set(np.flatnonzero(groups == k).tolist()) for k in range(groups.max() + 1)]
    assert stability(first_order, groups) == pytest.approx(nx.community.modularity(graph, sets))
    assert stability(first_order, groups) > 0.40  # 0.4198 is the largest that is known


def test_blocks_are_found_where_one_partition_stands_out():
    blocks = load_dataset("sbm", nodes=90, homophily=0.97, seed=1)
    found = communities(blocks.undirected, np.geomspace(0.3, 60, 12), runs=4)
    assert (np.diff(found.groups) <= 0).all()
    close = [variation_of_information(each, blocks.labels) for each in found.partitions]
    assert min(close) < 0.35
    assert (found.variation >= 0).all()
    assert (found.variation <= 1).all()


def test_variation_of_information_is_a_distance():
    random = np.random.default_rng(0)
    a, b, c = random.integers(0, 4, (3, 60))
    d = variation_of_information
    assert d(a, a) == 0
    assert d(a, b) == pytest.approx(d(b, a))
    assert d(a, c) <= d(a, b) + d(b, c) + 1e-12


@pytest.mark.parametrize("times", [[], [-1.0], [float("nan")]])
def test_times_of_communities_must_be_times(times):
    with pytest.raises(ValueError, match="times must be finite"):
        communities(load_dataset("karate").undirected, times)
