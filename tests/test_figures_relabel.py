"""Figures of prior and reclassification hold the numbers they show; SVG is well-formed."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from gdr_core import datasets, priors
from gdr_core.explanation.verdict import judge
from gdr_core.figures import prior as prior_figures
from gdr_core.figures.page import page_of
from gdr_core.figures.relabel import accuracy_curve, node_curves
from gdr_core.figures.svg import class_flow
from gdr_core.gdr import RULES, reclassify, with_rule
from gdr_core.gdr.onward import drawn
from gdr_core.laplacians import make_laplacian
from gdr_core.priors import assessment

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def solved():
    dataset = datasets.load_dataset("ring-of-cliques")
    prior = priors.compute_prior("projection", dataset)
    laplacian = make_laplacian("combinatorial", dataset.undirected)
    return dataset, prior, reclassify(laplacian, prior, dataset.labels, dataset.split)


@pytest.mark.parametrize("rule", RULES)
def test_no_curve_runs_through_a_name_of_the_accuracy_axis(solved, rule):
    result = with_rule(solved[-1], rule)
    figure = accuracy_curve(result, ("validation", "test"))
    axis = figure.layout.yaxis
    low, high = axis.range
    height = 190 - figure.layout.margin.t - figure.layout.margin.b
    named = [tick for tick, name in zip(axis.tickvals, axis.ticktext, strict=True) if name]
    assert named
    for trace in figure.data:
        heights = np.asarray(trace.y, dtype=float)
        assert (low <= heights).all()
        assert (heights <= high).all()
        left = heights[np.asarray(trace.x) < 0.1 * result.times.size]  # 36 of 358 pixels
        for tick in named:
            above = (left - tick) / (high - low) * height
            assert not ((above > 2) & (above < 16)).any(), "letters stand 2 to 16 pixels above"


@pytest.mark.parametrize("level", [0.0, 0.6, 1.0])
def test_a_flat_curve_stands_between_0_and_100_percent(solved, level):
    result = solved[-1]
    flat = {part: np.full(result.times.size, level) for part in result.accuracy}
    flat_result = replace(result, scan=replace(result.scan, accuracy=flat))
    flat_result.__dict__["prior_accuracy"] = dict.fromkeys(flat, level)  # kept as if computed
    low, high = accuracy_curve(flat_result, ("validation",)).layout.yaxis.range
    assert 0 <= low <= level <= high <= 1
    assert low < high


def test_the_accuracy_curve_shows_only_the_parts_it_is_given(solved):
    _, _, result = solved
    figure = accuracy_curve(result, ("validation",))
    assert not any("test" in (trace.name or "") for trace in figure.data)
    np.testing.assert_array_equal(figure.data[0].y, result.accuracy["validation"])
    both = accuracy_curve(result, ("validation", "test"))
    shown = {trace.name: trace.y for trace in both.data}
    np.testing.assert_array_equal(shown["test"], result.accuracy["test"])
    assert shown["chosen on validation"][0] == result.accuracy["validation"][result.chosen]


def test_times_on_the_axis_are_powers_of_ten_in_plain_figures():
    dataset = datasets.load_dataset("directed-ring")
    laplacian = make_laplacian("directed", dataset.adjacency)
    prior = priors.compute_prior("projection", dataset)
    result = reclassify(laplacian, prior, dataset.labels, dataset.split)
    assert result.relative_times[-1] >= 10
    axis = accuracy_curve(result, ("validation",)).layout.xaxis
    for place, text in zip(axis.tickvals, axis.ticktext, strict=True):
        assert re.fullmatch(r"0\.0*1|10*", text)
        assert float(text) == pytest.approx(result.relative_times[place], rel=0.3)
    assert "10" in axis.ticktext


def test_the_flow_has_a_ribbon_for_every_pair_and_bars_as_tall_as_their_class(solved):
    dataset, _, result = solved
    table = result.at().flows
    tree = ElementTree.fromstring(class_flow(table, dataset.class_names))
    ribbons = tree.findall(f"{SVG}path")
    assert len(ribbons) == np.count_nonzero(table)
    told = sorted(int(re.match(r"[\d,]+", r[0].text)[0].replace(",", "")) for r in ribbons)
    assert told == sorted(table[table > 0].tolist())
    heights = np.array([float(bar.get("height")) for bar in tree.findall(f"{SVG}rect")])
    counts = np.column_stack([table.sum(axis=1), table.sum(axis=0)]).ravel()
    np.testing.assert_allclose(heights / heights.sum(), counts / counts.sum(), atol=1e-3)


def test_the_curves_of_a_node_have_the_shape_of_its_trajectory(solved):
    dataset, _, result = solved
    verdict, shown = judge(result, 3, 20), drawn(result, None, np.array([3]))
    tree = ElementTree.fromstring(node_curves(result, 3, dataset.class_names, verdict, shown))
    lines = {line[0].text: line for line in tree.findall(f"{SVG}polyline")}
    assert set(lines) == set(dataset.class_names)
    values = result.trajectories.values(np.array([3]))[:, 0]
    for k, name in enumerate(dataset.class_names):
        heights = np.array([float(p.split(",")[1]) for p in lines[name].get("points").split()])
        assert np.corrcoef(heights, -values[:, k])[0, 1] > 0.999
    thick = max(lines.values(), key=lambda line: float(line.get("stroke-width")))
    assert thick[0].text == dataset.class_names[verdict.label]
    mark = tree.find(f"{SVG}circle")
    points = [tuple(map(float, p.split(","))) for p in thick.get("points").split()]
    place = points[verdict.course.peak_index]
    assert (float(mark.get("cx")), float(mark.get("cy"))) == pytest.approx(place, abs=0.2)


def test_names_cannot_break_out_of_a_picture(solved):
    dataset, _, result = solved
    names = [f'</svg><script>"{k}&' for k in range(dataset.classes)]
    curves = node_curves(result, 0, names, judge(result, 0, 0), drawn(result, None, np.array([0])))
    for text in (class_flow(result.at().flows, names), curves):
        tree = ElementTree.fromstring(text)
        assert not tree.findall(f".//{SVG}script")
        assert tree.get("aria-label")


def test_prior_figures_show_the_assessment(solved):
    dataset, prior, result = solved
    members = dataset.split.test
    matrix = assessment.confusion(dataset.labels, result.prior_labels, members, dataset.classes)
    heat, *written = prior_figures.confusion_matrix(matrix, dataset.class_names).data
    np.testing.assert_array_equal(heat.customdata, matrix)
    counts = np.full(matrix.shape, -1)
    for trace in written:
        for predicted, true, count in zip(trace.x, trace.y, trace.text, strict=True):
            place = dataset.class_names.index(true), dataset.class_names.index(predicted)
            counts[place] = int(count)
    np.testing.assert_array_equal(counts, matrix)
    bars = prior_figures.precision_recall(matrix, dataset.class_names).data
    np.testing.assert_allclose(bars[0].x, assessment.precision(matrix))
    found = assessment.reliability(dataset.labels, prior, members)
    curve = prior_figures.reliability_curve(found).data[1]
    np.testing.assert_array_equal(curve.y, found.accuracy)
    edges, right, wrong = assessment.confidences(dataset.labels, prior, members)
    stacked = prior_figures.confidence_histogram(edges, right, wrong).data
    assert sum(bar.y.sum() for bar in stacked) == members.size


def test_a_page_of_figures_needs_no_connection(solved):
    dataset, _, result = solved
    picture = class_flow(result.at().flows, dataset.class_names)
    page = page_of([accuracy_curve(result, ("validation",)), picture], "a <title>")
    assert picture in page
    assert "a &lt;title&gt;" in page
    assert not re.search(r"<script[^>]+src=|<link[^>]+href=", page)
