"""Laplacians against dense formulas, NetworkX and plain truths."""

from importlib import import_module
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.gate import adjacency_matrix
from gdr_core.laplacians import LAPLACIANS, make_laplacian, pagerank
from gdr_core.laplacians.hanging import peel
from gdr_core.laplacians.spectrum import smallest_positive

UNDIRECTED = [name for name, kind in LAPLACIANS.items() if not kind.directed]
DIRECTED = [name for name, kind in LAPLACIANS.items() if kind.directed]


def random_adjacency(nodes, density, seed, *, directed, weighted):
    generator = np.random.default_rng(seed)
    matrix = (generator.random((nodes, nodes)) < density).astype(float)
    if weighted:
        matrix *= generator.uniform(0.1, 5.0, matrix.shape)
    np.fill_diagonal(matrix, 0)
    return matrix if directed else np.maximum(matrix, matrix.T)


graphs = st.builds(
    random_adjacency,
    nodes=st.integers(1, 30),
    density=st.floats(0.0, 0.6),
    seed=st.integers(0, 10_000),
    directed=st.booleans(),
    weighted=st.booleans(),
)


def laplacian_of(name, matrix, **options):
    graph = matrix if LAPLACIANS[name].directed else np.maximum(matrix, matrix.T)
    return make_laplacian(name, graph, **options)


def test_two_nodes_relax_at_rate_two():
    assert make_laplacian("combinatorial", [[0, 1], [1, 0]]).gap == pytest.approx(2.0)
    assert make_laplacian("symmetric", [[0, 1], [1, 0]]).gap == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("name", "oracle"),
    [("combinatorial", nx.laplacian_matrix), ("symmetric", nx.normalized_laplacian_matrix)],
)
def test_undirected_laplacians_equal_networkx(name, oracle):
    graph = nx.gnp_random_graph(40, 0.1, seed=3)
    generator = np.random.default_rng(0)
    for _, _, data in graph.edges(data=True):
        data["weight"] = generator.uniform(0.5, 2)
    expected = oracle(graph).toarray()
    ours = make_laplacian(name, nx.to_scipy_sparse_array(graph)).dense()
    np.testing.assert_allclose(ours, expected, atol=1e-12)


def test_random_walk_laplacian_is_identity_minus_transition_matrix():
    matrix = random_adjacency(25, 0.2, 1, directed=False, weighted=True)
    transition = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1e-300)
    expected = np.diag((matrix.sum(axis=1) > 0).astype(float)) - transition
    np.testing.assert_allclose(make_laplacian("random-walk", matrix).dense(), expected, atol=1e-12)


def test_max_entropy_walk_makes_paths_of_one_length_equally_likely():
    graph = nx.barbell_graph(4, 1)
    laplacian = make_laplacian("max-entropy", nx.to_numpy_array(graph, nodelist=range(9)))
    psi = laplacian.null
    transition = (np.eye(9) - laplacian.dense()) * psi[None, :] / psi[:, None]
    np.testing.assert_allclose(transition.sum(axis=1), 1, atol=1e-12)
    walks = [(0, i, j, 3) for i in graph[0] for j in graph[i] if graph.has_edge(j, 3)]
    assert len(walks) > 4
    likelihoods = [np.prod([transition[step] for step in pairwise(walk)]) for walk in walks]
    np.testing.assert_allclose(likelihoods, likelihoods[0], rtol=1e-10)


@pytest.mark.parametrize("alpha", [0.5, 0.85, 0.95])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_directed_laplacians_equal_networkx_to_ten_digits(alpha, direction):
    # NetworkX normalises with the same stationary distribution but sends dangling nodes
    # everywhere uniformly, as we do; its teleportation has weight 1 - alpha.
    matrix = random_adjacency(30, 0.05, 5, directed=True, weighted=True)
    walked = matrix if direction == "forward" else matrix.T
    graph = nx.from_numpy_array(walked, create_using=nx.DiGraph)
    assert (walked.sum(axis=1) == 0).any(), "the graph should have a dangling node"
    plain = nx.directed_combinatorial_laplacian_matrix(graph, walk_type="pagerank", alpha=alpha)
    normal = nx.directed_laplacian_matrix(graph, walk_type="pagerank", alpha=alpha)
    options = {"direction": direction, "alpha": alpha}
    ours = make_laplacian("directed", matrix, **options).dense()
    np.testing.assert_allclose(ours, np.asarray(plain), atol=1e-10)
    ours = make_laplacian("directed-normalised", matrix, **options).dense()
    np.testing.assert_allclose(ours, np.asarray(normal), atol=1e-10)


def test_pagerank_equals_networkx():
    graph = nx.gnp_random_graph(60, 0.04, seed=2, directed=True)
    expected = nx.pagerank(graph, alpha=0.85, tol=1e-14, max_iter=1000)
    ours = pagerank(adjacency_matrix(nx.to_scipy_sparse_array(graph)), 0.85)
    np.testing.assert_allclose(ours, [expected[i] for i in range(60)], atol=1e-10)


@pytest.mark.parametrize("alpha", [0.85, 1.0])
def test_pagerank_is_stationary_without_and_with_teleportation(alpha):
    ring = np.roll(np.eye(7), 1, axis=1)
    np.testing.assert_allclose(pagerank(adjacency_matrix(ring), alpha), 1 / 7, atol=1e-12)


def dense_pagerank(matrix, alpha):
    """φᵀP = φᵀ and Σφ = 1 as one dense system, for α < 1."""
    nodes = len(matrix)
    out_degree = matrix.sum(axis=1, keepdims=True)
    walk = np.divide(matrix, out_degree, out=np.full_like(matrix, 1 / nodes), where=out_degree > 0)
    google = alpha * walk + (1 - alpha) / nodes
    system = np.vstack([(google.T - np.eye(nodes))[1:], np.ones(nodes)])
    return np.linalg.solve(system, np.eye(nodes)[-1])


@pytest.mark.parametrize("alpha", [1e-9, 0.5, 0.85, 0.95, 0.99, 0.999, 1 - 1e-6])
def test_pagerank_settles_on_every_small_graph(alpha):
    draw = np.random.default_rng(0)
    for seed in range(100):
        nodes, density = int(draw.integers(1, 14)), draw.choice([0.05, 0.1, 0.2, 0.4, 0.8])
        matrix = random_adjacency(nodes, density, seed, directed=True, weighted=seed % 2 == 0)
        expected = dense_pagerank(matrix, alpha)
        found = pagerank(adjacency_matrix(matrix), alpha)
        np.testing.assert_allclose(found, expected, atol=1e-14 / (1 - alpha) + 1e-13)


def test_pagerank_on_graphs_that_were_refused():
    """Rounding kept the iteration moving by more than its test allowed."""
    for nodes, density, seed in [(8, 0.3, 95), (10, 0.1, 309), (9, 0.2, 594), (5, 0.3, 1147)]:
        matrix = random_adjacency(nodes, density, seed, directed=True, weighted=False)
        found = pagerank(adjacency_matrix(matrix), 0.99)
        np.testing.assert_allclose(found, dense_pagerank(matrix, 0.99), atol=1e-12)


def test_pagerank_says_why_it_does_not_settle(monkeypatch):
    monkeypatch.setattr(import_module("gdr_core.laplacians.directed"), "PAGERANK_STEPS", 500)
    long_way = np.eye(60, k=1) + np.eye(60, k=-1)
    long_way[0, 1] = 3.0
    with pytest.raises(ValueError, match="forgets too slowly where it began; use a smaller alpha"):
        pagerank(adjacency_matrix(long_way), 1.0)
    with pytest.raises(ValueError, match="too large or too small"):
        pagerank(adjacency_matrix(np.full((2, 2), 5e-324)), 0.85)


def test_symmetric_graph_without_teleportation_is_the_combinatorial_one_over_total_degree():
    matrix = nx.to_numpy_array(nx.karate_club_graph(), weight=None)
    scaled = make_laplacian("directed", matrix, alpha=1.0).dense() * matrix.sum()
    np.testing.assert_allclose(scaled, make_laplacian("combinatorial", matrix).dense(), atol=1e-9)


@settings(max_examples=60)
@given(graphs, st.sampled_from(list(LAPLACIANS)))
def test_every_laplacian_has_a_proved_bound_a_null_vector_and_its_gap(matrix, name):
    laplacian = laplacian_of(name, matrix)
    values = np.sort(np.linalg.eigvals(laplacian.dense()).real)
    scale = max(laplacian.upper_bound, 1e-12)
    assert values[-1] <= laplacian.upper_bound * (1 + 1e-12) + 1e-15
    assert values[0] >= -1e-9 * scale
    right = laplacian.null / laplacian.scaling
    left = laplacian.null * laplacian.scaling
    np.testing.assert_allclose(laplacian.apply(right), 0, atol=1e-9 * scale)
    np.testing.assert_allclose(left @ laplacian.dense(), 0, atol=1e-9 * scale * left.max())


@settings(max_examples=40)
@given(graphs, st.sampled_from(list(LAPLACIANS)))
def test_operator_equals_its_dense_form_and_keeps_the_input(matrix, name):
    before = matrix.copy()
    laplacian = laplacian_of(name, matrix)
    block = np.random.default_rng(0).standard_normal((laplacian.nodes, 3))
    copy = block.copy()
    np.testing.assert_allclose(laplacian.apply(block), laplacian.dense() @ block, atol=1e-9)
    np.testing.assert_allclose(
        laplacian.apply(block[:, 0]), laplacian.apply(block)[:, 0], atol=1e-9
    )
    np.testing.assert_array_equal(block, copy)
    np.testing.assert_array_equal(matrix, before)


@pytest.mark.parametrize("name", list(LAPLACIANS))
def test_davidson_finds_the_dense_gap(name):
    graph = nx.connected_watts_strogatz_graph(150, 6, 0.2, seed=1)
    matrix = nx.to_numpy_array(graph)
    if LAPLACIANS[name].directed:
        matrix = np.triu(matrix) + np.tril(matrix) * (
            np.random.default_rng(0).random(matrix.shape) < 0.5
        )
    laplacian = make_laplacian(name, matrix)
    expected = np.sort(np.linalg.eigvals(laplacian.dense()).real)[1]
    assert smallest_positive(laplacian) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("name", ["combinatorial", "symmetric", "random-walk"])
@pytest.mark.parametrize(
    "graph",
    [
        nx.random_labeled_tree(60, seed=3),
        nx.barabasi_albert_graph(80, 1, seed=1),
        nx.lollipop_graph(8, 30),
        nx.cycle_graph(9),
        nx.path_graph(2),
    ],
    ids=["tree", "scale-free tree", "lollipop", "cycle", "pair"],
)
def test_solving_on_the_core_solves_the_whole(name, graph):
    laplacian = make_laplacian(name, nx.to_scipy_sparse_array(graph, dtype=float))
    peeled = peel(laplacian.weights, laplacian.rates)
    symmetric = laplacian.apply_symmetric(np.eye(laplacian.nodes))
    right = symmetric @ np.random.default_rng(5).standard_normal(laplacian.nodes)
    carried = peeled.inwards(right)
    core = np.diag(peeled.rates) - peeled.weights.toarray()
    solution = peeled.outwards(np.linalg.pinv(core) @ carried[peeled.core], carried)
    np.testing.assert_allclose(symmetric @ solution, right, atol=1e-9)
    if nx.is_tree(graph) and nx.diameter(graph) < 60:
        assert peeled.core.size == 1


def test_gap_of_a_long_path_has_its_closed_form():
    # 2 - 2 cos(pi/N): conjugate gradients stall here, the factorisation takes over.
    nodes = 20_000
    path = sp.diags_array([np.ones(nodes - 1)], offsets=[1])
    laplacian = make_laplacian("combinatorial", path + path.T)
    assert laplacian.gap == pytest.approx(4 * np.sin(np.pi / nodes / 2) ** 2, rel=1e-5)


def test_gap_belongs_to_the_largest_component():
    big, small = nx.cycle_graph(12), nx.complete_graph(4)
    together = nx.to_numpy_array(nx.disjoint_union(small, big))
    alone = make_laplacian("combinatorial", nx.to_numpy_array(big)).gap
    assert make_laplacian("combinatorial", together).gap == pytest.approx(alone)


def test_stationary_state_is_the_mean_of_the_graph_or_of_each_component():
    matrix = np.zeros((5, 5))
    matrix[0, 1] = matrix[1, 0] = matrix[2, 3] = matrix[3, 2] = 1
    scores = np.arange(5.0)[:, None]
    laplacian = make_laplacian("combinatorial", matrix)
    np.testing.assert_allclose(laplacian.stationary(scores)[:, 0], 2.0)
    expected = [0.5, 0.5, 2.5, 2.5, 4.0]
    np.testing.assert_allclose(laplacian.stationary(scores, "component")[:, 0], expected)


def test_components_are_numbered_by_size_with_the_largest_first():
    graph = nx.disjoint_union(nx.path_graph(2), nx.path_graph(3))
    assert make_laplacian("combinatorial", nx.to_numpy_array(graph)).components.tolist() == [
        1,
        1,
        0,
        0,
        0,
    ]
    assert set(make_laplacian("directed", nx.to_numpy_array(graph)).components) == {0}


@pytest.mark.parametrize("name", list(LAPLACIANS))
def test_edgeless_graphs_work(name):
    laplacian = make_laplacian(name, np.zeros((4, 4)))
    assert laplacian.nodes == 4
    if not LAPLACIANS[name].directed:
        assert laplacian.upper_bound == 0
        assert laplacian.relaxation_time == np.inf
        np.testing.assert_array_equal(laplacian.apply(np.ones((4, 2))), 0)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 3)), "square"),
        ([[0, -1], [-1, 0]], "negative"),
        ([[0, np.nan], [np.nan, 0]], "NaN"),
    ],
)
@pytest.mark.parametrize("name", list(LAPLACIANS))
def test_bad_adjacency_is_refused(name, matrix, message):
    with pytest.raises(ValueError, match=message):
        make_laplacian(name, matrix)


def test_directions_need_a_directed_laplacian():
    with pytest.raises(ValueError, match="directed-normalised"):
        make_laplacian("combinatorial", [[0, 1], [0, 0]])


@pytest.mark.parametrize("alpha", [0.0, -0.1, 1.1, np.nan])
def test_alpha_outside_its_range_is_refused(alpha):
    with pytest.raises(ValueError, match=r"\(0, 1\]"):
        make_laplacian("directed", [[0, 1], [0, 0]], alpha=alpha)


def test_unknown_names_list_the_valid_ones():
    with pytest.raises(ValueError, match="combinatorial, symmetric"):
        make_laplacian("magnetic", np.zeros((2, 2)))
    with pytest.raises(ValueError, match="forward, backward"):
        make_laplacian("directed", np.zeros((2, 2)), direction="sideways")
    with pytest.raises(ValueError, match="global, component"):
        make_laplacian("combinatorial", np.zeros((2, 2))).stationary(np.ones((2, 1)), "local")
