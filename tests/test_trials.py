"""Studies of several runs: intervals and tests against scipy.stats, trials against plain counts."""

from __future__ import annotations

import csv
import io
import math
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t, ttest_1samp, ttest_rel

from gdr_core import datasets
from gdr_core.datasets.hiding import hide_test
from gdr_core.figures.study import Row, study_figure
from gdr_core.gdr.trials import (
    EVERY_CLASS,
    Trial,
    difference,
    mcnemar,
    mean_of,
    trials_csv,
    trials_of,
)
from gdr_core.method import Method
from gdr_tools.studies.trials import RANDOM, run_trials

SHARES = st.lists(st.integers(0, 1000).map(lambda n: n / 1000), min_size=2, max_size=12)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(won, lost):
    expected = binomtest(won, won + lost).pvalue if won + lost else 1.0
    assert mcnemar(won, lost) == pytest.approx(expected)
    assert mcnemar(won, lost) == mcnemar(lost, won)


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 3)


@given(SHARES)
def test_the_interval_is_student_s(values):
    found = mean_of(values)
    assert found.value == pytest.approx(np.mean(values))
    if np.ptp(values) > 1e-9:
        low, high = t.interval(0.95, len(values) - 1, np.mean(values), _error(values))
        assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
        assert found.chance == pytest.approx(ttest_1samp(values, 0).pvalue)
    else:
        assert found.low == pytest.approx(found.high)


def _error(values: list[float]) -> float:
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))


def test_one_run_has_no_interval_and_none_has_no_mean():
    one = mean_of([0.7])
    assert (one.value, one.runs) == (0.7, 1)
    assert math.isnan(one.low)
    assert math.isnan(mean_of([]).value)


def a_trial(method: str, seed: int, after: float) -> Trial:
    return Trial(method, "here", "random", seed, "test", EVERY_CLASS, 10, 0.5, after)


def test_differences_are_paired_by_split_and_seed():
    draw = np.random.default_rng(1)
    one, other = draw.random(6), draw.random(6)
    first = [a_trial("one", seed, value) for seed, value in enumerate(one)]
    second = [a_trial("other", seed, value) for seed, value in enumerate(other)]
    found = difference(first, list(reversed(second)))
    assert found.value == pytest.approx(np.mean(other - one))
    assert found.chance == pytest.approx(ttest_rel(other, one).pvalue)
    elsewhere = [replace(trial, split="public") for trial in second]
    assert difference(first, elsewhere).runs == 0


def test_trials_count_what_is_right():
    method = Method.on("karate", prior="uniform")
    data, result = method.load_dataset(), method.run()
    found = trials_of(result, data, method="uniform", source="here", seed=0)
    after = result.predictions()
    for trial in found:
        members = getattr(data.split, trial.part)
        if trial.group != EVERY_CLASS:
            k = data.class_names.index(trial.group)
            members = members[data.labels[members] == k]
        right = [after[node] == data.labels[node] for node in members]
        assert (trial.nodes, trial.after) == (len(right), pytest.approx(np.mean(right)))
    hidden = trials_of(result, hide_test(data), method="uniform", source="here", seed=0)
    assert {trial.part for trial in hidden} == {"validation"}


def test_a_worker_s_trials_are_those_of_single_runs():
    asked = {
        "dataset": "karate",
        "load": {"split": "teaching", "seed": 0},
        "kind": RANDOM,
        "count": 2,
        "method": {"prior": "uniform", "rule": "peak", "laplacian": "symmetric"},
    }
    rows = run_trials(asked, lambda share, text: None)["rows"]
    for seed in (0, 1):
        data = datasets.load_dataset("karate", split="random", seed=seed)
        result = Method.on(data, prior="uniform", rule="peak", laplacian="symmetric").run()
        expected = (result.predictions() == data.labels)[data.split.test].mean()
        mine = [r for r in rows if (r["seed"], r["part"], r["group"]) == (seed, "test", "all")]
        assert [row["after"] for row in mine] == [pytest.approx(expected)]


def test_the_table_has_one_row_a_trial_and_the_figure_one_a_method():
    trials = [a_trial("one", 0, 0.75), a_trial("=other", 1, 0.5)]
    rows = list(csv.DictReader(io.StringIO(trials_csv(trials))))
    assert [float(row["gain"]) for row in rows] == [0.25, 0.0]
    assert rows[1]["method"] != "=other", "no spreadsheet takes it for a formula"
    lines = [
        Row("one & more", "stored, 2 seeds", mean_of([0.5, 0.6]), mean_of([0.7, 0.8])),
        Row("other", "run here, 1 seed", mean_of([0.4]), mean_of([0.4])),
    ]
    picture = ET.fromstring(study_figure(lines, "validation"))
    discs = [part for part in picture.iter() if part.tag.endswith("circle")]
    assert len(discs) == 2 + 2 * len(lines)
    places = {float(d[0].text.split(": ")[1][:-1]): float(d.get("cx")) for d in discs[2:]}
    ordered = sorted(places)
    assert [places[value] for value in ordered] == sorted(places.values())
