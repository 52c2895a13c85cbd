"""Priors that spread features, answers or errors: against other libraries and dense arithmetic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from scipy.linalg import expm
from scipy.special import softmax
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize
from test_priors_contract import small
from torch_geometric.nn.conv import APPNP
from torch_geometric.nn.models import CorrectAndSmooth

from gdr_core.datasets.features import row_normalised, tf_idf, unit_rows
from gdr_core.neural import Training, recommended
from gdr_core.neural.network import disagreement
from gdr_core.neural.propagation import PersonalisedRank
from gdr_core.priors import PRIORS, compute_prior
from gdr_core.priors.correct_and_smooth import corrected_by, spread
from gdr_core.priors.ensemble import mean_of
from gdr_core.priors.linear.smoothing import identity, smoothed_rows
from gdr_core.priors.linear.softmax import fit
from gdr_core.progress import ignore


def looped_matrix(dataset) -> np.ndarray:
    """Â = D̄^{−1/2} (A + I) D̄^{−1/2}, dense."""
    looped = dataset.undirected.toarray() + np.eye(dataset.nodes)
    root = 1 / np.sqrt(looped.sum(axis=1))
    return root[:, None] * looped * root[None, :]


def edges(dataset) -> torch.Tensor:
    found = sp.coo_array(dataset.undirected)
    return torch.from_numpy(np.stack([found.row, found.col]).astype(np.int64))


def others(dataset) -> np.ndarray:
    return np.setdiff1d(np.arange(dataset.nodes), dataset.split.train)


def regression(rows, labels, penalty) -> LogisticRegression:
    """scikit-learn's own minimiser of n/λ Σ loss / n + ‖W‖²/2."""
    strength = 1 / (penalty * len(labels))
    return LogisticRegression(C=strength, tol=1e-12, max_iter=20_000).fit(rows, labels)


def test_tf_idf_and_unit_rows_are_scikit_learns():
    counts = np.random.default_rng(0).poisson(0.4, size=(30, 12)).astype(float)
    counts[3] = 0
    sparse = sp.csr_array(counts)
    expected = TfidfTransformer(smooth_idf=True, norm="l2").fit_transform(sp.csr_matrix(counts))
    np.testing.assert_allclose(tf_idf(sparse).toarray(), expected.toarray(), atol=1e-12)
    np.testing.assert_allclose(unit_rows(sparse).toarray(), normalize(counts), atol=1e-12)


@pytest.mark.parametrize(("nodes", "features"), [(20, 40), (40, 6)])
def test_softmax_regression_is_at_its_minimum_as_scikit_learn_finds_it(nodes, features):
    random = np.random.default_rng(features)
    rows, labels = random.normal(size=(nodes, features)), np.arange(nodes) % 3
    model, theirs = fit(rows, labels, 3, 0.03), regression(rows, labels, 0.03)
    np.testing.assert_allclose(model.weights, theirs.coef_.T, atol=1e-6)
    answers = softmax(rows @ model.weights + model.offset, axis=1)
    slope = rows.T @ (answers - np.eye(3)[labels]) / nodes + 0.03 * model.weights
    assert np.abs(slope).max() < 1e-9
    assert np.abs((answers - np.eye(3)[labels]).sum(axis=0)).max() < 1e-8


@pytest.mark.parametrize(
    ("name", "options", "operator"),
    [
        ("linear", {}, lambda a: np.eye(len(a))),
        ("heat-linear", {"time": 1.7}, lambda a: expm(-1.7 * (np.eye(len(a)) - a))),
        ("heat-linear", {"time": 0.0}, lambda a: np.eye(len(a))),
        ("sgc", {"steps": 3}, lambda a: a @ a @ a),
    ],
)
def test_spread_features_and_scikit_learns_regression_give_the_same_prior(name, options, operator):
    dataset = small(spread=2.0)
    prior = compute_prior(
        name, dataset, cache=False, features="row-normalised", penalty=0.01, **options
    )
    rows = operator(looped_matrix(dataset)) @ row_normalised(dataset.features).toarray()
    train = dataset.split.train
    expected = regression(rows[train], dataset.labels[train], 0.01).predict_proba(rows)
    np.testing.assert_allclose(prior[others(dataset)], expected[others(dataset)], atol=1e-5)


def test_rows_are_the_same_whichever_side_is_spread():
    """Few nodes or few features: (P E)ᵀ X = (P X) at those nodes."""
    random = np.random.default_rng(1)
    half = random.random((40, 40))
    kernel = half + half.T
    wide, narrow = sp.csr_array(random.random((40, 9))), sp.csr_array(random.random((40, 2)))
    nodes = np.array([5, 0, 33])
    for x in (wide, narrow):
        found = smoothed_rows(lambda block: kernel @ block, x, nodes, ignore)
        np.testing.assert_allclose(found, (kernel @ x.toarray())[nodes])
        plain = smoothed_rows(identity, x, nodes, ignore)
        np.testing.assert_allclose(plain, x.toarray()[nodes])


@pytest.mark.parametrize(("alpha", "beta", "steps"), [(0.8, 0.6, 20), (1.0, 0.95, 7)])
def test_correct_and_smooth_is_pygs(alpha, beta, steps):
    dataset = small(spread=2.0)
    train = dataset.split.train
    predicted = np.random.default_rng(2).dirichlet(np.ones(3), size=dataset.nodes)
    known = np.eye(3)[dataset.labels[train]]
    theirs = CorrectAndSmooth(steps, alpha, steps, beta, autoscale=True)
    labels = torch.from_numpy(dataset.labels[train])
    arguments = (labels, torch.from_numpy(train.copy()), edges(dataset))
    corrected = theirs.correct(torch.from_numpy(predicted), *arguments)
    degrees = np.asarray(dataset.undirected.sum(axis=1)).ravel()
    root = np.divide(1, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
    matrix = sp.csr_array(root[:, None] * dataset.undirected.toarray() * root[None, :])
    ours = corrected_by(matrix, predicted, train, known, alpha, steps)
    np.testing.assert_allclose(ours, corrected.numpy(), atol=1e-6)  # their weights are float32
    ours[train] = known
    np.testing.assert_allclose(
        spread(matrix, ours, beta, steps, 0.0, 1.0),
        theirs.smooth(corrected, *arguments).numpy(),
        atol=1e-6,
    )


def test_the_errors_that_are_spread_are_those_of_the_base_on_training_nodes():
    """A base that is sure of every training node has no errors: only answers are smoothed."""
    dataset = small(spread=0.0)
    plain = compute_prior("correct-and-smooth", dataset, cache=False, correction=0.9)
    none = compute_prior("correct-and-smooth", dataset, cache=False, correction=0.0)
    noisy = replace(dataset, features=small(spread=4.0).features)
    strong = compute_prior("correct-and-smooth", noisy, cache=False, correction=0.9)
    weak = compute_prior("correct-and-smooth", noisy, cache=False, correction=0.0)
    assert np.abs(strong - weak).max() > np.abs(plain - none).max()


@pytest.mark.parametrize("teleport", [0.0, 0.1, 1.0])
def test_appnp_walks_as_pygs(teleport):
    dataset = small()
    block = torch.from_numpy(np.random.default_rng(3).normal(size=(dataset.nodes, 4))).float()
    ours = PersonalisedRank(dataset.undirected, 10, teleport)(block)
    theirs = APPNP(K=10, alpha=teleport)(block, edges(dataset))
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_long_walks_of_appnp_reach_personalised_pagerank():
    dataset = small()
    inverse = np.linalg.inv(np.eye(dataset.nodes) - 0.8 * looped_matrix(dataset))
    block = np.random.default_rng(4).normal(size=(dataset.nodes, 2))
    found = PersonalisedRank(dataset.undirected, 200, 0.2, torch.float64)(torch.from_numpy(block))
    np.testing.assert_allclose(found.numpy(), 0.2 * inverse @ block, atol=1e-9)


def heat_net(**changes) -> Training:
    dataset = small(spread=2.0)
    return Training(dataset, recommended("heat-net", epochs=3, tolerance=1e-6, **changes), seed=2)


def test_heat_net_classifies_by_one_diffusion_and_two_layers():
    training = heat_net(initial_time=1.3)
    training.step()
    net = training.network
    w0, w1, b0, b1 = (
        p.detach().double().numpy() for p in (net.first, net.second, net.bias, net.offset)
    )
    dataset = training.dataset
    kernel = expm(-1.3 * (np.eye(dataset.nodes) - looped_matrix(dataset)))
    x = row_normalised(dataset.features).toarray()
    scores = np.maximum(kernel @ x @ w0 + b0, 0) @ w1 + b1
    found = training.probabilities("current")
    np.testing.assert_allclose(found, softmax(scores, axis=1), atol=1e-5)


def test_passes_leave_out_nodes_and_are_right_on_average():
    net = heat_net(dropout=0.0, drop_nodes=0.5, samples=64).network
    net.eval()
    with torch.no_grad():
        quiet = net.propagation(net.features.product(net.first))
        net.train()
        masks = net._masks(quiet.shape[0])
    assert set(masks.unique().tolist()) == {0.0, 2.0}
    assert abs(float(masks.mean()) - 1) < 0.1
    assert (masks.std(dim=2) > 0).all(), "every pass leaves out nodes of its own"


def test_passes_that_agree_have_no_disagreement_and_others_have_the_variance():
    one = torch.tensor([[[1.0, 0.0, -1.0]]]).repeat(5, 4, 1)
    assert float(disagreement(one, 1.0)) == pytest.approx(0, abs=1e-12)
    random = torch.randn(6, 3, 4, generator=torch.Generator().manual_seed(0))
    answers = random.softmax(dim=2).numpy()
    variance = ((answers - answers.mean(axis=1, keepdims=True)) ** 2).sum(axis=2).mean()
    assert float(disagreement(random, 1.0)) == pytest.approx(float(variance), rel=1e-5)
    sure = torch.tensor([[[2.0, 0.0]]]).repeat(1, 2, 1)
    p = float(torch.sigmoid(torch.tensor(2.0)))
    sharp = p**2 / (p**2 + (1 - p) ** 2)
    assert float(disagreement(sure, 0.5)) == pytest.approx(2 * (sharp - p) ** 2, rel=1e-5)


def test_agreement_counts_for_nothing_at_first_and_fully_after_the_warm_up():
    """Equal weights and random numbers: losses differ by the share of the disagreement alone."""
    found = {}
    for epoch, weight in ((0, 1.0), (3, 1.0), (10, 1.0), (50, 1.0), (50, 0.0)):
        training = heat_net(warmup=10, consistency=weight)
        with torch.no_grad():
            found[epoch, weight] = float(training.network.loss(training.judge, epoch))
    plain, whole = found[50, 0.0], found[50, 1.0]
    assert whole > plain == found[0, 1.0]
    assert found[10, 1.0] == whole
    assert found[3, 1.0] == pytest.approx(plain + 0.3 * (whole - plain), rel=1e-5)


def test_consistency_makes_passes_agree():
    apart = []
    for weight in (0.0, 20.0):
        training = heat_net(consistency=weight, learning_rate=0.05)
        for _ in range(40):
            training.step()
        training.network.train()
        with torch.no_grad():
            apart.append(float(disagreement(training.network.passes(), 1.0)))
    assert apart[1] < apart[0] / 2


def test_an_ensemble_is_the_mean_of_its_members_and_of_their_seeds():
    dataset = small(spread=3.0)
    found = compute_prior(
        "ensemble", dataset, seed=4, cache=False, members="linear, random-forest*2"
    )
    members = [
        compute_prior("linear", dataset),
        compute_prior("random-forest", dataset, seed=8),
        compute_prior("random-forest", dataset, seed=9),
    ]
    np.testing.assert_allclose(found, np.mean(members, axis=0), atol=1e-12)
    np.testing.assert_allclose(mean_of(members), found, atol=1e-12)


def test_copies_are_those_of_random_members_without_a_number_of_their_own():
    short, long = "linear, random-forest, svm*2", "linear, random-forest*3, svm*2"
    found, meant = (
        compute_prior("ensemble", small(spread=3.0), cache=False, members=members, copies=copies)
        for members, copies in ((short, 3), (long, 1))
    )
    np.testing.assert_array_equal(found, meant)


@pytest.mark.slow
def test_means_with_different_seeds_share_no_member(monkeypatch):
    drawn: list[int] = []
    spec = PRIORS["random-forest"]

    def watched(*given, seed, **named):
        drawn.append(seed)
        return spec.function(*given, seed=seed, **named)

    monkeypatch.setitem(PRIORS, spec.name, replace(spec, function=watched))
    for seed in range(4):
        compute_prior(
            "ensemble", small(), seed=seed, cache=False, members="random-forest", copies=3
        )
    assert sorted(drawn) == list(range(12))


def test_a_mean_is_computed_anew_where_the_settings_of_a_member_change(monkeypatch):
    spec, named = PRIORS["linear"], {"members": "linear", "copies": 1}
    before = PRIORS["ensemble"].resolved(named, "cora")
    assert before != PRIORS["ensemble"].resolved(named, "pubmed")  # which has settings of its own
    monkeypatch.setitem(PRIORS, "linear", replace(spec, revision=spec.revision + 1))
    assert before != PRIORS["ensemble"].resolved(named, "cora")


def test_members_of_a_mean_that_is_not_kept_are_not_kept_either(monkeypatch, tmp_path):
    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path))
    members = {"members": "random-forest, linear"}
    compute_prior("ensemble", small(), cache=False, **members)
    assert not list(tmp_path.rglob("*.npz"))
    compute_prior("ensemble", small(), **members)
    assert len(list(tmp_path.rglob("*.npz"))) == 3


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ("linear, nobody", "'nobody' is no member"),
        ("ensemble", "'ensemble' is no member"),
        ("linear*3", "linear is not random"),
        (" , ", "got 0"),
        ("gcn*101", "got 101"),
        ("linear, sgc, linear", "linear is named twice; once is enough"),
        ("gcn gcn gcn", "gcn is named twice; gcn*2 takes two seeds of it"),
        ("gcn*3, gcn", "gcn is named twice"),
        ("linear, gcn*0", "gcn*0 is no member at all"),
        ("gcn*9999999999", "is no member"),
    ],
)
def test_ensembles_that_cannot_be_meant_are_refused(members, words):
    with pytest.raises(ValueError, match=words.replace("*", r"\*")):
        compute_prior("ensemble", small(), cache=False, members=members)


@pytest.mark.parametrize(
    ("priors", "words"),
    [
        ([np.ones((3, 2)) / 2, np.ones((3, 4)) / 4], "3 nodes and 2 classes and 3 nodes and 4"),
        ([], "there is no prior to average"),
        ([np.ones(3)], "a prior must be a matrix"),
        ([np.full((3, 2), np.nan)], "finite"),
    ],
    ids=["other classes", "none", "one row", "not numbers"],
)
def test_what_is_no_set_of_priors_is_not_averaged(priors, words):
    with pytest.raises(ValueError, match=words):
        mean_of(priors)
