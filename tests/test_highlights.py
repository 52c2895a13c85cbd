"""Lists, verdicts, impulse responses and agreement, each against what defines it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from gdr_core import datasets, laplacians, priors
from gdr_core.diffusion.exact import Ever
from gdr_core.explanation import agreement as agreeing
from gdr_core.explanation.flow import NOBODY, class_flow, impulse_flow
from gdr_core.explanation.highlights import HIGHLIGHTS, ranking, summits
from gdr_core.explanation.responses import EARLY, LATE, NEVER, SOURCE, UNSEEN, classify, respond
from gdr_core.gdr import RULES, reclassify, with_rule
from gdr_core.gdr.course import courses
from gdr_core.graphs.neighbourhood import neighbourhood, sample_by_distance


def result_for(name, prior="projection", laplacian="combinatorial"):
    data = datasets.load_dataset(name)
    operator = laplacians.make_laplacian(laplacian, data.undirected)
    return reclassify(operator, priors.compute_prior(prior, data), data.labels, data.split)


@pytest.fixture(scope="module")
def cora():
    return result_for("cora")


@pytest.fixture(scope="module")
def tops(cora):
    return summits(cora)


def test_summits_are_the_result_s_own_excess_and_peak_times(cora, tops):
    np.testing.assert_allclose(tops.excess, cora.excess(), atol=1e-12)
    np.testing.assert_array_equal(cora.times[tops.places], cora.peak_times())
    np.testing.assert_allclose(tops.margin, cora.margin(), atol=1e-12)
    np.testing.assert_array_equal(~tops.overshoots, cora.never_overshooting())


@pytest.mark.parametrize("name", HIGHLIGHTS)
def test_lists_hold_their_members_in_order(cora, tops, name):
    found = ranking(tops, name, count=10_000)
    assert found.total == found.nodes.size
    assert not np.isin(found.nodes, cora.split.train).any()
    group = HIGHLIGHTS[name].group
    groups = np.zeros(found.total) if group is None else group(tops)[found.nodes]
    assert (np.diff(groups) >= 0).all()
    for one in np.unique(groups):
        step = np.diff(found.values[groups == one])
        assert (step <= 0).all() if HIGHLIGHTS[name].largest_first else (step >= 0).all()
    np.testing.assert_array_equal(ranking(tops, name, 5).nodes, found.nodes[:5])


def test_lists_mean_what_they_say(cora, tops):
    everyone = np.setdiff1d(np.arange(cora.truth.size), cora.split.train)
    changes = cora.changes()
    for name, expected in {
        "fixed by GDR": np.flatnonzero(changes.fixed),
        "broken by GDR": np.flatnonzero(changes.broken),
        "no overshoot": np.intersect1d(everyone, np.flatnonzero(cora.never_overshooting())),
    }.items():
        assert set(ranking(tops, name, 10_000).nodes) == set(expected), name
    overshoot = cora.overshoot()[everyone].max(axis=1)
    assert ranking(tops, "largest overshoot", 1).values[0] == pytest.approx(overshoot.max())
    found = ranking(tops, "clear overshoots", 5)
    for node, rise in zip(found.nodes, found.values, strict=True):
        label = cora.predictions()[node]
        assert label != cora.prior_labels[node]
        curve = cora.trajectories.values(np.array([node]))[:, 0, label]
        late = curve[cora.chosen :]
        assert late.argmax() > 0
        lows = (curve[0], late[0], cora.limit[node, label], cora.stationary[node, label])
        assert rise == pytest.approx(late.max() - max(lows))
        assert rise > 0.02
    latest = ranking(tops, "latest overshoot", 1)
    assert cora.relative_times[cora.chosen] < latest.values[0] < cora.relative_times[-1]


def test_an_unknown_list_is_named(tops):
    with pytest.raises(ValueError, match="narrowest margin"):
        ranking(tops, "prettiest")


def test_a_reading_s_numbers_are_the_dense_ones():
    result = result_for("karate", "uniform")
    data = datasets.load_dataset("karate")
    matrix = laplacians.make_laplacian("combinatorial", data.undirected).dense()
    index = 90
    curves = np.stack([(expm(-t * matrix) @ result.start)[20] for t in result.times])
    found = courses(result, 20, index)
    np.testing.assert_allclose(found.now, curves[index], atol=1e-6)
    np.testing.assert_allclose(found.peak, curves[index:].max(axis=0), atol=1e-6)
    above = np.maximum(found.peak - result.start.mean(axis=0), 0)
    np.testing.assert_allclose(found.overshoot, above, atol=1e-6)
    np.testing.assert_allclose(found.overshoot, result.overshoot(index)[20], atol=1e-9)


def test_the_flow_shows_the_class_furthest_above_its_level(cora):
    nodes = np.array([5, 900, 17])
    found = class_flow(cora, nodes)
    for place, node in enumerate(nodes):
        for time in (0, 60, 150, 199):
            above = cora.trajectories.at(time)[node] - cora.stationary[node]
            expected = above.argmax() if above.max() > cora.error_bound else NOBODY
            assert found.codes[time, place] == expected
    assert found.strengths.min() >= 0
    assert found.strengths.max() == 1
    assert (found.strengths[found.codes == NOBODY] < 0.01).all()


def test_the_flow_of_an_impulse_starts_at_the_source():
    _, _, found = responses_of("karate", 0)
    flow = impulse_flow(found)
    assert flow.codes[0, 0] == SOURCE
    assert (flow.codes[0, 1:] == NOBODY).all()
    assert flow.strengths[0, 0] == 1
    shown = (flow.codes[1:] != NOBODY).any(axis=0)
    np.testing.assert_array_equal(shown[1:], np.isin(found.kinds[1:], (EARLY, LATE)))


def responses_of(name, source, hops=3, kind="combinatorial", horizon=3.0):
    data = datasets.load_dataset(name)
    operator = laplacians.make_laplacian(kind, data.undirected)
    times = np.concatenate([[0], np.geomspace(1e-4, horizon, 150)]) * operator.relaxation_time
    around = neighbourhood(data.undirected, source, hops)
    return operator, around, respond(operator, around, times)


@pytest.mark.parametrize("kind", ["combinatorial", "random-walk"])
@pytest.mark.parametrize("name", ["karate", "path", "barbell", "star", "grid"])
def test_responses_against_the_dense_kernel(name, kind):
    operator, around, found = responses_of(name, 0, kind=kind)
    dense = np.stack([expm(-t * operator.dense())[around.nodes, 0] for t in found.times])
    np.testing.assert_allclose(found.values, dense, atol=1e-6)
    rises = dense.max(axis=0) > found.stationary + 1e-6
    overshoots = (found.kinds == EARLY) | (found.kinds == LATE)
    assert overshoots[rises & (around.distances > 0)].all()
    assert found.proved
    np.testing.assert_array_equal(found.kinds == NEVER, ~overshoots & (around.distances > 0))
    assert found.kinds[0] == SOURCE
    assert (found.kinds == SOURCE).sum() == 1
    limit = expm(-200 * operator.relaxation_time * operator.dense())[around.nodes, 0]
    np.testing.assert_allclose(found.stationary, limit, atol=1e-9)


def test_beyond_the_neighbourhood_a_sample_is_followed():
    data = datasets.load_dataset("path")
    operator = laplacians.make_laplacian("combinatorial", data.undirected)
    times = np.array([0.0, 1.0, 5.0, 40.0])
    near, far = neighbourhood(data.undirected, 0, 1), sample_by_distance(data.undirected, 0)
    found = respond(operator, near, times, beyond=far)
    wanted = far.nodes[::-1]
    part = found.of(wanted)
    dense = np.stack([expm(-t * operator.dense())[wanted, 0] for t in times])
    np.testing.assert_allclose(part.values, dense, atol=1e-6)
    np.testing.assert_array_equal(part.distances, far.distances[::-1])
    with pytest.raises(ValueError, match="not followed"):
        respond(operator, near, times).of(np.array([5]))


def test_what_never_overshoots_in_a_star_rises_all_the_time():
    _, _, found = responses_of("path", 0)
    peaks = found.peak_times[found.kinds == EARLY]
    np.testing.assert_array_equal(np.sort(peaks), peaks)  # the farther, the later
    near = found.times[found.first_wave] / found.peak_times[1]  # node 0 has one neighbour
    assert near == pytest.approx(1, rel=0.1)
    _, _, far = responses_of("star", 1)
    below = far.kinds == NEVER
    assert below.any()
    assert (np.diff(far.values[:, below], axis=0) >= -2 * far.error_bound).all()


def test_late_is_ten_times_later_than_the_direct_neighbours():
    found = Ever(
        overshoots=np.array([1, 1, 1, 1, 0, 0], bool),
        never=np.array([0, 0, 0, 0, 1, 0], bool),
        peak_time=np.array([0.0, 1.0, 5.0, 20.0, 100.0, 0.0]),
        height=np.full(6, 0.1),
    )
    kinds, late_from = classify(found, np.array([0, 1, 2, 2, 3, 3]))
    assert late_from == 10.0
    assert kinds.tolist() == [SOURCE, EARLY, EARLY, LATE, NEVER, UNSEEN]


def test_without_neighbours_nothing_is_late(isolated_node):
    operator = laplacians.make_laplacian("combinatorial", isolated_node)
    found = respond(operator, neighbourhood(isolated_node, 2), np.array([0.0, 1.0, 2.0]))
    assert found.kinds.tolist() == [SOURCE]
    assert found.late_from == np.inf
    assert found.first_wave == 0
    np.testing.assert_allclose(found.ratios(), 1.0)


@given(st.integers(1, 5), st.integers(0, 30), st.integers(0, 1000))
def test_agreement_is_symmetric_with_ones_on_the_diagonal(rows, nodes, seed):
    labels = np.random.default_rng(seed).integers(0, 3, (rows, nodes))
    found = agreeing.agreement(labels)
    np.testing.assert_allclose(found, found.T)
    np.testing.assert_allclose(np.diag(found), 1)
    if nodes:
        assert found[0, -1] == np.mean(labels[0] == labels[-1])


@given(st.integers(1, 4), st.integers(0, 30), st.integers(0, 1000))
def test_shared_nodes_by_looking_at_each_node(rows, nodes, seed):
    random = np.random.default_rng(seed)
    before, after = random.integers(0, 2, (2, rows, nodes))
    truth = random.integers(-1, 2, nodes)
    members = np.flatnonzero(random.random(nodes) < 0.8)
    fixed = agreeing.fixed_by_all(before, after, truth, members)
    broken = agreeing.broken_by_all(before, after, truth, members)
    for found, alike, turns in (
        (fixed, before != truth, after == truth),
        (broken, before == truth, after != truth),
    ):
        expected = {
            node: int(turns[:, node].sum())
            for node in members.tolist()
            if truth[node] >= 0 and alike[:, node].all() and turns[:, node].any()
        }
        assert dict(zip(found.nodes.tolist(), found.turned.tolist(), strict=True)) == expected
        assert (np.diff(found.turned) <= 0).all()


def test_standings_are_the_results_own_numbers(cora):
    results = {rule: with_rule(cora, rule) for rule in RULES}
    rows = agreeing.standings(results, "validation")
    assert [row.name for row in rows] == list(RULES)
    for row in rows:
        result = results[row.name]
        assert row.after == result.accuracy["validation"].flat[result.chosen]
        assert row.before == cora.prior_accuracy["validation"]
        assert row.relabelled == (result.predictions() != result.prior_labels).sum()
    np.testing.assert_array_equal(agreeing.labels_before(results)[1], cora.prior_labels)
    overshoots = results["overshoot"].predictions()
    np.testing.assert_array_equal(agreeing.labels_after(results)[0], overshoots)
    with pytest.raises(ValueError, match="unknown part"):
        agreeing.standings(results, "all")
