"""The Prior page, run without a browser."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_app_relabel import CHEAP, EMBEDDED, open_page, shown_text

from gdr_app.prior.table import FILTER, TABLE
from gdr_core import datasets, priors
from gdr_core.priors import assessment
from tests.visiting import assert_fine


def tiles(app) -> dict[str, str]:
    return {tile.label: tile.value for tile in app.metric}


@pytest.mark.parametrize("name", EMBEDDED)
def test_prior_shows_every_dataset_with_every_instant_prior(name):
    app = open_page("2_Prior", dataset=name)
    assert_fine(app)
    for prior in CHEAP:
        app.sidebar.selectbox(key="prior").set_value(prior).run()
        assert_fine(app)
        assert len(app.get("plotly_chart")) == 4


@pytest.mark.parametrize("part", ["validation", "test"])
def test_the_numbers_are_those_of_the_library(part):
    app = open_page("2_Prior", dataset="cora", **({"test": "shown"} if part == "test" else {}))
    assert_fine(app)
    dataset = datasets.load_dataset("cora")
    prior = priors.compute_prior("projection", dataset)
    members = getattr(dataset.split, part)
    right = prior[members].argmax(axis=1) == dataset.labels[members]
    shown = tiles(app)
    assert shown[f"Accuracy, {part}"] == f"{right.mean():.1%}"
    assert shown["Wrong"] == f"{(~right).sum():,}"
    assert shown["Mean confidence"] == f"{prior[members].max(axis=1).mean():.1%}"
    found = assessment.reliability(dataset.labels, prior, members)
    assert shown["Calibration error"] == f"{found.error:.1%}"
    heat = json.loads(app.get("plotly_chart")[0].proto.spec)["data"][0]
    assert heat["type"] == "heatmap"
    assert np.isfinite(found.error)


def test_choosing_a_node_tells_what_it_is():
    app = open_page("2_Prior", dataset="star", node="0")
    assert_fine(app)
    assert any("**Node 0**" in text.value for text in app.markdown)
    said = shown_text(app)
    dataset = datasets.load_dataset("star")
    row = priors.compute_prior("projection", dataset)[0]
    verdict = "right" if row.argmax() == dataset.labels[0] else "wrong"
    assert f"p = {row.max():.3f}: **{verdict}**" in said
    np.testing.assert_allclose(app.dataframe[0].value["Prior H"], row)


@pytest.mark.parametrize("page", ["2_Prior", "3_Overshoot", "4_Relabel", "5_Compare"])
def test_an_empty_validation_part_is_no_fault(page):
    app = open_page(page, dataset="path", split="random", **{"path-size": "4"})
    assert_fine(app)
    if page == "2_Prior":
        shown = tiles(app)
        names = ("Accuracy, validation", "Wrong", "Mean confidence", "Calibration error")
        assert [shown[name] for name in names] == ["–"] * 4


def test_the_table_has_wrong_nodes_first_and_ticks_the_chosen_one():
    app = open_page("2_Prior", dataset="karate", prior="uniform", node="3")
    assert_fine(app)
    dataset = datasets.load_dataset("karate")
    said = priors.compute_prior("uniform", dataset).argmax(axis=1)
    table = app.dataframe[1].value
    seen = np.setdiff1d(np.arange(dataset.nodes), dataset.split.test)
    wrong = int((said != dataset.labels)[seen].sum())
    assert list(table["Verdict"]) == (
        ["wrong"] * wrong
        + ["right"] * (seen.size - wrong)
        + ["not judged"] * dataset.split.test.size
    )
    assert app.session_state[TABLE]["selection"]["rows"] == [list(table["Node"]).index("3")]


def test_the_table_can_be_filtered():
    app = open_page("2_Prior", dataset="karate", prior="uniform")
    app.button_group(key=FILTER).set_value(["right"]).run()
    assert_fine(app)
    assert set(app.dataframe[0].value["Verdict"]) == {"right"}
