"""The Compare page over every dataset, and the figures of both pages."""

from __future__ import annotations

import base64
import csv
import io
import json
import re

import numpy as np
import pytest
import streamlit as st
from scipy.stats import binomtest
from streamlit.testing.v1 import AppTest

from gdr_app.compare.methods import COMPARISONS
from gdr_app.compare.texts import COMPARE_INTRODUCTIONS, OWN_T_MIN, PAPER_HIDDEN
from gdr_app.computing.kept import forget_everything
from gdr_app.computing.working import DONE_WITHOUT
from gdr_app.widgets.export import PYTHON_OPEN
from gdr_app.wording import plain
from gdr_core import datasets, laplacians, priors
from gdr_core.datasets import DatasetChoice
from gdr_core.explanation.agreement import agreement, labels_after, standings
from gdr_core.explanation.responses import KINDS, respond
from gdr_core.figures.compare import accuracy_gains, agreement_map, t_min_curves
from gdr_core.figures.overshoot import kinds_by_distance, overlaid_curves, with_gaps
from gdr_core.gdr import RULES, reclassify, with_rule
from gdr_core.gdr.onward import drawn, onward
from gdr_core.graphs.neighbourhood import neighbourhood
from gdr_core.method import Method
from gdr_tools.paper import published
from gdr_tools.paper.marks import printed
from gdr_tools.paper.store import FOLDER
from gdr_tools.studies.trials import RANDOM
from tests.visiting import assert_fine, open_app

pytestmark = pytest.mark.usefixtures("workers_end")
WITHOUT_DOWNLOAD = [name for name in datasets.names() if not datasets.spec_of(name).download]
CHEAP = [
    spec.name
    for spec in priors.PRIORS.values()
    if spec.cost == "instant" and spec.name != "external"
]


@pytest.fixture(scope="module")
def karate():
    data = datasets.load_dataset("karate")
    operator = laplacians.make_laplacian("combinatorial", data.undirected)
    return operator, reclassify(
        operator, priors.compute_prior("uniform", data), data.labels, data.split
    )


def charts(app) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_the_python_lines_give_the_numbers_of_every_method(comparison, capsys):
    app = open_app("5_Compare", dataset="karate", compare=comparison, test="shown", t_min="0.3")
    app.session_state[PYTHON_OPEN] = True
    app.run()
    assert_fine(app)
    exec(app.code[0].value, {})
    printed_numbers = sorted(
        float(word)
        for line in capsys.readouterr().out.splitlines()
        for word in line.split()
        if word.replace(".", "", 1).isdigit()
    )
    gains = charts(app)[0]["data"]
    drawn = [x for trace in gains for x in _numbers(trace["x"]) if trace.get("mode") == "markers"]
    assert len(printed_numbers) >= 4
    assert set(np.round(printed_numbers, 6)) <= set(np.round(drawn, 6))


def test_the_file_holds_every_method_that_is_compared(monkeypatch):
    files = {}

    def offered(label, data, **named):
        files[label] = data()

    monkeypatch.setattr(st, "download_button", offered)
    app = open_app("5_Compare", dataset="karate", compare="rules")
    assert_fine(app)
    rows = list(csv.DictReader(io.StringIO(files["Predictions as CSV"])))
    graph = datasets.load_dataset("karate")
    assert len(rows) == len(RULES) * graph.nodes
    assert {row["method"] for row in rows} == set(RULES)
    hidden = {row["node"] for row in rows if row["part"] == "test"}
    assert {row["truth"] for row in rows if row["node"] in hidden} == {""}


def _numbers(values) -> np.ndarray:
    """Plotly sends arrays packed."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return np.array([value for value in values if value is not None], dtype=float)


@pytest.mark.parametrize("name", WITHOUT_DOWNLOAD)
def test_the_page_shows_with_every_instant_prior(name):
    app = open_app("5_Compare", dataset=name, prior="uniform", compare="priors")
    assert_fine(app)
    if len(app.multiselect(key="priors").value) < 2:
        assert "at least two" in app.info[0].value
        app.multiselect(key="priors").set_value(["uniform", "label-propagation"]).run()
        assert_fine(app)
    assert len(app.get("plotly_chart")) == 4
    empty = sum(block.value == "No node." for block in app.main.markdown)
    lists = [frame for frame in app.dataframe if "True class" in frame.value]
    assert len(lists) == 2 - empty
    for prior in CHEAP[1:]:
        app.sidebar.selectbox(key="prior").set_value(prior).run()
        assert_fine(app)
        assert len(app.get("plotly_chart")) == 4


THREE = ["uniform", "projection", "projection-dot"]


def open_three(own: str = "uniform"):
    """Three methods, none of them computed yet."""
    forget_everything()
    app = AppTest.from_file("../app.py", default_timeout=30)
    app.switch_page("pages/5_Compare.py")
    app.query_params.update({"dataset": "cora", "prior": own, "priors": THREE})
    return app


def assert_left_out(app, name: str) -> None:
    assert not app.exception
    assert any(f"**{plain(name)}** is left out" in note.value for note in app.main.warning)
    assert charts(app)[0]["data"][1]["y"] == [other for other in THREE if other != name]


def test_a_cancelled_method_is_left_out_until_asked_for():
    app = open_three()
    choice = DatasetChoice("cora", "public")
    app.session_state[DONE_WITHOUT] = {Method(choice.concealed, "projection").prior_key}
    app.run()
    assert_left_out(app, "projection")
    next(button for button in app.button if "after all" in button.label).click().run()
    assert_fine(app)
    assert charts(app)[0]["data"][1]["y"] == THREE


@pytest.fixture
def impossible(monkeypatch) -> str:
    """A prior that cannot be computed."""
    compute = priors.compute_prior

    def fail_for_one(name, *given, **named):
        if name == "projection":
            raise ValueError("it does not fit")
        return compute(name, *given, **named)

    monkeypatch.setattr(priors, "compute_prior", fail_for_one)
    return "projection"


@pytest.mark.parametrize("own", ["uniform", "projection"])
def test_a_method_that_is_not_possible_is_left_out(impossible, own):
    app = open_three(own).run()
    assert "it does not fit" in app.error[0].value
    assert_left_out(app, impossible)


@pytest.mark.parametrize("comparison", ["rules", "Laplacians"])
def test_what_all_methods_need_is_refused_once(impossible, comparison):
    forget_everything()
    app = open_app("5_Compare", dataset="cora", prior=impossible, compare=comparison)
    assert not app.exception
    assert len(app.error) == 1
    assert not app.get("plotly_chart")


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_the_introduction_fits_what_is_compared(comparison):
    app = open_app("5_Compare", dataset="karate", prior="uniform", compare=comparison)
    shown = [block.value.strip() for block in app.main.markdown]
    assert COMPARE_INTRODUCTIONS[comparison].strip() in shown
    assert OWN_T_MIN.strip() in shown


@pytest.mark.parametrize("comparison", ["rules", "Laplacians"])
@pytest.mark.parametrize("name", ["karate", "directed-ring"])
def test_rules_and_laplacians_can_be_compared(name, comparison):
    app = open_app("5_Compare", dataset=name, prior="uniform", compare=comparison)
    assert_fine(app)
    shown = charts(app)[0]["data"][1]["y"]
    directed = datasets.load_dataset(name).directed
    assert set(shown) == set(RULES if comparison == "rules" else laplacians.fitting(directed))


def test_test_nodes_and_the_paper_are_hidden_until_revealed():
    app = open_app("5_Compare", dataset="cora")
    assert_fine(app)
    hidden = charts(app)[0]
    assert "validation" in hidden["layout"]["xaxis"]["title"]["text"]
    assert not any("paper" in trace.get("name", "") for trace in hidden["data"])
    assert PAPER_HIDDEN in [caption.value for caption in app.main.caption]
    app.toggle[0].set_value(True).run()
    assert_fine(app)
    assert PAPER_HIDDEN not in [caption.value for caption in app.main.caption]
    shown = charts(app)[0]
    assert "test" in shown["layout"]["xaxis"]["title"]["text"]
    marks = {trace["name"]: trace for trace in shown["data"] if "paper" in trace.get("name", "")}
    assert "projection" in marks["paper, after"]["y"]


def test_a_link_names_the_priors():
    app = open_app("5_Compare", dataset="karate", prior="uniform", compare="priors")
    app.multiselect(key="priors").set_value(["uniform", "label-propagation"]).run()
    assert_fine(app)
    app.session_state["visit"].put("node", "3")
    app.run()
    assert_fine(app)
    opinions = next(frame.value for frame in app.dataframe if "Before GDR" in frame.value)
    assert list(opinions["Method"]) == ["uniform", "label-propagation"]


# ---------------------------------------------------------------- the study


def study_of(app) -> str:
    """The figure, as SVG text."""
    found = [c.proto for c in app.get("bidi_component") if c.key == "study-figure"]
    return json.loads(found[0].json)["svg"]


def shown_means(app) -> dict[str, list[float]]:
    """Means before and after, in percent, as the label of the figure says them."""
    said = re.search(r'aria-label="[^:]*: ([^"]*)\."', study_of(app)).group(1)
    pairs = [re.fullmatch(r"(\S+) ([\d.]+)% to ([\d.]+)%", each) for each in said.split("; ")]
    return {pair[1]: [float(pair[2]), float(pair[3])] for pair in pairs}


def stored_mean(prior: str, part: str) -> list[float]:
    """The same from the file."""
    results = json.loads((FOLDER / "undirected.json").read_text())
    runs = results[f"cora/public/{prior}/undirected"]["runs"]
    return [100 * np.mean([run[when][part] for run in runs]) for when in ("prior", "overshoot")]


def test_the_page_opens_with_all_stored_priors_at_once():
    app = open_app("5_Compare", dataset="cora")
    assert_fine(app)
    for part in ("validation", "test"):
        means = shown_means(app)
        results = json.loads((FOLDER / "undirected.json").read_text())
        stored = [key.split("/")[2] for key in results if key.startswith("cora/public/")]
        assert len(stored) > 7
        for prior in stored:
            assert means[prior] == pytest.approx(stored_mean(prior, part), abs=0.0501)
        assert "stored, 10 seeds" in study_of(app)
        app.toggle[0].set_value(True).run()
        assert_fine(app)


def test_other_choices_than_the_stored_ones_are_not_called_stored():
    app = open_app("5_Compare", dataset="cora", laplacian="symmetric")
    assert_fine(app)
    assert "stored" not in study_of(app)
    assert set(shown_means(app)) == {"uniform", "projection", "projection-dot"}


def test_pairs_are_compared_on_the_nodes_that_may_be_seen():
    app = open_app("5_Compare", dataset="cora", priors="projection")
    app.multiselect(key="priors").set_value(["uniform", "projection"]).run()
    for part in ("validation", "test"):
        table = next(frame.value for frame in app.dataframe if "Won" in frame.value)
        labels = {
            name: Method.on("cora", prior=name).run().predictions()
            for name in ("projection", "uniform")
        }
        data = datasets.load_dataset("cora")
        members = getattr(data.split, part)
        right = {name: (found == data.labels)[members] for name, found in labels.items()}
        won = int((right["uniform"] & ~right["projection"]).sum())
        lost = int((right["projection"] & ~right["uniform"]).sum())
        assert table[["Method", "Won", "Lost"]].values.tolist() == [["uniform", won, lost]]
        assert table["p"].item() == pytest.approx(binomtest(won, won + lost).pvalue)
        app.toggle[0].set_value(True).run()


def test_splits_are_run_when_asked_and_compared_in_pairs():
    app = open_app("5_Compare", dataset="karate", prior="uniform", runs=RANDOM, times="2")
    assert_fine(app)
    assert "have not been made yet" in app.info[0].value
    app.button(key="run-study").click().run(timeout=120)
    assert_fine(app)
    assert "run here, 2 splits" in study_of(app)
    pairs = next(frame.value for frame in app.dataframe if "Runs" in frame.value)
    assert set(pairs["Runs"]) == {2}
    assert set(pairs["Method"]) == {"projection", "projection-dot"}


def test_a_link_with_unknown_priors_says_so_and_shows_the_others():
    app = AppTest.from_file("../app.py", default_timeout=30)
    app.switch_page("pages/5_Compare.py")
    app.query_params["dataset"] = "karate"
    app.query_params["priors"] = ["uniform", "oracle", "label-propagation"]
    app.run()
    assert_fine(app)
    assert any("“oracle”" in warning.value for warning in app.main.warning)
    assert set(app.multiselect(key="priors").value) == {"uniform", "label-propagation"}


def test_the_paper_s_numbers_stand_where_they_belong():
    for name, numbers in published.PRIORS.items():
        for column, dataset in enumerate(published.DATASETS):
            before, after = printed(dataset, "public", name)
            assert before == (None if numbers[column] is None else numbers[column] / 100)
            expected = published.GDR.get(name, (None,) * 4)[column]
            assert after == (None if expected is None else expected / 100)
    assert printed("cora", "random", "projection") == (None, None)
    assert printed("karate", "public", "projection") == (None, None)


def test_accuracies_are_drawn_where_they_are(karate):
    results = {rule: with_rule(karate[1], rule) for rule in RULES}
    rows = standings(results, "validation")
    figure = accuracy_gains(rows, "validation", {"peak": (0.4, None)})
    drawn = {trace.name: trace for trace in figure.data if trace.name}
    assert list(drawn["before GDR"].x) == [row.before for row in rows]
    assert list(drawn["after GDR"].x) == [row.after for row in rows]
    assert list(drawn["paper, before"].y) == ["peak"]
    assert "paper, after" not in drawn


def test_curves_carry_their_chosen_t_min(karate):
    results = {rule: with_rule(karate[1], rule) for rule in RULES}
    figure = t_min_curves(results, "validation")
    assert len(figure.data) == 2 * len(results)
    for place, result in enumerate(results.values()):
        line, mark = figure.data[2 * place : 2 * place + 2]
        np.testing.assert_array_equal(line.y, result.accuracy["validation"])
        assert mark.y[0] == result.accuracy["validation"][result.chosen]


def test_agreement_is_drawn_as_it_is(karate):
    results = {rule: with_rule(karate[1], rule) for rule in RULES}
    matrix = agreement(labels_after(results))
    np.testing.assert_array_equal(agreement_map(matrix, list(results), "After").data[0].z, matrix)


def test_many_nodes_are_few_traces(karate):
    operator, result = karate
    shown = drawn(result, onward(operator, result), np.arange(10))
    figure = overlaid_curves(result, np.arange(10), 50, ["Mr. Hi", "Officer"], shown)
    assert len(figure.data) == 4
    curve = result.trajectories.values(np.array([0]))[:, 0, 0]
    np.testing.assert_allclose(np.array(figure.data[1].y)[: curve.size], curve, atol=1e-12)


def test_gaps_keep_curves_apart():
    x, y = with_gaps(np.array([1.0, 2.0]), np.array([[1.0, 3.0], [2.0, 4.0]]))
    np.testing.assert_array_equal(x, [1, 2, np.nan, 1, 2, np.nan])
    np.testing.assert_array_equal(y, [1, 2, np.nan, 3, 4, np.nan])


def test_responses_are_counted_by_distance(karate):
    operator, result = karate
    found = respond(
        operator, neighbourhood(datasets.load_dataset("karate").undirected, 11, 3), result.times
    )
    figure = kinds_by_distance(found)
    total = sum(np.array(trace.y) for trace in figure.data)
    np.testing.assert_array_equal(total, np.bincount(found.distances)[1:])
    for trace in figure.data:
        assert sum(trace.y) == (found.kinds == KINDS.index(trace.name)).sum()
