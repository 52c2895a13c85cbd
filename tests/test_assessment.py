"""Confusion, precision, recall and reliability against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import confusion_matrix, precision_score, recall_score

from gdr_core.priors import assessment


def example(seed: int, nodes: int = 300, classes: int = 4):
    """Labels, some unknown; probabilities that often agree with them; a part of the nodes."""
    random = np.random.default_rng(seed)
    labels = random.integers(-1, classes, nodes)
    scores = random.random((nodes, classes)) + 0.6 * (labels[:, None] == np.arange(classes))
    members = np.sort(random.choice(nodes, nodes // 2, replace=False))
    return labels, scores / scores.sum(axis=1, keepdims=True), members


@given(seed=st.integers(0, 10_000), classes=st.integers(2, 6))
def test_confusion_precision_and_recall_agree_with_scikit_learn(seed, classes):
    labels, probabilities, members = example(seed, classes=classes)
    predicted = probabilities.argmax(axis=1)
    known = members[labels[members] >= 0]
    matrix = assessment.confusion(labels, predicted, members, classes)
    assert assessment.mistakes(matrix) == (predicted[known] != labels[known]).sum()
    every = range(classes)
    assert (matrix == confusion_matrix(labels[known], predicted[known], labels=every)).all()
    settings = {"labels": every, "average": None, "zero_division": np.nan}
    expected = precision_score(labels[known], predicted[known], **settings)
    np.testing.assert_allclose(assessment.precision(matrix), expected)
    expected = recall_score(labels[known], predicted[known], **settings)
    np.testing.assert_allclose(assessment.recall(matrix), expected)


@given(seed=st.integers(0, 10_000), bins=st.integers(2, 15))
def test_reliability_agrees_with_scikit_learn(seed, bins):
    labels, probabilities, members = example(seed)
    known = members[labels[members] >= 0]
    confidence = probabilities[known].max(axis=1)
    right = probabilities[known].argmax(axis=1) == labels[known]
    found = assessment.reliability(labels, probabilities, members, bins)
    accuracy, mean = calibration_curve(right, confidence, n_bins=bins, strategy="quantile")
    np.testing.assert_allclose(found.accuracy, accuracy)
    np.testing.assert_allclose(found.confidence, mean)
    assert found.nodes.sum() == known.size
    np.testing.assert_allclose(np.average(found.accuracy, weights=found.nodes), right.mean())


def test_wrong_nodes_come_first_and_the_surest_lead():
    labels, probabilities, _ = example(5)
    order = assessment.wrong_first(labels, probabilities)
    assert sorted(order) == list(range(labels.size))
    codes = assessment.verdicts(labels, probabilities.argmax(axis=1))[order]
    assert (np.diff(codes) >= 0).all()
    assert set(codes) == {0, 1, 2}
    for code in range(3):
        assert (np.diff(probabilities.max(axis=1)[order][codes == code]) <= 0).all()


def test_a_classifier_that_knows_how_good_it_is_has_no_calibration_error():
    labels = np.array([0, 0, 0, 1] * 25)
    probabilities = np.tile([0.75, 0.25], (100, 1))
    found = assessment.reliability(labels, probabilities, np.arange(100))
    assert found.error == pytest.approx(0)
    sure = np.tile([1.0, 0.0], (100, 1))
    assert assessment.reliability(labels, sure, np.arange(100)).error == pytest.approx(0.25)


def test_the_histogram_counts_every_known_member_once():
    labels, probabilities, members = example(3)
    edges, right, wrong = assessment.confidences(labels, probabilities, members)
    known = members[labels[members] >= 0]
    assert right.sum() + wrong.sum() == known.size
    assert right.sum() == (probabilities[known].argmax(axis=1) == labels[known]).sum()
    assert (edges[0], edges[-1]) == (0, 1)


def test_without_members_nothing_is_claimed():
    labels, probabilities, _ = example(1)
    nobody = np.empty(0, dtype=int)
    found = assessment.reliability(labels, probabilities, nobody)
    assert np.isnan(found.error)
    matrix = assessment.confusion(labels, probabilities.argmax(axis=1), nobody, 4)
    assert matrix.sum() == 0
    assert assessment.mistakes(matrix) == 0
    assert np.isnan(found.mean_confidence)
    assert np.isnan(assessment.precision(matrix)).all()
