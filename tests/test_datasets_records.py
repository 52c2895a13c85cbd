"""Records refuse what is wrong and keep what is right, whatever is thrown at them."""

import dataclasses

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from gdr_core.datasets import (
    Dataset,
    DatasetChoice,
    Provenance,
    Split,
    available,
    load_dataset,
    names,
    splits_of,
)

NOWHERE = Provenance("made up", "none", "free")


def dataset(adjacency, **changes) -> Dataset:
    nodes = adjacency.shape[0]
    fields = {
        "name": "test",
        "adjacency": adjacency,
        "features": sp.csr_array(np.eye(nodes)),
        "labels": np.arange(nodes) % 2,
        "class_names": ("a", "b"),
        "node_names": tuple(str(i) for i in range(nodes)),
        "split": Split(np.array([0]), np.array([1]), np.array([], dtype=int)),
        "directed": False,
        "layout": np.zeros((nodes, 2)),
        "provenance": NOWHERE,
    }
    return Dataset(**(fields | changes))


@given(st.lists(st.integers(0, 40), max_size=30), st.data())
def test_a_split_keeps_its_nodes_and_names_their_parts(nodes, data):
    parts = [data.draw(st.sampled_from([0, 1, 2])) for _ in set(nodes)]
    members = [
        [n for n, p in zip(sorted(set(nodes)), parts, strict=True) if p == k] for k in range(3)
    ]
    split = Split(*(np.array(m, dtype=int) for m in members))
    named = split.part_of_nodes(41)
    for part, expected in zip(("train", "validation", "test"), members, strict=True):
        assert getattr(split, part).tolist() == expected
        assert np.flatnonzero(named == part).tolist() == expected


@given(st.sets(st.integers(0, 20), min_size=1), st.sets(st.integers(0, 20), min_size=1))
def test_a_split_is_refused_exactly_when_its_parts_share_a_node(one, other):
    left, right = np.array(sorted(one)), np.array(sorted(other))
    none = np.array([], dtype=int)
    for parts in ((left, right, none), (left, none, right), (none, left, right)):
        if one & other:
            with pytest.raises(ValueError, match=f"{len(one & other)} nodes are in both"):
                Split(*parts)
        else:
            assert Split(*parts).train.size + Split(*parts).validation.size <= 42


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ([-1, 2], "negative node number -1"),
        ([3, 3], "names node 3 more than once"),
        ([0.5], "must be a list of node numbers"),
        ([[1], [2]], "must be a list of node numbers"),
    ],
)
def test_a_split_refuses_what_is_no_set_of_nodes(members, complaint):
    with pytest.raises(ValueError, match=complaint):
        Split(np.array(members), np.array([], dtype=int), np.array([], dtype=int))


@given(st.integers(2, 9), st.data())
def test_edges_are_counted_once(nodes, data):
    pairs = [(i, j) for i in range(nodes) for j in range(i)]
    chosen = data.draw(st.sets(st.sampled_from(pairs)))
    dense = np.zeros((nodes, nodes))
    for i, j in chosen:
        dense[i, j] = 1
    undirected = dataset(sp.csr_array(dense + dense.T))
    directed = dataset(sp.csr_array(dense), directed=True)
    assert undirected.edges == directed.edges == len(chosen)
    assert (directed.undirected != undirected.adjacency).nnz == 0


def test_a_dataset_cannot_be_changed_and_changes_nothing(path_graph):
    features = sp.csr_array(np.eye(4))
    record = dataset(path_graph, features=features)
    for array in (record.labels, record.layout, record.adjacency.data, record.features.data):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.name = "other"
    features.data[:] = 5
    path_graph.data[:] = 5
    assert record.features.max() == record.adjacency.max() == 1


LOOP = sp.csr_array(np.array([[1.0, 1], [1, 0]]))
ONE_WAY = sp.csr_array(np.array([[0.0, 1], [0, 0]]))
NEGATIVE = sp.csr_array(np.array([[0.0, -1], [-1, 0]]))
TWICE = sp.csr_array((np.ones(4), np.array([1, 1, 0, 0]), np.array([0, 2, 4])), shape=(2, 2))
ENDLESS = sp.csr_array(np.array([[0.0, np.inf], [np.inf, 0]]))


@pytest.mark.parametrize(
    ("adjacency", "complaint"),
    [
        (LOOP, "1 self-loops"),
        (ONE_WAY, "not symmetric"),
        (NEGATIVE, "must be positive, got -1"),
        (TWICE, "2 duplicate entries"),
        (ENDLESS, "not finite"),
        (sp.csr_array((2, 3)), "must be square"),
    ],
)
def test_a_bad_adjacency_is_refused(adjacency, complaint):
    with pytest.raises(ValueError, match=complaint):
        dataset(adjacency)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"labels": np.array([0, 1, 2, 0])}, "between -1 .* and 1, got 0 to 2"),
        ({"labels": np.array([0, 1])}, "labels has 2 rows, but the graph has 4"),
        ({"features": sp.csr_array((3, 2))}, "features has 3 rows"),
        ({"node_names": ("a",)}, "node_names has 1 rows"),
        ({"layout": np.zeros((4, 3))}, r"layout must have shape \(4, 2\)"),
        ({"layout": np.full((4, 2), np.nan)}, "layout has entries that are not finite"),
        ({"split": Split(np.array([9]), np.array([1]), np.array([2]))}, "names node 9"),
        ({"labels": np.array([-1, 0, 1, 0])}, "1 nodes of train have no known label"),
    ],
)
def test_a_bad_field_is_refused(path_graph, changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        dataset(path_graph, **changes)


FETCHED = {"wikipedia", "actor", "chameleon-filtered", "squirrel-filtered"}  # seconds for each


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in FETCHED else name
        for name in names()
        if available(name)
    ],
)
def test_the_splits_of_a_graph_share_its_arrays_and_are_those_that_loading_gives(name):
    asked = [DatasetChoice(name, split, seed) for split in splits_of(name)[-3:] for seed in (1, 2)]
    graphs = {choice.graph: choice.graph.make_graph() for choice in asked}
    for choice in asked:
        shared, loaded = choice.divided(graphs[choice.graph]), choice.load()
        for field in dataclasses.fields(Dataset):
            if field.name == "split":
                parts = dataclasses.astuple(shared.split), dataclasses.astuple(loaded.split)
                np.testing.assert_equal(*parts)
            elif field.name in ("adjacency", "features"):
                one, other = getattr(shared, field.name), getattr(loaded, field.name)
                assert one.shape == other.shape
                assert (one != other).nnz == 0
                if shared.classes == graphs[choice.graph].classes:  # else the record is made anew
                    assert one is getattr(graphs[choice.graph], field.name)
            else:
                np.testing.assert_equal(getattr(shared, field.name), getattr(loaded, field.name))
    assert {choice: choice.load().split.name for choice in asked} == {
        choice: load_dataset(name, choice.split, choice.seed).split.name for choice in asked
    }


def test_another_split_is_refused_where_it_does_not_fit(path_graph):
    given = dataset(path_graph, labels=np.append(np.arange(path_graph.shape[0] - 1) % 2, -1))
    nobody, last = np.array([], dtype=int), path_graph.shape[0] - 1
    with pytest.raises(ValueError, match="1 nodes of test have no known label"):
        given.with_split(Split(np.array([0]), np.array([1]), np.array([last])))
    with pytest.raises(ValueError, match="the graph has"):
        given.with_split(Split(np.array([0]), nobody, np.array([last + 1])))
    with pytest.raises(TypeError, match="split"):
        given.with_split("random")
    assert given.with_split(Split(np.array([1]), nobody, nobody)).split.train.tolist() == [1]
    assert given.split.train.tolist() == [0]
