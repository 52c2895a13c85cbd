"""The Prior page, run without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from test_app_relabel import CHEAP, EMBEDDED, open_page, shown_text

from gdr_app.computing.working import Refused
from gdr_app.prior import regions
from gdr_app.prior.regions import (
    Regions,
    after_sentence,
    clicked_in,
    mistakes_in,
    region_looks,
    regions_sentence,
)
from gdr_app.prior.table import FILTER, TABLE
from gdr_app.widgets.overview import OVERVIEW
from gdr_core import datasets, priors
from gdr_core.datasets.hiding import hide_test
from gdr_core.figures.prior import region_chart
from gdr_core.graphs.regions import regions as find_regions
from gdr_core.priors import assessment
from gdr_core.priors.by_region import RegionalMistakes
from gdr_core.progress import ignore
from gdr_tools.studies.worker import study
from tests.visiting import assert_fine
from tools.check_sentences.prior import check_sentence, neighbours_of_wrong


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


@pytest.mark.parametrize("name", ["karate", "cora"])
def test_the_share_of_wrong_neighbours_is_counted_one_by_one(name):
    dataset = hide_test(datasets.load_dataset(name))
    predicted = priors.compute_prior("projection", dataset).argmax(axis=1)
    network = nx.from_scipy_sparse_array(dataset.undirected)
    network.remove_edges_from(list(nx.selfloop_edges(network)))
    found = assessment.wrong_nearby(dataset.undirected, dataset.labels, predicted)
    for node in range(0, dataset.nodes, 7):
        judged = [other for other in network[node] if dataset.labels[other] >= 0]
        wrong = [other for other in judged if predicted[other] != dataset.labels[other]]
        expected = len(wrong) / len(judged) if judged else np.nan
        np.testing.assert_allclose(found[node], expected)


def test_the_page_says_how_many_wrong_nodes_stand_among_right_ones():
    app = open_page("2_Prior", dataset="cora")
    assert_fine(app)
    said = re.search(r"Of the \*\*.*? are not counted\.", shown_text(app).replace("\n", " "))[0]
    hidden = hide_test(datasets.load_dataset("cora"))
    predicted = priors.compute_prior("projection", hidden).argmax(axis=1)
    counts = neighbours_of_wrong(hidden, predicted)
    assert check_sentence(said, counts, "cora", hidden=True).false == []
    by_class = open_page("2_Prior", dataset="cora", colours="predicted class")
    assert_fine(by_class)
    assert by_class.session_state["visit"].get("prior-colours") == "predicted class"


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


def test_a_region_is_chosen_by_link_box_and_click():
    app = open_page("2_Prior", dataset="karate", prior="uniform", colours="region", region="2")
    assert_fine(app)
    visit = app.session_state["visit"]
    box = next(each for each in app.selectbox if each.label == "Region")
    assert box.value == "2"
    data = hide_test(datasets.load_dataset("karate"))
    groups = find_regions(data.undirected)
    predicted = priors.compute_prior("uniform", data).argmax(axis=1)
    mistakes = mistakes_in(groups, data, predicted)
    faded = region_looks(data, predicted, mistakes, 1).marks == 0
    np.testing.assert_array_equal(faded, groups != 1)
    assert all(f"{one} wrong" in " ".join(box.options) for one in ("4 of 4", "0 of 7"))
    box.set_value("all").run()
    assert_fine(app)
    assert visit.get("region") is None


def test_regions_that_were_not_found_colour_nothing_and_this_is_said(monkeypatch):
    def refused(*asked):
        raise Refused

    monkeypatch.setattr(regions, "groups_of", refused)
    app = open_page("2_Prior", dataset="karate", prior="uniform", colours="region")
    assert_fine(app)
    [warning] = app.warning
    assert "is left out" in warning.value
    assert "There are no regions to show: the colours are those of **wrong neighbours**." in [
        caption.value for caption in app.caption
    ]
    [shown] = [each.proto for each in app.get("bidi_component") if each.key == OVERVIEW]
    assert "coloured by wrong neighbours." in json.loads(shown.json)["label"]


@pytest.mark.parametrize(
    ("data", "name"), [(1, "b"), ([0], "a"), (7, None), ([], None), ("x", None), (None, None)]
)
def test_a_click_on_a_bar_means_its_region(data, name):
    points = [{"customdata": data, "x": 0.5}]
    assert clicked_in({"selection": {"points": points}}, ["a", "b"]) == name
    assert clicked_in({"selection": {"points": []}}, ["a", "b"]) is None


@pytest.mark.parametrize("region", ["99", "small", "none", "-1", "%F0"])
def test_a_region_that_is_not_there_is_said_to_be_none(region):
    app = open_page("2_Prior", dataset="karate", colours="region", region=region)
    assert not app.exception
    assert "under **Region**" in app.warning[0].value
    assert app.session_state["visit"].get("region") is None


def test_a_node_is_told_its_region_and_a_graph_without_edges_that_it_has_none():
    app = open_page("2_Prior", dataset="karate", prior="uniform", colours="region", node="3")
    assert_fine(app)
    group = int(find_regions(datasets.load_dataset("karate").undirected)[3])
    assert f"It is in **region {group + 1}**" in shown_text(app)
    club = datasets.load_dataset("karate")
    points = replace(club, adjacency=sp.csr_array(club.adjacency.shape))
    groups = find_regions(points.undirected)
    alone = Regions(points, points.labels, *[mistakes_in(groups, points, points.labels)] * 2)
    assert alone.where.endswith("it has no regions.")
    assert alone.looks.nodes == club.nodes


def test_a_worker_finds_the_same_regions():
    asked = {"dataset": "karate", "load": {}, "hidden": True, "study": "regions", "options": {}}
    here = find_regions(datasets.load_dataset("karate").undirected)
    np.testing.assert_array_equal(study(asked, ignore)["regions"], here)


def _mistakes(judged, wrong, small=0):
    region = np.repeat(np.arange(len(judged)), judged)
    return RegionalMistakes(region, small, np.array(judged), np.array(wrong))


def test_the_area_of_a_bar_is_its_number_of_mistakes():
    before, after = (
        _mistakes([40, 10, 30, 5], [4, 8, 0, 0]),
        _mistakes([40, 10, 30, 5], [2, 9, 1, 0]),
    )
    names, colours = ["a", "b", "c", "d"], ["#000000"] * 4
    for chosen in (None, 1):
        bars, circles = region_chart(before, after, names, colours, chosen).data
        shown = list(bars.customdata)
        assert shown[:2] == [1, 0]  # the largest share first
        np.testing.assert_allclose(bars.x * bars.width, before.wrong[shown])
        np.testing.assert_allclose(circles.x * bars.width, after.wrong[shown])
        edges = np.column_stack([bars.y - bars.width / 2, bars.y + bars.width / 2])
        np.testing.assert_allclose(edges[1:, 0], edges[:-1, 1])  # one under the other, no gap
        full = [
            region for region, seen in zip(shown, bars.marker.opacity, strict=True) if seen == 1
        ]
        assert full == (shown if chosen is None else [chosen])


def test_what_is_said_of_regions():
    clear = _mistakes([40, 40, 40], [40, 0, 2])
    said = regions_sentence(clear, 30)
    assert "**3 regions**" in said
    assert "120 nodes" in said
    assert "**42** are wrong (35.0%)" in said
    assert f"**{clear.spread:.1f} times**" in said
    assert said.endswith("mistakes stand together.")
    assert regions_sentence(_mistakes([9, 9], [1, 1]), 2).endswith("this may be chance.")
    assert "varies" not in regions_sentence(_mistakes([9, 9], [0, 0]), 2)
    assert "nothing is judged" in regions_sentence(_mistakes([0, 0], [0, 0]), 2)
    alone = RegionalMistakes(np.zeros(5, dtype=int), 5, np.array([3]), np.array([1]))
    assert "has no regions" in regions_sentence(alone, 2)
    after = _mistakes([40, 40, 40], [39, 1, 0])
    assert "**2 to 1** where fewer than half" in after_sentence(clear, after)
    assert "**40 to 39** where half or more" in after_sentence(clear, after)
