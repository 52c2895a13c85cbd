"""The search for communities of large graphs, against full matrices of graphs that are small.

Its limits are lowered, so that small graphs go all the ways of large ones.
"""

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets import load_dataset
from gdr_core.laplacians import make_laplacian
from gdr_core.progress import Cancelled
from gdr_core.structure import communities as small
from gdr_core.structure.communities import communities
from gdr_core.structure.large import isolated, search
from gdr_core.structure.large.isolated import search_linked
from gdr_core.structure.large.moving import move_nodes, sparse_louvain, value
from gdr_core.structure.large.search import Search, ladder_to, refined
from gdr_core.structure.large.short import ShortWalk
from gdr_core.structure.large.slow import SlowModes, SlowWalk
from gdr_core.structure.large.walking import GroupWalk
from gdr_core.structure.louvain import stability

TIMES = (0.2, 1.0, 3.0, 10.0)


def blocks(nodes=90, seed=0):
    """A block model of one piece or more, with a node that has no edge."""
    graph = load_dataset("sbm", nodes=nodes, homophily=0.85, seed=seed).undirected
    return sp.csr_array(sp.block_diag([graph, sp.csr_array((1, 1))]), dtype=float)


def flow(adjacency, time):
    """Π P(t) and π by the dense exponential."""
    laplacian = make_laplacian("random-walk", adjacency)
    share = np.square(laplacian.null) / np.square(laplacian.null).sum()
    return share[:, None] * scipy.linalg.expm(-time * laplacian.dense()), share


def surplus(adjacency, time):
    weights, share = flow(adjacency, time)
    return weights - np.outer(share, share)


@pytest.mark.parametrize("stored", [10**6, 1500])
@pytest.mark.parametrize("time", [0.0, 0.1, 0.5, 1.7, 6.0])
def test_short_walks_lie_below_the_exact_ones_and_say_how_far(time, stored):
    adjacency = blocks()
    walk = ShortWalk(make_laplacian("random-walk", adjacency), stored)
    for moment in (time / 3, time):
        walk.go_to(moment)
    found, (exact, _) = walk.weights().toarray(), flow(adjacency, time)
    assert (found >= 0).all()
    assert (found <= exact + 1e-14).all()
    np.testing.assert_array_equal(found, found.T)
    assert walk.walk.nnz <= 1.25 * stored + adjacency.shape[0]
    missing = 1 - found.sum()
    groups = np.random.default_rng(0).integers(0, 5, adjacency.shape[0])
    off = stability(exact, groups) - stability(found, groups)
    assert -1e-13 <= off <= missing + 1e-13


@pytest.mark.parametrize("time", [0.0, 0.3, 2.0, 40.0])
def test_walks_from_groups_are_exact_to_their_bound(time):
    adjacency = blocks()
    walk, exact = (
        GroupWalk(make_laplacian("random-walk", adjacency), time),
        surplus(adjacency, time),
    )
    groups = np.random.default_rng(1).integers(0, 40, adjacency.shape[0])
    groups = np.unique(groups, return_inverse=True)[1]
    member = np.eye(groups.max() + 1)[groups]
    between = walk.between(groups)
    assert walk.bound < 1e-6
    assert np.linalg.norm(between - member.T @ exact @ member, 2) <= walk.bound
    towards, reached = walk.towards(groups)
    assert abs(reached - stability(exact, groups)) <= walk.bound
    weights, share = flow(adjacency, time)
    beyond = weights @ member / share[:, None] - share @ member
    np.testing.assert_allclose(towards, beyond, atol=1e-4)
    back = walk.returns(np.random.default_rng(0))
    assert (back + share).mean() == pytest.approx((np.diag(weights) / share).mean(), rel=0.1)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 40), st.floats(0.02, 0.9))
def test_no_moves_lower_the_value(seed, nodes, density):
    random = np.random.default_rng(seed)
    weights = sp.random_array((nodes, nodes), density=density, rng=random)
    weights = sp.csr_array((weights + weights.T) / max(weights.sum() * 2, 1e-9))
    masses = random.dirichlet(np.ones(nodes))
    start = random.integers(0, nodes, nodes)
    moved = move_nodes(weights, masses, start, random)
    full = weights.toarray() - np.outer(masses, masses)
    assert stability(full, moved) >= stability(full, start) - 1e-12
    groups = sparse_louvain(weights, masses, random, start)
    assert value(weights, masses, groups) == pytest.approx(stability(full, groups), abs=1e-12)
    assert stability(full, groups) >= stability(full, moved) - 1e-12 or stability(full, groups) >= 0


def test_single_nodes_that_move_raise_the_stability():
    adjacency = blocks()
    walk = GroupWalk(make_laplacian("random-walk", adjacency), 3.0)
    exact, random = surplus(adjacency, 3.0), np.random.default_rng(0)
    start = random.integers(0, 4, adjacency.shape[0])
    groups, reached = refined(walk, start, random)
    assert abs(stability(exact, groups) - reached) <= walk.bound
    assert reached > stability(exact, start) + 0.01


def in_pieces():
    """Two block models and a node without edges."""
    graph = load_dataset("sbm", nodes=80, homophily=0.85).undirected
    return sp.csr_array(sp.block_diag([graph, graph, sp.csr_array((1, 1))]), dtype=float)


@pytest.mark.parametrize("make", [lambda: load_dataset("karate").undirected, in_pieces])
def test_slow_modes_are_what_is_left_of_long_walks(make):
    adjacency, time = sp.csr_array(make()), 60.0
    laplacian = make_laplacian("random-walk", adjacency)
    modes = SlowModes(laplacian)
    assert modes.suffice(time)
    walk, exact = SlowWalk(modes, time), surplus(adjacency, time)
    groups = np.random.default_rng(0).integers(0, 3, laplacian.nodes)
    member, share = np.eye(3)[groups], walk.share
    scale = np.exp(time * modes.rates[0]) if laplacian.components.max() == 0 else 1.0
    towards, reached = walk.towards(groups)
    assert reached == pytest.approx(stability(exact, groups), abs=1e-12)
    between = scale * member.T @ exact @ member
    np.testing.assert_allclose(walk.between(groups), between, atol=1e-7)
    np.testing.assert_allclose(towards, scale * exact @ member / share[:, None], atol=1e-5)
    back = walk.returns(np.random.default_rng(0))
    np.testing.assert_allclose(back, scale * np.diag(exact) / share, atol=1e-5)


@pytest.mark.parametrize("make", [lambda: load_dataset("karate").undirected, in_pieces])
def test_very_late_stabilities_keep_their_digits(make):
    """Of a graph in one piece they are far below the rounding of P(t)."""
    adjacency, times = sp.csr_array(make()), [60.0, 200.0, 400.0]
    found = communities(adjacency, times)
    steps = searched(adjacency, "few atoms", times)
    for best, step in zip(found.stability, steps, strict=True):
        assert step.stability == pytest.approx(best, rel=1e-8)
        assert step.bound < 1e-6


WAYS = {
    "all nodes are atoms": {},
    "few atoms": {"atoms": 30},
    "the sparse matrix alone": {"work": 1.0},
    "a small sparse matrix": {"work": 1.0, "stored": 2500},
}


def searched(adjacency, way, times=TIMES, seed=0, runs=4):
    choices = dict(WAYS[way])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "MOST_ATOMS", choices.pop("atoms", search.MOST_ATOMS))
        laplacian = make_laplacian("random-walk", adjacency)
        return Search(laplacian, np.random.default_rng(seed), runs, **choices).over(times)


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("name", ["karate", "blocks"])
def test_the_stability_told_is_within_its_bound(name, way):
    adjacency = load_dataset("karate").undirected if name == "karate" else blocks()
    for time, step in zip(TIMES, searched(adjacency, way), strict=True):
        exact = stability(surplus(adjacency, time), step.partition)
        assert abs(exact - step.stability) <= step.bound + 1e-13


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("name", ["karate", pytest.param("blocks", marks=pytest.mark.slow)])
def test_partitions_are_as_good_as_those_of_the_full_matrix(name, way):
    """Up to the bound where the sparse matrix tells less; and to a thousandth, as both search."""
    adjacency = load_dataset("karate").undirected if name == "karate" else blocks()
    found = communities(adjacency, TIMES)
    for best, step in zip(found.stability, searched(adjacency, way), strict=True):
        assert step.stability >= best * (1 - 1e-3) - step.bound


def by_networkx(adjacency, time, seeds=3):
    """The best value of NetworkX's search on the graph with weights Π P(t)."""
    weights, share = flow(adjacency, time)
    np.fill_diagonal(weights, np.diag(weights) / 2)  # NetworkX counts a loop twice
    graph, best = nx.from_numpy_array(weights), -np.inf
    for seed in range(seeds):
        groups = np.empty(share.size, dtype=int)
        found = nx.community.louvain_communities(graph, seed=seed, threshold=1e-12)
        for k, members in enumerate(found):
            groups[list(members)] = k
        best = max(best, stability(surplus(adjacency, time), groups))
    return best


@pytest.mark.parametrize("way", ["few atoms", "the sparse matrix alone"])
def test_partitions_are_as_good_as_those_of_networkx(way):
    adjacency = load_dataset("karate").undirected
    for time, step in zip(TIMES, searched(adjacency, way), strict=True):
        exact = stability(surplus(adjacency, time), step.partition)
        assert exact >= by_networkx(adjacency, time) * (1 - 1e-3)


@pytest.mark.parametrize("way", list(WAYS))
def test_nodes_are_alone_at_first_and_components_together_at_last(way):
    ring = sp.csr_array(nx.to_scipy_sparse_array(nx.ring_of_cliques(3, 4), dtype=float))
    apart = sp.csr_array(sp.block_diag([ring, ring]))
    first, last = searched(apart, way, times=(0.0, 400.0))
    assert first.partition.max() + 1 == 24
    halves = np.repeat([0, 1], 12)
    exact = surplus(apart, 400.0)
    assert stability(exact, last.partition) >= stability(exact, halves) - last.bound
    if WAYS[way].get("work") is None:
        assert len(set(zip(last.partition.tolist(), halves.tolist(), strict=True))) == 2


@pytest.mark.parametrize("way", list(WAYS))
def test_the_order_of_nodes_does_not_matter_where_one_partition_stands_out(way):
    ring = sp.csr_array(nx.to_scipy_sparse_array(nx.ring_of_cliques(6, 5), dtype=float))
    order = np.random.default_rng(3).permutation(30)
    one, other = (
        searched(adjacency, way, times=(2.0,))[-1].partition
        for adjacency in (ring, sp.csr_array(ring[order][:, order]))
    )
    pairs = {*zip(one[order].tolist(), other.tolist(), strict=True)}
    assert len(pairs) == 6 == one.max() + 1


@pytest.mark.slow
def test_the_same_seed_finds_the_same():
    one, two = (searched(blocks(), "few atoms", seed=5) for _ in range(2))
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a.partition, b.partition)
        assert a.stability == b.stability


def test_a_late_first_time_is_led_up_to():
    assert ladder_to([0.1, 50.0]) == [0.1, 50.0]
    lead = ladder_to([50.0, 90.0])
    assert lead[-2:] == [50.0, 90.0]
    assert (np.array(lead[1:-1]) / lead[:-2] <= 2 + 1e-12).all()
    (step,) = searched(blocks(), "few atoms", times=(10.0,))
    best = communities(blocks(), [10.0]).stability[0]
    assert step.stability >= best * (1 - 1e-3)


def test_a_graph_above_the_limit_goes_the_way_of_large_graphs(monkeypatch):
    monkeypatch.setattr(small, "FULL", 60)
    heard = []
    found = communities(blocks(), TIMES, runs=2, progress=lambda share, text: heard.append(share))
    assert found.partitions.shape == (4, 91)
    assert (found.bound > 0).all()
    assert (found.groups == found.partitions.max(axis=1) + 1).all()
    sizes = [np.bincount(each) for each in found.partitions]
    assert all((np.diff(each) <= 0).all() for each in sizes)
    assert heard == sorted(heard)
    assert 0 <= heard[0] <= heard[-1] <= 1


def test_a_graph_above_all_limits_is_refused_with_both(monkeypatch):
    monkeypatch.setattr(small, "LARGEST", 90)
    with pytest.raises(ValueError, match=r"up to 90 nodes and 250,000 links.*has 91 and"):
        communities(blocks(), TIMES)


def test_a_search_ends_when_it_is_cancelled(monkeypatch):
    monkeypatch.setattr(small, "FULL", 60)

    def cancel(share, text):
        if share > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        communities(blocks(), TIMES, progress=cancel)


def test_a_graph_without_edges_has_a_partition(monkeypatch):
    monkeypatch.setattr(small, "FULL", 3)
    found = communities(sp.csr_array((6, 6)), [0.5, 20.0])
    assert found.partitions.shape == (2, 6)
    exact = np.eye(6) / 6 - np.full((6, 6), 1 / 36)
    for reached, bound, each in zip(found.stability, found.bound, found.partitions, strict=True):
        assert abs(stability(exact, each) - reached) <= bound + 1e-14


def with_isolated(count=40):
    """A block model among nodes without edges."""
    graph = load_dataset("sbm", nodes=80, homophily=0.85).undirected
    whole = sp.csr_array(sp.block_diag([graph, sp.csr_array((count, count))]), dtype=float)
    order = np.random.default_rng(1).permutation(whole.shape[0])
    return sp.csr_array(whole[order][:, order])


@pytest.mark.parametrize("way", list(WAYS))
def test_isolated_nodes_are_left_out_and_change_nothing_else(way, monkeypatch):
    """Late and early: alone they are, and what is told is true of the whole graph."""
    adjacency, times = with_isolated(12), (0.5, 30.0)
    monkeypatch.setattr(search, "MOST_ATOMS", WAYS[way].get("atoms", 3000))
    choices = {name: value for name, value in WAYS[way].items() if name != "atoms"}
    laplacian = make_laplacian("random-walk", adjacency)
    asked = Search(laplacian, np.random.default_rng(0), 2, **choices)
    best, alone = communities(adjacency, times).stability, np.diff(adjacency.indptr) == 0
    for time, top, step in zip(times, best, search_linked(asked, times), strict=True):
        exact = stability(surplus(adjacency, time), step.partition)
        assert abs(exact - step.stability) <= step.bound + 1e-13
        assert step.stability >= top * (1 - 1e-3) - step.bound
        for groups in (step.partition, *step.runs):
            assert (np.bincount(groups)[groups[alone]] == 1).all()
        assert (np.diff(np.bincount(step.partition)) <= 0).all()


def test_more_isolated_nodes_than_atoms_do_not_keep_groups_from_uniting(monkeypatch):
    monkeypatch.setattr(small, "FULL", 60)
    monkeypatch.setattr(search, "MOST_ATOMS", 90)
    monkeypatch.setattr(search, "CELLS", 1000)
    adjacency, asked = with_isolated(400), []
    monkeypatch.setattr(ShortWalk, "go_to", recorded(ShortWalk.go_to, asked))
    found = communities(adjacency, [1.0, 50.0], runs=2)
    assert max(asked) <= 1.0, "long walks are not made of short steps"
    assert (found.bound < 1e-5).all()
    assert found.groups[1] < 410


def recorded(go_to, asked):
    def told(walk, time, *more):
        asked.append(time)
        return go_to(walk, time, *more)

    return told


def test_a_graph_of_too_many_pieces_is_refused_with_their_number(monkeypatch):
    monkeypatch.setattr(small, "FULL", 60)
    monkeypatch.setattr(isolated, "MOST_ATOMS", 30)
    monkeypatch.setattr(isolated, "CELLS", 1000)
    pairs = sp.csr_array(sp.block_diag([[[0, 1], [1, 0]]] * 35 + [[[0]]] * 50), dtype=float)
    with pytest.raises(ValueError, match=r"components of two nodes and more, this one has 35$"):
        communities(pairs, TIMES)
    assert not small.refused_for_pieces(make_laplacian("random-walk", with_isolated()))
