"""Neighbourhoods against NetworkX, and the promises of the cap and of the drawing."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from gdr_core import datasets
from gdr_core.graphs.neighbourhood import neighbourhood, sample_by_distance


@st.composite
def graphs(draw):
    nodes = draw(st.integers(1, 14))
    seed = draw(st.integers(0, 10_000))
    share = draw(st.sampled_from([0.05, 0.15, 0.4]))
    random = np.random.default_rng(seed)
    half = np.triu(random.random((nodes, nodes)) < share, 1) * random.integers(1, 4, (nodes, nodes))
    return sp.csr_array((half + half.T).astype(float))


@given(graphs(), st.integers(0, 3), st.data())
def test_without_a_cap_it_is_the_ego_graph(graph, hops, data):
    centre = data.draw(st.integers(0, graph.shape[0] - 1))
    found = neighbourhood(graph, centre, hops, most=100)
    whole = nx.from_scipy_sparse_array(graph)
    ego = nx.ego_graph(whole, centre, radius=hops)
    assert set(found.nodes.tolist()) == set(ego.nodes)
    assert {frozenset(found.nodes[pair].tolist()) for pair in found.edges} == {
        frozenset(edge) for edge in ego.edges
    }
    lengths = nx.single_source_shortest_path_length(whole, centre, cutoff=hops)
    assert dict(zip(found.nodes.tolist(), found.distances.tolist(), strict=True)) == lengths
    assert found.left_out == 0


@given(graphs(), st.integers(0, 3), st.integers(1, 8), st.data())
def test_a_cap_keeps_the_nearest_and_their_ways_to_the_centre(graph, hops, most, data):
    centre = data.draw(st.integers(0, graph.shape[0] - 1))
    found = neighbourhood(graph, centre, hops, most)
    lengths = nx.single_source_shortest_path_length(
        nx.from_scipy_sparse_array(graph), centre, cutoff=hops
    )
    assert found.nodes.size == min(most, len(lengths))
    assert found.nodes.size + found.left_out == len(lengths)
    assert found.centre == centre
    kept = sorted(lengths[node] for node in found.nodes.tolist())
    assert kept == sorted(lengths.values())[: len(kept)]
    assert found.distances.tolist() == kept
    for node in range(1, found.nodes.size):
        parent = found.parents[node]
        assert found.distances[parent] == found.distances[node] - 1
        assert graph[found.nodes[parent], found.nodes[node]] > 0


def test_of_one_hop_the_heaviest_links_stay():
    weights = np.zeros((5, 5))
    weights[0, 1:] = weights[1:, 0] = [1.0, 4.0, 2.0, 3.0]
    assert neighbourhood(sp.csr_array(weights), 0, 1, most=3).nodes.tolist() == [0, 2, 4]


@given(graphs(), st.integers(0, 3))
def test_every_node_has_a_place_of_its_own_on_the_ring_of_its_distance(graph, hops):
    found = neighbourhood(graph, 0, hops)
    places = found.places()
    radius = np.hypot(*places.T)
    np.testing.assert_allclose(radius * max(found.distances.max(), 1), found.distances, atol=1e-12)
    assert len(np.unique(np.round(places, 9), axis=0)) == len(places)
    np.testing.assert_array_equal(places, neighbourhood(graph, 0, hops).places())


@given(graphs(), st.integers(1, 4))
def test_a_sample_holds_some_nodes_of_every_distance(graph, each):
    found = sample_by_distance(graph, 0, each)
    lengths = nx.single_source_shortest_path_length(nx.from_scipy_sparse_array(graph), 0)
    assert len(set(found.nodes.tolist())) == found.nodes.size
    for node, distance in zip(found.nodes.tolist(), found.distances.tolist(), strict=True):
        assert lengths[node] == distance
    for distance in set(lengths.values()):
        there = sum(1 for other in lengths.values() if other == distance)
        assert (found.distances == distance).sum() == min(each, there)


def test_directions_are_forgotten(directed_ring):
    assert neighbourhood(directed_ring, 0, 1).nodes.tolist() == [0, 1, 3]


def test_cora_fits_under_the_cap():
    graph = datasets.load_dataset("cora").undirected
    hub = int(np.diff(graph.indptr).argmax())
    found = neighbourhood(graph, hub, 3)
    assert found.nodes.size == 150
    assert (
        found.left_out == len(nx.ego_graph(nx.from_scipy_sparse_array(graph), hub, radius=3)) - 150
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [((9, 1, 5), "between 0 and 3"), ((0, 4, 5), "hops"), ((0, 1, 0), "at least 1")],
)
def test_bad_input_is_named(path_graph, arguments, said):
    with pytest.raises(ValueError, match=said):
        neighbourhood(path_graph, *arguments)
