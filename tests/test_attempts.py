"""One more attempt at numbers that fall short: who chooses, what is kept, what is said."""

import json
from dataclasses import replace
from statistics import fmean, stdev

import numpy as np
import pytest
import scipy.sparse as sp

from gdr_core.datasets import load_dataset
from gdr_core.neural import Training, recommended
from gdr_core.neural.propagation import convolution_matrix
from gdr_core.priors import compute_prior
from gdr_tools.cli import main
from gdr_tools.paper.attempts import report
from gdr_tools.paper.attempts.grids import GCN, SHORTFALLS, SVM, Shortfall, words
from gdr_tools.paper.attempts.machines import svm_scores
from gdr_tools.paper.attempts.outcome import outcome
from gdr_tools.paper.attempts.recipes import RecipeTraining, normalised
from gdr_tools.paper.attempts.run import run_setting
from gdr_tools.paper.attempts.search import Attempts, choose, missing, search, stored_path
from gdr_tools.paper.board import tables
from gdr_tools.paper.remarks import attempt_of, note_of
from gdr_tools.paper.store import Store

TOY = replace(
    GCN,
    key="toy",
    paper=80.0,
    axes={"a": (1, 2)},
    readings={"b": ("x", "y")},
    seeds=2,
    final=4,
)
GOOD = {"a": 2, "b": "y"}


def toy_run(test: float = 0.7):
    """Setting 2, y is the best on validation nodes, and 0.01 better with each seed on test nodes;
    setting 1, x is 0.79 on test nodes whatever the seed."""

    def run(shortfall, setting, seed):
        if setting["a"] == 1:
            return {"b x": (0.5, 0.79), "b y": (0.4, 0.1)}
        return {"b x": (0.5, 0.2), "b y": (0.6, test + 0.01 * seed)}

    return run


def searched(path, test=0.7) -> Attempts:
    attempts = Attempts(path)
    attempts.nodes["toy"] = {"validation": 100, "test": 1600}
    assert search(TOY, attempts, toy_run(test))
    return attempts


def test_validation_chooses_and_the_chosen_setting_gets_more_seeds(tmp_path):
    attempts = searched(tmp_path / "runs.json")
    found = outcome(TOY, attempts)
    assert found.chosen == GOOD
    assert found.validation == pytest.approx(60)
    assert found.test == pytest.approx(fmean([70, 71, 72, 73]))
    assert found.spread == pytest.approx(stdev([70, 71, 72, 73]))
    assert (found.seeds, found.settings, len(attempts.runs)) == (4, 4, 6)
    assert (found.bound, found.bound_setting) == (pytest.approx(79), TOY.present)
    assert found.error == pytest.approx(1.0)


def test_more_seeds_of_one_setting_do_not_change_the_choice(tmp_path):
    attempts = searched(tmp_path / "runs.json")
    for seed in (2, 3):
        attempts.runs[f"toy: a 2; seed {seed}"]["b y"] = (0.0, 0.0)
    assert choose(TOY, attempts.runs) == GOOD


def test_the_sentences_follow_from_the_runs(tmp_path):
    short = report.sentences(outcome(TOY, searched(tmp_path / "short.json")))
    assert "of 4 settings" in short
    assert "choose a 2, b y; 60.0 % there, 10.0 points above" in short
    assert "71.5 ± 1.3 over 4 seeds, 8.5 points below the paper's 80.0: 8.5 standard" in short
    assert "1,600 test nodes" in short
    assert "No setting of the grid reaches 80.0 in the mean" in short
    assert "ends at 79.0, and the luckiest single run at 79.0." in short
    reached = report.sentences(outcome(TOY, searched(tmp_path / "reached.json", test=0.8)))
    assert reached.endswith("81.5 ± 1.3 over 4 seeds, which reaches the paper's 80.0.")


def test_a_setting_that_only_test_nodes_would_choose_is_told_as_such(tmp_path):
    lower = replace(TOY, paper=79.0)
    text = report.sentences(outcome(lower, searched(tmp_path / "runs.json")))
    assert "1 setting of the grid would reach 79.0 (at most 79.0), but only test nodes" in text
    lucky = searched(tmp_path / "lucky.json")
    lucky.runs["toy: a 1; seed 0"]["b x"] = (0.5, 0.81)
    lucky.runs["toy: a 1; seed 1"]["b x"] = (0.5, 0.77)
    text = report.sentences(outcome(TOY, lucky))
    assert text.endswith("ends at 79.0, but single runs do, the luckiest with 81.0.")


def test_the_tables_own_runs_are_told_beside_those_of_the_search(tmp_path):
    attempts = searched(tmp_path / "runs.json")
    chosen = replace(TOY, tabled=GOOD)
    text = report.sentences(outcome(chosen, attempts, (77.0, 79.5, 79.96)))
    assert "the setting of the tables itself" in text
    assert "71.5 ± 1.3 over 4 seeds in the search and 78.8 ± 1.6 over 3 seeds in the tables" in text
    assert "8.5 and 1.2 points below the paper's 80.0: 8.5 and 1.2 standard errors" in text
    assert text.endswith("ends at 79.0, but single runs do, the luckiest with 80.0.")
    better = report.sentences(outcome(chosen, attempts, (79.2, 79.4)))
    assert better.endswith("ends at 79.3, and the luckiest single run at 79.4.")


def test_no_sentence_denies_what_a_run_of_the_tables_has_reached():
    stored = Attempts(stored_path())
    for shortfall in SHORTFALLS.values():
        runs = report.tabled_runs(shortfall)
        assert len(runs) == 10
        text = report.sentences(outcome(shortfall, stored, runs))
        if "luckiest single run at " in text:
            assert max(runs) < float(text.rpartition("at ")[2].rstrip(".")) + 0.05
        if shortfall.key == "diff-gcn-wikipedia":
            assert f"{fmean(runs):.1f} ± {stdev(runs):.1f} over 10 seeds in the tables" in text
            assert f"the luckiest with {max(runs):.1f}." in text


def told(monkeypatch, attempts: Attempts) -> str:
    monkeypatch.setattr(report, "SHORTFALLS", {TOY.key: TOY})
    return report.document(attempts)


def test_what_was_run_of_a_search_that_is_not_finished_is_told_and_no_outcome(
    tmp_path, monkeypatch
):
    attempts = searched(tmp_path / "runs.json")
    for seed in (2, 3):
        del attempts.runs[f"toy: a 2; seed {seed}"]
    text = told(monkeypatch, attempts)
    assert "All 4 runs of the grid were made" in text
    assert "2 more were not run" in text
    del attempts.runs["toy: a 2; seed 1"]
    text += told(monkeypatch, attempts)
    assert "3 of 4 runs of the grid were made" in text
    assert "- **a**: 1: 2 of 2 runs; 2: 1 of 2 runs." in text
    del attempts.runs["toy: a 2; seed 0"]
    text += told(monkeypatch, attempts)
    assert "2: none of 2 runs." in text
    assert "79.0" not in text  # what the runs that are there reached on test nodes


def test_a_search_that_was_stopped_goes_on_where_it_was(tmp_path):
    path, done = tmp_path / "deep" / "runs.json", []

    def run(shortfall, setting, seed):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append((setting["a"], seed))
        return toy_run()(shortfall, setting, seed)

    with pytest.raises(KeyboardInterrupt):
        search(TOY, Attempts(path), run)
    assert done == [(1, 0), (1, 1), (2, 0)]
    kept = Attempts(path)
    assert len(kept.runs) == 3
    again = []

    def rest(shortfall, setting, seed):
        again.append((setting["a"], seed))
        return toy_run()(shortfall, setting, seed)

    assert not search(TOY, kept, rest, most=1)
    assert search(TOY, Attempts(path), rest)
    assert again == [(2, 1), (2, 2), (2, 3)]
    assert missing(TOY, Attempts(path).runs) == []


def small_directed():
    blocks = load_dataset("sbm", nodes=90, homophily=0.8, seed=1)
    upper = sp.csr_array(sp.triu(blocks.adjacency))
    noise = np.random.default_rng(0).random((blocks.nodes, 12))
    noise[:, : blocks.classes] += 2 * np.eye(blocks.classes)[blocks.labels]
    x = sp.csr_array(noise)
    return replace(blocks, adjacency=upper, directed=True, features=x)


@pytest.mark.slow
@pytest.mark.parametrize("shortfall", SHORTFALLS.values(), ids=lambda each: each.key)
def test_no_test_label_enters_a_choice(shortfall):
    """Other labels of test nodes change test accuracies, but no validation accuracy."""
    dataset = small_directed()
    labels, test = dataset.labels.copy(), dataset.split.test
    labels[test] = np.random.default_rng(1).permutation((labels[test] + 1) % dataset.classes)
    settings = [next(shortfall.runs()), list(shortfall.runs())[-1]]
    for setting in settings:
        one = run_setting(shortfall, setting, 0, dataset)
        other = run_setting(shortfall, setting, 0, replace(dataset, labels=labels))
        assert {how: both[0] for how, both in one.items()} == {
            how: both[0] for how, both in other.items()
        }
        assert one != other
        readings = {words(shortfall.reading_of(each)) for each in shortfall.settings()}
        assert set(one) == readings


def test_the_grids_hold_the_settings_of_the_tables():
    for shortfall in SHORTFALLS.values():
        assert shortfall.present in list(shortfall.settings())
        assert shortfall.paper > 0


def test_the_machine_of_the_tables_is_the_prior():
    cora = load_dataset("cora")
    rest = np.setdiff1d(np.arange(cora.nodes), cora.split.train)
    rows = svm_scores(cora, SVM.present, seed=0)[rest]
    assert np.allclose(rows, compute_prior("svm", cora, seed=0, cache=False)[rest], atol=1e-9)


def test_the_plain_recipe_is_our_training():
    dataset = small_directed()
    options = recommended("gcn", "backward", epochs=5)
    ours, plain = Training(dataset, options, 3), RecipeTraining(dataset, options, 3)
    by_rows = RecipeTraining(dataset, options, 3, normalisation="row sums")
    offsets = RecipeTraining(dataset, options, 3, recipe="offsets")
    for training in (ours, plain, by_rows, offsets):
        list(training.records())
    assert np.array_equal(plain.read("best"), ours.probabilities())
    assert np.allclose(by_rows.read("best"), ours.probabilities(), atol=1e-6)
    assert not np.allclose(offsets.read("best"), ours.probabilities(), atol=1e-3)
    assert np.allclose(offsets.read("last").sum(axis=1), 1)


def test_normalisations():
    one_way = small_directed().adjacency
    assert np.allclose(normalised(one_way, "rows alone").sum(axis=1), 1)
    paper = normalised(one_way, "row sums").toarray()
    assert np.allclose(paper, convolution_matrix(one_way).toarray())
    turned = normalised(sp.csr_array(one_way.T), "column sums").toarray()
    assert np.allclose(turned, paper.T)
    both_ways = sp.csr_array(one_way + one_way.T)
    kinds = ("row sums", "column sums", "row and column sums")
    first, *others = (normalised(both_ways, kind).toarray() for kind in kinds)
    assert all(np.allclose(first, other) for other in others)


def test_the_committed_report_is_made_of_the_committed_runs():
    attempts = Attempts(stored_path())
    readme = stored_path().with_name("README.md").read_text(encoding="utf-8")
    assert report.document(attempts) == readme
    raw = json.loads(stored_path().read_text(encoding="utf-8"))["runs"]
    for shortfall in SHORTFALLS.values():
        if missing(shortfall, attempts.runs):
            continue
        best = _best_by_hand(shortfall, raw)
        found = outcome(shortfall, attempts)
        assert found.validation == pytest.approx(best, abs=1e-9)
        assert f"{found.test:.1f}" in readme


def _best_by_hand(shortfall: Shortfall, raw: dict) -> float:
    """The highest mean validation accuracy over seeds of the search, read without our code."""
    grouped: dict[tuple[str, str], list[float]] = {}
    for key, read in raw.items():
        run, seed = key.rsplit("; seed ", 1)
        if key.startswith(f"{shortfall.key}: ") and int(seed) < shortfall.seeds:
            for how, (validation, _) in read.items():
                grouped.setdefault((run, how), []).append(100 * validation)
    return max(fmean(values) for values in grouped.values())


def test_a_number_that_falls_short_tells_of_the_attempt():
    places = {place: each for each in SHORTFALLS.values() for place in each.places}
    attempts, told = Attempts(stored_path()), set()
    for table in tables(Store()):
        for number in table.numbers:
            place = (number.table, number.row, number.head)
            text = attempt_of(number)
            if place not in places or (number.difference or 0) >= 0:
                assert text == ""
                continue
            if missing(places[place], attempts.runs):
                tests = [100 * run["prior"]["test"] for run in number.result["runs"]]
                reached = sum(round(test, 1) >= number.paper for test in tests)
                assert f"; {reached} of {len(tests)} seeds reach the paper's" in text
                assert text.startswith(f"The gap of {-number.difference:.1f} points is ")
            else:
                runs = report.runs_of(number, places[place])
                assert text == report.sentences(outcome(places[place], attempts, runs))
                assert text not in note_of(number)
            told.add(place)
    assert told == set(places)


def test_an_unknown_number_is_refused(capsys):
    assert main(["attempts", "nobody"]) == 2
    assert "svm-cora" in capsys.readouterr().err
