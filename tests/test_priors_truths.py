"""Each prior against hand calculation, a dense solution or another library."""

from __future__ import annotations

import warnings
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from test_priors_contract import small

from gdr_core.datasets import Dataset, Provenance, Split
from gdr_core.datasets.features import row_normalised
from gdr_core.priors import compute_prior
from gdr_core.priors.contract import finished
from gdr_core.priors.planetoid_contexts import label_contexts, pairs_within, random_walks
from gdr_core.priors.support_vectors import coupled, scale_gamma


def with_train(adjacency, labels, train, features=None, classes=2, directed=False) -> Dataset:
    nodes = adjacency.shape[0]
    nobody = np.empty(0, dtype=int)
    return Dataset(
        name="by hand",
        adjacency=sp.csr_array(adjacency, dtype=float),
        features=sp.csr_array(np.eye(nodes) if features is None else features),
        labels=np.array(labels),
        class_names=tuple("abcdefgh"[:classes]),
        node_names=tuple(map(str, range(nodes))),
        split=Split(np.array(train), nobody, nobody),
        directed=directed,
        layout=np.zeros((nodes, 2)),
        provenance=Provenance("by hand", "none", "none"),
    )


# Projection ---------------------------------------------------------------------------------


def test_projection_of_three_points_by_hand():
    # Centroids are (2, 0) and (0, 1); the third point is (3, 4), of length 5.
    dataset = with_train(np.zeros((3, 3)), [0, 1, -1], [0, 1], [[2.0, 0], [0, 1], [3, 4]])
    np.testing.assert_allclose(compute_prior("projection", dataset)[2], [3 / 7, 4 / 7])
    np.testing.assert_allclose(compute_prior("projection-dot", dataset)[2], [6 / 10, 4 / 10])


def test_the_centroid_is_the_mean_of_the_training_nodes():
    features = [[2.0, 0], [0, 2], [0, 1], [1, 1]]
    dataset = with_train(np.zeros((4, 4)), [0, 0, 1, -1], [0, 1, 2], features)
    # Centroid of a is (1, 1): cosine 1; of b is (0, 1): cosine 1/√2.
    expected = np.array([1.0, np.sqrt(0.5)])
    np.testing.assert_allclose(compute_prior("projection", dataset)[3], expected / expected.sum())


def test_negative_similarities_count_as_zero():
    dataset = with_train(np.zeros((3, 3)), [0, 1, -1], [0, 1], [[1.0], [-1.0], [3.0]])
    np.testing.assert_array_equal(compute_prior("projection", dataset)[2], [1.0, 0.0])


def test_row_normalisation_by_hand():
    matrix = row_normalised(sp.csr_array([[1.0, -3.0], [0.0, 0.0]])).toarray()
    np.testing.assert_array_equal(matrix, [[0.25, -0.75], [0.0, 0.0]])


def test_tiny_and_huge_scores_keep_their_ratios():
    dataset = small(nodes=9, classes=3)
    scores = np.tile([1e-320, 3e-320, 0.0], (9, 1))
    scores[8] = [1e308, 1e308, 1e308]
    prior = finished(scores, dataset)
    np.testing.assert_allclose(prior[7], [0.25, 0.75, 0.0], rtol=1e-3)
    np.testing.assert_allclose(prior[8], 1 / 3)


# Label propagation --------------------------------------------------------------------------


def dense_harmonic(dataset: Dataset) -> np.ndarray:
    """F_u = L_uu⁻¹ A_ul F_l, by the book."""
    a = dataset.undirected.toarray()
    laplacian = np.diag(a.sum(axis=1)) - a
    train = dataset.split.train
    free = np.setdiff1d(np.arange(dataset.nodes), train)
    known = np.eye(dataset.classes)[dataset.labels[train]]
    scores = np.zeros((dataset.nodes, dataset.classes))
    scores[train] = known
    scores[free] = np.linalg.pinv(laplacian[np.ix_(free, free)]) @ a[np.ix_(free, train)] @ known
    return scores


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=30)
def test_label_propagation_is_the_dense_harmonic_solution(seed, weighted):
    dataset = small(seed)
    if weighted:
        weights = np.random.default_rng(seed).uniform(0.1, 5.0, size=dataset.adjacency.nnz)
        half = dataset.adjacency.copy()
        half.data = weights
        half = sp.triu(half)
        dataset = replace(dataset, adjacency=sp.csr_array(half + half.T))
    prior = compute_prior("label-propagation", dataset, cache=False, mass_normalisation=False)
    expected = dense_harmonic(dataset)
    reached = expected.sum(axis=1) > 0.5
    np.testing.assert_allclose(prior[reached], expected[reached], atol=1e-7)
    np.testing.assert_allclose(prior[~reached], 1 / dataset.classes)


def test_label_propagation_on_a_path_is_linear():
    path = np.diag(np.ones(4), 1) + np.diag(np.ones(4), -1)
    dataset = with_train(path, [0, -1, -1, -1, 1], [0, 4])
    for normalised in (False, True):
        prior = compute_prior(
            "label-propagation", dataset, cache=False, mass_normalisation=normalised
        )
        np.testing.assert_allclose(prior[:, 1], [0, 0.25, 0.5, 0.75, 1], atol=1e-9)


def test_label_propagation_agrees_with_networkx():
    import networkx as nx

    dataset = small(2)
    graph = nx.from_scipy_sparse_array(dataset.adjacency)
    for node in dataset.split.train:
        graph.nodes[int(node)]["label"] = int(dataset.labels[node])
    labels = np.array(nx.node_classification.harmonic_function(graph, max_iter=2000))
    prior = compute_prior("label-propagation", dataset, cache=False, mass_normalisation=False)
    two_best = np.sort(prior, axis=1)[:, -2:]
    clear = two_best[:, 1] - two_best[:, 0] > 1e-6
    assert clear.sum() > 25
    np.testing.assert_array_equal(labels[clear], prior.argmax(axis=1)[clear])


def test_label_propagation_agrees_with_scikit_network():
    from sknetwork.regression import Dirichlet

    dataset = small(4)
    solver = Dirichlet(n_iter=3000)
    prior = compute_prior("label-propagation", dataset, cache=False, mass_normalisation=False)
    train = dataset.split.train
    adjacency = sp.csr_matrix(dataset.adjacency)
    connected = np.asarray(adjacency.sum(axis=1)).ravel() > 0
    for k in range(dataset.classes):
        known = {int(i): float(dataset.labels[i] == k) for i in train}
        values = solver.fit_predict(adjacency, known)
        np.testing.assert_allclose(prior[connected, k], values[connected], atol=1e-6)


def test_mass_normalisation_gives_classes_their_training_shares():
    dataset = small(6)
    plain = compute_prior("label-propagation", dataset, cache=False, mass_normalisation=False)
    free = np.setdiff1d(np.arange(29), dataset.split.train)
    free = free[np.asarray(dataset.adjacency.sum(axis=1)).ravel()[free] > 0]
    shares = np.bincount(dataset.labels[dataset.split.train]) / len(dataset.split.train)
    expected = plain[free] * shares / plain[free].mean(axis=0)
    expected /= expected.sum(axis=1, keepdims=True)
    prior = compute_prior("label-propagation", dataset, cache=False, mass_normalisation=True)
    np.testing.assert_allclose(prior[free], expected, atol=1e-8)


def test_components_without_labels_are_uniform():
    two_edges = np.kron(np.eye(2), [[0.0, 1.0], [1.0, 0.0]])
    triangle = sp.block_diag([two_edges, sp.csr_array(np.ones((3, 3)) - np.eye(3))])
    dataset = with_train(triangle.toarray(), [0, -1, 1, -1, -1, -1, -1], [0, 2])
    prior = compute_prior("label-propagation", dataset, cache=False)
    np.testing.assert_allclose(prior[[1, 3]], np.eye(2), atol=1e-9)
    np.testing.assert_array_equal(prior[4:], 0.5)


# Random forest ------------------------------------------------------------------------------


def test_the_forest_grown_in_steps_is_the_forest_grown_at_once():
    from sklearn.ensemble import RandomForestClassifier

    dataset = small(spread=3.0)
    train = dataset.split.train
    forest = RandomForestClassifier(n_estimators=23, max_depth=3, random_state=7)
    x = dataset.features.toarray().astype(np.float32)
    expected = forest.fit(x[train], dataset.labels[train]).predict_proba(x)
    prior = compute_prior(
        "random-forest", dataset, seed=7, cache=False, features="raw", trees=23, max_depth=3
    )
    rest = np.setdiff1d(np.arange(dataset.nodes), train)
    np.testing.assert_allclose(prior[rest], expected[rest], atol=1e-12)


# Support vectors ----------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_consistent_pairwise_probabilities_are_recovered(seed, classes):
    p = np.random.default_rng(seed).dirichlet(np.ones(classes), size=3) + 1e-3
    p /= p.sum(axis=1, keepdims=True)
    pairwise = p[:, :, None] / (p[:, :, None] + p[:, None, :])
    np.testing.assert_allclose(coupled(pairwise), p, atol=1e-8)


@given(st.integers(0, 10_000))
def test_coupling_is_the_minimum_of_its_objective(seed):
    generator = np.random.default_rng(seed)
    r = np.triu(generator.uniform(0.05, 0.95, size=(4, 4)), 1)
    r += np.tril(1 - r.T, -1)

    def objective(p):
        return sum(
            (r[j, i] * p[i] - r[i, j] * p[j]) ** 2 for i in range(4) for j in range(4) if i != j
        )

    best = coupled(r[None])[0]
    assert best.sum() == pytest.approx(1.0)
    for other in generator.dirichlet(np.ones(4), size=50):
        assert objective(best) <= objective(other) + 1e-12


def test_the_width_of_the_gaussian_is_that_of_scikit_learn():
    from sklearn.svm import SVC

    dataset = small()
    train = dataset.split.train
    x = dataset.features[train]
    machine = SVC(gamma="scale").fit(x.toarray(), dataset.labels[train])
    assert scale_gamma(x) == pytest.approx(machine._gamma)
    assert scale_gamma(sp.csr_array(np.ones((3, 2)))) == 1.0


def test_svm_probabilities_are_close_to_those_of_libsvm():
    from sklearn.svm import SVC

    dataset = small(1, nodes=240, spread=1.5)
    train = dataset.split.train
    rest = np.setdiff1d(np.arange(dataset.nodes), train)
    x = dataset.features.toarray()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        machine = SVC(C=50, probability=True, random_state=0)
        expected = machine.fit(x[train], dataset.labels[train]).predict_proba(x[rest])
    prior = compute_prior("svm", dataset, cache=False, features="raw")[rest]
    assert np.abs(prior - expected).mean() < 0.05
    assert (prior.argmax(axis=1) == expected.argmax(axis=1)).mean() > 0.9


# Planetoid ----------------------------------------------------------------------------------


def test_walks_follow_edges_and_isolated_nodes_stay():
    dataset = small()
    walks = random_walks(dataset.adjacency, np.arange(30), 12, np.random.default_rng(0))
    dense = dataset.adjacency.toarray()
    for walk in walks[:29]:
        assert all(dense[i, j] > 0 for i, j in pairwise(walk))
    np.testing.assert_array_equal(walks[29], 29)


def test_walks_choose_edges_by_weight():
    weights = np.zeros((4, 4))
    weights[0, 1:] = weights[1:, 0] = [1.0, 2.0, 7.0]
    starts = np.zeros(20_000, dtype=int)
    walks = random_walks(sp.csr_array(weights), starts, 1, np.random.default_rng(0))
    shares = np.bincount(walks[:, 1], minlength=4) / len(starts)
    np.testing.assert_allclose(shares, [0, 0.1, 0.2, 0.7], atol=0.015)


def test_pairs_within_a_window_by_hand():
    one, other = pairs_within(np.array([[4, 5, 6, 4]]), window=2)
    found = sorted(zip(one.tolist(), other.tolist(), strict=True))
    forward = [(4, 5), (5, 6), (6, 4), (4, 6), (5, 4)]
    assert found == sorted(forward + [(b, a) for a, b in forward])


@pytest.mark.parametrize("size", [0, 1, 40])
def test_label_contexts_carry_the_right_sign(size):
    train, labels = np.array([3, 5, 8, 9]), np.array([0, 1, 0, 1])
    pairs = label_contexts(train, labels, size, np.random.default_rng(0))
    of = dict(zip(train.tolist(), labels.tolist(), strict=True))
    assert len(pairs) == size
    for i, c, sign in zip(pairs.nodes, pairs.contexts, pairs.signs, strict=True):
        assert sign == (1.0 if of[int(i)] == of[int(c)] else -1.0)
    assert (pairs.signs > 0).sum() == size // 2


def test_the_step_on_contexts_is_the_gradient_of_the_loss():
    import torch

    from gdr_core.priors.planetoid_contexts import Contexts
    from gdr_core.priors.planetoid_model import Embeddings

    embeddings = Embeddings(5, 4, torch.Generator().manual_seed(0))
    e = (100 * embeddings.vectors).clone().requires_grad_()
    w = (100 * embeddings.contexts).clone().requires_grad_()
    pairs = Contexts(np.array([0, 0, 3]), np.array([1, 2, 1]), np.array([1.0, -1.0, 1.0]))
    scores = (e[pairs.nodes] * w[pairs.contexts]).sum(dim=1) * torch.from_numpy(pairs.signs)
    (-torch.nn.functional.logsigmoid(scores).sum()).backward()
    embeddings.vectors, embeddings.contexts = e.detach().clone(), w.detach().clone()
    embeddings.learn(pairs, rate=0.1)
    torch.testing.assert_close(embeddings.vectors, e.detach() - 0.1 * e.grad)
    torch.testing.assert_close(embeddings.contexts, w.detach() - 0.1 * w.grad)


@pytest.mark.slow
def test_planetoid_learns_from_the_graph_where_features_say_nothing():
    generator = np.random.default_rng(0)
    labels = np.repeat([0, 1], 40)
    chance = np.where(labels[:, None] == labels[None, :], 0.3, 0.01)
    half = np.triu(generator.random((80, 80)) < chance, 1).astype(float)
    train = [0, 1, 2, 40, 41, 42]
    dataset = with_train(half + half.T, labels, train, generator.random((80, 5)))
    prior = compute_prior(
        "planetoid", dataset, cache=False, dimensions=16, rounds=30, label_steps=10
    )
    rest = np.setdiff1d(np.arange(80), train)
    assert (prior.argmax(axis=1) == labels)[rest].mean() > 0.9


def test_planetoid_does_not_touch_the_global_random_state():
    import torch

    before = torch.random.get_rng_state()
    compute_prior("planetoid", small(), cache=False, rounds=1, dimensions=4)
    assert torch.equal(before, torch.random.get_rng_state())


# External -----------------------------------------------------------------------------------


@pytest.fixture
def matrix() -> np.ndarray:
    return np.random.default_rng(0).dirichlet(np.ones(3), size=30)


@pytest.mark.parametrize("kind", ["array", "list", "npy", "csv", "csv with header", "text path"])
def test_external_reads_what_was_written(kind, matrix, tmp_path):
    given: object = matrix
    if kind == "list":
        given = matrix.tolist()
    if kind == "npy":
        given = tmp_path / "h.npy"
        np.save(given, matrix)
    if kind in ("csv", "csv with header", "text path"):
        given = tmp_path / "h.csv"
        header = "a,b,c" if "header" in kind else ""
        np.savetxt(given, matrix, delimiter=",", header=header, comments="", fmt="%.17g")
    prior = compute_prior(
        "external", small(), probabilities=str(given) if "text" in kind else given
    )
    np.testing.assert_allclose(prior[10:], matrix[10:], atol=1e-15)


def spoiled(matrix, row, values):
    copy = matrix.copy()
    copy[row] = values
    return copy


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda m: None, "needs the option probabilities"),
        (lambda m: m[:-1], r"shape \(30, 3\), got \(29, 3\)"),
        (lambda m: m.T, r"shape \(30, 3\), got \(3, 30\)"),
        (lambda m: spoiled(m, 4, [np.nan, 0.5, 0.5]), "1 rows have entries .* not finite.* row 4"),
        (lambda m: spoiled(m, 4, [np.inf, 0.5, 0.5]), "not finite, first row 4"),
        (lambda m: spoiled(m, 5, [-0.5, 1.0, 0.5]), "1 rows have negative entries, first row 5"),
        (lambda m: spoiled(m, 6, [0.5, 0.5, 0.5]), "first row 6 with sum 1.5; pass normalise=True"),
        (lambda m: spoiled(m, 6, 0.0), "first row 6 with sum 0"),
        (lambda m: m.astype(complex), "real numbers, got complex128"),
        (lambda m: m.astype(str), "real numbers"),
    ],
)
def test_wrong_external_matrices_are_refused(spoil, message, matrix):
    with pytest.raises(ValueError, match=message):
        compute_prior("external", small(), probabilities=spoil(matrix))


def test_external_rows_may_be_normalised_on_request(matrix):
    scores = 7 * matrix
    scores[20] = 0.0
    prior = compute_prior("external", small(), probabilities=scores, normalise=True)
    np.testing.assert_allclose(prior[21:], matrix[21:])
    np.testing.assert_allclose(prior[20], 1 / 3)


def test_rounding_in_row_sums_is_forgiven(matrix):
    prior = compute_prior("external", small(), probabilities=matrix.astype(np.float32))
    np.testing.assert_allclose(prior.sum(axis=1), 1.0, atol=1e-15)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("h.txt", b"1,0,0", r"read from .npy or .csv, got 'h.txt'"),
        ("h.npy", b"not an array", "h.npy is no array of NumPy"),
        ("h.csv", b"1,0\n1,zero", "h.csv is not a table of numbers"),
        ("h.csv", b"1,0,0\n1,0", "h.csv is not a table of numbers"),
        ("h.csv", b"a,b,c\n", "h.csv holds no rows"),
        ("h.csv", b"", "h.csv holds no rows"),
    ],
)
def test_wrong_external_files_are_refused(file, content, message, tmp_path):
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        compute_prior("external", small(), probabilities=tmp_path / file)


def test_files_with_python_objects_are_refused(tmp_path):
    np.save(tmp_path / "h.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="holds Python objects"):
        compute_prior("external", small(), probabilities=tmp_path / "h.npy")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        compute_prior("external", small(), probabilities=tmp_path / "nowhere.csv")
