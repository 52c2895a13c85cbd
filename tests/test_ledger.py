"""The ledger, the flows and the verdicts agree with the result they are read from."""

from __future__ import annotations

import csv
import gc
import io
import weakref
from dataclasses import replace

import numpy as np
import pytest

from gdr_core import datasets, priors
from gdr_core.explanation.contributions import explain
from gdr_core.explanation.quantities import shown
from gdr_core.explanation.sources import sources
from gdr_core.explanation.verdict import judge, sentence
from gdr_core.gdr import OUTCOMES, RULES, reclassify, with_rule
from gdr_core.gdr.predictions import (
    COLUMNS,
    METHOD_COLUMNS,
    SURE_COLUMNS,
    comparison_csv,
    predictions_csv,
)
from gdr_core.gdr.result import KEPT
from gdr_core.laplacians import make_laplacian

GRAPHS = ("karate", "two-moons", "ring-of-cliques")


@pytest.fixture(scope="module", params=GRAPHS)
def solved(request):
    """A dataset with one node of unknown class, its Laplacian and its reclassification."""
    dataset = datasets.load_dataset(request.param)
    labels = dataset.labels.copy()
    labels[dataset.split.test[0]] = -1
    test = dataset.split.test[1:]
    split = replace(dataset.split, test=test)
    dataset = replace(dataset, labels=labels, split=split)
    laplacian = make_laplacian("combinatorial", dataset.undirected)
    prior = priors.compute_prior("projection", dataset)
    return dataset, laplacian, reclassify(laplacian, prior, dataset.labels, dataset.split)


def some_indices(result):
    return (0, result.times.size // 3, result.chosen, result.times.size - 1)


def test_outcomes_say_what_the_labels_say(solved):
    _, _, result = solved
    for index in some_indices(result):
        before, now, true = result.prior_labels, result.predictions(index), result.truth
        for node, code in enumerate(result.at(index).outcomes):
            moved, known = before[node] != now[node], true[node] >= 0
            expected = "kept"
            if moved and not known:
                expected = "not judged"
            elif moved:
                right = {"broken": before[node], "fixed": now[node]}
                found = [k for k, label in right.items() if label == true[node]]
                expected = found[0] if found else "still wrong"
            assert OUTCOMES[code] == expected


@pytest.mark.parametrize("rule", RULES)
def test_the_ledger_holds_margins_and_peaks_of_the_relabelled(solved, rule):
    _, _, result = solved
    result = with_rule(result, rule)
    for index in some_indices(result):
        found = result.at(index).ledger
        assert found.nodes.size == result.scan.relabelled[index]
        np.testing.assert_allclose(found.margins, result.margin(index)[found.nodes], atol=1e-7)
        peaks = result.peak_times(index)[found.nodes, found.predicted]
        np.testing.assert_array_equal(found.peak_times, peaks)


def test_the_outlook_is_that_of_every_node(solved):
    dataset, _, result = solved
    outlook = result.outlook
    nodes = np.arange(dataset.nodes)
    for index in some_indices(result):
        labels = result.predictions(index)
        np.testing.assert_allclose(outlook.margins[index], result.margin(index), atol=1e-7)
        np.testing.assert_array_equal(
            result.times[outlook.peaks[index]], result.peak_times(index)[nodes, labels]
        )
        np.testing.assert_array_equal(result.at(index).margins, outlook.margins[index])


def test_tallies_and_flows_count_every_node(solved):
    dataset, _, result = solved
    for index in some_indices(result):
        counts = result.at(index).tally
        assert counts.relabelled == result.scan.relabelled[index]
        judged = counts.fixed + counts.broken + counts.still_wrong
        assert counts.relabelled == judged + counts.not_judged
        assert counts.never_overshooting == result.never_overshooting(index).sum()
        table = result.at(index).flows
        assert table.sum() == dataset.nodes
        assert table.sum() - table.trace() == counts.relabelled


def test_the_clearest_correction_has_the_largest_margin(solved):
    _, _, result = solved
    for index in some_indices(result):
        found = result.at(index).ledger
        fixed = found.outcomes == OUTCOMES.index("fixed")
        node = found.clearest()
        if not fixed.any():
            assert node is None
        else:
            assert result.margin(index, np.array([node]))[0] == pytest.approx(
                found.margins[fixed].max()
            )


def test_a_record_is_kept_and_computes_once(solved):
    _, _, result = solved
    record = result.at(5)
    assert result.at(5) is record
    assert record.ledger is result.at(5 - result.times.size).ledger
    assert result.at() is result.at(result.chosen)
    assert result.at_time(result.relative_times[5] * 1.0001) is record
    for index in range(6, 6 + KEPT):
        result.at(index)
    assert result.at(5) is not record, "only the last few are kept"
    with pytest.raises(ValueError, match="whole number"):
        result.at(0.05)
    with pytest.raises(ValueError, match="t_min index must be below"):
        result.at(result.times.size)


def test_no_ring_of_references_keeps_a_result_alive(solved):
    _, _, result = solved
    other = with_rule(result, "peak")
    other.at(3).ledger.clearest()
    gone = weakref.ref(other)
    gc.disable()
    try:
        del other
        assert gone() is None
    finally:
        gc.enable()


def test_the_reading_of_a_node_is_its_curve_from_t_min_on(solved):
    dataset, _, result = solved
    curves = result.trajectories.values()
    for index in some_indices(result):
        for node in range(0, dataset.nodes, 5):
            late = curves[index:, node]
            found = result.at(index).reading(node)
            np.testing.assert_allclose(found.now, late[0], atol=1e-12)
            np.testing.assert_allclose(found.peak, late.max(axis=0), atol=1e-12)
            reached = curves[found.peak_index, node, np.arange(late.shape[1])]
            np.testing.assert_allclose(reached, found.peak, atol=1e-12)
            np.testing.assert_allclose(found.overshoot, result.overshoot(index)[node], atol=1e-12)


def test_a_comparison_holds_every_method_at_its_own_t_min(solved):
    dataset, _, result = solved
    methods = {"overshoot": result.at(3), "=peak": with_rule(result, "peak").at(40)}
    rows = list(csv.DictReader(io.StringIO(comparison_csv(dataset, methods))))
    assert tuple(rows[0]) == (*METHOD_COLUMNS, *COLUMNS)
    assert len(rows) == 2 * dataset.nodes
    for name, now in methods.items():
        mine = [row for row in rows if row["method"].lstrip("'") == name]
        assert [int(row["node"]) for row in mine] == list(range(dataset.nodes))
        named = [dataset.class_names[label] for label in now.result.scan.predicted[now.t_min_index]]
        assert [row["predicted"] for row in mine] == named
        assert {float(row["t_min"]) for row in mine} == {float(f"{now.t_min:.6g}")}


def test_predictions_as_csv_are_those_of_the_result(solved):
    dataset, _, result = solved
    rows = list(csv.DictReader(io.StringIO(predictions_csv(dataset, result.at()))))
    assert tuple(rows[0]) == (*COLUMNS, *SURE_COLUMNS)
    named = [dataset.class_names[label] for label in result.predictions()]
    assert [row["predicted"] for row in rows] == named
    unknown = [row["truth"] for row in rows].count("")
    assert unknown == (dataset.labels < 0).sum() == 1
    margins = np.array([float(row["margin"]) for row in rows])
    np.testing.assert_allclose(margins, result.margin(), rtol=1e-5, atol=1e-9)


def test_a_name_that_looks_like_a_formula_is_disarmed(solved):
    dataset, _, result = solved
    names = ("=1+1", *dataset.node_names[1:])
    rows = list(
        csv.DictReader(
            io.StringIO(predictions_csv(replace(dataset, node_names=names), result.at()))
        )
    )
    assert rows[0]["name"] == "'=1+1"


@pytest.mark.parametrize("rule", RULES)
def test_the_winner_of_a_verdict_leads_by_the_rules_own_measure(solved, rule):
    dataset, _, result = solved
    result = with_rule(result, rule)
    for index in some_indices(result):
        for node in range(0, dataset.nodes, 3):
            verdict = judge(result, node, index)
            assert verdict.label == result.predictions(index)[node]
            if node in dataset.split.train:
                assert verdict.given
            elif verdict.measure is None:
                assert verdict.label == verdict.prior
                assert not verdict.courses.overshoot.max() > result.error_bound
            elif verdict.runner_up >= 0:
                assert verdict.lead >= -2 * result.error_bound
            assert verdict.history[-1][1] == result.scan.predicted[-1, node]
            assert sentence(verdict, dataset.class_names).endswith(".")


@pytest.mark.parametrize("rule", ["peak", "reference"])
def test_the_explanation_at_the_decisive_time_adds_up_to_what_decided(solved, rule):
    dataset, laplacian, result = solved
    result = with_rule(result, rule)
    unit = result.times[-1] / result.relative_times[-1]
    decided = 0
    for node in range(dataset.nodes):
        verdict = judge(result, node, 40)
        if verdict.measure is not None:
            decided += 1
            found = explain(
                laplacian, result, node, verdict.label, time=verdict.decisive_time * unit
            )
            assert found.score == pytest.approx(verdict.values[verdict.label], abs=1e-6)
    assert decided


def test_a_verdict_names_the_classes_and_the_numbers(solved):
    dataset, _, result = solved
    found = result.at().ledger
    for node in found.nodes[:5].tolist():
        verdict = judge(result, node)
        text = sentence(verdict, dataset.class_names)
        assert dataset.class_names[verdict.label] in text
        assert shown(verdict.values[verdict.label]) in text


def test_sources_are_sorted_and_their_distances_are_hops(solved):
    dataset, laplacian, result = solved
    networkx = pytest.importorskip("networkx")
    hops = networkx.single_source_shortest_path_length(
        networkx.from_scipy_sparse_array(dataset.undirected), 4
    )
    explanation = explain(laplacian, result, 4)
    found = sources(dataset.undirected, result, explanation)
    assert [source.share for source in found] == sorted(
        (source.share for source in found), reverse=True
    )
    assert sum(source.share for source in found) <= 1 + 1e-9
    for source in found:
        assert source.distance == hops[source.node]
        assert source.training == (source.node in dataset.split.train)
        assert source.share == pytest.approx(explanation.shares()[source.node])
