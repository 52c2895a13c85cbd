"""Every sentence made from numbers is true: the short version of `python -m tools.check_sentences`.

What is said of curves is checked by `test_sentences.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from gdr_app.prior.nearby import wrong_sentence
from gdr_core import datasets
from gdr_core.gdr import Gain, verdict
from tools.check_sentences import __main__ as command

SMALL = ("karate", "star", "path", "directed-ring")


def assert_true(found):
    assert found.sentences > 0
    assert found.false == []


@pytest.mark.parametrize("name", [*SMALL, "sbm", "cora"])
def test_where_the_prior_is_wrong(name):
    assert_true(command.prior.check(name, ("projection", "uniform")))
    assert_true(command.regions.check(name, ("projection", "uniform")))


@pytest.mark.parametrize("name", ["karate", "directed-ring"])
def test_a_t_min_at_the_edge_of_the_window(name):
    assert_true(command.edges.check(name))


@pytest.mark.parametrize("name", SMALL)
def test_structure(name):
    assert_true(command.structure.check(name))


@pytest.mark.parametrize("name", SMALL)
def test_verdict_and_report_for_all_rules(name):
    assert_true(command.trust.check(name, step=20))


@pytest.mark.parametrize("name", [*SMALL, "sbm"])
def test_pairs_of_methods(name):
    assert_true(command.pairs.check(name))


@pytest.mark.parametrize("name", SMALL)
def test_how_far_a_layer_looks(name):
    assert_true(command.layers.check(name))


@pytest.mark.parametrize(
    "name", [name for name in datasets.names() if name.startswith("directed-")]
)
def test_who_is_visited_most(name):
    assert_true(command.directed.check(name))


@pytest.mark.parametrize(
    "check",
    [
        command.directed.check_films,
        command.home.check,
        command.pairs.check_runs,
        command.pairs.check_shared,
        command.structure.check_randomised,
        command.trust.check_guard,
        command.trust.check_table_6,
        command.trust.every_gain,
    ],
)
def test_what_is_said_once(check):
    assert_true(check())


# ------------------------------------------------------------------ the checks are not deaf

BENT_VERDICTS = [
    ("fixed 30", "fixed 31"),
    ("a gain of", "a loss of"),
    ("The graph helps", "The graph misleads, and the prior is better kept"),
    ("interval 1.9", "interval 1.2"),
    ("of 500 validation nodes", "of 1 validation nodes"),
]


@pytest.mark.parametrize(("true", "false"), BENT_VERDICTS)
def test_a_bent_verdict_is_found(true, false):
    text = verdict(Gain(500, 30, 8))
    assert command.trust.check_verdict(text, 500, 30, 8, "").false == []
    assert true in text, text
    assert command.trust.check_verdict(text.replace(true, false), 500, 30, 8, "").false


def test_a_bent_sentence_about_neighbours_is_found():
    truth, predicted = np.array([0, 0, 0, 1]), np.array([1, 1, 0, 1])
    text = wrong_sentence(truth, predicted, np.array([0.0, 0.5, 1.0, np.nan]))
    counts = {"right": 1, "wrong": 1, "alone": 0}
    assert command.prior.check_sentence(text, counts, "", hidden=False).false == []
    for true, false in (
        ("**2**", "**3**"),
        ("mostly right", "at least as many wrong"),
        ("has", "have"),
    ):
        assert command.prior.check_sentence(
            text.replace(true, false, 1), counts, "", hidden=False
        ).false


@pytest.mark.parametrize(
    ("truth", "predicted", "shares", "words"),
    [
        ([-1, -1], [0, 1], [np.nan, np.nan], "No node's class is shown"),
        ([0, 1], [0, 1], [0.0, 0.0], "No node whose class is shown is wrong."),
        ([0, -1], [1, 1], [np.nan, 1.0], "One node whose class is shown is wrong; it has no"),
        ([0, 0], [1, 1], [1.0, 1.0], "All **2** wrong nodes whose class is shown have at least"),
    ],
)
def test_mistakes_where_there_are_few(truth, predicted, shares, words):
    assert wrong_sentence(np.array(truth), np.array(predicted), np.array(shares)).startswith(words)
