"""Every word about a curve is true: read back from the text, checked by dense arithmetic.

`python -m tools.check_sentences --citations` runs the same checks at full length.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg

from gdr_core import datasets, laplacians, priors
from gdr_core.datasets.record import Split
from gdr_core.diffusion import exact
from gdr_core.explanation.claims import Ends, HighestAtStart, Rises
from gdr_core.explanation.highlights import ranking, summits
from gdr_core.explanation.quantities import shown
from gdr_core.explanation.responses import NEVER, UNSEEN, overshooting_sources, respond
from gdr_core.explanation.verdict import claims, judge, sentence
from gdr_core.gdr import RULES, reclassify, with_rule
from gdr_core.gdr import rules as rule_module
from gdr_core.gdr.course import courses, peak_indices
from gdr_core.gdr.onward import drawn, onward
from gdr_core.gdr.rules import Measure, Rule, Window
from gdr_core.graphs.neighbourhood import neighbourhood, sample_by_distance
from tests.conftest import graph
from tools import check_sentences
from tools.check_sentences import __main__ as command
from tools.check_sentences import curves as curves_module
from tools.check_sentences import structure
from tools.check_sentences.curves import Checker, check_result, check_small, check_text
from tools.check_sentences.examples import check as check_examples
from tools.check_sentences.examples import check_example, heights
from tools.check_sentences.oracle import methods, oracle, small_graphs, solve
from tools.check_sentences.report import Report

TINY = [name for name in small_graphs() if datasets.load_dataset(name).nodes <= 40]
LARGER = [name for name in small_graphs() if name not in TINY]


@pytest.mark.parametrize("name", TINY)
def test_no_sentence_about_a_small_graph_is_false(name):
    found = check_small(name, step=23, sparse=90, most=4)
    assert found.sentences > 500
    assert found.false == []


@pytest.mark.parametrize("name", LARGER)
def test_no_sentence_about_a_larger_small_graph_is_false(name):
    data, laplacian, result = solve(name, "projection", "combinatorial")
    nodes = np.arange(0, data.nodes, max(data.nodes // 25, 1))
    found = check_result(laplacian, result, data.class_names, nodes, (0, 90, 150, result.chosen))
    assert found.false == []


@pytest.mark.parametrize("name", ["cora", "citeseer"])
def test_no_sentence_about_a_small_component_of_a_citation_graph_is_false(name):
    """Here the end of a curve is not π; each component is a dense problem of its own."""
    data = datasets.load_dataset(name)
    whole = laplacians.make_laplacian("combinatorial", data.undirected)
    result = reclassify(whole, priors.compute_prior("projection", data), data.labels, data.split)
    inside = np.flatnonzero((whole.components > 0) & (whole.components < 40))
    dense = np.zeros((inside.size, inside.size))
    dense[:] = whole.apply_symmetric(np.eye(data.nodes)[:, inside])[inside]
    rates, vectors = scipy.linalg.eigh(dense)
    rates[rates < 1e-9] = 0
    parts = vectors.T @ result.start[inside]
    nowhere = 0
    for place, node in enumerate(inside.tolist()):
        verdict = judge(result, node)
        row = vectors[place]
        at = lambda time, row=row: (row * np.exp(-rates * time)) @ parts  # noqa: E731
        end = row[rates == 0] @ parts[rates == 0]
        course = verdict.course
        assert course.end == pytest.approx(end[verdict.label], abs=1e-9)
        assert course.compared == pytest.approx(result.start[:, verdict.label].mean())
        late = np.array([at(time)[verdict.label] for time in result.times[result.chosen :: 6]])
        assert late.max() <= course.peak + 2 * result.error_bound
        text = sentence(verdict, data.class_names)
        ends = [claim for claim in claims(verdict) if isinstance(claim, Ends)]
        if ends and not ends[0].same:
            assert (
                f"{shown(float(end[verdict.label]))}, the long-run value of its component" in text
            )
            nowhere += course.overshoots and not course.falls
    assert nowhere  # curves that stay above π are among them, and are not said to fall back


@pytest.mark.parametrize(
    ("name", "full"),
    [("path", True), ("path", False), pytest.param("sbm", False, marks=pytest.mark.slow)],
)
def test_the_command_checks_the_t_min_that_it_says(monkeypatch, name, full):
    """Every t_min by every method if asked for; else what the module's own words say."""
    seen = []

    def check(laplacian, result, names, nodes, indices, where):
        seen.append((set(indices), result.chosen))
        assert nodes.size == result.prior_labels.size
        return Report()

    monkeypatch.setattr(curves_module, "check_result", check)
    given = command.options([*(["--full"] if full else []), "--only", "curves", "--", name])
    for _, _, job in command.jobs(given):
        job()
    assert len(seen) == len(methods(datasets.load_dataset(name)))
    slower = 10 if name == "sbm" else 1
    for place, (indices, chosen) in enumerate(seen):
        step = 1 if full else slower * (10 if place else 1)
        assert indices == {*range(0, 200, step), 199, chosen}


def test_each_module_of_the_check_is_named_and_none_that_is_not_there():
    folder = Path(check_sentences.__file__).parent
    modules = {path.stem for path in folder.glob("[a-z]*.py")} - {"oracle", "report"}
    _, named = check_sentences.__doc__.split("each subject:")
    assert set(re.findall(r"`(\w+)`", named)) == modules == {*command.SUBJECTS}


def test_the_check_finds_false_words():
    """Each kind of claim, bent: the check must not be deaf."""
    data, laplacian, result = solve("karate", "projection", "combinatorial")
    nodes = np.arange(data.nodes)
    exactly = oracle(laplacian, result, nodes)
    bends = [
        ("rises from", "rises from 1"),
        ("is highest at t_min itself, 0", "is highest at t_min itself, 9"),
        ("then falls towards", "then falls to"),
        ("; no other class gets above its π.", "; next is Officer with 0.2."),
        ("becomes", "turns"),
        ("window at t = 1", "window at t = 3"),
        ("π = 0.4", "π = 0.5"),
    ]
    caught = dict.fromkeys(bends, 0)
    for node in nodes.tolist():
        for index in (0, 60, 150, 190):
            verdict = judge(result, node, index)
            text = sentence(verdict, data.class_names)
            truth = {"label": verdict.label, "prior": verdict.prior, "given": verdict.given}
            for before, after in bends:
                if before in text:
                    checker = Checker(exactly, node, index, result.error_bound, "", Report())
                    bent = text.replace(before, after)
                    check_text(checker, bent, "overshoot", data.class_names, truth)
                    assert checker.report.false
                    caught[before, after] += 1
    assert min(caught.values()) > 0, caught


def test_a_curve_s_course_by_hand():
    """Two nodes relax at rate two: p = 1/2 ± e^{−2t}/2; beside them two lonely nodes."""
    laplacian = laplacians.make_laplacian("combinatorial", graph(4, [(0, 1)]))
    prior = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    split = Split(np.array([0, 2]), np.array([1, 3]), np.array([], dtype=int))
    result = reclassify(laplacian, prior, np.array([0, 1, 1, 1]), split)
    found = courses(result, 1, 100)
    time = result.times[100]
    assert found.now[0] == pytest.approx(0.5 - np.exp(-2 * time) / 2, abs=1e-6)
    first, second = found.of(0), found.of(1)
    assert (first.end, first.compared) == (pytest.approx(0.5), pytest.approx(1 / 4))
    assert first.rises
    assert first.overshoots
    assert not first.falls  # above π in the end, yet no overshoot that returns
    assert not first.returns
    assert first.climbs_on
    assert not second.rises
    assert second.falls
    assert not first.settled  # e^{−2·0.5}: the window ends after one relaxation time
    alone = courses(result, 2, 100).of(1)
    assert {alone.rises, alone.falls, alone.climbs_on} == {False}
    assert alone.settled


def test_the_mark_in_the_chart_is_the_peak_in_the_text():
    data, _, result = solve("karate", "projection", "combinatorial")
    for node in range(data.nodes):
        curves = result.trajectories.values(np.array([node]))[:, 0]
        marks = peak_indices(curves, result.error_bound)
        for index in range(0, 200, 7):
            np.testing.assert_array_equal(marks[index], courses(result, node, index).peak_index)
            for claim in claims(judge(result, node, index)):
                if isinstance(claim, Rises):
                    label = result.scan.predicted[index, node]
                    assert claim.time == result.relative_times[marks[index, label]]
                    assert claim.peak == curves[marks[index, label], label]
                if isinstance(claim, HighestAtStart):
                    assert marks[index, claim.label] == index


# ------------------------------------------------------------------ rules are records


def test_a_fourth_rule_is_one_entry_and_is_explained(monkeypatch):
    last = Measure("belief at the end", "the value of the belief at the end of the window", "end")

    def at_the_end(window: Window, k: int) -> np.ndarray:
        return np.broadcast_to(window.scores[-1, k], window.scores[:, k].shape)

    fourth = Rule("the largest belief at the end", "this test", (last,), at_the_end)
    monkeypatch.setitem(rule_module.RULES, "last", fourth)
    data, _, result = solve("karate", "projection", "combinatorial")
    read = with_rule(result, "last")
    ends = result.trajectories.at(-1)
    free = np.setdiff1d(np.arange(data.nodes), data.split.train)
    np.testing.assert_array_equal(read.scan.predicted[50, free], ends[free].argmax(axis=1))
    for node in free.tolist():
        verdict = judge(read, node, 50)
        text = sentence(verdict, data.class_names)
        value = shown(float(ends[node].max()))
        assert f"Its belief at the end, {value}, is the largest" in text
        other = data.class_names[int(ends[node].argmin())]
        assert f"; next is {other} with {shown(float(ends[node].min()))}." in text
        assert verdict.decisive_time == read.relative_times[-1]


def test_rules_say_what_they_are():
    for name, rule in RULES.items():
        assert rule.meaning, name
        assert rule.origin, name
        assert rule.measures, name
    with pytest.raises(ValueError, match="t_min, peak, end"):
        Measure("odd", "odd", "sometime")


# ------------------------------------------------------------------ never is a long time


@pytest.mark.parametrize(("name", "pairs", "late"), [("karate", 939, 33), ("grid", 4024, 168)])
def test_overshoots_after_the_window_are_found_and_never_is_proved(name, pairs, late):
    """Against eigenvectors of the dense matrix, on 1,500 times up to forty relaxation times."""
    data = datasets.load_dataset(name)
    laplacian = laplacians.make_laplacian("combinatorial", data.undirected)
    adjacency = data.undirected.toarray()
    rates, vectors = scipy.linalg.eigh(np.diag(adjacency.sum(axis=1)) - adjacency)
    times = np.geomspace(1e-3, 40, 1500) / rates[1]
    decay = np.exp(-np.outer(rates[1:], times))
    window = times <= 1 / rates[1]
    counted = after = 0
    for source in range(0, data.nodes):
        others = sample_by_distance(data.undirected, source, 12).nodes[1:]
        found = exact.ever(exact.modes(laplacian, source, others))
        excess = (vectors[others, 1:] * vectors[source, 1:]) @ decay
        assert (excess[found.never].max(initial=0)) <= 2e-10
        assert (found.never ^ found.overshoots).all()
        height = excess.max(axis=1)
        assert found.overshoots[height > 1e-9].all()
        assert (found.height[found.overshoots] >= height[found.overshoots] - 1e-12).all()
        counted += others.size
        after += (found.overshoots & (excess[:, window].max(axis=1) < 1e-7)).sum()
    assert (counted, after) == (pairs, late)


def test_in_a_large_graph_nothing_is_said_to_be_never():
    data = datasets.load_dataset("cora")
    laplacian = laplacians.make_laplacian("combinatorial", data.undirected)
    sample = sample_by_distance(data.undirected, 0, 3)
    times = np.geomspace(1e-3, 1, 20) / laplacian.gap
    found = respond(laplacian, neighbourhood(data.undirected, 0, 1), times, beyond=sample)
    assert not found.proved
    assert (found.kinds != NEVER).all()
    assert (found.kinds == UNSEEN).any()


@pytest.mark.slow
def test_a_count_of_sources_is_a_lower_bound_and_said_to_be_one():
    """By dense eigenvectors of Cora: more sources lift its nodes than a diffusion can tell."""
    found = structure.check_sources("cora", (0, 100))
    assert found.sentences >= 4
    assert found.false == []


def test_nothing_overshoots_in_a_star_but_where_home_sends_people():
    for name, some in (("star", False), ("karate", True), ("ring-of-cliques", True)):
        laplacian = laplacians.make_laplacian(
            "combinatorial", datasets.load_dataset(name).undirected
        )
        assert bool(overshooting_sources(laplacian).any()) == some


# ------------------------------------------------------------------ examples and the end


OTHERS = ("cora", "citeseer", "pubmed", "cora-directed", "cells", "digits")


@pytest.mark.parametrize("name", [*small_graphs(), *OTHERS])
def test_the_first_example_does_what_is_said_of_it(name):
    _, _, result = solve(name, "projection", "combinatorial")
    found = summits(result)
    first = ranking(found, "clear overshoots", 1)
    assert first.nodes.size, "every dataset that ships has such a node"
    node = first.nodes[0]
    curves = result.trajectories.values()
    begin = result.chosen if found.relabelled_by_it[node] else 0
    rises = heights(curves[:, node], np.stack([result.stationary, result.limit])[:, node], begin)
    assert rises.max() >= first.values[0] - 1e-9 > 2 * result.error_bound
    kind = check_example(result, curves, result.limit, name)
    assert kind == "after t_min" or name not in ("cora", "citeseer", "pubmed", "cells")


@pytest.mark.parametrize("name", ["karate", "star", "path"])
def test_no_example_of_a_small_graph_is_false(name):
    assert check_examples(name).false == []


@pytest.mark.parametrize("name", ["karate", "path", "sbm", "two-moons"])
def test_charts_run_until_their_curves_have_settled(name):
    data, laplacian, result = solve(name, "projection", "combinatorial")
    nodes = np.array([0, data.nodes // 2])
    found = drawn(result, onward(laplacian, result), nodes)
    assert found.window == result.times.size < found.times.size
    assert found.settled
    span = np.ptp(found.values)
    dense = laplacian.dense()
    for place in (found.window, found.times.size - 1):
        time = found.times[place] * result.relaxation_time
        truth = (scipy.linalg.expm(-time * dense) @ result.start)[nodes]
        np.testing.assert_allclose(found.values[place], truth, atol=2e-4)
    assert np.abs(found.values[-1] - result.limit[nodes]).max() <= 0.0101 * span
    assert not drawn(result, None, nodes).settled  # the window alone does not show the end


def test_the_limit_is_pi_itself_in_a_connected_graph():
    _, _, result = solve("karate", "projection", "combinatorial")
    assert result.limit is result.stationary
