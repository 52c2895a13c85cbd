"""The mean of several priors on the explorer pages: members, seeds, link and lines."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from streamlit.testing.v1 import AppTest

from gdr_app.computing.results import prior_of
from gdr_app.computing.working import unseen
from gdr_app.state.link import VISIT
from gdr_app.widgets.export import PYTHON_OPEN
from gdr_app.widgets.method import members
from gdr_core import datasets
from gdr_core.datasets import DatasetChoice
from gdr_core.datasets.hiding import hide_test
from gdr_core.method import Method
from gdr_core.priors import compute_prior
from gdr_core.priors.ensemble import mean_of
from tests.visiting import assert_fine, assert_warns, open_app, with_own

MEAN = {"dataset": "sbm", "prior": "ensemble"}


def line_of(app: AppTest) -> str:
    return app.sidebar.markdown[-1].value


def accuracy_of(priors: list[np.ndarray], graph) -> float:
    nodes = graph.split.validation
    return float((mean_of(priors)[nodes].argmax(axis=1) == graph.labels[nodes]).mean())


@pytest.mark.parametrize(
    ("query", "members"),
    [
        ({}, [("linear", 0), ("heat-linear", 0), ("sgc", 0)]),
        ({"ensemble-members": "projection,linear"}, [("projection", 0), ("linear", 0)]),
        (
            {"ensemble-members": "random-forest,linear", "ensemble-copies": "2"},
            [("random-forest", 0), ("random-forest", 1), ("linear", 0)],
        ),
        ({"ensemble-members": "random-forest*2"}, [("random-forest", 0), ("random-forest", 1)]),
    ],
    ids=str,
)
def test_the_page_begins_with_the_mean_that_the_link_names(query, members):
    graph = datasets.load_dataset("sbm")
    app = open_app("4_Relabel", **MEAN, **query)
    assert_fine(app)
    found = [compute_prior(name, graph, seed=seed) for name, seed in members]
    assert f"**{accuracy_of(found, graph):.1%} → " in line_of(app)
    assert app.session_state[VISIT].link() == {**MEAN, **query}


def test_members_and_seeds_are_chosen_in_the_sidebar():
    app = open_app("4_Relabel", **MEAN)
    assert not [each for each in app.sidebar.number_input if "Seeds" in each.label]
    box = next(each for each in app.sidebar.multiselect if each.label == "Members")
    assert box.value == ["linear", "heat-linear", "sgc"]
    assert "ensemble" not in box.options
    box.set_value(["linear", "random-forest"]).run()
    assert_fine(app)
    assert app.session_state[VISIT].link()["ensemble-members"] == "linear,random-forest"
    seeds = next(each for each in app.sidebar.number_input if "Seeds" in each.label)
    seeds.set_value(3).run()
    assert_fine(app)
    assert app.session_state[VISIT].link()["ensemble-copies"] == "3"
    view = Method(
        DatasetChoice("sbm"),
        "ensemble",
        prior_options=(("members", "linear,random-forest"), ("copies", 3)),
    )
    graph = hide_test(datasets.load_dataset("sbm"))
    names = [("linear", 0), *(("random-forest", seed) for seed in range(3))]
    expected = mean_of([compute_prior(name, graph, seed=seed) for name, seed in names])
    with unseen():
        np.testing.assert_allclose(prior_of(view), expected, atol=1e-12)


def test_a_member_with_a_number_of_its_own_cannot_be_added_without_it():
    app = open_app("4_Relabel", **MEAN, **{"ensemble-members": "linear,random-forest*2"})
    box = next(each for each in app.sidebar.multiselect if each.label == "Members")
    assert "random-forest" not in box.options
    box.set_value(["linear"]).run()
    assert_fine(app)
    box = next(each for each in app.sidebar.multiselect if each.label == "Members")
    assert "random-forest" in box.options


def test_the_link_is_that_of_the_method_and_its_lines_give_the_labels():
    query = {**MEAN, "ensemble-members": "projection,linear", "test": "shown"}
    app = open_app("4_Relabel", state={PYTHON_OPEN: True}, **query)
    method = Method.on("sbm", prior="ensemble", prior_options={"members": "projection,linear"})
    assert app.session_state[VISIT].link() == {**method.to_link(), "test": "shown"}
    names: dict = {}
    with redirect_stdout(io.StringIO()):
        exec(compile(app.code[0].value, "app", "exec"), names)
    np.testing.assert_array_equal(names["predicted"], method.run().predictions())


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ("linear,nobody", "nobody"),
        ("linear*4", "is not random"),
        ("random-forest,random-forest*2", "named twice"),
        ("ensemble", "is no member"),
        ("gcn*500", "1 to 100 members"),
        ("../../etc/passwd", "is no member"),
    ],
)
def test_members_that_cannot_be_meant_are_refused_in_a_warning(members, words):
    app = open_app("4_Relabel", **MEAN, **{"ensemble-members": members})
    assert_warns(app, words)
    assert "ensemble-members" not in app.session_state[VISIT].link()


def test_seeds_are_no_more_than_a_mean_can_have(monkeypatch):
    monkeypatch.setattr(members, "MOST", 4)
    query = {"ensemble-members": "random-forest,linear", "ensemble-copies": "9"}
    app = open_app("4_Relabel", **MEAN, **query)
    assert_warns(app, "Seeds of each random member")
    (seeds,) = [each for each in app.sidebar.number_input if "Seeds" in each.label]
    assert (seeds.value, seeds.max) == (1, 3)


def test_own_data_without_features_have_members_that_need_none():
    graph = datasets.load_dataset("karate")
    bare = replace(graph, features=sp.csr_array((graph.nodes, 0)))
    key, state = with_own(bare)
    app = open_app("4_Relabel", state=state, dataset=key, prior="ensemble")
    box = next(each for each in app.sidebar.multiselect if each.label == "Members")
    assert set(box.value) <= set(box.options)
    assert "linear" not in box.options


def test_other_priors_are_compared_as_they_are_by_themselves():
    """Members are options of the mean alone: another prior is computed without them."""
    compared = {"priors": ["ensemble", "projection"], "ensemble-members": "linear"}
    app = open_app("5_Compare", **MEAN, **compared)
    assert_fine(app)
    _, before, after = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    alone = Method.on("sbm", prior="projection").run()
    expected = (alone.prior_accuracy["validation"], alone.accuracy["validation"][alone.chosen])
    shown = [dict(zip(each["y"], each["x"], strict=True)) for each in (before, after)]
    assert [set(each) for each in shown] == [{"ensemble", "projection"}] * 2
    assert [each["projection"] for each in shown] == pytest.approx(expected)
