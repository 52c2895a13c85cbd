"""Small and generated graphs against NetworkX, and the splits of all."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets import load_dataset, names, spec_of, splits_of
from gdr_core.datasets.generated import neighbour_graph
from gdr_core.datasets.layouts import circle, fitted, quantised, springs, unquantised
from gdr_core.datasets.splits import random_split, teaching_split
from gdr_core.datasets.words import class_words

SMALL = [name for name in names() if spec_of(name).kind == "small"]
LIGHT = [name for name in names() if spec_of(name).kind in ("small", "generated")]


def dangling(size: int) -> nx.DiGraph:
    graph = nx.cycle_graph(size, create_using=nx.DiGraph)
    graph.add_edge(size // 2 + size // 4, size)
    return graph


def two_rings(size: int) -> nx.DiGraph:
    ring = nx.cycle_graph(size, create_using=nx.DiGraph)
    both = nx.disjoint_union(ring, ring)
    both.add_edge(0, size)
    return both


ORACLES = {
    "path": (nx.path_graph, (4, 7, 12)),
    "ring": (nx.cycle_graph, (6, 7, 15)),
    "star": (lambda n: nx.star_graph(n - 1), (6, 13)),
    "grid": (lambda n: nx.convert_node_labels_to_integers(nx.grid_2d_graph(n, n)), (3, 4, 8)),
    "tree": (lambda n: nx.balanced_tree(2, n), (2, 4)),
    "barbell": (lambda n: nx.barbell_graph(n, 2), (3, 6)),
    "ring-of-cliques": (lambda n: nx.ring_of_cliques(n, 5), (3, 6)),
    "directed-ring": (dangling, (4, 10)),
    "directed-path": (lambda n: nx.path_graph(n, create_using=nx.DiGraph), (4, 12)),
    "directed-rings": (two_rings, (3, 6)),
}


@pytest.mark.parametrize(
    ("name", "size"), [(n, s) for n, (_, sizes) in ORACLES.items() for s in sizes]
)
def test_toys_are_the_graphs_that_networkx_makes(name, size):
    expected = ORACLES[name][0](size)
    found = nx.from_scipy_sparse_array(
        load_dataset(name, size=size).adjacency, create_using=type(expected)
    )
    if name == "ring-of-cliques":  # which members hold the bridges is a matter of numbering
        assert nx.is_isomorphic(found, expected)
    else:
        assert {frozenset(e) for e in found.edges} == {frozenset(e) for e in expected.edges}
        assert set(found.edges) == set(expected.edges) or not found.is_directed()
    assert len(found) == len(expected)


def test_karate_is_the_club_with_its_two_factions():
    dataset, club = load_dataset("karate"), nx.karate_club_graph()
    assert np.array_equal(dataset.adjacency.toarray() > 0, nx.to_numpy_array(club) > 0)
    assert set(dataset.adjacency.data) == {1}
    clubs = [club.nodes[i]["club"] for i in club]
    assert [dataset.class_names[k] for k in dataset.labels] == clubs
    assert dataset.split.train.tolist() == [0, 33]


def test_the_directed_ring_has_one_node_without_a_way_out():
    dataset = load_dataset("directed-ring")
    assert np.flatnonzero(np.diff(dataset.adjacency.indptr) == 0).tolist() == [10]


@pytest.mark.parametrize("size", [3, 4, 8, 40])
def test_papers_are_cited_by_later_ones_only_and_mostly_in_their_own_school(size):
    dataset = load_dataset("directed-citations", size=size)
    graph = nx.from_scipy_sparse_array(dataset.adjacency, create_using=nx.DiGraph)
    assert nx.is_directed_acyclic_graph(graph)
    assert all(cited % size < citing % size for cited, citing in graph.edges)
    across = sum(dataset.labels[a] != dataset.labels[b] for a, b in graph.edges)
    assert 0 < across < graph.number_of_edges() / 2
    assert {n for n in graph if not graph.out_degree(n)} == {size - 1, 2 * size - 1}
    assert dataset.node_names[size] == "1990 B"


@pytest.mark.parametrize("name", LIGHT)
def test_every_split_trains_all_classes_and_judges_something(name):
    for split in splits_of(name):
        dataset = load_dataset(name, split=split)
        trained = dataset.labels[dataset.split.train]
        assert set(trained.tolist()) == set(range(dataset.classes))
        assert dataset.split.validation.size > 0
        assert dataset.split.test.size > 0
        assert dataset.split.name == split


@pytest.mark.parametrize("name", SMALL)
def test_teaching_splits_know_one_or_two_nodes_of_a_class(name):
    dataset = load_dataset(name)
    assert dataset.split.name == "teaching"
    known = np.bincount(dataset.labels[dataset.split.train])
    assert set(known.tolist()) <= {1, 2}
    labelled = (dataset.labels >= 0).sum()
    assert sum(getattr(dataset.split, p).size for p in ("train", "validation", "test")) == labelled


@pytest.mark.parametrize("name", LIGHT)
def test_a_seed_gives_the_same_dataset_again(name):
    one, other = (
        load_dataset(name, split="random", seed=3),
        load_dataset(name, split="random", seed=3),
    )
    assert (one.adjacency != other.adjacency).nnz == 0
    assert (one.features != other.features).nnz == 0
    assert np.array_equal(one.layout, other.layout)
    assert np.array_equal(one.split.train, other.split.train)
    different = load_dataset(name, split="random", seed=4)
    assert one.split.train.tolist() != different.split.train.tolist()


@pytest.mark.parametrize("name", LIGHT)
def test_layouts_fill_the_square_and_part_the_nodes(name):
    places = load_dataset(name).layout
    assert np.abs(places).max() <= 1 + 1e-6
    assert np.ptp(places, axis=0).max() == pytest.approx(2, abs=1e-5)
    if name in SMALL:
        assert len(np.unique(places.round(3), axis=0)) == len(places)


@pytest.mark.parametrize("name", LIGHT)
def test_options_can_be_set_to_both_ends_and_not_beyond(name):
    for key, option in spec_of(name).options.items():
        if key not in ("mean_degree",) and option.high <= 100:
            for value in (option.low, option.high):
                load_dataset(name, **{key: value})
        for value in (option.low - 1, option.high + 1, "many", True):
            with pytest.raises(ValueError, match=f"{key} must be a"):
                load_dataset(name, **{key: value})


def test_options_that_count_are_whole_numbers():
    with pytest.raises(ValueError, match=r"size must be a whole number from 4 to 1000, got 5\.5"):
        load_dataset("path", size=5.5)


@given(homophily=st.floats(0.1, 0.9), signal=st.floats(0, 1), seed=st.integers(0, 99))
@settings(max_examples=8, deadline=None)
def test_the_block_model_has_the_homophily_and_degree_it_was_asked_for(homophily, signal, seed):
    dataset = load_dataset("sbm", seed=seed, homophily=homophily, feature_signal=signal, nodes=240)
    i, j = dataset.adjacency.nonzero()
    same = (dataset.labels[i] == dataset.labels[j]).mean()
    edges = 240 * 8 / 2
    assert abs(same - homophily) < 5 * np.sqrt(homophily * (1 - homophily) / edges)
    assert abs(dataset.edges - edges) < 5 * np.sqrt(edges)


def test_an_impossible_block_model_is_refused():
    with pytest.raises(ValueError, match="lower mean_degree or change homophily"):
        load_dataset("sbm", nodes=30, classes=10, mean_degree=20.0, homophily=1.0)
    with pytest.raises(ValueError, match="too few for 20 classes"):
        load_dataset("sbm", nodes=20, classes=20)


@given(signal=st.floats(0, 1), seed=st.integers(0, 1000))
@settings(deadline=None)
def test_words_tell_the_class_as_often_as_they_should(signal, seed):
    labels = np.repeat(np.arange(3), 200)
    words = class_words(labels, 3, signal, seed, draws=1)
    assert set(np.diff(words.indptr)) == {1}
    right = (words.indices // 8 == labels).mean()
    expected = signal + (1 - signal) / 3
    assert abs(right - expected) < 5 * np.sqrt(0.25 / labels.size)


def test_unknown_classes_draw_any_word():
    words = class_words(np.full(300, -1), 2, 1.0)
    assert words.shape == (300, 16)
    assert (np.asarray(words.sum(axis=0)) > 0).all()
    with pytest.raises(ValueError, match="between 0 and 1, got 2"):
        class_words(np.zeros(3, dtype=int), 2, 2.0)


@given(st.integers(2, 40), st.integers(1, 6), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_nearest_neighbours_are_those_of_all_distances(count, neighbours, seed):
    points = np.random.default_rng(seed).normal(size=(count, 2))
    neighbours = min(neighbours, count - 1)
    distance = np.hypot(*(points[:, None] - points).T)
    np.fill_diagonal(distance, np.inf)
    nearest = distance.argsort(axis=1)[:, :neighbours]
    expected = np.zeros((count, count))
    np.put_along_axis(expected, nearest, 1, axis=1)
    found = neighbour_graph(points, neighbours).toarray()
    assert np.array_equal(found, np.maximum(expected, expected.T))


def test_nearest_neighbours_of_equal_points_are_no_loops():
    assert neighbour_graph(np.zeros((5, 2)), 2).diagonal().sum() == 0
    with pytest.raises(ValueError, match="neighbours must lie between 1 and 4, got 5"):
        neighbour_graph(np.zeros((5, 2)), 5)


@given(st.lists(st.integers(-1, 2), min_size=30, max_size=80), st.integers(0, 50))
def test_random_splits_hold_what_was_asked_for(labels, seed):
    labels = np.array([0, 0, 1, 1, 2, 2, *labels])
    split = (
        random_split(labels, ("a", "b", "c"), per_class=2, validation=3, test=2, seed=seed)
        if (labels >= 0).sum() >= 11
        else random_split(labels, ("a", "b", "c"), seed=seed)
    )
    members = np.concatenate([split.train, split.validation, split.test])
    assert (labels[members] >= 0).all()
    assert len(set(members.tolist())) == members.size
    assert len(set(np.bincount(labels[split.train], minlength=3).tolist())) == 1
    if (labels >= 0).sum() >= 11:
        assert (split.train.size, split.validation.size, split.test.size) == (6, 3, 2)


def test_random_splits_have_planetoids_sizes_where_the_graph_is_large():
    split = load_dataset("cora", split="random", seed=5).split
    assert (split.train.size, split.validation.size, split.test.size) == (140, 500, 1000)
    tuned = load_dataset("cora", split="random", per_class=3, validation=10, test=20).split
    assert (tuned.train.size, tuned.validation.size, tuned.test.size) == (21, 10, 20)


@pytest.mark.parametrize(
    ("sizes", "complaint"),
    [
        ({"per_class": 4}, "class b has 3 labelled nodes, too few for per_class=4"),
        ({"per_class": 0}, "per_class must be a whole number from 1 up, got 0"),
        ({"validation": -1}, "validation must be a whole number from 0 up, got -1"),
        ({"test": 2.5}, "test must be a whole number from 0 up, got 2.5"),
        ({"per_class": 1, "validation": 4, "test": 3}, "need 7 nodes, but only 6 labelled"),
        ({"per_class": 1, "validation": 99}, "need 99 nodes, but only 6"),
        ({"per_class": 1, "test": 99}, "need 99 nodes, but only 6"),
    ],
)
def test_impossible_random_splits_are_refused(sizes, complaint):
    labels = np.array([0, 0, 0, 0, 0, 1, 1, 1, -1])
    with pytest.raises(ValueError, match=complaint):
        random_split(labels, ("a", "b"), **sizes)


def test_a_class_without_nodes_cannot_be_trained():
    with pytest.raises(ValueError, match="class b has 0 labelled nodes"):
        random_split(np.zeros(9, dtype=int), ("a", "b"))


def test_teaching_splits_leave_unknown_nodes_out():
    split = teaching_split(np.array([0, -1, 1, 0, 1]), np.array([0, 2]))
    assert split.train.tolist() == [0, 2]
    assert sorted([*split.validation, *split.test]) == [3, 4]


@given(st.integers(1, 20), st.integers(0, 99))
def test_stored_places_are_exact_to_half_a_step(nodes, seed):
    places = np.random.default_rng(seed).uniform(-1, 1, size=(nodes, 2))
    assert np.abs(unquantised(quantised(places)) - places).max() < 1.7e-5


def test_fitting_keeps_proportions():
    places = np.array([[0.0, 0], [10, 0], [0, 5]])
    assert fitted(places).tolist() == [[-1, -0.5], [1, -0.5], [-1, 0.5]]
    assert np.isfinite(fitted(np.zeros((1, 2)))).all()
    assert np.allclose(np.hypot(*circle(7).T), 1)


def test_springs_draw_neighbours_together(path_graph):
    places = springs(path_graph, seed=1)
    steps = np.hypot(*np.diff(places, axis=0).T)
    assert steps.max() < np.hypot(*(places[0] - places[3]))


@pytest.mark.parametrize(("size", "noise", "seed"), [(200, 0.08, 0), (51, 0.3, 7), (40, -0.0, 1)])
def test_two_moons_are_those_of_scikit_learn(size, noise, seed):
    from sklearn.datasets import make_moons

    moons = load_dataset("two-moons", seed=seed, size=size, noise=noise)
    points, labels = make_moons(size, noise=abs(noise), shuffle=False, random_state=seed)
    np.testing.assert_allclose(moons.features.toarray(), points - points.min(axis=0), atol=1e-12)
    assert (moons.labels == labels).all()


def test_digits_are_those_of_scikit_learn():
    from sklearn.datasets import load_digits

    digits, theirs = load_dataset("digits"), load_digits()
    assert (digits.features.toarray() == theirs.data).all()
    assert (digits.labels == theirs.target).all()
