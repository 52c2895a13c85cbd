"""Should the graph be trusted? Exact intervals, the guarded choice, calibrated probabilities."""

from __future__ import annotations

import csv
import io
import json
import warnings
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, binomtest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from test_priors_contract import with_labels

from gdr_core import compute_prior, load_dataset, make_laplacian, reclassify
from gdr_core.datasets import Split
from gdr_core.estimator import GraphDiffusionReclassifier
from gdr_core.gdr import RULES, automatic, confidence, verdict, with_rule
from gdr_core.gdr.automatic import Candidate, Tried, decide
from gdr_core.gdr.confidence import shares
from gdr_core.gdr.predictions import predictions_csv
from gdr_core.gdr.trust import Gain, gain
from gdr_core.method import Method
from gdr_tools.beyond.guard import run_level, table
from gdr_tools.cli import main

KINDS = ("combinatorial", "symmetric")


def blocks(homophily: float, seed: int = 0):
    return load_dataset("sbm", nodes=300, homophily=homophily, seed=seed)


def ways(dataset) -> dict:
    return {kind: make_laplacian(kind, dataset.adjacency) for kind in KINDS}


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 200))
@settings(max_examples=60, deadline=None)
def test_the_interval_and_the_chance_are_scipys_exact_ones(fixed, broken, rest):
    found = Gain(fixed + broken + rest, fixed, broken)
    if fixed + broken == 0:
        assert found.chance == 1.0
        return
    exact = binomtest(fixed, fixed + broken, 0.5, alternative="greater")
    assert found.chance == pytest.approx(exact.pvalue, rel=1e-9)
    two = binomtest(fixed, fixed + broken).proportion_ci(0.95, method="exact")
    scale = (fixed + broken) / found.nodes
    expected = ((2 * two.low - 1) * scale, (2 * two.high - 1) * scale)
    np.testing.assert_allclose(found.interval, expected, atol=1e-9)
    assert found.interval[0] <= found.value <= found.interval[1]


def test_the_interval_covers_the_truth_as_often_as_it_says():
    """Of 40 nodes that changed, θ = 0.6 are fixed: the interval holds in ≥ 95 % of cases."""
    cover = 0.0
    for b in range(41):
        low, high = Gain(100, b, 40 - b).interval
        cover += binom.pmf(b, 40, 0.6) * (low <= 0.2 * 40 / 100 <= high)
    assert cover >= 0.95


def test_gain_counts_nodes_of_known_class_only():
    before, after = np.array([0, 0, 1, 1, 0]), np.array([1, 0, 0, 1, 1])
    truth = np.array([1, 0, 1, -1, 1])
    found = gain(before, after, truth, np.arange(5))
    assert (found.nodes, found.fixed, found.broken) == (4, 2, 1)


def test_every_kind_of_verdict_says_its_numbers():
    assert verdict(Gain(500, 100, 3)).startswith("The graph helps: of 500 validation nodes")
    assert verdict(Gain(500, 3, 100)).startswith("The graph misleads, and the prior is better kept")
    low, high = (f"−{abs(100 * end):.1f}" for end in Gain(500, 3, 100).interval)
    assert f"a loss of 19.4 points (95% interval {low} to {high})" in verdict(Gain(500, 3, 100))
    assert verdict(Gain(500, 9, 8)).startswith("Whether the graph helps cannot be told: of 500")
    assert verdict(Gain(500, 0, 0)).endswith("500 validation nodes it fixed none and broke none.")
    assert verdict(Gain(0, 0, 0)).endswith("no validation node has a known class.")
    assert verdict(Gain(1, 1, 0)).endswith("1 validation node is too few.")


def test_automatic_takes_the_best_candidate_where_links_join_equals():
    dataset = blocks(0.9)
    prior = compute_prior("projection", dataset)
    found = automatic(ways(dataset), prior, dataset.labels, dataset.split)
    assert len(found.candidates) == len(KINDS) * len(RULES)
    assert found.chosen.merit == max(c.merit for c in found.candidates)
    assert not found.keeps_prior
    assert found.accuracy("validation") > found.result.prior_accuracy["validation"]
    alone = reclassify(
        make_laplacian(found.chosen.laplacian, dataset.adjacency),
        prior,
        dataset.labels,
        dataset.split,
    )
    alone = with_rule(alone, found.chosen.rule)
    np.testing.assert_array_equal(found.labels, alone.predictions())
    assert found.chosen.rule in found.sentence
    assert found.chosen.laplacian in found.sentence


def test_automatic_keeps_the_prior_where_links_say_nothing():
    """Two classes and homophily 1/2: who is linked to whom has nothing to do with classes."""
    dataset = load_dataset("sbm", nodes=300, classes=2, homophily=0.5, feature_signal=0.8)
    prior = compute_prior("linear", dataset)
    found = automatic(ways(dataset), prior, dataset.labels, dataset.split)
    assert found.keeps_prior
    np.testing.assert_array_equal(found.labels, found.result.prior_labels)
    assert found.sentence.startswith("The prior is kept")


def tried(gained: Gain, ways: int = 12) -> list[Tried]:
    """Candidates of which the first has the best merit and this gain."""
    return [
        Tried(Candidate("combinatorial", "overshoot", 0.1, 0.9 - k / 100), gained, 2, 0)
        for k in range(ways)
    ]


@pytest.mark.parametrize(
    ("gained", "keeps", "begins", "says", "never"),
    [
        (Gain(500, 60, 10), False, "Reclassified by", "The graph helps", "kept"),
        (
            Gain(500, 30, 13),
            True,
            "The prior is kept, though",
            "has to be surer",
            "The graph helps",
        ),
        (Gain(500, 12, 10), True, "The prior is kept: ", "may be as good", "The graph helps"),
        (Gain(500, 3, 40), True, "The prior is kept: ", "The graph misleads", "may be as good"),
        (Gain(500, 0, 0), True, "The prior is kept: ", "neither helps nor misleads", "surer"),
    ],
)
def test_the_sentence_of_a_decision_does_not_contradict_itself(gained, keeps, begins, says, never):
    found = decide(tried(gained))
    assert found.keeps_prior == keeps
    assert found.sentence.startswith(begins)
    assert says in found.sentence
    assert never not in found.sentence


@pytest.mark.parametrize(
    ("merits", "said"),
    [
        ((0.9, 0.8, 0.7), "the best of 3 ways by"),
        ((0.9, 0.7, 0.9), "one of the 2 best of 3 ways by"),
        ((0.9, 0.9, 0.9), "one of 3 equally good ways by"),
    ],
)
def test_of_ways_that_are_equally_good_none_is_called_the_best(merits, said):
    one = tried(Gain(500, 60, 10), ways=1)[0]
    found = decide([replace(one, candidate=replace(one.candidate, merit=m)) for m in merits])
    assert said in found.sentence


def test_the_bar_rises_with_the_number_of_ways():
    gained = Gain(500, 30, 13)  # fair coins do this with a chance of 0.7 %
    assert not decide(tried(gained, ways=1)).keeps_prior
    assert decide(tried(gained, ways=12)).keeps_prior


def test_automatic_does_not_read_test_labels():
    dataset = blocks(0.6)
    prior = compute_prior("projection", dataset)
    other = with_labels(dataset, dataset.split.test)
    one, two = (automatic(ways(d), prior, d.labels, d.split) for d in (dataset, other))
    assert one.candidates == two.candidates
    np.testing.assert_array_equal(one.labels, two.labels)


def test_too_few_validation_nodes_leave_everything_as_usual():
    dataset = blocks(0.9)
    few = dataset.with_split(
        Split(dataset.split.train, dataset.split.validation[:5], dataset.split.test, "few")
    )
    found = automatic(ways(few), compute_prior("projection", few), few.labels, few.split)
    assert (found.chosen.laplacian, found.chosen.rule) == ("combinatorial", "overshoot")
    assert not found.keeps_prior
    assert found.sentence.startswith("Too few validation nodes to choose by")


def test_a_class_without_validation_nodes_is_told():
    dataset = blocks(0.9)
    validation = dataset.split.validation
    without = validation[dataset.labels[validation] != 0]
    split = Split(dataset.split.train, without, dataset.split.test, "without one class")
    found = automatic(ways(dataset), compute_prior("projection", dataset), dataset.labels, split)
    assert found.unseen == 1
    told = f"1 of {dataset.classes} classes has no validation node: the choice knows nothing of it."
    assert found.sentence.endswith(told)


@pytest.mark.parametrize("rule", RULES)
def test_calibrated_probabilities_keep_labels_and_lower_the_loss(rule):
    dataset = blocks(0.8)
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    prior = compute_prior("projection", dataset)
    result = with_rule(reclassify(laplacian, prior, dataset.labels, dataset.split), rule)
    found, nodes = confidence(result), dataset.split.validation
    labels = result.predictions()
    np.testing.assert_array_equal(found.shares.argmax(axis=1), labels)
    np.testing.assert_array_equal(found.probabilities.argmax(axis=1)[nodes], labels[nodes])
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(found.shares, shares(result))
    loss = [
        log_loss(dataset.labels[nodes], rows / rows.sum(axis=1, keepdims=True))
        for rows in (np.maximum(found.shares[nodes], 1e-12), found.probabilities[nodes])
    ]
    assert loss[1] <= loss[0] + 1e-9
    assert found.calibration.loss == pytest.approx(loss[1], abs=1e-6)


def labels_of(dataset) -> np.ndarray:
    known = np.concatenate([dataset.split.train, dataset.split.validation])
    y = np.full(dataset.nodes, -1)
    y[known] = dataset.labels[known]
    return y


def test_the_estimator_keeps_the_prior_where_the_graph_is_noise():
    dataset = load_dataset("sbm", nodes=300, classes=2, homophily=0.5, feature_signal=0.8)
    x, y = dataset.features.toarray(), labels_of(dataset)
    model = GraphDiffusionReclassifier(LogisticRegression(), automatic=True)
    model.fit(x, y, adjacency=dataset.adjacency)
    assert model.automatic_.keeps_prior
    unknown = y == -1
    alone = LogisticRegression().fit(x[~unknown], y[~unknown])
    np.testing.assert_array_equal(model.predict()[unknown], alone.predict(x[unknown]))


def test_the_estimators_probabilities_are_calibrated_when_asked():
    dataset = blocks(0.8)
    x, y = dataset.features.toarray(), labels_of(dataset)
    plain, honest = (
        GraphDiffusionReclassifier(LogisticRegression(), calibrated=one).fit(
            x, y, adjacency=dataset.adjacency
        )
        for one in (False, True)
    )
    np.testing.assert_array_equal(plain.predict(), honest.predict())
    assert honest.temperature_ != 1.0 == plain.temperature_
    assert plain.evenness_ == 0.0
    given, part = plain.predict_proba(), honest.evenness_
    mixed = (1 - part) * given + part / given.shape[1]
    bent = np.maximum(mixed, 1e-12) ** (1 / honest.temperature_)
    np.testing.assert_allclose(
        honest.predict_proba(), bent / bent.sum(axis=1, keepdims=True), atol=1e-9
    )


def test_the_command_line_chooses_and_says_why(capsys):
    assert main(["classify", "sbm", "--auto"]) == 0
    told = capsys.readouterr().out
    assert "ways by the validation nodes" in told
    assert main(["classify", "sbm"]) == 0
    assert "verdict      " in capsys.readouterr().out


def test_the_guard_counts_test_nodes_of_all_draws_and_tells_them():
    level = run_level(1.0, draws=2)
    tested = sum(
        load_dataset("sbm", nodes=400, homophily=1.0, seed=s).split.test.size for s in (0, 1)
    )
    assert level["plain"]["nodes"] == level["guarded"]["nodes"] == tested
    assert level["guarded"]["gain"] > 0
    assert not level["guarded"]["worse"]
    assert f"| {level['kept']} of 2 |" in table({"levels": [level], "graphs": []})


NOISE = (*("--prior", "linear"), *("--option", "homophily=0.5"), *("--option", "classes=2"))


def rows_of(path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_labels_that_are_written_are_the_priors_where_it_is_kept(capsys, tmp_path):
    table, page = tmp_path / "predictions.csv", tmp_path / "report.html"
    written = ("--out", str(table), "--report", str(page), "--json")
    assert main(["classify", "sbm", *NOISE, "--auto", *written]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["keeps_prior"]
    assert told["automatic"].startswith("The prior is kept")
    rows = rows_of(table)
    assert [row["predicted"] for row in rows] == [row["prior"] for row in rows]
    assert {row["outcome"] for row in rows} == {"kept"}
    assert told["relabelled"] == told["fixed"] == told["broken"] == 0
    assert told["gdr_accuracy"] == told["prior_accuracy"]
    report = page.read_text(encoding="utf-8")
    assert "The prior's labels are kept" in report
    lines = unescape(report.split("<pre>")[1].split("</pre>")[0])
    exec(compile(lines, "report", "exec"), {})
    assert "0 nodes relabelled" in capsys.readouterr().out
    assert main(["classify", "sbm", *NOISE, "--rule", told["rule"], "--out", str(table)]) == 0
    plain = rows_of(table)
    assert [r["predicted"] for r in plain] != [r["predicted"] for r in rows]  # else nothing is seen


def test_a_choice_of_t_min_is_not_moved_after_it_was_told(capsys):
    assert main(["classify", "sbm", "--auto", "--t-min", "0.5"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert "--t-min" in said
    assert len(said.strip().splitlines()) == 1


def test_confidence_is_written_for_every_node_and_its_error_is_told(capsys, tmp_path):
    table = tmp_path / "predictions.csv"
    words = ("sbm", "--option", "nodes=600", "--prior", "projection")
    assert main(["classify", *words, "--out", str(table), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["confidence"]
    dataset = load_dataset("sbm", nodes=600)
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    prior = compute_prior("projection", dataset)
    result = reclassify(laplacian, prior, dataset.labels, dataset.split)
    found, rows = confidence(result), rows_of(table)
    labels = result.predictions()
    place = np.arange(dataset.nodes), labels
    for column, expected in (("share", found.shares), ("confidence", found.probabilities)):
        given = np.array([float(row[column]) for row in rows])
        np.testing.assert_allclose(given, expected[place], rtol=1e-5)
    assert told["error_before"] == found.before.error
    assert told["error_after"] == found.held_out.error
    assert told["temperature"] == found.calibration.temperature


def test_too_few_validation_nodes_leave_confidence_empty():
    club = load_dataset("karate")
    laplacian = make_laplacian("combinatorial", club.adjacency)
    result = reclassify(laplacian, compute_prior("uniform", club), club.labels, club.split)
    rows = list(csv.DictReader(io.StringIO(predictions_csv(club, result.at()))))
    assert not confidence(result).calibration.enough
    assert np.isnan(confidence(result).held_out.error)
    assert {row["confidence"] for row in rows} == {""}
    assert all(row["share"] for row in rows)


def ece(probabilities: np.ndarray, truth: np.ndarray, bins: int = 10) -> float:
    """Written out: bins of equal numbers, |accuracy − confidence| weighted by nodes."""
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    parts = np.array_split(np.argsort(sure, kind="stable"), bins)
    gaps = [len(part) * abs(right[part].mean() - sure[part].mean()) for part in parts]
    return float(sum(gaps)) / len(truth)


@pytest.mark.parametrize("homophily", [0.6, 0.8])
def test_calibration_holds_on_validation_nodes_that_no_temperature_was_fitted_on(homophily):
    dataset = load_dataset("sbm", nodes=1500, homophily=homophily)
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    prior = compute_prior("projection", dataset)
    nodes = np.random.default_rng(0).permutation(dataset.split.validation)
    fitted_on, held = nodes[::2], nodes[1::2]
    split = Split(dataset.split.train, fitted_on, dataset.split.test, "half")
    result = reclassify(laplacian, prior, dataset.labels, split)
    found = confidence(result)
    before = ece(found.shares[held], dataset.labels[held])
    after = ece(found.probabilities[held], dataset.labels[held])
    assert after < before + 0.02  # raw shares are good here already: nothing is spoilt
    assert after < 0.06
    whole = confidence(reclassify(laplacian, prior, dataset.labels, dataset.split))
    assert whole.held_out.error < 0.06
    assert whole.held_out.nodes.sum() == nodes.size


@pytest.mark.parametrize("rule", RULES)
def test_where_nothing_can_overshoot_shares_are_the_priors_and_not_rounding(rule):
    """A node without neighbours stays what it is, which is its π where π is of its component."""
    dataset = load_dataset("citeseer")
    result = Method.on("citeseer", stationary="component", rule=rule).run()
    alone = np.setdiff1d(np.flatnonzero(dataset.undirected.sum(axis=1) == 0), dataset.split.train)
    assert alone.size > 20
    for index in (0, result.chosen, result.times.size - 1):
        np.testing.assert_array_equal(shares(result, index)[alone], result.start[alone])


@pytest.mark.parametrize(("name", "lower"), [("pubmed", True), ("cora", False)])
def test_shares_of_nothing_do_not_spoil_confidence_on_held_out_nodes(name, lower):
    """A temperature alone, fitted to true classes with a share of 0, put Cora's error at 47 points.

    Here it is of nodes whose classes neither the temperature nor t_min was chosen by.
    """
    dataset = load_dataset(name)
    laplacian = make_laplacian("combinatorial", dataset.adjacency)
    prior = compute_prior("projection", dataset)
    nodes = np.random.default_rng(1).permutation(dataset.split.validation)
    held = nodes[1::2]
    split = Split(dataset.split.train, nodes[::2], dataset.split.test, "half")
    found = confidence(reclassify(laplacian, prior, dataset.labels, split))
    before = ece(found.shares[held], dataset.labels[held])
    after = ece(found.probabilities[held], dataset.labels[held])
    assert after < 0.1
    if lower:
        assert after < before * 0.75


def test_the_estimator_says_when_it_could_choose_nothing():
    dataset = blocks(0.9)
    x, y = dataset.features.toarray(), labels_of(dataset)
    model = GraphDiffusionReclassifier(LogisticRegression(), automatic=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(x, y, adjacency=dataset.adjacency)
    assert model.automatic_ is not None
    few, some = np.full_like(y, -1), dataset.split.train[::5]
    few[some] = y[some]
    with pytest.warns(UserWarning, match="chooses nothing with [0-9]+ held-out nodes") as told:
        model.fit(x, few, adjacency=dataset.adjacency)
    assert len(told) == 1
    assert model.automatic_ is None  # not what the first fit chose
    model.set_params(automatic=False).fit(x, y, adjacency=dataset.adjacency)
    assert model.automatic_ is None


def test_the_estimator_says_when_its_probabilities_could_not_be_calibrated():
    dataset = blocks(0.9)
    x, y = dataset.features.toarray(), labels_of(dataset)
    few, some = np.full_like(y, -1), dataset.split.train[::5]
    few[some] = y[some]
    model = GraphDiffusionReclassifier(LogisticRegression(), calibrated=True)
    with pytest.warns(UserWarning, match="calibrated=True fits nothing") as told:
        model.fit(x, few, adjacency=dataset.adjacency)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert model.temperature_ == 1.0
    plain = GraphDiffusionReclassifier(LogisticRegression())
    plain.fit(x, few, adjacency=dataset.adjacency)
    np.testing.assert_allclose(model.predict_proba(), plain.predict_proba(), atol=1e-9)


def test_calibration_tells_of_classes_without_validation_nodes():
    dataset = blocks(0.9)
    validation, laplacian = (
        dataset.split.validation,
        make_laplacian("combinatorial", dataset.adjacency),
    )
    prior = compute_prior("projection", dataset)
    known = dataset.labels[validation]
    told = []
    for kept in (validation, validation[known == 1], validation[known == 1][:5]):
        split = Split(dataset.split.train, kept, dataset.split.test, "some")
        told.append(confidence(reclassify(laplacian, prior, dataset.labels, split)).doubt)
    assert told[0] == ""
    assert told[1] == "2 of 3 classes have no validation node: calibration knows nothing of them."
    assert told[2] == ""  # nothing was calibrated
