"""The Relabel page and what the explorer pages share, run without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from gdr_core import datasets, priors
from gdr_core.datasets import heterophilous
from gdr_core.explain import explain
from gdr_core.gdr import GDROptions, reclassify
from gdr_core.laplacians import make
from gdr_core.ledger import ledger
from gdr_core.predictions import predictions_csv
from gdr_core.priors import PRIORS
from gdr_core.progress import Cancelled
from pages.shared.export import python_for
from pages.shared.sidebar import DatasetChoice, View
from pages.shared.store import Store
from pages.shared.working import CANCELLED

FETCHED = ("wikipedia", *heterophilous.FILES)
EMBEDDED = [name for name in datasets.names() if name not in FETCHED]
CHEAP = [
    spec.name for spec in PRIORS.values() if spec.cost == "instant" and spec.name != "external"
]
SECONDS = [spec.name for spec in PRIORS.values() if spec.cost == "seconds"]


def open_page(page: str = "4_Relabel", **query: str) -> AppTest:
    """Like a link: the parameters are there before anything runs."""
    app = AppTest.from_file("../app.py", default_timeout=60)
    app.switch_page(f"pages/{page}.py")
    for key, value in query.items():
        app.query_params[key] = value
    return app.run()


def assert_fine(app: AppTest) -> None:
    assert not app.exception, [fault.value for fault in app.exception]
    assert not app.error, [fault.value for fault in app.error]


def tiles(app: AppTest) -> dict[str, str]:
    return {tile.label: tile.value for tile in app.metric}


def shown_text(app: AppTest) -> str:
    return " ".join(block.value for block in app.markdown)


def computed(name: str, prior: str = "projection", **options: Any):
    dataset = datasets.load(name)
    laplacian = make("combinatorial", dataset.undirected)
    chosen = GDROptions(**options)
    found = priors.compute(prior, dataset)
    return dataset, reclassify(laplacian, found, dataset.labels, dataset.split, chosen)


@pytest.mark.parametrize("name", EMBEDDED)
def test_relabel_shows_every_dataset_with_every_instant_prior(name):
    app = open_page(dataset=name)
    assert_fine(app)
    for prior in CHEAP:
        app.sidebar.selectbox(key="prior").set_value(prior).run()
        assert_fine(app)
        assert {"Relabelled", "Fixed", "Broken", "Still wrong"} <= set(tiles(app))


@pytest.mark.parametrize("prior", SECONDS)
def test_relabel_shows_the_priors_that_take_seconds(prior):
    app = open_page(dataset="karate", prior=prior)
    assert_fine(app)
    assert app.sidebar.selectbox(key="prior").value == prior


def test_the_tiles_and_the_line_tell_what_the_library_finds():
    app = open_page(dataset="cora", t_min="0.05")
    assert_fine(app)
    _, result = computed("cora")
    index = result.index(0.05)
    changes = result.changes(index)
    shown = tiles(app)
    assert shown["Relabelled"] == f"{result.scan.relabelled[index]:,}"
    assert shown["Fixed"] == f"{changes.fixed.sum():,}"
    assert shown["Broken"] == f"{changes.broken.sum():,}"
    line = app.sidebar.markdown[-1].value
    before, after = result.prior_accuracy["validation"], result.accuracy["validation"][index]
    assert f"{before:.1%} → {after:.1%}" in line
    found = ledger(result, index)
    shown = app.dataframe[-1].value
    graph = datasets.load("cora")
    assert shown["Node"].tolist() == [graph.node_names[node] for node in found.nodes]
    columns = {"True class": found.true, "Prior": found.prior, "GDR": found.new}
    for column, labels in columns.items():
        named = [graph.class_names[label].replace("_", " ") for label in labels]
        assert shown[column].tolist() == named
    np.testing.assert_allclose(shown["Margin"], result.margin(index, found.nodes), atol=1e-7)


def test_where_nothing_is_corrected_the_clearest_verdict_is_the_example():
    app = open_page(dataset="star")
    assert_fine(app)
    text = " ".join(block.value for block in app.markdown)
    assert "no node is corrected" in text
    assert "**Node " in text


def test_the_filter_of_the_ledger_is_in_the_link_and_outlives_a_t_min_without_such_nodes():
    app = open_page(dataset="ring-of-cliques", outcomes="broken", t_min="0.5")
    assert_fine(app)
    assert set(app.dataframe[-1].value["Outcome"]) == {"broken"}
    app.session_state["t_min"] = "0"
    app.run()
    assert app.dataframe[-1].value.empty
    app.session_state["t_min"] = "0.5"
    app.run()
    assert set(app.dataframe[-1].value["Outcome"]) == {"broken"}
    unknown = open_page(dataset="cora", outcomes="lost")
    assert "“lost” under **Show only**" in unknown.warning[0].value


def test_a_deep_link_opens_exactly_that_view():
    query = {
        "dataset": "cora-directed",
        "split": "paper-directed",
        "prior": "projection-dot",
        "laplacian": "directed-normalized",
        "direction": "backward",
        "rule": "peak",
        "stationary": "component",
        "tolerance": "1e-6",
        "from": "0.001",
        "to": "10",
        "t_min": "0.25",
        "node": "35",
        "test": "shown",
    }
    app = open_page(**query)
    assert_fine(app)
    assert not app.warning
    picked = {box.key: box.value for box in app.sidebar.selectbox}
    for key in set(query) - {"t_min", "node", "test"}:
        assert picked[key] == query[key]
    assert float(app.select_slider[0].value) == pytest.approx(0.25, rel=0.05)
    assert app.session_state["node"] == "35"
    assert "**Node 35**" in shown_text(app)
    assert "Accuracy, test" in tiles(app)


def test_test_accuracy_is_hidden_until_it_is_asked_for():
    app = open_page(dataset="karate")
    assert "Accuracy, test" not in tiles(app)
    assert "validation" in app.sidebar.markdown[-1].value
    app.toggle[0].set_value(True).run()
    assert_fine(app)
    assert "Accuracy, test" in tiles(app)
    assert "on test nodes" in app.sidebar.markdown[-1].value


def test_moving_t_min_changes_the_counts_and_the_button_goes_back():
    app = open_page(dataset="cora")
    first, chosen = tiles(app)["Relabelled"], app.select_slider[0].value
    app.select_slider[0].set_value(app.select_slider[0].options[-1]).run()
    assert_fine(app)
    assert tiles(app)["Relabelled"] != first
    back = next(button for button in app.button if "Back" in button.label)
    back.click().run()
    assert app.select_slider[0].value == chosen
    assert tiles(app)["Relabelled"] == first


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
    assert "**Along t_min**" in text
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
    found = explain(make("combinatorial", dataset.undirected), result, node, index=index)
    share = found.shares()[found.largest(1)[0]]
    table = next(part.proto.body for part in app.get("html") if "gdr-sources" in part.proto.body)
    assert f"<td>{dataset.node_names[found.largest(1)[0]]}</td><td>{share:.1%}</td>" in table
    assert f"p = {found.score:.3g} at t" in shown_text(app)


def test_a_row_of_the_ledger_chooses_its_node():
    app = open_page(dataset="karate")
    name = app.dataframe[-1].value["Node"].iloc[1]
    app.session_state["ledger"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    app.session_state["node"] = name
    app.run()
    assert_fine(app)
    assert app.session_state["ledger"]["selection"]["rows"] == [1]
    assert f"**Node {name.split(' ')[0]}" in shown_text(app).replace("\\", "")


def test_a_missing_dataset_explains_itself(monkeypatch, tmp_path):
    monkeypatch.delenv("GDR_DATA_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    st.cache_resource.clear()
    app = open_page(dataset="wikipedia")
    assert not app.exception
    assert "not on this machine" in app.warning[0].value
    st.cache_resource.clear()


VIEWS = [
    View(DatasetChoice("cora", "random", seed=3), "projection", "random-walk", rule="peak"),
    View(DatasetChoice("cora-directed", "public"), "uniform", "directed", "backward", last=10.0),
    View(
        DatasetChoice("sbm", "random", 2, (("nodes", 120), ("homophily", 0.6))),
        "random-forest",
        "combinatorial",
        stationary="component",
    ),
]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.dataset.name)
def test_the_python_lines_give_the_numbers_of_the_page(view, capsys):
    choice = view.dataset
    query = {"dataset": choice.name, "split": choice.split, "seed": str(choice.seed)}
    query |= {f"{choice.name}-{key}": str(value) for key, value in choice.options}
    query |= {"prior": view.prior, "laplacian": view.laplacian, "direction": view.direction}
    query |= {
        "rule": view.rule,
        "stationary": view.stationary,
        "t_min": "0.04",
        "to": f"{view.last:g}",
    }
    app = open_page(**query)
    assert_fine(app)
    names: dict[str, Any] = {}
    exec(app.code[0].value, names)
    result, index = names["result"], names["index"]
    assert tiles(app)["Relabelled"] == f"{result.scan.relabelled[index]:,}"
    before, after = result.prior_accuracy["validation"], result.accuracy["validation"][index]
    assert f"{before:.1%} → {after:.1%}" in app.sidebar.markdown[-1].value
    assert f"{result.scan.relabelled[index]} nodes relabelled" in capsys.readouterr().out
    if not choice.options:  # the sidebar also names the options that are at their default
        lines = python_for(view, float(result.relative_times[index]))
        assert lines.strip() == app.code[0].value.strip()


def test_the_download_is_what_the_library_writes():
    app = open_page(dataset="karate")
    assert_fine(app)
    button = next(b for b in app.get("download_button") if "CSV" in b.proto.label)
    assert button.proto.label == "Predictions as CSV"
    dataset, result = computed("karate")
    text = predictions_csv(dataset, result)
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
    st.cache_resource.clear()
    app = AppTest.from_file("../app.py", default_timeout=60)
    app.switch_page("pages/2_Prior.py")
    app.query_params["dataset"] = "star"
    app.run()
    assert_fine(app)
    st.cache_resource.clear()
    options = tuple(
        (key, option.default) for key, option in datasets.spec_of("star").options.items()
    )
    choice = DatasetChoice("star", "teaching", 0, options)
    app.session_state[CANCELLED] = ("prior", choice, "projection")
    app.run()
    assert not app.exception
    assert any("Cancelled" in info.value for info in app.info)
    next(button for button in app.button if "after all" in button.label).click().run()
    assert_fine(app)
    assert "Accuracy, validation" in tiles(app)
