"""The search for settings: judged on validation nodes alone, together with their neighbours."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from shlex import split

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.metrics import log_loss
from test_priors_contract import small, with_labels

import gdr_core
from gdr_core.datasets import Split, load_dataset
from gdr_core.priors import PRIORS, compute_prior
from gdr_core.priors.calibration import calibrate
from gdr_core.priors.linear.settings import FOR_DATASETS, USUAL
from gdr_tools.beyond.methods import CORRECT_AND_SMOOTH
from gdr_tools.cli import main
from gdr_tools.tuning import GRIDS, search
from gdr_tools.tuning.search import best_place, smoothed

SEARCHES = "data/results/beyond/tuning.json"
GRID = {
    "features": ("raw", "unit-rows"),
    "time": (0.5, 1.0, 2.0),
    "penalty": (0.001, 0.01),
}


def with_more_validation(nodes: int = 90):
    dataset = small(nodes=nodes, spread=4.0)
    return dataset.with_split(Split(np.arange(12), np.arange(12, 60), np.arange(60, nodes), "made"))


def test_smoothing_is_the_mean_over_neighbours_on_axes_of_numbers():
    values = np.random.default_rng(0).random((2, 4, 3))
    found = smoothed(values, [1, 2])
    for a, i, j in product(range(2), range(4), range(3)):
        around = values[a, max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]
        assert found[a, i, j] == pytest.approx(around.mean())


def test_a_lone_good_setting_is_not_chosen():
    loss = np.full((1, 7), 1.0)
    loss[0, 1], loss[0, 4:7] = 0.5, 0.7
    axes = {"features": ("raw",), "time": tuple(range(7))}
    assert best_place(loss, axes) == (0, 5)


@pytest.mark.parametrize("loss", [[0.868, 0.855, 0.963], [0.6, 0.5, 0.9], [0.9, 0.5, 0.6]])
def test_of_three_values_the_middle_one_can_be_chosen(loss):
    axes = {"features": ("raw", "tf-idf"), "margin": (0.32, 1.0, 3.2)}
    both = np.array([loss, loss]) + np.array([[0.1], [0.0]])
    assert best_place(both, axes) == (1, 1)


def test_search_judges_by_the_calibrated_log_loss_of_validation_nodes():
    dataset = with_more_validation()
    found = search("heat-linear", dataset, GRID)
    prior = compute_prior("heat-linear", dataset, features="raw", time=2.0, penalty=0.01)
    nodes = dataset.split.validation
    logs = np.log(prior[nodes])

    def loss(bend: float) -> float:
        answers = np.exp(logs * np.exp(bend))
        answers /= answers.sum(axis=1, keepdims=True)
        return log_loss(dataset.labels[nodes], answers)

    expected = minimize_scalar(loss, bounds=(-6, 6), method="bounded").fun
    assert found.loss[0, 2, 1] == pytest.approx(expected, abs=1e-6)
    right = (prior[nodes].argmax(axis=1) == dataset.labels[nodes]).mean()
    assert found.accuracy[0, 2, 1] == pytest.approx(right)


def test_test_labels_do_not_change_the_search():
    dataset = with_more_validation()
    other = with_labels(dataset, dataset.split.test)
    one, two = search("heat-linear", dataset, GRID), search("heat-linear", other, GRID)
    np.testing.assert_array_equal(one.loss, two.loss)
    assert one.chosen == two.chosen


def test_too_few_validation_nodes_choose_nothing_and_say_so():
    dataset = small()
    found = search("linear", dataset, {"penalty": (0.1, 1.0)})
    assert found.chosen == {}
    assert "10 validation nodes are too few" in found.notes[0]
    assert np.isnan(found.loss).all()


def test_a_class_missing_in_validation_is_named():
    dataset = with_more_validation()
    nodes = dataset.split.validation
    kept = nodes[dataset.labels[nodes] != 2]
    lacking = dataset.with_split(Split(dataset.split.train, kept, dataset.split.test, "made"))
    found = search("linear", lacking, {"penalty": (0.1, 1.0)})
    assert found.chosen
    assert found.notes == ("no validation node is c: the choice knows nothing of such nodes",)


def test_too_few_nodes_leave_the_temperature_alone():
    dataset = small()
    prior = compute_prior("linear", dataset)
    assert calibrate(prior, dataset.labels, dataset.split.validation).temperature == 1.0
    nobody = calibrate(prior, dataset.labels, np.empty(0, dtype=int))
    assert not nobody.enough
    assert np.isnan(nobody.loss)


def test_calibration_keeps_labels_and_rows():
    dataset = with_more_validation()
    prior = compute_prior("linear", dataset)
    found = calibrate(prior, dataset.labels, dataset.split.validation)(prior)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_array_equal(found.argmax(axis=1), prior.argmax(axis=1))


def test_every_grid_and_every_recommendation_holds_settings_that_its_prior_takes():
    for prior, axes in GRIDS.items():
        for values in product(*axes.values()):
            PRIORS[prior].checked(dict(zip(axes, values, strict=True)))
    for (prior, _), settings in FOR_DATASETS.items():
        assert set(settings) == set(USUAL[prior]) == set(GRIDS[prior])
        assert all(value in GRIDS[prior][name] for name, value in settings.items())


def test_command(capsys):
    assert main(["tune", "linear", "--dataset", "sbm", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["prior"] == "linear"
    assert np.shape(report["loss"]) == tuple(len(v) for v in report["axes"].values())
    assert set(report["chosen"]) == {"features", "penalty"}
    assert report["command"] == "python -m gdr_core tune linear --dataset sbm"
    assert report["others"] == {}
    assert main(["tune", "linear", "--dataset", "sbm"]) == 0
    assert "chosen" in capsys.readouterr().out
    assert main(["tune", "uniform"]) == 2
    assert "no settings to search for 'uniform'" in capsys.readouterr().err


@pytest.mark.parametrize("prior", GRIDS)
def test_where_nothing_can_be_chosen_the_usual_settings_are_told(prior, capsys):
    club = load_dataset("karate")
    assert club.split.validation.size == 16
    words = ["tune", prior, "--dataset", "karate", "--grid"]
    grid = json.dumps(GRIDS[prior])
    assert main([*words, grid]) == 0
    told = capsys.readouterr().out
    assert "16 validation nodes are too few" in told
    used = PRIORS[prior].resolved(PRIORS[prior].checked({}), "karate")
    for name in GRIDS[prior]:
        assert f"{name} {used[name]}" in told.splitlines()[-1]
    assert main([*words, grid, "--json"]) == 0
    report = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)  # NaN is no JSON
    assert report["chosen"] == {}
    assert set(np.ravel(report["loss"])) == {None}


def test_a_grid_of_ones_own(capsys):
    asked = ["tune", "linear", "--dataset", "sbm", "--json", "--grid"]
    assert main([*asked, '{"penalty": [0.1, 1.0]}']) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["axes"] == {"penalty": [0.1, 1.0]}
    assert set(report["others"]) == {"features"}
    assert split(report["command"])[3:] == [*asked[:4], "--grid", '{"penalty": [0.1, 1.0]}']
    for grid, sentence in (
        ("{", "--grid is not JSON"),
        ("[1]", "--grid must name options with lists of values"),
        ('{"time": [1]}', "linear has no option time"),
        ('{"penalty": [-1]}', "penalty must"),
    ):
        assert main([*asked, grid]) == 2
        assert sentence in capsys.readouterr().err


def test_the_name_of_a_dataset_counts_where_settings_depend_on_it(tmp_path, monkeypatch):
    """The same numbers under another name: what was stored for one is not taken for the other."""
    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path))
    dataset = small(spread=2.0)
    plain = compute_prior("heat-linear", dataset)
    named = compute_prior("heat-linear", replace(dataset, name="cora"))
    assert np.abs(plain - named).max() > 1e-6


def test_recommended_settings_are_what_the_committed_search_found():
    """Each committed grid chooses, by today's rule, the settings that the library recommends."""
    committed = json.loads((Path(__file__).parents[1] / SEARCHES).read_text(encoding="utf-8"))
    for found in committed.values():
        axes = {name: tuple(values) for name, values in found["axes"].items()}
        place = best_place(np.array(found["loss"]), axes)
        chosen = {name: values[i] for (name, values), i in zip(axes.items(), place, strict=True)}
        assert found["chosen"] == chosen
        assert found["command"].startswith(f"python -m gdr_core tune {found['prior']} ")
        assert f"--dataset {found['dataset']}" in found["command"]
        assert not set(found["others"] or {}) & set(chosen)
        prior, dataset = found["prior"], found["dataset"]
        used = PRIORS[prior].resolved(PRIORS[prior].checked({}), dataset)
        if prior == "correct-and-smooth":  # a rival: what table 6 runs it with
            used |= CORRECT_AND_SMOOTH[dataset]
            assert len(chosen) == 3
        assert {name: used[name] for name in chosen} == chosen, (prior, dataset)


def test_a_search_that_was_stopped_goes_on_where_it_was(monkeypatch, capsys, tmp_path):
    module = import_module("gdr_tools.tuning.search")  # the package has a function of that name
    judged, asked = module.judged, []
    words = ["tune", "linear", "--dataset", "sbm", "--json", "--grid"]
    kept = ["--keep", str(tmp_path / "kept.json")]

    def stopping(prior, dataset, settings, seeds):
        asked.append(settings["penalty"])
        if len(asked) == 3:
            raise KeyboardInterrupt
        return judged(prior, dataset, settings, seeds)

    monkeypatch.setattr(module, "judged", stopping)
    with suppress(KeyboardInterrupt):
        main([*words, '{"penalty": [0.01, 0.1, 1, 10]}', *kept])
    capsys.readouterr()
    assert main([*words, '{"penalty": [0.01, 0.1, 1, 10]}', *kept]) == 0
    found = json.loads(capsys.readouterr().out)
    assert asked == [0.01, 0.1, 1, 1, 10]
    assert main([*words, '{"penalty": [0.01, 0.1, 1, 10]}']) == 0
    whole = json.loads(capsys.readouterr().out)
    assert found["loss"] == whole["loss"]
    assert found["accuracy"] == whole["accuracy"]
    assert found["chosen"] == whole["chosen"]


@pytest.mark.parametrize(
    "held", ["{}", "[1]", "no JSON", '{"cells": {"a": 1}}', '{"cells": {}, "notes": "mine"}']
)
def test_a_file_that_keeps_something_else_is_refused_and_left_as_it_is(capsys, tmp_path, held):
    file = tmp_path / "notes.json"
    file.write_text(held)
    words = ["tune", "linear", "--dataset", "sbm", "--grid", '{"penalty": [1]}']
    assert main([*words, "--keep", str(file)]) == 1
    [told] = capsys.readouterr().err.splitlines()
    assert str(file) in told
    assert "it is left as it is" in told
    assert file.read_text() == held


def test_where_judgements_are_kept_is_seen_to_before_the_first_is_made(
    monkeypatch, capsys, tmp_path
):
    module = import_module("gdr_tools.tuning.search")
    monkeypatch.setattr(module, "judged", lambda *given: pytest.fail("it was judged"))
    (tmp_path / "file").write_text("")
    words = ["tune", "linear", "--dataset", "sbm", "--grid", '{"penalty": [1]}', "--keep"]
    assert main([*words, str(tmp_path / "file" / "kept.json")]) == 1
    monkeypatch.undo()
    assert main([*words, str(tmp_path / "new" / "folder" / "kept.json")]) == 0
    assert (tmp_path / "new" / "folder" / "kept.json").exists()


@pytest.mark.parametrize("what", ["nothing", "revision", "version"])
def test_judgements_of_other_code_are_made_anew(monkeypatch, tmp_path, what):
    module = import_module("gdr_tools.tuning.search")
    judged, asked = module.judged, []

    def counted(*given):
        asked.append(given)
        return judged(*given)

    words = ["tune", "linear", "--dataset", "sbm", "--grid", '{"penalty": [1]}']
    monkeypatch.setattr(module, "judged", counted)
    for changed in (False, True):
        if changed and what == "revision":
            monkeypatch.setitem(PRIORS, "linear", replace(PRIORS["linear"], revision=99))
        elif changed and what == "version":
            monkeypatch.setattr(gdr_core, "__version__", "99")
        assert main([*words, "--keep", str(tmp_path / "kept.json")]) == 0
    assert len(asked) == (1 if what == "nothing" else 2)
