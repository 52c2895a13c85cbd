"""Regions of a graph, and whether mistakes stand together in them."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets import load_dataset
from gdr_core.graphs.regions import modularity, regions
from gdr_core.priors.by_region import mistakes_by_region


@st.composite
def weighted_graphs(draw):
    nodes = draw(st.integers(1, 24))
    seed, density = draw(st.integers(0, 10_000)), draw(st.sampled_from([0.05, 0.15, 0.4]))
    random = np.random.default_rng(seed)
    upper = np.triu(random.random((nodes, nodes)) < density, 1) * random.integers(
        1, 9, (nodes,) * 2
    )
    return sp.csr_array((upper + upper.T).astype(float))


def sets_of(groups):
    return [set(np.flatnonzero(groups == group).tolist()) for group in range(groups.max() + 1)]


@pytest.mark.parametrize("name", ["karate", "cora", "path", "star"])
def test_modularity_is_that_of_networkx(name):
    adjacency = load_dataset(name).undirected
    groups = np.random.default_rng(3).integers(0, 5, adjacency.shape[0])
    network = nx.from_scipy_sparse_array(adjacency)
    expected = nx.community.modularity(network, [each for each in sets_of(groups) if each])
    assert modularity(adjacency, groups) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(weighted_graphs())
def test_no_move_of_a_node_improves_regions_and_each_is_connected(adjacency):
    groups = regions(adjacency)
    network, reached = nx.from_scipy_sparse_array(adjacency), modularity(adjacency, groups)
    assert all(nx.is_connected(network.subgraph(each)) for each in sets_of(groups))
    sizes = np.bincount(groups)
    assert (np.diff(sizes) <= 0).all()
    for node in range(groups.size):
        for group in range(sizes.size + 1):
            moved = groups.copy()
            moved[node] = group
            assert modularity(adjacency, moved) <= reached + 1e-9
    np.testing.assert_array_equal(regions(adjacency * 4.0), groups)  # the unit means nothing
    np.testing.assert_array_equal(regions(adjacency), groups)


@pytest.mark.parametrize("name", ["karate", "cora"])
def test_regions_are_as_good_as_those_of_an_independent_search(name):
    adjacency = load_dataset(name).undirected
    igraph = pytest.importorskip("igraph")
    ends = sp.triu(adjacency, 1).tocoo()
    network = igraph.Graph(adjacency.shape[0], list(zip(ends.row, ends.col, strict=True)))
    theirs = network.community_multilevel().modularity
    assert modularity(adjacency, regions(adjacency)) > theirs - 0.01


def test_cliques_on_a_ring_are_regions_and_loops_do_not_count():
    network = nx.ring_of_cliques(6, 5)
    adjacency = sp.csr_array(nx.to_scipy_sparse_array(network, dtype=float))
    groups = regions(sp.csr_array(adjacency + sp.diags_array(np.arange(30.0))))
    assert sorted(map(sorted, sets_of(groups))) == [list(range(5 * k, 5 * k + 5)) for k in range(6)]


def test_without_edges_each_node_is_a_region():
    assert regions(sp.csr_array((4, 4))).tolist() == [0, 1, 2, 3]
    assert modularity(sp.csr_array((4, 4)), np.zeros(4, dtype=int)) == 0


@pytest.mark.parametrize("sizes", [(2, 2, 3), (1, 2, 4), (3, 4)])
@pytest.mark.parametrize("wrong", [1, 3])
def test_the_spread_of_all_placings_is_one_on_average(sizes, wrong):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    truth, found = np.zeros(groups.size, dtype=int), []
    for chosen in combinations(range(groups.size), wrong):
        predicted = np.isin(np.arange(groups.size), chosen).astype(int)
        found.append(mistakes_by_region(groups, truth, predicted, np.array([], dtype=int)).spread)
    assert np.mean(found) == pytest.approx(1, abs=1e-12)


def test_the_p_value_is_that_of_all_placings():
    groups = np.repeat([0, 1, 2], [4, 4, 3])
    truth, none = np.zeros(11, dtype=int), np.array([], dtype=int)
    spreads = [
        mistakes_by_region(groups, truth, np.isin(np.arange(11), chosen).astype(int), none).spread
        for chosen in combinations(range(11), 4)
    ]
    seen = mistakes_by_region(groups, truth, (groups == 0).astype(int), none)
    exact = np.mean(np.array(spreads) >= seen.spread - 1e-9)
    assert seen.chance == pytest.approx(exact, abs=0.03)
    mixed = mistakes_by_region(groups, truth, np.isin(np.arange(11), [0, 4, 8]).astype(int), none)
    assert mixed.chance > 0.9  # one in each


def test_mistakes_are_counted_one_by_one():
    data = load_dataset("karate")
    groups, random = regions(data.undirected), np.random.default_rng(0)
    truth = np.where(random.random(data.nodes) < 0.2, -1, data.labels)
    predicted = random.integers(0, data.classes, data.nodes)
    train = np.array([0, 3, 30])
    found = mistakes_by_region(groups, truth, predicted, train, least=8)
    sizes = np.bincount(groups)
    assert found.regions == (sizes >= 8).sum()
    assert found.small == (sizes < 8).sum()
    for region in range(found.judged.size):
        small = region == found.regions
        members = [
            n for n in range(data.nodes) if (sizes[groups[n]] < 8 if small else groups[n] == region)
        ]
        judged = [n for n in members if truth[n] >= 0 and n not in train]
        assert found.nodes[region] == len(members)
        assert found.judged[region] == len(judged)
        assert found.wrong[region] == sum(predicted[n] != truth[n] for n in judged)
    shares = found.shares[found.order]
    assert (np.diff(shares[~np.isnan(shares)]) <= 0).all()
