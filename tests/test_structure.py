"""Homophily, rewiring, alignment, influence, smoothing and communities, each against an oracle."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp

from gdr_core import compute_prior, load_dataset, make_laplacian
from gdr_core.datasets import Dataset, names, spec_of
from gdr_core.graphs.homophily import homophily
from gdr_core.graphs.rewiring import rewired
from gdr_core.structure import alignment as aligning
from gdr_core.structure import leading, subspaces
from gdr_core.structure.communities import communities
from gdr_core.structure.influence import TooLongError, influence, sources_of
from gdr_core.structure.louvain import louvain, stability, variation_of_information
from gdr_core.structure.randomiser import randomised
from gdr_core.structure.smoothing import depth_smoothing, first_largest, heat_smoothing


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


@pytest.mark.parametrize("name", ["karate", "cora", "citeseer", "sbm", "digits"])
def test_homophily_is_that_of_pyg(name):
    torch = pytest.importorskip("torch")
    measured = pytest.importorskip("torch_geometric.utils").homophily
    data = load_dataset(name)
    known = np.flatnonzero(data.labels >= 0)  # some nodes of Citeseer have no class
    links = data.undirected[known][:, known].tocoo()
    edges = torch.tensor(np.stack([links.row, links.col]), dtype=torch.long)
    classes = torch.tensor(data.labels[known], dtype=torch.long)
    found = homophily(data)
    assert found.edge == pytest.approx(measured(edges, classes, method="edge"), abs=1e-6)
    expected = measured(edges, classes, method="edge_insensitive")
    assert found.class_insensitive == pytest.approx(expected, abs=1e-6)


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
    bases = subspaces.bases_of(blocks, most=20)
    found = aligning.distances_of(bases)
    for a, b in product((1, 4, 20), (1, 7, 20)):
        features, graph = bases.features.vectors[:, :a], bases.graph.vectors[:, :b]
        angles = scipy.linalg.subspace_angles(features, graph)
        assert found.features_graph[a - 1, b - 1] == pytest.approx(
            np.square(np.sin(angles)).sum(), abs=1e-8
        )
    for k in (1, 2, 15):
        for basis, distances in (
            (bases.features, found.features_classes),
            (bases.graph, found.graph_classes),
        ):
            angles = scipy.linalg.subspace_angles(basis.vectors[:, :k], bases.classes)
            assert distances[k - 1] == pytest.approx(np.square(np.sin(angles)).sum(), abs=1e-8)


@pytest.mark.parametrize("wide", [False, True])
def test_the_directions_of_the_features_are_those_of_a_singular_value_decomposition(wide):
    random = np.random.default_rng(0)
    table = random.random((12, 40) if wide else (40, 12))
    rows = table / table.sum(axis=1, keepdims=True)
    left = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[0]
    basis = subspaces.feature_basis(sp.csr_array(table), 5).vectors
    np.testing.assert_allclose(np.abs(left[:, :5].T @ basis), np.eye(5), atol=1e-7)


def test_the_directions_of_a_large_graph_are_those_of_the_dense_matrix(monkeypatch):
    graph = load_dataset("karate").undirected
    dense = subspaces.graph_basis(graph, 6).vectors
    monkeypatch.setattr(subspaces, "DENSE", 10)
    lanczos = subspaces.graph_basis(graph, 6).vectors
    np.testing.assert_allclose(np.abs(dense.T @ lanczos), np.eye(6), atol=1e-6)


def large_graph(components: int) -> sp.csr_array:
    """A few hundred nodes at random, beside triangles."""
    random = np.random.default_rng(2)
    links = np.triu(random.random((300, 300)) < 0.02, 1)
    links[np.arange(299), np.arange(1, 300)] = True
    triangles = np.kron(np.eye(components - 1), np.ones((3, 3)) - np.eye(3))
    return sp.csr_array(scipy.linalg.block_diag(links | links.T, triangles).astype(float))


@pytest.mark.parametrize("components", [1, 4, 20])
def test_filtered_directions_are_those_of_the_dense_matrix(monkeypatch, components):
    """Eigenvalue 1 as often as there are components, more or less often than is asked for."""
    graph, most = large_graph(components), 12
    dense = subspaces.graph_basis(graph, graph.shape[0])
    monkeypatch.setattr(subspaces, "DENSE", 10)
    found = subspaces.graph_basis(graph, most)
    np.testing.assert_allclose(found.values, dense.values[:most], atol=1e-10)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(most), atol=1e-10)
    whole = max(most, components)  # a part of an eigenspace may be any part
    inside = dense.vectors[:, :whole].T @ found.vectors
    np.testing.assert_allclose(np.square(inside).sum(axis=0), 1, atol=1e-8)


def test_a_filter_that_is_too_high_is_lowered(monkeypatch):
    """As if no eigenvalue were thought to lie above the filter but the first."""
    matrix = sp.diags_array(np.linspace(-0.4, 1.0, 500)).tocsr()
    monkeypatch.setattr(leading, "_SPARE", 0.05)
    values, _ = leading.leading_directions(matrix, 20, 1e-10)
    np.testing.assert_allclose(values, np.linspace(-0.4, 1.0, 500)[:-21:-1], atol=1e-9)


def test_nothing_depends_on_the_basis_of_an_eigenspace():
    """Four triangles: eigenvalue 1 four times and 0 eight times; every basis is as good."""
    triangles = sp.csr_array(np.kron(np.eye(4), np.ones((3, 3)) - np.eye(3)))
    random = np.random.default_rng(0)
    graph = subspaces.graph_basis(triangles, 12)
    assert graph.spaces.tolist() == [0] * 4 + [1] * 8
    assert np.flatnonzero(graph.whole).tolist() == [3, 11]
    features = subspaces.feature_basis(sp.csr_array(random.random((12, 5))), 5)
    classes = subspaces.class_basis(np.repeat([0, 1, 2], 4), 3)
    found = aligning.distances_of(subspaces.Bases(features, graph, classes)).measure
    direct = []
    for _ in range(400):
        turns = [scipy.linalg.qr(random.standard_normal((k, k)))[0] for k in (4, 8)]
        turned = replace(graph, vectors=graph.vectors @ scipy.linalg.block_diag(*turns))
        again = aligning.distances_of(subspaces.Bases(features, turned, classes)).measure
        np.testing.assert_allclose(again, found, atol=1e-9)
        cut = turned.vectors[:, :2]
        direct.append(2 - np.square(features.vectors.T @ cut).sum())
    whole = aligning.distances_of(subspaces.Bases(features, graph, classes)).features_graph
    assert whole[-1, 1] == pytest.approx(np.mean(direct), abs=0.03)
    angles = scipy.linalg.subspace_angles(features.vectors, graph.vectors[:, :4])
    assert whole[-1, 3] == pytest.approx(np.square(np.sin(angles)).sum(), abs=1e-9)


def test_alignment_of_a_constructed_example():
    """Features, graph and classes that say the same, and then classes that say something else.

    Four groups of six are complete graphs, and each has a word of its own. The directions of A with
    eigenvalue 1 are then the four groups, X spans them without the constant vector, and Y is A: so
    d_XA = d_XY = d_AY = 0. Classes across the groups share only the constant vector with A and
    nothing with X.
    """
    data = load_dataset("sbm", nodes=24, classes=4, homophily=0.5)
    groups, across = np.repeat(np.arange(4), 6), np.tile([0, 1], 12)
    cliques = sp.csr_array(np.kron(np.eye(4), np.ones((6, 6)) - np.eye(6)))
    same = replace(data, adjacency=cliques, features=sp.csr_array(np.eye(4)[groups]), labels=groups)
    found = aligning.alignment(same, dimensions=(3, 4))
    np.testing.assert_allclose(found.distances, 0, atol=1e-7)
    assert aligning.alignment(same).dimensions == (3, 4)
    other = aligning.alignment(replace(same, labels=across), dimensions=(3, 4))
    np.testing.assert_allclose(np.square(other.distances), [0, 2, 1], atol=1e-7)
    assert other.measure == pytest.approx(np.sqrt(6))


def by_definition(bases, a: int, b: int) -> float:
    """S from the principal angles, as scipy finds them."""
    spaces = (bases.features.vectors[:, :a], bases.graph.vectors[:, :b], bases.classes)
    angles = [scipy.linalg.subspace_angles(u, v) for u, v in combinations(spaces, 2)]
    return float(np.sqrt(2 * sum(np.square(np.sin(each)).sum() for each in angles)))


def spanned(vectors: np.ndarray) -> subspaces.Directions:
    """Directions with different eigenvalues, so that each is an eigenspace of its own."""
    return subspaces.Directions(vectors, np.arange(vectors.shape[1], 0, -1.0), complete=False)


def test_equal_subspaces_give_zero_and_orthogonal_ones_the_most():
    """S² = 2 Σ d², and d² lies between 0 and the smaller number of directions."""
    axes = scipy.linalg.qr(np.random.default_rng(5).standard_normal((12, 12)))[0]
    same = subspaces.Bases(spanned(axes[:, :3]), spanned(axes[:, :3]), axes[:, [2, 0, 1]])
    assert aligning.distances_of(same).measure[2, 2] == pytest.approx(0, abs=1e-7)
    apart = subspaces.Bases(spanned(axes[:, :3]), spanned(axes[:, 3:7]), axes[:, 7:12])
    largest = np.sqrt(2 * (min(3, 4) + min(3, 5) + min(4, 5)))
    assert aligning.distances_of(apart).measure[2, 3] == pytest.approx(largest, abs=1e-10)
    assert by_definition(apart, 3, 4) == pytest.approx(largest, abs=1e-8)


def test_one_plane_turned_by_a_known_angle():
    """X = ⟨e₁, e₂⟩, A = X turned by φ out of itself, Y = ⟨e₁, e₂⟩: S = √(8 sin²φ)."""
    for angle in (0.1, 0.7, np.pi / 2):
        axes = np.eye(4)
        turned = np.cos(angle) * axes[:, :2] + np.sin(angle) * axes[:, 2:]
        bases = subspaces.Bases(spanned(axes[:, :2]), spanned(turned), axes[:, :2])
        found = aligning.distances_of(bases).measure[1, 1]
        assert found == pytest.approx(np.sqrt(8) * np.sin(angle), abs=1e-10)
        assert found == pytest.approx(by_definition(bases, 2, 2), abs=1e-8)


def constructive_example(seed: int) -> Dataset:
    """Like the constructive example of Qian et al.: see the docstring of `alignment`."""
    random, (nodes, words, classes) = np.random.default_rng(seed), (1000, 500, 10)
    labels = np.repeat(np.arange(classes), nodes // classes)
    topics = np.repeat(np.arange(classes), words // classes)
    chance = np.where(labels[:, None] == labels, 0.07, 0.007)
    links = np.triu(random.random((nodes, nodes)) < chance, 1)
    table = random.random((nodes, words)) < np.where(labels[:, None] == topics, 0.07, 0.007)
    return replace(
        load_dataset("sbm", nodes=nodes, classes=classes),
        adjacency=sp.csr_array((links | links.T).astype(float)),
        features=sp.csr_array(table.astype(float)),
        labels=labels,
    )


@pytest.mark.slow
def test_the_constructive_example_of_the_authors_has_their_dimensions():
    """Their program prints k_X = 255, k_A = 10, k_Y = 10 as the best of a grid of 5 × 5."""
    data = constructive_example(1)
    assert abs(data.edges - 6541) < 4 * np.sqrt(6615)  # theirs has 6541
    grid = list(product((10, 132, 255, 377, 500), (10, 257, 505, 752, 1000)))
    random = np.random.default_rng(1)
    bases = subspaces.bases_of(data)
    order = random.permutation(data.nodes)
    mixed = subspaces.Bases(
        replace(bases.features, vectors=bases.features.vectors[order]),
        subspaces.graph_basis(rewired(data.undirected, 1.0, 1), data.nodes),
        bases.classes,
    )
    real, chance = (aligning.distances_of(each).measure for each in (bases, mixed))
    rank = real.shape[0]  # rows add up to one: centred, they have 499 directions
    gain = {(a, b): (chance - real)[min(a, rank) - 1, b - 1] for a, b in grid}
    assert max(gain, key=gain.get) == (255, 10)
    assert bases.classes.shape[1] == 10
    assert real[254, 9] == pytest.approx(by_definition(bases, 255, 10), abs=1e-8)


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


def heat_kernels(laplacian, times: np.ndarray) -> Iterator[np.ndarray]:
    """The dense e^{−tL} less its limit, entry [i, j] the mass that goes from i to j, by `expm`."""
    dense = laplacian.dense()
    limit = scipy.linalg.expm(-60 / laplacian.gap * dense)
    for time in times:
        yield (scipy.linalg.expm(-time * dense) - limit).T


@pytest.mark.parametrize("kind", ["combinatorial", "random-walk"])
@pytest.mark.parametrize("name", [name for name in names() if spec_of(name).kind == "small"])
def test_influence_is_the_highest_point_of_the_heat_kernel(name, kind):
    """All pairs of every small graph: the height is that of the dense kernel at the time of the
    peak, and at no other time that was looked at does the kernel rise higher."""
    laplacian = make_laplacian(kind, load_dataset(name).undirected)
    found = influence(laplacian)
    pairs, checked = found.overshoots, 0
    others = ~np.eye(laplacian.nodes, dtype=bool)
    for time, excess in zip(found.times, heat_kernels(laplacian, found.times), strict=True):
        here = pairs & (found.peak_times == time)
        np.testing.assert_allclose(found.heights[here], excess[here], rtol=0, atol=1e-8)
        assert (found.heights >= excess - 1e-8)[others].all()
        checked += int(here.sum())
    assert checked == pairs.sum()
    assert not found.heights[~pairs].any()
    assert np.isnan(found.peak_times[~pairs]).all()


@pytest.mark.parametrize("name", ["karate", "grid", "path"])
def test_a_height_that_is_a_thousandth_too_large_is_noticed(name):
    """So the test above can fail: the kernel at the peak tells heights apart."""
    laplacian = make_laplacian("combinatorial", load_dataset(name).undirected)
    found = influence(laplacian)
    time = found.peak_times[found.overshoots].max()
    here = found.overshoots & (found.peak_times == time)
    excess = next(heat_kernels(laplacian, np.array([time])))
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(1.001 * found.heights[here], excess[here], rtol=0, atol=1e-8)


@pytest.mark.parametrize("kind", ["combinatorial", "random-walk"])
def test_the_sources_of_one_node_are_a_column_of_the_matrix(kind):
    data = load_dataset("karate")
    laplacian = make_laplacian(kind, data.undirected)
    whole, column = influence(laplacian), sources_of(laplacian, 5)
    clear = np.maximum(whole.heights[:, 5], column.heights[:, 0]) > 1e-4
    assert clear.any()
    np.testing.assert_allclose(whole.heights[clear, 5], column.heights[clear, 0], rtol=2e-3)


def long_path(nodes: int) -> sp.csr_array:
    return sp.diags_array([np.ones(nodes - 1)] * 2, offsets=[1, -1]).tocsr()


def test_a_long_path_has_the_heights_that_its_cosines_give():
    """So slow that 10⁻⁸ cannot be proved: λ_k = 2 − 2 cos(πk/N), u_k(i) = cos(πk(i + 1/2)/N)."""
    nodes, node = 3000, 700
    found = sources_of(make_laplacian("combinatorial", long_path(nodes)), node, times=8)
    waves = np.arange(1, nodes)
    rates = 2 - 2 * np.cos(np.pi * waves / nodes)
    vectors = np.cos(np.pi * np.outer(np.arange(nodes) + 0.5, waves) / nodes)
    decay = np.exp(-np.outer(found.times, rates))
    excess = (2 / nodes) * (decay * vectors[node]) @ vectors.T
    others = np.arange(nodes) != node
    expected = np.where(excess.max(axis=0) > 0, excess.max(axis=0), 0.0)
    np.testing.assert_allclose(found.heights[others, 0], expected[others], rtol=0, atol=1e-6)
    assert (found.heights[others, 0] > 0.01).any()


def test_a_path_that_is_too_long_is_one_sentence():
    with pytest.raises(TooLongError, match="spreads so slowly"):
        sources_of(make_laplacian("combinatorial", long_path(20_000)), 5, times=8)


def test_sources_of_a_node_take_no_memory_for_every_time():
    nodes, times = 6000, 500
    half = sp.eye_array(nodes, k=1) + sp.eye_array(nodes, k=100)
    laplacian = make_laplacian("combinatorial", sp.csr_array(half + half.T))
    assert laplacian.gap > 0
    tracemalloc.start()
    sources_of(laplacian, 7, times=times)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < times * nodes * 8  # in bytes, less than all times of all nodes


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


def test_where_symmetry_makes_beliefs_equal_the_first_class_is_the_largest():
    """Else rounding decides, differently for different ways to the same beliefs."""
    found = first_largest(np.array([[0.5, 0.5 + 1e-9, 0.1], [0.2, 0.4, 0.4 - 1e-9]]), 1e-6)
    assert found.tolist() == [0, 1]
    data = load_dataset("grid")  # two classes of equal size, and a prior that knows nothing
    start = compute_prior("uniform", data)
    judged = data.split.validation
    noise = 1e-8 * np.random.default_rng(0).standard_normal(start.shape)
    for smoothed in (heat_smoothing, depth_smoothing):
        plain, shaken = (smoothed(data, start + more, judged) for more in (0 * noise, noise))
        np.testing.assert_array_equal(plain.accuracy, shaken.accuracy)
        np.testing.assert_array_equal(plain.labels, shaken.labels)


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


def by_networkx(matrix: np.ndarray, share: np.ndarray, seeds: int) -> float:
    """The best stability that NetworkX finds: modularity of the graph with weights Π P(t).

    That graph has the strengths π and the total 1, so its modularity is r(t). NetworkX counts a
    loop twice, hence the halves.
    """
    weights = matrix + np.outer(share, share)
    np.fill_diagonal(weights, np.diag(weights) / 2)
    graph = nx.from_numpy_array(weights)
    best = -np.inf
    for seed in range(seeds):
        found = nx.community.louvain_communities(graph, seed=seed, threshold=1e-12)
        groups = np.empty(share.size, dtype=int)
        for k, members in enumerate(found):
            groups[list(members)] = k
        best = max(best, stability(matrix, groups))
    return best


@pytest.mark.parametrize("name", ["karate", "sbm"])
def test_communities_are_at_least_as_good_as_those_of_networkx(name):
    data = load_dataset(name, **({"nodes": 60, "homophily": 0.7} if name == "sbm" else {}))
    adjacency = data.undirected.toarray()
    share = adjacency.sum(axis=1) / adjacency.sum()
    times = np.geomspace(0.3, 30, 5)
    found = communities(adjacency, times)
    for time, reached, partition in zip(times, found.stability, found.partitions, strict=True):
        matrix = covariance(adjacency, time)
        assert stability(matrix, partition) == pytest.approx(reached, abs=1e-12)
        assert reached >= by_networkx(matrix, share, seeds=4) - 1e-12


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
