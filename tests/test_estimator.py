"""The scikit-learn face: parameters, cloning, pipelines, transduction."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ParameterGrid
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gdr_core.datasets import load_dataset
from gdr_core.estimator import GraphDiffusionReclassifier, hold_out


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
    with pytest.raises(ValueError, match="needs the graph"):
        model.fit(np.eye(34), y)
    with pytest.raises(ValueError, match="X has 33 rows, the graph 34 nodes"):
        model.fit(np.eye(33), y, adjacency=graph)
    with pytest.raises(ValueError, match="no labelled node"):
        model.fit(np.eye(34), np.full(34, -1), adjacency=graph)
    with pytest.raises(ValueError, match="validation_fraction"):
        GraphDiffusionReclassifier(validation_fraction=1.5).fit(np.eye(34), y, adjacency=graph)
    fitted = model.fit(np.eye(34), y, adjacency=graph)
    with pytest.raises(ValueError, match="34 nodes it was fitted on, got 5 rows"):
        fitted.predict(np.eye(5))
