"""How sure labels are, on the Relabel page: shares, calibrated probabilities, and their error."""

from __future__ import annotations

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from gdr_core.datasets import load_dataset
from gdr_core.gdr.confidence import confidence
from gdr_core.method import Method
from tests.visiting import assert_fine, open_app

OPEN = {"below": "confidence"}


def said(app: AppTest) -> str:
    assert_fine(app)
    return "\n".join(block.value for block in app.main.markdown)


def calibration_error(rows: np.ndarray, truth: np.ndarray, bins: int = 10) -> float:
    """Σ_b n_b/n |share right − mean confidence|, bins of equally many nodes by confidence."""
    sure = rows.max(axis=1)
    order = np.argsort(sure, kind="stable")
    groups = np.array_split(order, bins)
    right = rows.argmax(axis=1) == truth
    return sum(g.size * abs(right[g].mean() - sure[g].mean()) for g in groups) / sure.size


def test_the_sentence_says_the_calibration_error_before_and_after():
    found = confidence(Method.on("cora").run())
    graph = load_dataset("cora")
    nodes = graph.split.validation
    raw = calibration_error(found.shares[nodes], graph.labels[nodes])
    text = said(open_app("4_Relabel", **OPEN, dataset="cora"))
    before, after = map(float, re.findall(r"\*\*([\d.]+) points\*\*", text))
    assert before == pytest.approx(100 * raw, abs=0.06)
    assert after == pytest.approx(100 * found.held_out.error, abs=0.06)
    assert after < before


@pytest.mark.parametrize("t_min", [None, "0.1"])
def test_a_node_is_told_with_its_share_and_its_probability(t_min):
    graph = load_dataset("cora")
    node = int(graph.split.validation[3])
    query = {"t_min": t_min} if t_min else {}
    result = Method.on("cora").run()
    index = result.chosen if t_min is None else result.index(float(t_min))
    found, label = confidence(result, index), result.predictions(index)[node]
    app = open_app("4_Relabel", **OPEN, dataset="cora", node=graph.node_names[node], **query)
    text = said(app)
    assert f"share **{found.shares[node, label]:.0%}**" in text
    assert f"calibrated **{found.probabilities[node, label]:.0%}**" in text


def test_a_training_node_is_given():
    graph = load_dataset("cora")
    name = graph.node_names[int(graph.split.train[0])]
    text = said(open_app("4_Relabel", **OPEN, dataset="cora", node=name))
    assert f"**Node {name}** is a training node: its class is known." in text


def test_too_few_validation_nodes_are_said_and_nothing_is_called_calibrated():
    text = said(open_app("4_Relabel", **OPEN, dataset="karate", prior="uniform"))
    assert "16 validation nodes of known class are too few" in text
    assert "calibrated **" not in text
    assert "There are too few validation nodes" in text


def test_where_the_prior_is_kept_its_probabilities_are_the_shares():
    noise = {"sbm-homophily": "0.5", "sbm-classes": "2", "dataset": "sbm", "prior": "linear"}
    graph = load_dataset("sbm", homophily=0.5, classes=2)
    node = int(graph.split.validation[0])
    method = Method.on("sbm", prior="linear", options={"homophily": 0.5, "classes": 2})
    prior = method.compute_prior(graph)[node]
    app = open_app("4_Relabel", **OPEN, **noise, auto="true", node=graph.node_names[node])
    assert f"share **{prior.max():.0%}**" in said(app)
