"""The Relabel page and what the explorer pages share, run without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from gdr_app.computing.kept import forget_everything
from gdr_app.computing.store import Store
from gdr_app.computing.working import CANCELLED
from gdr_app.relabel.below import PARTS
from gdr_app.relabel.ledger import MARGIN_HELP, PEAK_HELP
from gdr_app.widgets.export import PYTHON_OPEN, python_for
from gdr_core import datasets, priors
from gdr_core.datasets import DatasetChoice
from gdr_core.datasets.hiding import hide_test, truth_codes, truth_names
from gdr_core.explanation.contributions import explain
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.gdr.course import courses
from gdr_core.gdr.predictions import predictions_csv
from gdr_core.laplacians import make_laplacian
from gdr_core.method import Method
from gdr_core.priors import PRIORS
from gdr_core.progress import Cancelled
from tests.bars import bar_of
from tests.visiting import BACKWARD, assert_fine, open_app

EMBEDDED = [name for name in datasets.names() if not datasets.spec_of(name).download]
CHEAP = [
    spec.name for spec in PRIORS.values() if spec.cost == "instant" and spec.name != "external"
]
SECONDS = [spec.name for spec in PRIORS.values() if spec.cost == "seconds"]


def open_page(page: str = "4_Relabel", **query: str) -> AppTest:
    """Like a link: the parameters are there before anything runs."""
    return open_app(page, **query)


def with_python(app: AppTest) -> AppTest:
    """The page with "Python for this view" opened."""
    app.session_state[PYTHON_OPEN] = True
    return app.run()


LEDGER = {"below": "relabelled nodes"}


def shown_text(app: AppTest) -> str:
    return " ".join(block.value for block in app.markdown)


def computed(name: str, prior: str = "projection", **options: Any):
    """What the library finds without the classes of the test nodes."""
    dataset = hide_test(datasets.load_dataset(name))
    laplacian = make_laplacian("combinatorial", dataset.undirected)
    chosen = GDROptions(**options)
    found = priors.compute_prior(prior, dataset)
    return dataset, reclassify(laplacian, found, dataset.labels, dataset.split, chosen)


@pytest.mark.parametrize("name", EMBEDDED)
def test_relabel_shows_every_dataset_with_every_instant_prior(name):
    app = open_page(dataset=name)
    assert_fine(app)
    for prior in CHEAP:
        app.sidebar.selectbox(key="prior").set_value(prior).run()
        assert_fine(app)
        assert {"Relabelled", "Fixed", "Broken", "Still wrong"} <= set(bar_of(app).numbers)


@pytest.mark.parametrize("prior", SECONDS)
def test_relabel_shows_the_priors_that_take_seconds(prior):
    app = open_page(dataset="karate", prior=prior)
    assert_fine(app)
    assert app.sidebar.selectbox(key="prior").value == prior


def test_the_numbers_and_the_line_tell_what_the_library_finds():
    app = open_page(dataset="cora", t_min="0.05", **LEDGER)
    assert_fine(app)
    _, result = computed("cora")
    index = result.index(0.05)
    changes = result.changes(index)
    shown = bar_of(app).numbers
    assert shown["Relabelled"] == f"{result.scan.relabelled[index]:,}"
    assert shown["Fixed"] == f"{changes.fixed.sum():,}"
    assert shown["Broken"] == f"{changes.broken.sum():,}"
    line = app.sidebar.markdown[-1].value
    before, after = result.prior_accuracy["validation"], result.accuracy["validation"][index]
    assert f"{before:.1%} → {after:.1%}" in line
    found = result.at(index).ledger
    shown = app.dataframe[-1].value
    graph = hide_test(datasets.load_dataset("cora"))
    assert shown["Node"].tolist() == [graph.node_names[node] for node in found.nodes]
    truth = truth_codes(graph)[found.nodes]
    columns = {"True class": truth, "Prior": found.prior, "GDR": found.predicted}
    for column, labels in columns.items():
        named = [truth_names(graph.class_names)[label].replace("_", " ") for label in labels]
        assert shown[column].tolist() == named
    np.testing.assert_allclose(shown["Margin"], result.margin(index, found.nodes), atol=1e-7)


@pytest.mark.parametrize("name", ["star", "cora", "two-moons", "karate"])
def test_the_example_says_what_makes_it_one(name):
    app = open_page(dataset=name)
    assert_fine(app)
    text = shown_text(app)
    dataset, result = computed(name)
    said = re.search(r"\*\*Node ([^*]+)\*\*", text)[1]
    node = dataset.node_names.index(said)
    moved = result.predictions() != result.prior_labels
    label = result.predictions()[node]
    if "rises above π after t_min" in text:
        course = courses(result, node).of(label)
        assert moved[node]
        assert course.returns
        assert course.peak - max(course.now, course.start, course.compared, course.end) > 0.02
    elif "seen from t = 0 on" in text:
        assert moved[node]
        assert courses(result, node, 0).of(label).returns
    elif "of the nodes that change their label" in text:
        assert result.margin()[node] == pytest.approx(result.margin()[moved].max())
    else:
        assert not moved.any()


def test_the_introduction_counts_what_changes():
    _, result = computed("cora")
    text = shown_text(open_page(dataset="cora")).replace("\n", " ")
    counts = result.scan.relabelled
    assert counts[0] > 500  # at t_min = 0 nodes do not just repeat their classifier
    assert f"at {counts[0]:,} nodes for t_min = 0" in text
    assert f"at {counts[result.chosen]:,} for the t_min that GDR chose" in text
    assert f"at {counts[-1]:,} at the end of the time window" in text


@pytest.mark.parametrize("page", ["3_Overshoot", "4_Relabel"])
def test_a_chosen_t_min_at_the_edge_is_said_and_a_longer_window_offered(page):
    app = open_page(page, dataset="karate")
    assert_fine(app)
    text = shown_text(app)
    assert "lies at the end" not in text  # it does not: it is 0.911 of 1
    assert re.search(
        r"The chosen t_min, 0\.911, is so close to the end of the time window, t = 1, that times "
        r"after it could not be compared",
        text,
    )
    app.button(key="longer-window").click().run()
    assert_fine(app)
    assert next(b for b in app.sidebar.selectbox if b.label == "Window to").value == "3"
    app = open_page(page, dataset="cora")
    assert "end of the time window, t =" not in shown_text(app)


def test_the_filter_of_the_ledger_is_in_the_link_and_outlives_a_t_min_without_such_nodes():
    app = open_page(dataset="ring-of-cliques", outcomes="broken", t_min="0.5", **LEDGER)
    assert_fine(app)
    assert set(app.dataframe[-1].value["Outcome"]) == {"broken"}
    app.session_state["visit"].put("t_min", "0")
    app.run()
    assert app.dataframe[-1].value.empty
    app.session_state["visit"].put("t_min", "0.5")
    app.run()
    assert set(app.dataframe[-1].value["Outcome"]) == {"broken"}
    unknown = open_page(dataset="cora", outcomes="lost")
    assert "“lost” under **Show only**" in unknown.warning[0].value


def test_a_deep_link_opens_exactly_that_view():
    query = {
        **BACKWARD,
        "stationary": "component",
        "tolerance": "1e-6",
        "from": "0.001",
        "to": "10",
        "test": "shown",
    }
    app = open_page(**query)
    assert_fine(app)
    assert not app.warning
    picked = {box.key: box.value for box in app.sidebar.selectbox}
    for key in set(query) - {"t_min", "node", "test"}:
        assert picked[key] == query[key]
    assert float(bar_of(app).t_min) == pytest.approx(0.25, rel=0.05)
    assert app.session_state["visit"].get("node") == "35"
    assert "**Node 35**" in shown_text(app)
    assert "test" in bar_of(app).lines


def test_test_accuracy_is_hidden_until_it_is_asked_for():
    app = open_page(dataset="karate")
    assert "test" not in bar_of(app).lines
    assert "validation" in app.sidebar.markdown[-1].value
    app.toggle[0].set_value(True).run()
    assert_fine(app)
    assert "test" in bar_of(app).lines
    assert "on test nodes" in app.sidebar.markdown[-1].value


def test_moving_t_min_moves_the_bar_and_forgetting_it_goes_back():
    app = open_page(dataset="cora")
    first = bar_of(app)
    app.session_state["visit"].put("t_min", first.head["names"][-1])
    app.run()
    assert_fine(app)
    last = bar_of(app)
    assert last.index == last.head["times"] - 1
    assert last.numbers["Relabelled"] != first.numbers["Relabelled"]
    app.session_state["visit"].put("t_min", None)
    app.run()
    assert bar_of(app).index == first.index == first.head["chosen"]


@pytest.mark.parametrize("below", PARTS)
def test_each_part_below_the_graph_is_in_the_link(below):
    app = open_page(dataset="karate", below=below)
    assert_fine(app)
    default = next(iter(PARTS))
    assert app.session_state["visit"].get("below") == (None if below == default else below)


def test_a_part_that_is_none_is_said_and_the_first_is_shown():
    app = open_page(dataset="karate", below="the moon")
    assert_fine(app)
    assert "“the moon” under **Below the graph**" in app.warning[0].value


@pytest.mark.parametrize("asked", ["99", "-1", "soon"])
def test_a_t_min_outside_the_window_opens_the_chosen_one_and_says_so(asked):
    app = open_page(dataset="karate", t_min=asked)
    assert_fine(app)
    assert any("time window" in warning.value for warning in app.warning)


@pytest.mark.parametrize(
    ("key", "asked"), [("prior", "oracle"), ("laplacian", "directed"), ("rule", "none")]
)
def test_an_unknown_choice_in_a_link_opens_the_default_and_says_so(key, asked):
    app = open_page(dataset="karate", **{key: asked})
    assert_fine(app)
    assert any(asked in warning.value for warning in app.sidebar.warning)


def test_t_min_survives_a_change_of_page():
    app = open_page(t_min="0.02")
    app.switch_page("pages/2_Prior.py").run()
    assert_fine(app)
    assert "t_min 0.020" in app.sidebar.markdown[-1].value


def test_the_card_tells_sources_and_runner_up():
    app = open_page(dataset="cora", node="1061127")
    assert_fine(app)
    text = shown_text(app)
    assert "**Runner-up**" in text
    assert "**As t_min grows**" in text or "**For every t_min**" in text
    assert "**How it is decided**: by the rule *overshoot*" in text
    table = next(part.proto.body for part in app.get("html") if "gdr-sources" in part.proto.body)
    rows = [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr><td>.*?</tr>", table)]
    shares = [float(share.rstrip("%")) for _, share, *_ in rows]
    assert 1 <= len(rows) <= 10
    assert (np.diff(shares) <= 0).all()
    assert any(label.startswith("★") for *_, label in rows)


def test_the_card_s_sources_are_those_of_the_library():
    app = open_page(dataset="cora", node="1061127", t_min="0.02")
    dataset, result = computed("cora")
    node, index = dataset.node_names.index("1061127"), result.index(0.02)
    found = explain(
        make_laplacian("combinatorial", dataset.undirected), result, node, t_min_index=index
    )
    share = found.shares()[found.largest(1)[0]]
    table = next(part.proto.body for part in app.get("html") if "gdr-sources" in part.proto.body)
    assert f"<td>{dataset.node_names[found.largest(1)[0]]}</td><td>{share:.1%}</td>" in table
    assert f"p = {found.score:.3g} at t" in shown_text(app)


def test_a_row_of_the_ledger_chooses_its_node():
    app = open_page(dataset="karate", **LEDGER)
    name = app.dataframe[-1].value["Node"].iloc[1]
    app.session_state["ledger"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    app.session_state["visit"].put("node", name)
    app.run()
    assert_fine(app)
    assert app.session_state["ledger"]["selection"]["rows"] == [1]
    assert f"**Node {name.split(' ')[0]}" in shown_text(app).replace("\\", "")


def test_a_missing_dataset_explains_itself(monkeypatch, tmp_path):
    monkeypatch.delenv("GDR_DATA_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget_everything()
    app = open_page(dataset="wikipedia")
    assert not app.exception
    assert "not on this machine" in app.warning[0].value
    forget_everything()


VIEWS = [
    Method(DatasetChoice("cora", "random", seed=3), "projection", "random-walk", rule="peak"),
    Method(DatasetChoice("cora-directed", "public"), "uniform", "directed", "backward", last=10.0),
    Method(
        DatasetChoice("sbm", "random", 2, (("nodes", 120), ("homophily", 0.6))),
        "random-forest",
        "combinatorial",
        stationary="component",
    ),
]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.dataset.name)
def test_the_python_lines_give_the_numbers_of_the_page(view, capsys):
    app = with_python(open_page(**view.to_link(), t_min="0.04"))
    assert_fine(app)
    names: dict[str, Any] = {}
    exec(app.code[0].value, names)
    result, index = names["result"], names["now"].t_min_index
    assert bar_of(app).numbers["Relabelled"] == f"{result.scan.relabelled[index]:,}"
    before, after = result.prior_accuracy["validation"], result.accuracy["validation"][index]
    assert f"{before:.1%} → {after:.1%}" in app.sidebar.markdown[-1].value
    assert f"{result.scan.relabelled[index]} nodes relabelled" in capsys.readouterr().out
    lines = python_for(view, float(result.relative_times[index]))
    assert lines.strip() == app.code[0].value.strip()


def test_the_download_is_what_the_library_writes():
    app = open_page(dataset="karate")
    assert_fine(app)
    button = next(b for b in app.get("download_button") if "CSV" in b.proto.label)
    assert button.proto.label == "Predictions as CSV"
    dataset, result = computed("karate")
    text = predictions_csv(dataset, result.at())
    assert text.count("\n") == dataset.nodes + 1


# ---------------------------------------------------------------- the store and its progress


def never() -> None:
    raise AssertionError("nobody else computes")


def test_a_store_computes_once_and_forgets_the_oldest():
    store: Store[bytes] = Store(10, len)
    asked: list[str] = []

    def make_of(key: str) -> Callable[[], bytes]:
        return lambda: asked.append(key) or b"1234"

    for key in "aababc":
        store.fetch(key, make_of(key), never)
    assert asked == ["a", "b", "c"]
    assert store.get("a") is None
    assert store.get("b") == store.get("c") == b"1234"


def test_a_value_larger_than_the_budget_is_still_given():
    store: Store[bytes] = Store(2, len)
    assert store.fetch("a", lambda: b"123", never) == b"123"
    assert store.get("a") == b"123"


def test_a_cancelled_computation_leaves_nothing_behind():
    store: Store[bytes] = Store(10, len)

    def stop() -> bytes:
        raise Cancelled

    with pytest.raises(Cancelled):
        store.fetch("a", stop, never)
    assert store.get("a") is None
    assert store.fetch("a", lambda: b"1", never) == b"1"


def test_a_cancelled_view_waits_until_it_is_asked_for_again():
    forget_everything()
    app = AppTest.from_file("../app.py", default_timeout=60)
    app.switch_page("pages/2_Prior.py")
    app.query_params["dataset"] = "star"
    app.run()
    assert_fine(app)
    forget_everything()
    choice = DatasetChoice("star").concealed
    app.session_state[CANCELLED] = Method(choice, "projection").prior_key
    app.run()
    assert not app.exception
    assert any("Cancelled" in info.value for info in app.info)
    next(button for button in app.button if "after all" in button.label).click().run()
    assert_fine(app)
    assert "Accuracy, validation" in {tile.label for tile in app.metric}


def test_margin_and_peak_time_of_the_ledger_are_what_their_tooltips_say():
    """By a rule that compares neither: from t_min on, over all classes, and for the new class."""
    view = Method.on("karate", rule="reference")
    result = view.run()
    index = 120
    now = result.at(index)
    found = now.ledger
    assert found.nodes.size
    curves = result.trajectories.values(found.nodes)[index:]
    excess = np.sort((curves - result.stationary[found.nodes]).max(axis=0), axis=1)
    np.testing.assert_allclose(found.margins, excess[:, -1] - excess[:, -2], atol=1e-7)
    new = curves[:, np.arange(found.nodes.size), now.predicted[found.nodes]]
    chosen = np.searchsorted(result.times, found.peak_times) - index
    assert (chosen >= 0).all()
    reached = new[chosen, np.arange(found.nodes.size)]
    np.testing.assert_allclose(reached, new.max(axis=0), atol=1e-7)
    assert "p − π" in MARGIN_HELP
    assert all("from t_min on" in text for text in (MARGIN_HELP, PEAK_HELP))
