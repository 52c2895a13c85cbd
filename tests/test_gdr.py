"""Reclassification: the rules by hand, properties, and accuracies known from elsewhere."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets import Split, load_dataset
from gdr_core.explanation.contributions import explain, label_changes
from gdr_core.gdr import RULES, GDROptions, initial_condition, reclassify
from gdr_core.gdr.scan import choose
from gdr_core.laplacians import LAPLACIANS, make_laplacian
from gdr_core.priors import compute_prior
from gdr_core.progress import Cancelled


def problem(seed=0, nodes=24, classes=3, density=0.15, name="combinatorial"):
    """A random graph, prior, labels and split."""
    generator = np.random.default_rng(seed)
    matrix = (generator.random((nodes, nodes)) < density).astype(float)
    np.fill_diagonal(matrix, 0)
    if not LAPLACIANS[name].directed:
        matrix = np.maximum(matrix, matrix.T)
    prior = generator.dirichlet(np.ones(classes), nodes)
    labels = generator.integers(0, classes, nodes)
    labels[:classes] = np.arange(classes)
    thirds = np.arange(classes, nodes)
    split = Split(np.arange(classes), thirds[::2], thirds[1::2])
    return make_laplacian(name, matrix), prior, labels, split


problems = st.builds(
    problem,
    seed=st.integers(0, 10_000),
    nodes=st.integers(6, 25),
    classes=st.integers(2, 4),
    density=st.floats(0.0, 0.5),
    name=st.sampled_from(list(LAPLACIANS)),
)


def plain_labels(laplacian, start, times, rule, scope="global"):
    """The three rules as their definitions read, with dense exponentials and loops."""
    dense = laplacian.dense()
    scores = np.array([scipy.linalg.expm(-t * dense) @ start for t in times])
    pi = laplacian.stationary(start, scope)
    table = np.empty((len(times), start.shape[0]), dtype=int)
    for i in range(len(times)):
        peak = scores[i:].max(axis=0)
        for node in range(start.shape[0]):
            omega = peak[node] - pi[node]
            risen = omega > 1e-9
            prior = start[node].argmax()
            if rule == "overshoot":
                label = omega.argmax() if risen.any() else prior
            elif rule == "peak":
                label = (
                    max(np.flatnonzero(risen), key=lambda k: peak[node, k])
                    if risen.any()
                    else prior
                )
            else:
                label = peak[node].argmax() if risen.all() else scores[i, node].argmax()
            table[i, node] = label
    return table


@pytest.mark.parametrize("scope", ["global", "component"])
@pytest.mark.parametrize("rule", list(RULES))
@pytest.mark.parametrize("name", ["combinatorial", "random-walk", "directed"])
def test_labels_for_every_t_min_follow_the_definition(name, rule, scope):
    for seed in range(4):
        laplacian, prior, labels, split = problem(seed, name=name)
        options = GDROptions(
            rule=rule, stationary=scope, count=30, first=1e-2, last=1.0, tolerance=1e-10
        )
        result = reclassify(laplacian, prior, labels, split, options)
        expected = plain_labels(laplacian, result.start, result.times, rule, scope)
        expected[:, split.train] = labels[split.train]
        agreement = (result.scan.predicted == expected).mean()
        assert agreement > 0.999, "only exact ties may differ"


@settings(max_examples=40)
@given(problems, st.sampled_from(list(RULES)))
def test_training_labels_are_kept_and_inputs_unmodified(given_problem, rule):
    laplacian, prior, labels, split = given_problem
    before = prior.copy(), labels.copy()
    result = reclassify(laplacian, prior, labels, split, GDROptions(rule=rule, count=20))
    assert (result.scan.predicted[:, split.train] == labels[split.train]).all()
    np.testing.assert_array_equal(prior, before[0])
    np.testing.assert_array_equal(labels, before[1])


@settings(max_examples=40)
@given(problems)
def test_overshoot_falls_as_t_min_grows(given_problem):
    laplacian, prior, labels, split = given_problem
    result = reclassify(laplacian, prior, labels, split, GDROptions(count=12))
    omegas = np.array([result.overshoot(i) for i in range(12)])
    assert (np.diff(omegas, axis=0) <= 1e-15).all()
    assert (omegas >= 0).all()


@settings(max_examples=30)
@given(problems, st.sampled_from(list(RULES)))
def test_test_labels_change_nothing_but_the_test_accuracy(given_problem, rule):
    laplacian, prior, labels, split = given_problem
    other = labels.copy()
    other[split.test] = (other[split.test] + 1) % (labels.max() + 1)
    options = GDROptions(rule=rule, count=20)
    one = reclassify(laplacian, prior, labels, split, options)
    two = reclassify(laplacian, prior, other, split, options)
    np.testing.assert_array_equal(one.scan.predicted, two.scan.predicted)
    assert one.chosen == two.chosen


def test_permuting_nodes_permutes_labels():
    laplacian, prior, labels, split = problem(3)
    order = np.random.default_rng(0).permutation(laplacian.nodes)
    place = np.argsort(order)
    matrix = laplacian.weights.toarray()[np.ix_(order, order)]
    moved = Split(place[split.train], place[split.validation], place[split.test])
    one = reclassify(laplacian, prior, labels, split)
    two = reclassify(make_laplacian("combinatorial", matrix), prior[order], labels[order], moved)
    np.testing.assert_array_equal(one.scan.predicted[:, order], two.scan.predicted)


def test_a_node_between_two_friends_of_one_class_is_relabelled():
    # 0 and 2 are known to be class 0, node 1 between them is believed to be class 1.
    laplacian = make_laplacian("combinatorial", nx.to_numpy_array(nx.path_graph(5)))
    prior = np.array([[1, 0], [0.2, 0.8], [1, 0], [0.4, 0.6], [0, 1.0]])
    labels = np.array([0, 0, 0, 1, 1])
    split = Split(np.array([0, 2, 4]), np.array([1]), np.array([3]))
    result = reclassify(laplacian, prior, labels, split)
    assert result.prior_labels[1] == 1
    assert result.predictions()[1] == 0
    assert result.changes().fixed[1]
    assert result.accuracy["validation"][result.chosen] == 1.0


def test_changes_divide_the_relabelled_nodes():
    laplacian, prior, labels, split = problem(5)
    labels = labels.copy()
    labels[-2:] = -1
    split = Split(split.train, split.validation[split.validation < 22], split.test[split.test < 22])
    result = reclassify(laplacian, prior, labels, split)
    for index in (0, 60, 120, 199):
        changes = result.changes(index)
        total = sum(mask.sum() for mask in vars(changes).values())
        assert total == result.scan.relabelled[index]
        assert (result.predictions(index)[changes.fixed] == labels[changes.fixed]).all()
        assert (result.prior_labels[changes.broken] == labels[changes.broken]).all()


def test_nodes_that_never_overshoot_keep_the_prior_label():
    laplacian, prior, labels, split = problem(6, density=0.08)
    result = reclassify(laplacian, prior, labels, split, GDROptions(stationary="component"))
    never = result.never_overshooting(150)
    np.testing.assert_array_equal(result.predictions(150)[never], result.prior_labels[never])


def test_peak_times_and_margins_read_off_the_trajectories():
    laplacian, prior, labels, split = problem(7)
    result = reclassify(laplacian, prior, labels, split)
    values = result.trajectories.values()
    index = 80
    expected = result.times[index + values[index:].argmax(axis=0)]
    np.testing.assert_array_equal(result.peak_times(index), expected)
    np.testing.assert_array_equal(result.peak_times(index, np.array([5]))[0], expected[5])
    top = np.sort(values[index:].max(axis=0) - result.stationary, axis=1)
    np.testing.assert_allclose(result.margin(index), top[:, -1] - top[:, -2], atol=1e-12)


def test_t_min_is_chosen_by_the_mean_over_its_neighbourhood():
    times = np.array([0.0, 1.0, 1.2, 1.4, 10.0, 100.0])
    assert choose(np.array([0.1, 0.8, 0.9, 0.8, 0.7, 0.2]), times) in (1, 2, 3)
    # A lone high point beside low ones loses against a plateau.
    assert choose(np.array([0.1, 0.2, 0.9, 0.2, 0.7, 0.7]), times) == 4
    # Time zero stands alone.
    assert choose(np.array([0.9, 0.8, 0.8, 0.8, 0.7, 0.2]), times) == 0


def test_ties_go_to_the_middle_of_the_longest_run():
    times = 10.0 ** np.arange(7)
    assert choose(np.array([0.1, 0.9, 0.2, 0.9, 0.9, 0.9, 0.3]), times) == 4
    assert choose(np.array([0.9, 0.1, 0.9]), times[:3]) == 0
    assert choose(np.array([np.nan, np.nan]), times[:2]) == 0


def test_a_uniform_prior_keeps_its_first_class_where_no_label_reaches():
    # The second component has no training node: nothing there may be decided by rounding.
    graph = nx.disjoint_union(nx.path_graph(4), nx.cycle_graph(6))
    laplacian = make_laplacian("combinatorial", nx.to_numpy_array(graph))
    split = Split(np.array([0, 3]), np.array([1]), np.array([2]))
    labels = np.array([0, 0, 1, 1] + [-1] * 6)
    for rule in RULES:
        options = GDROptions(rule=rule, stationary="component")
        result = reclassify(laplacian, np.full((10, 2), 0.5), labels, split, options)
        assert (result.scan.predicted[:, 4:] == 0).all()


def test_contributions_add_up_to_the_score():
    for name in LAPLACIANS:
        laplacian, prior, labels, split = problem(8, name=name)
        result = reclassify(laplacian, prior, labels, split, GDROptions(tolerance=1e-9))
        for node in (5, 11, 20):
            found = explain(laplacian, result, node, tolerance=1e-11)
            assert found.label == result.predictions()[node]
            at = int(np.flatnonzero(result.times == found.time)[0])
            score = result.trajectories.values(np.array([node]))[at, 0, found.label]
            assert found.score == pytest.approx(score, abs=1e-8)
            assert found.contributions.sum() == found.score
            assert found.overshoot == pytest.approx(
                result.excess(nodes=np.array([node]))[0, found.label], abs=1e-8
            )
            top = found.largest(5)
            assert (np.diff(found.contributions[top]) <= 0).all()
            assert found.shares().sum() == pytest.approx(1)
            assert found.training.sum() == split.train.size


def test_the_history_of_a_label_starts_at_zero_and_has_no_repeats():
    laplacian, prior, labels, split = problem(9)
    result = reclassify(laplacian, prior, labels, split)
    for node in range(laplacian.nodes):
        history = label_changes(result, node)
        assert history[0] == (0.0, result.scan.predicted[0, node])
        assert all(a[1] != b[1] for a, b in pairwise(history))


@pytest.mark.parametrize(
    ("name", "prior", "expected"),
    [
        ("cora", "uniform", {"overshoot": 71.7, "peak": 71.7}),
        ("cora", "projection", {"overshoot": 78.8, "peak": 80.6}),
        ("citeseer", "uniform", {"overshoot": 50.7}),
        ("citeseer", "projection", {"overshoot": 69.3, "peak": 70.3}),
        ("pubmed", "uniform", {"overshoot": 73.7}),
        ("pubmed", "projection", {"overshoot": 74.9, "peak": 75.4}),
    ],
)
def test_accuracies_of_an_independent_prototype(name, prior, expected):
    dataset = load_dataset(name)
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    scores = compute_prior(prior, dataset, cache=False)
    for rule, percent in expected.items():
        options = GDROptions(rule=rule)
        result = reclassify(laplacian, scores, dataset.labels, dataset.split, options)
        reached = 100 * result.accuracy["test"][result.chosen]
        assert reached == pytest.approx(percent, abs=0.5)


def test_edgeless_graphs_change_nothing():
    laplacian = make_laplacian("combinatorial", np.zeros((6, 6)))
    prior = np.random.default_rng(0).dirichlet(np.ones(2), 6)
    labels = np.array([0, 1, 0, 1, 0, 1])
    split = Split(np.array([0, 1]), np.array([2, 3]), np.array([4, 5]))
    result = reclassify(laplacian, prior, labels, split, GDROptions(rule="peak"))
    np.testing.assert_array_equal(result.predictions()[2:], result.prior_labels[2:])
    assert np.isinf(result.relaxation_time)
    assert result.relative_times[-1] == 1.0


def test_cancelling_stops():
    laplacian, prior, labels, split = problem()

    def stop(fraction, message):
        raise Cancelled

    with pytest.raises(Cancelled):
        reclassify(laplacian, prior, labels, split, progress=stop)


def test_progress_runs_from_nothing_to_all():
    laplacian, prior, labels, split = problem()
    heard = []
    reclassify(laplacian, prior, labels, split, progress=lambda f, m: heard.append(f))
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda p: p[:-1], r"shape \(24, classes\)"),
        (lambda p: p * np.nan, "NaN"),
        (lambda p: p - 1, "negative"),
        (lambda p: p * 2, "do not sum to one, e.g. row 0 sums to 2"),
    ],
)
def test_bad_priors_are_refused(spoil, message):
    laplacian, prior, labels, split = problem()
    with pytest.raises(ValueError, match=message):
        reclassify(laplacian, spoil(prior), labels, split)


def test_rows_of_zeros_become_uniform_and_others_are_normalised_on_request():
    _, prior, labels, split = problem()
    prior[10] = 0
    prior[11] *= 4
    start = initial_condition(prior, labels, split, normalise=True)
    np.testing.assert_allclose(start[10], 1 / 3)
    np.testing.assert_allclose(start[11], prior[11] / 4)
    np.testing.assert_allclose(start[split.train], np.eye(3))


def test_a_class_without_a_training_node_lives_by_its_prior():
    laplacian, prior, labels, split = problem()
    fewer = Split(split.train[:2], split.validation, split.test)
    result = reclassify(laplacian, prior, labels, fewer)
    others = np.setdiff1d(np.arange(labels.size), fewer.train)
    np.testing.assert_allclose(result.start[others], prior[others])
    np.testing.assert_allclose(result.stationary[:, 2], prior[others, 2].sum() / labels.size)
    assert (result.predictions()[others] == 2).any()


def test_bad_splits_and_labels_are_refused():
    laplacian, prior, labels, split = problem()
    with pytest.raises(ValueError, match=r"both train and test, e\.g\. 0"):
        Split(np.array([0]), np.array([1]), np.array([0]))
    with pytest.raises(ValueError, match="names node 99"):
        reclassify(laplacian, prior, labels, Split(split.train, split.validation, np.array([99])))
    with pytest.raises(ValueError, match="truth must have shape"):
        reclassify(laplacian, prior, labels[:-1], split)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "majority"}, "overshoot, peak, reference"),
        ({"stationary": "local"}, "global, component"),
        ({"spacing": "cubic"}, "logarithmic, linear"),
        ({"first": 1.0, "last": 0.5}, "first < last"),
        ({"first": -1.0}, "first < last"),
        ({"count": 1}, "whole number from 2 to 100000, got 1"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        GDROptions(**options)


def test_indices_outside_the_grid_are_refused():
    result = reclassify(*problem())
    with pytest.raises(ValueError, match="below 200"):
        result.predictions(200)
    assert result.index(1.0) == 199
    assert result.index(0.0) == 0
