"""The Prior page, run without a browser."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_app_relabel import CHEAP, EMBEDDED, assert_fine, open_page, tiles

from gdr_core import assessment, datasets, priors


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
    dataset = datasets.load("cora")
    prior = priors.compute("projection", dataset)
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
