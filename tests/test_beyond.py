"""Table 6 and the guard: only whole numbers are shown, and test nodes choose nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp
from scipy.stats import ttest_rel

from gdr_core.datasets import load_dataset
from gdr_core.figures.trust import gain_over_homophily
from gdr_core.gdr.trust import Gain
from gdr_core.neural import TrainingOptions, recommended
from gdr_core.priors import PRIORS
from gdr_tools.beyond import guard, report, run, table
from gdr_tools.beyond.dgc import dgc, stopped_early
from gdr_tools.beyond.methods import METHODS
from gdr_tools.beyond.run import SEEDS, Cell, Store, cells, run_cell
from gdr_tools.cli import main


def made(dataset: str, method: str, test: float, validation: float, seed: int = 0) -> dict:
    """Runs of a method on all splits of a dataset, spread around an accuracy."""
    generator = np.random.default_rng(seed)
    return {
        cell.key: {
            "test": test + 0.01 * generator.standard_normal(),
            "validation": validation,
            "seconds": 2.0,
        }
        for cell in cells([dataset], [method])
    }


def column(results: dict, dataset: str = "cora", kind: str = "random") -> table.Column:
    found = table.columns(results)
    return next(one for one in found if (one.dataset, one.kind) == (dataset, kind))


def test_a_number_with_a_run_missing_is_not_shown():
    results = made("cora", "sgc", 0.8, 0.8)
    assert len(column(results).entries["sgc"].test) == SEEDS
    results.pop("cora/random-3/sgc/3")
    assert "sgc" not in column(results).entries
    assert "sgc" in column(results, kind="public").entries
    assert set(table.complete(results)) == {"cora/public/sgc/0"}


def test_validation_nodes_say_which_method_others_are_compared_with():
    results = made("cora", "heat-linear", 0.7, 0.9) | made("cora", "linear-gdr", 0.9, 0.7)
    results |= made("cora", "gcn", 0.99, 0.99)
    assert column(results).best.method == "heat-linear"


def test_differences_are_paired_as_by_scipy():
    results = made("cora", "heat-linear", 0.8, 0.9) | made("cora", "gcn", 0.78, 0.7, seed=1)
    found = column(results)
    theirs = ttest_rel(found.entries["gcn"].test, found.entries["heat-linear"].test)
    low, high = theirs.confidence_interval(0.95)
    gap = found.difference("gcn")
    assert (gap.low, gap.high) == (
        pytest.approx(100 * low, abs=0.01),
        pytest.approx(100 * high, abs=0.01),
    )
    assert found.difference("heat-linear") is None
    assert column(results, kind="public").difference("gcn") is None


def test_sentences_tell_ahead_from_behind_and_what_was_not_run():
    results = made("cora", "heat-linear", 0.8, 0.9) | made("cora", "gcn", 0.7, 0.7, 1)
    results |= made("cora", "sgc", 0.9, 0.7, 2) | made("cora", "dgc", 0.8, 0.7)
    sentence = table.standing([column(results)])[0]
    assert "ahead of GCN" in sentence
    assert "behind SGC" in sentence
    assert "not told apart from DGC's recipe" in sentence
    assert "not compared with APPNP, linear → Correct and Smooth, which were not run" in sentence


def test_a_mean_of_five_takes_the_seconds_of_five():
    results = made("cora", "heat-net", 0.8, 0.8) | made("cora", "heat-net-mean", 0.8, 0.8)
    found = column(results, kind="public")
    assert found.entries["heat-net-mean"].seconds == 5 * found.entries["heat-net"].seconds
    assert len(found.entries["heat-net-mean"].test) == 2


def test_the_store_keeps_what_others_have_kept(tmp_path):
    one, other = Store(tmp_path / "cells.json"), Store(tmp_path / "cells.json")
    one.put("a", {"test": 1.0})
    other.put("b", {"test": 2.0})
    assert Store(tmp_path / "cells.json").results == {"a": {"test": 1.0}, "b": {"test": 2.0}}
    assert "gdr_core" in json.loads((tmp_path / "cells.json").read_text())["versions"]


def _keep(path: str, who: int) -> None:
    store = Store(Path(path))
    for k in range(12):
        store.put(f"{who}-{k}", {"test": 1.0})


@pytest.mark.skipif(find_spec("fcntl") is None, reason="this system has no locks of folders")
def test_processes_that_share_a_file_lose_nothing(tmp_path):
    path = str(tmp_path / "cells.json")
    context = get_context("fork")
    workers = [context.Process(target=_keep, args=(path, who)) for who in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert len(Store(Path(path)).results) == 48
    assert [one.name for one in tmp_path.iterdir()] == ["cells.json"]


def test_a_spread_is_told_of_three_runs_and_more():
    results = made("cora", "heat-net", 0.8, 0.8) | made("cora", "heat-net-mean", 0.9, 0.9)
    results |= made("cora", "sgc", 0.8, 0.7)
    text = report.accuracies(table.columns(results), "public")
    rows = {line.split(" | ")[0].strip("| "): line for line in text.splitlines()}
    assert re.search(r"\| \*\*\d\d\.\d \(of 2\)\*\* \|", rows["mean of five heat-nets"])
    assert re.search(r"\| \d\d\.\d ± \d\.\d \|", rows["heat-net"])
    assert re.search(r"\| \d\d\.\d \|", rows["SGC"])


def test_methods_that_were_not_run_are_named():
    found = table.columns(made("cora", "heat-linear", 0.8, 0.9))
    told = report.missing(found, "random")
    assert "DeepWalk" in told
    assert "citeseer" in told
    assert "heat-linear" not in told
    assert "cora" not in told


def test_the_lead_over_dgc_is_told_with_what_its_authors_report():
    results = made("cora", "dgc", 0.8, 0.7)
    mean = column(results, kind="public").entries["dgc"].mean
    (remark,) = report.remarks(table.columns(results))
    assert f"reaches {mean:.1f} %" in remark
    assert "83.3 %" in remark
    assert report.remarks(table.columns({})) == []


def test_the_sampling_error_of_public_splits_is_told():
    results = made("pubmed", "heat-linear", 0.8, 0.8) | made("pubmed", "gcn", 0.9, 0.7)
    mean = column(results, "pubmed", "public").entries["heat-linear"].mean
    (remark,) = report.remarks(table.columns(results))
    error = 100 * np.sqrt(mean / 100 * (1 - mean / 100) / 1000)
    assert f"{error:.1f} points for {mean:.1f} % on Pubmed. " in remark


@pytest.mark.parametrize("name", run.CITATIONS)
def test_public_splits_have_so_many_test_nodes(name):
    assert load_dataset(name).split.test.size == report.PUBLIC_TEST_NODES


@pytest.mark.parametrize(
    "method", [name for name, one in METHODS.items() if one.family == "library"]
)
def test_peers_of_other_libraries_run(method):
    found = run_cell(Cell("karate", "teaching", method, 0))
    assert 0 <= found["test"] <= 1


def test_committed_results_are_whole_and_the_tables_are_made_of_them():
    results = table.stored()
    assert table.complete(results) == results
    text = report.document(results, guard.stored())
    assert (table.FOLDER / "README.md").read_text(encoding="utf-8") == text
    for one in guard.stored()["levels"]:
        gain = Gain(*(one["guarded"][name] for name in ("nodes", "fixed", "broken")))
        assert one["guarded"]["interval"] == pytest.approx(list(gain.interval))
        assert one["guarded"]["worse"] == gain.worse


WORDS = {
    "hidden": "hidden units",
    "self_loops": "self-loops",
    "time_learning_rate": "fixed time",
    "warmup": "warm-up",
    "learning_rate": "learning rate",
    "weight_decay": "weight decay",
}


@pytest.mark.parametrize("model", ["heat-net", "semi-embedding"])
def test_what_no_grid_had_is_said_to_be_set_without_one(model):
    """Every option that is not the usual one and that no committed search of the graph tried."""
    searches = json.loads((table.FOLDER / "tuning.json").read_text(encoding="utf-8")).values()
    told = report.ABOUT[report.ABOUT.index("Set without a grid") :]
    told = " ".join(told[: told.index("These settings")].split())
    usual, checked = TrainingOptions(model=model), set()
    for dataset in {one["dataset"] for one in searches if one["prior"] == model}:
        tried = {
            axis
            for one in searches
            if (one["prior"], one["dataset"]) == (model, dataset)
            for axis in one["axes"]
        }
        taken = recommended(model, dataset=dataset)
        for name, value in taken.as_dict().items():
            if value != getattr(usual, name) and name not in tried:
                assert WORDS.get(name, name) in told, (name, dataset)
                checked.add(name)
    assert checked


def test_searches_with_recorded_options_come_out_the_same_today():
    """Options that were recorded are those of today; of others the head of the file warns."""
    path = table.FOLDER / "tuning.json"
    for found in json.loads(path.read_text(encoding="utf-8")).values():
        if not found["others"]:
            continue
        spec = PRIORS[found["prior"]]
        today = spec.resolved(spec.checked({}), found["dataset"])
        for name, value in found["others"].items():
            assert today[name] == value, (found["prior"], found["dataset"], name)
    assert "`command` tries the same grid\nwith these options as they are today" in report.HEAD


def level(homophily: float, fixed: int, broken: int) -> dict:
    way = guard._pooled([Gain(500, fixed, broken)])
    return {
        "homophily": homophily,
        "prior": "linear",
        "draws": 1,
        "kept": 0,
        "plain": way,
        "guarded": way,
    }


def test_the_guard_says_where_it_failed():
    good = {"levels": [level(0.0, 5, 5), level(1.0, 90, 2)], "graphs": []}
    assert "the guarded method was never significantly worse" in guard.statement(good)
    bad = {"levels": [level(0.3, 2, 60)], "graphs": []}
    assert "was at homophily 0.3 significantly worse" in guard.statement(bad)
    assert "**worse**" in guard.table(bad)
    assert guard.statement({"levels": [], "graphs": []}) == "The guard was not run."


def test_the_figure_draws_gains_in_points_with_their_intervals():
    found = {"levels": [level(0.5, 60, 10)], "graphs": [{**level(0.1, 3, 9), "dataset": "texas"}]}
    figure = gain_over_homophily(
        guard.gain_points(found, "plain"), guard.gain_points(found, "guarded")
    )
    models, graphs = figure.data[0], figure.data[1]
    low, high = Gain(500, 60, 10).interval
    assert models.y[0] == pytest.approx(10.0)
    assert models.y[0] + models.error_y.array[0] == pytest.approx(100 * high)
    assert models.y[0] - models.error_y.arrayminus[0] == pytest.approx(100 * low)
    assert graphs.text[0] == "texas"


def test_one_level_of_the_guard_keeps_the_prior_where_links_know_nothing():
    found = guard.run_level(0.25, draws=2)
    assert found["draws"] == 2
    assert found["guarded"]["worse"] is False
    assert found["kept"] == 2
    assert found["guarded"]["fixed"] == found["guarded"]["broken"] == 0


def test_the_guard_takes_another_prior(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(guard, "LEVELS", (0.9,))
    monkeypatch.setattr(run, "HETEROPHILOUS", ())
    asked, level = [], guard.run_level

    def run_level(homophily, prior):
        asked.append(prior)
        return level(homophily, prior, draws=1)

    monkeypatch.setattr(guard, "run_level", run_level)
    out = tmp_path / "guard.json"
    assert main(["beyond", "--guard", "--prior", "projection", "--out", str(out)]) == 0
    assert asked == ["projection"]
    assert json.loads(out.read_text())["levels"][0]["prior"] == "projection"
    assert "(prior: projection)" in capsys.readouterr().out
    assert main(["beyond", "--guard", "--prior", "magic", "--out", str(out)]) == 2
    assert "no prior 'magic'" in capsys.readouterr().err


def test_an_unknown_method_is_refused(capsys):
    assert main(["beyond", "--methods", "magic"]) == 2
    assert "table 6 has no 'magic'" in capsys.readouterr().err


def test_dgcs_regression_comes_to_the_minimum_of_its_loss():
    """SciPy's minimum of mean −log p + λ/2 (‖W‖² + ‖b‖²); Adam circles it."""
    generator = np.random.default_rng(0)
    labels = np.arange(30) % 3
    rows = np.eye(3)[labels] + 0.1 * generator.standard_normal((30, 3))

    def loss(w):
        scores = rows @ w[:9].reshape(3, 3) + w[9:]
        likely = scores[np.arange(30), labels] - logsumexp(scores, axis=1)
        return 0.005 * w @ w - likely.mean()

    least = minimize(loss, np.zeros(12)).fun
    few, early, late = (
        stopped_early(rows, labels, 3, 0.01, seed=0, steps=n) for n in (5, 100, 5000)
    )
    above = [loss(np.append(model.weights, model.offset)) - least for model in (few, early, late)]
    assert above[0] > 0.01
    assert all(-1e-6 < gap < 1e-3 for gap in above[1:]), above
    assert np.abs(early.weights - late.weights).max() > 1e-4


def test_dgc_reads_no_test_label():
    dataset = load_dataset("sbm")
    hidden = dataset.labels.copy()
    hidden[dataset.split.test] = (hidden[dataset.split.test] + 1) % dataset.classes
    found = [dgc(one, 0) for one in (dataset, replace(dataset, labels=hidden))]
    np.testing.assert_array_equal(*found)
