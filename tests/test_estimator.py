"""The scikit-learn face: parameters, cloning, pipelines, transduction."""

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ParameterGrid, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from gdr_core.datasets import load_dataset
from gdr_core.estimator import GraphDiffusionReclassifier, NodeGraph, hold_out


def karate(labelled=8):
    graph = nx.karate_club_graph()
    truth = np.array([graph.nodes[i]["club"] == "Officer" for i in graph], dtype=int)
    y = np.full(34, -1)
    shown = np.r_[
        np.flatnonzero(truth == 0)[: labelled // 2], np.flatnonzero(truth)[-labelled // 2 :]
    ]
    y[shown] = truth[shown]
    return graph, truth, y


def test_the_graph_corrects_a_prior_that_knows_nothing():
    graph, truth, y = karate()
    model = GraphDiffusionReclassifier().fit(np.eye(34), y, adjacency=graph)
    assert (model.predict() == truth).mean() > 0.9


@pytest.mark.parametrize("convert", [nx.to_scipy_sparse_array, nx.to_numpy_array, lambda g: g])
def test_sparse_dense_and_networkx_graphs_give_the_same(convert):
    graph, _, y = karate()
    expected = GraphDiffusionReclassifier().fit(np.eye(34), y, adjacency=graph).predict()
    found = GraphDiffusionReclassifier().fit(np.eye(34), y, adjacency=convert(graph)).predict()
    np.testing.assert_array_equal(found, expected)


def test_a_prior_is_fitted_on_labelled_nodes_and_not_changed():
    dataset = load_dataset("cora")
    y = np.full(dataset.nodes, -1)
    y[dataset.split.train] = dataset.labels[dataset.split.train]
    prior = MultinomialNB()
    model = GraphDiffusionReclassifier(prior, t_min=0.02)
    model.fit(dataset.features, y, adjacency=dataset.adjacency)
    assert not hasattr(prior, "classes_"), "the given prior must stay unfitted"
    test = dataset.split.test
    alone = clone(prior).fit(dataset.features[dataset.split.train], y[dataset.split.train])
    before = (alone.predict(dataset.features[test]) == dataset.labels[test]).mean()
    after = (model.predict()[test] == dataset.labels[test]).mean()
    assert after > before


def test_probabilities_are_rows_that_sum_to_one_with_labels_kept():
    graph, _, y = karate()
    model = GraphDiffusionReclassifier().fit(np.eye(34), y, adjacency=graph)
    shares = model.predict_proba()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    known = y != -1
    np.testing.assert_array_equal(model.predict()[known], y[known])
    np.testing.assert_array_equal(shares[known].argmax(axis=1), y[known])
    assert (shares.argmax(axis=1) == model.predict()).mean() > 0.95


def test_labels_may_be_any_integers_and_come_back_as_given():
    graph, _, y = karate()
    renamed = np.where(y == -1, -1, np.where(y == 0, 7, 42))
    model = GraphDiffusionReclassifier().fit(np.eye(34), renamed, adjacency=graph)
    assert model.classes_.tolist() == [7, 42]
    assert set(model.predict()) == {7, 42}


def test_parameters_survive_clone_and_a_grid():
    graph, truth, y = karate()
    base = GraphDiffusionReclassifier(LogisticRegression(C=3.0), rule="peak")
    assert clone(base).get_params()["rule"] == "peak"
    assert clone(base).get_params()["prior__C"] == 3.0
    best = 0.0
    for values in ParameterGrid({"rule": ["overshoot", "reference"], "prior__C": [0.1, 10.0]}):
        model = clone(base).set_params(**values).fit(np.eye(34), y, adjacency=graph)
        best = max(best, (model.predict() == truth).mean())
    assert best > 0.8


def test_a_pipeline_as_prior():
    graph, _, y = karate()
    features = np.random.default_rng(0).standard_normal((34, 5))
    prior = make_pipeline(StandardScaler(), LogisticRegression())
    model = GraphDiffusionReclassifier(prior).fit(
        sp.csr_array(features).toarray(), y, adjacency=graph
    )
    assert model.predict(features).shape == (34,)


def test_the_estimator_ends_a_pipeline():
    graph, truth, y = karate()
    model = make_pipeline(StandardScaler(), GraphDiffusionReclassifier())
    model.fit(np.eye(34), y, graphdiffusionreclassifier__adjacency=graph)
    assert (model.predict(np.eye(34)) == truth).mean() > 0.9


def test_a_given_t_min_is_used_and_a_missing_one_is_chosen():
    graph, _, y = karate()
    fixed = GraphDiffusionReclassifier(t_min=0.1).fit(np.eye(34), y, adjacency=graph)
    assert fixed.t_min_ == pytest.approx(0.1, rel=0.05)
    free = GraphDiffusionReclassifier(seed=1).fit(np.eye(34), y, adjacency=graph)
    again = GraphDiffusionReclassifier(seed=1).fit(np.eye(34), y, adjacency=graph)
    assert free.t_min_ == again.t_min_


def test_hold_out_leaves_every_class_a_training_node():
    codes = np.array([0, 0, 0, 0, 1, 2, 2, -1])
    train, held = hold_out(codes, 0.5, seed=0)
    assert set(codes[train]) == {0, 1, 2}
    assert sorted([*train, *held]) == list(range(7))
    assert held.size == 3


def test_bad_input_is_refused():
    graph, _, y = karate()
    model = GraphDiffusionReclassifier()
    with pytest.raises(ValueError, match="y has 34 rows, X has 33"):
        model.fit(np.eye(33), y, adjacency=graph)
    with pytest.raises(ValueError, match="X has 33 rows, the graph 34 nodes"):
        model.fit(np.eye(33), y[:33], adjacency=graph)
    with pytest.raises(ValueError, match="no labelled node"):
        model.fit(np.eye(34), np.full(34, -1), adjacency=graph)
    with pytest.raises(ValueError, match="validation_fraction"):
        GraphDiffusionReclassifier(validation_fraction=1.5).fit(np.eye(34), y, adjacency=graph)
    fitted = model.fit(np.eye(34), y, adjacency=graph)
    with pytest.raises(ValueError, match="5 features, but GraphDiffusionReclassifier is expecting"):
        fitted.predict(np.eye(5))
    with pytest.raises(ValueError, match=r"adjacency must have shape \(2, 34\)"):
        fitted.predict(np.eye(34)[:2], np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"Wrap it as .*NodeGraph"):
        model.fit(np.eye(34)[:9], y[:9], adjacency=nx.to_scipy_sparse_array(graph)[:9])


@parametrize_with_checks(
    [GraphDiffusionReclassifier(), GraphDiffusionReclassifier(GaussianNB(), rule="reference")]
)
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("nothing", [None, np.nan, -1])
def test_what_says_nothing_is_unlabelled(nothing):
    graph, _, y = karate()
    names = np.array(["red", "blue"], dtype=object)
    labels = np.array([nothing if k == -1 else names[k] for k in y], dtype=object)
    model = GraphDiffusionReclassifier().fit(np.eye(34), labels, adjacency=graph)
    plain = GraphDiffusionReclassifier().fit(np.eye(34), y, adjacency=graph)
    assert model.classes_.tolist() == ["blue", "red"]
    assert (model.predict() == names[plain.predict()]).all()
    numbers = np.where(y == -1, np.nan, y)
    again = GraphDiffusionReclassifier().fit(np.eye(34), numbers, adjacency=graph)
    np.testing.assert_array_equal(again.predict(), plain.predict())


def blobs():
    X, y = make_blobs(120, centers=3, cluster_std=1.0, random_state=0)
    hidden = y.copy()
    hidden[np.random.default_rng(0).permutation(120)[:100]] = -1
    return X, y, hidden


def test_without_a_graph_the_nearest_rows_are_joined():
    X, y, hidden = blobs()
    model = GraphDiffusionReclassifier(neighbours=7).fit(X, hidden)
    near = np.argsort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)[:, 1:8]
    joined = np.zeros((120, 120))
    joined[np.repeat(np.arange(120), 7), near.ravel()] = 1
    given = GraphDiffusionReclassifier().fit(X, hidden, adjacency=np.maximum(joined, joined.T))
    np.testing.assert_array_equal(model.predict(), given.predict())
    assert (GraphDiffusionReclassifier().fit_predict(X, hidden) == y).mean() > 0.9


@pytest.mark.parametrize("convert", [sp.csr_array, pd.DataFrame, pl.DataFrame])
def test_sparse_rows_and_data_frames_give_the_same(convert):
    X, _, hidden = blobs()
    frame = convert(X) if convert is not pl.DataFrame else pl.DataFrame(X, schema=["a", "b"])
    plain = GraphDiffusionReclassifier().fit(X, hidden)
    other = GraphDiffusionReclassifier().fit(frame, hidden)
    np.testing.assert_array_equal(other.predict(frame), plain.predict())
    np.testing.assert_array_equal(other.predict(X + 0.1), plain.predict(X + 0.1))


def test_new_rows_are_answered_by_their_nearest_or_by_given_edges():
    X, y, hidden = blobs()
    model = GraphDiffusionReclassifier(neighbours=5).fit(X, hidden)
    new = X[:10] + 0.05
    near = np.argsort(np.linalg.norm(new[:, None] - X, axis=2), axis=1)[:, :5]
    expected = model.label_distributions_[near].mean(axis=1)
    np.testing.assert_allclose(model.predict_proba(new), expected)
    edges = sp.random_array((10, 120), density=0.1, rng=np.random.default_rng(1), format="csr")
    shares = edges.toarray() @ model.label_distributions_
    found = model.predict_proba(new, edges)
    linked = edges.toarray().any(axis=1)
    np.testing.assert_allclose(found[linked], (shares / shares.sum(axis=1, keepdims=True))[linked])
    assert model.score(new, y[:10], adjacency=edges) == (model.predict(new, edges) == y[:10]).mean()


def test_cross_validation_and_a_grid_with_a_routed_graph():
    dataset = load_dataset("sbm", nodes=150, homophily=0.9)
    graph = NodeGraph(dataset.adjacency)
    X, y = dataset.features, dataset.labels
    with config_context(enable_metadata_routing=True):
        model = GraphDiffusionReclassifier(t_min=0.05)
        model.set_fit_request(adjacency=True).set_score_request(adjacency=True)
        routed = cross_val_score(model, X, y, cv=3, params={"adjacency": graph})
        folds = StratifiedKFold(3).split(np.zeros(150), y)
        for score, (train, test) in zip(routed, folds, strict=True):
            alone = GraphDiffusionReclassifier(t_min=0.05)
            alone.fit(X[train], y[train], adjacency=dataset.adjacency[train][:, train])
            edges = dataset.adjacency[test][:, train]
            assert score == alone.score(X[test], y[test], adjacency=edges)
        grid = GridSearchCV(model, {"rule": ["overshoot", "peak"]}, cv=3)
        grid.fit(X, y, adjacency=graph)
        assert grid.best_score_ > 0.6
    pipeline = make_pipeline(StandardScaler(with_mean=False), GraphDiffusionReclassifier())
    assert cross_val_score(pipeline, X, y, cv=3).shape == (3,)
