"""Test means test: while it is hidden, nothing that a page sends tells of a test node's class.

Every page is drawn twice, once with the true test classes and once with all of them changed. What
travels to the browser (elements, data of components, tables, charts, files) must be the same byte
for byte: then nothing in it depends on them, and they cannot be deduced from it either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.elements import spinner
from streamlit.testing.v1 import AppTest, local_script_runner

from gdr_app.compare import background
from gdr_app.components.neighbourhood import TABLE_OPEN
from gdr_app.components.owner_key import OWNER
from gdr_app.computing.kept import forget_everything
from gdr_app.directed.texts import TABLES
from gdr_app.reproduce import store as results_store
from gdr_app.reproduce.texts import INTRODUCTION
from gdr_app.state import link
from gdr_app.structure import alignment as alignment_part
from gdr_app.structure import aspects, randomising
from gdr_app.structure import communities as communities_part
from gdr_app.structure import homophily as homophily_part
from gdr_app.structure.homophily import stored_gains
from gdr_app.train import choice as run_choice
from gdr_app.train import replay
from gdr_app.train import watch as watching
from gdr_app.widgets.export import PYTHON_OPEN
from gdr_core import datasets, priors
from gdr_core.datasets.hiding import HIDDEN, hide_test, truth_codes, truth_names, truth_of
from gdr_core.gdr import reclassify
from gdr_core.laplacians import make_laplacian
from gdr_core.places import data_folder
from gdr_tools.jobs.recording import Recording
from gdr_tools.jobs.report import COLUMNS, History, Report, Result
from gdr_tools.studies.gains import gain_on
from gdr_tools.studies.worker import study
from tests.visiting import with_own

load = datasets.load_dataset
EXPLORERS = {
    "prior": ("2_Prior", {}),
    "prior regions": ("2_Prior", {"colours": "region", "region": "2"}),
    "prior classes": ("2_Prior", {"colours": "predicted class"}),
    "curves": ("3_Overshoot", {"list": "fixed by GDR"}),
    "impulse": ("3_Overshoot", {"mode": "delta impulse"}),
    "outcomes": ("4_Relabel", {}),
    "classes": ("4_Relabel", {"colours": "GDR class", "below": "neighbourhood of this node"}),
    "ledger": ("4_Relabel", {"below": "relabelled nodes", "outcomes": "fixed"}),
    "accuracy": ("4_Relabel", {"below": "accuracy"}),
    "confidence": ("4_Relabel", {"below": "confidence"}),
    "auto": ("4_Relabel", {"auto": "true"}),
    "auto compared": ("5_Compare", {"auto": "true"}),
    "methods": ("5_Compare", {}),
    "rules": ("5_Compare", {"compare": "rules"}),
    "home": (None, {}),
    "dataset": ("1_Dataset", {}),
    "train": ("6_Train", {}),
    "lessons": ("0_Lessons", {}),
    "lesson on t_min": ("0_Lessons", {"lesson": "4-t-min", "step": "4"}),
}
VIEWS = [
    *(("karate", view) for view in EXPLORERS),
    *(
        pytest.param("cora", view, marks=pytest.mark.slow)
        for view in EXPLORERS
        if view not in ("train", "lessons", "rules", "accuracy", "prior classes")
    ),
]
SHOW_NO_TRUTH = ("train", "lessons", "lesson on t_min")
STRUCTURE = "9_Structure"
# They show accuracies on test nodes, the paper's and stored ones, whether test is hidden or not,
# and say so.
ALWAYS_SHOWN = {
    "Reproduce": ("8_Reproduce", {}, INTRODUCTION),
    "tables of Directed": (
        "7_Directed",
        {"dataset": "cora-directed", "part": "the tables"},
        TABLES,
    ),
}
EXCEPTION = "whether test is hidden or not"


def with_other_test_classes(*arguments: Any, **named: Any) -> datasets.Dataset:
    """The dataset with every test node in the class after its own."""
    dataset = load(*arguments, **named)
    test = dataset.split.test
    labels = dataset.labels.copy()
    labels[test] = (labels[test] + 1) % dataset.classes
    return replace(dataset, labels=labels)


@contextmanager
def everything_sent() -> Iterator[list[bytes]]:
    """What the pages that are drawn meanwhile send, files that they offer included."""
    sent: list[bytes] = []
    parse, button = local_script_runner.parse_tree_from_messages, st.download_button

    def parsed(messages: Any) -> Any:
        for message in messages:
            sent.append(message.delta.SerializeToString(deterministic=True))
        return parse(messages)

    def offered(label: str, data: Any, *_: Any, **named: Any) -> bool:
        content = data() if callable(data) else data
        sent.append(content if isinstance(content, bytes) else str(content).encode())
        return button(label, "a file", **named)  # what is called later has a random address

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(local_script_runner, "parse_tree_from_messages", parsed)
        patched.setattr(st, "download_button", offered)
        yield sent


@pytest.fixture(scope="module", autouse=True)
def _nothing_stays():
    """What was computed from classes that are none must not be found by other tests."""
    yield
    forget_everything()


@pytest.fixture(autouse=True)
def _studies_here(monkeypatch):
    """A worker would load the true classes whatever this process takes for them."""

    def ask(name, title, choice, **options):
        load = {"split": choice.split, "seed": choice.seed, **dict(choice.options)}
        request = {"dataset": choice.name, "load": load, "hidden": choice.test_hidden}
        return study({**request, "study": name, "options": options}, lambda share, text: None)

    # How far workers are depends on the machine, not on a class.
    monkeypatch.setattr(background, "_look", lambda wanted: st.caption(", ".join(wanted)))
    monkeypatch.setattr(aspects, "ask", ask)
    monkeypatch.setattr(alignment_part, "ask", ask)
    monkeypatch.setattr(communities_part, "ask", ask)
    monkeypatch.setattr(randomising, "ask", ask)


def sent_by(
    page: str | None,
    loader: Callable[..., Any],
    own: datasets.Dataset | None = None,
    **query: str | list[str],
) -> list[bytes]:
    """All that a page sends to a visitor who comes by a link, with everything on it opened.

    own   data that the visitor has opened; the link then is about these
    """
    forget_everything()
    app = AppTest.from_file("../app.py", default_timeout=120)
    if page is not None:
        app.switch_page(f"pages/{page}.py")
    if own is not None:
        query["dataset"], state = with_own(own)
        for key, value in state.items():
            app.session_state[key] = value
    for key, value in query.items():
        app.query_params[key] = value
    app.session_state[OWNER] = 43 * "k"  # else every visitor has another
    app.session_state[PYTHON_OPEN] = app.session_state[TABLE_OPEN] = True
    with pytest.MonkeyPatch.context() as patched, everything_sent() as sent:
        patched.setattr(datasets, "load_dataset", loader)  # for what a worker would do
        patched.setattr(datasets.DatasetChoice, "divided", divided_by(loader))
        patched.setattr(link, "token_hex", lambda _: "0")  # marks an arrival, at random
        patched.setattr(spinner, "DELAY_SECS", 3600)  # else a slow machine shows that it works
        app.run()
    assert not app.exception, [fault.value for fault in app.exception]
    assert not app.error, [fault.value for fault in app.error]
    return sent


def divided_by(loader: Callable[..., Any]) -> Callable[..., datasets.Dataset]:
    """What `DatasetChoice.divided` is, if the classes are those that a loader gives."""

    def divided(choice: datasets.DatasetChoice, graph: datasets.Dataset) -> datasets.Dataset:
        dataset = choice.own or loader(choice.name, **choice.keywords)
        return hide_test(dataset) if choice.test_hidden else dataset

    return divided


def assert_tells_nothing(page: str | None, **query: str | list[str]) -> None:
    assert_same(*(sent_by(page, loader, **query) for loader in (load, with_other_test_classes)))


def assert_same(one: list[bytes], other: list[bytes]) -> None:
    assert sum(map(len, one)) > 5_000
    assert len(one) == len(other)
    for mine, theirs in zip(one, other, strict=True):
        assert mine == theirs


@pytest.mark.parametrize(("name", "view"), VIEWS, ids=lambda value: value)
def test_no_page_tells_of_a_hidden_class(name, view):
    page, query = EXPLORERS[view]
    graph = load(name)
    node = graph.node_names[graph.split.test[3]]
    assert_tells_nothing(page, dataset=name, node=node, **query)


@pytest.mark.parametrize("runs", ["known runs", "seeds"])
def test_a_study_over_datasets_tells_of_no_hidden_class(runs):
    query = {"datasets": ["cora", "karate", "star"], "runs": runs}
    assert_tells_nothing("5_Compare", dataset="karate", prior="uniform", **query)


def test_once_revealed_a_study_over_datasets_shows_test_classes():
    """So the test above can fail."""
    query = {"dataset": "karate", "prior": "uniform", "datasets": ["cora", "karate"]}
    one, other = (
        sent_by("5_Compare", loader, **query, test="shown")
        for loader in (load, with_other_test_classes)
    )
    assert one != other


@pytest.mark.parametrize("aspect", list(aspects.ASPECTS))
@pytest.mark.parametrize("name", ["karate", "sbm"])
def test_no_aspect_of_structure_tells_of_a_hidden_class(name, aspect):
    """Alignment is stored for one of the graphs, and computed for the other."""
    query = {"sbm-nodes": "60", "randomised-edges": "50"} if name == "sbm" else {}
    assert_tells_nothing(STRUCTURE, dataset=name, aspect=aspect, **query)


@pytest.mark.parametrize("aspect", [name for name in aspects.ASPECTS if name != "influence"])
def test_once_revealed_structure_shows_test_classes(aspect):
    """So the test above can fail. (Influence orders its map by the shown classes.)"""
    query = {"dataset": "sbm", "sbm-nodes": "60", "aspect": aspect, "test": "shown"}
    one, other = (sent_by(STRUCTURE, loader, **query) for loader in (load, with_other_test_classes))
    assert one != other


@pytest.mark.parametrize("name", ["cora", "texas", "cells"])
def test_stored_gains_are_those_of_what_is_shown(name):
    """What is drawn while test is hidden is made without test classes, on validation nodes."""
    if not datasets.available(name):
        pytest.skip(f"the files are not here: set GDR_DATA_DIR or run `data fetch {name}`")
    data = load(name)
    hidden, other = hide_test(data), hide_test(with_other_test_classes(name))
    for change, state in ((hidden, True), (other, True), (data, False)):
        kept = next(each for each in stored_gains(state)["graphs"] if each["name"] == name)
        assert vars(gain_on(change, "dataset", 0)) == pytest.approx(kept)
    judged = [stored_gains(state)["judged"] for state in (True, False)]
    assert [words.split()[0] for words in judged] == ["validation", "test"]


@pytest.mark.parametrize("revealed", [False, True])
def test_the_gains_of_other_graphs_are_those_of_the_part_that_is_shown(revealed):
    app = AppTest.from_file("../app.py", default_timeout=60)
    app.switch_page(f"pages/{STRUCTURE}.py")
    app.query_params["dataset"] = "karate"
    if revealed:
        app.query_params["test"] = "shown"
    app.run()
    chart = json.loads(app.get("plotly_chart")[0].proto.spec)
    drawn = {
        name: gain
        for trace in chart["data"]
        for name, gain in zip(trace["text"], trace["y"], strict=True)
        if trace["name"] == "datasets"
    }
    graphs = [g for g in stored_gains(not revealed)["graphs"] if g["kind"] == "dataset"]
    assert drawn == {g["name"]: pytest.approx(100 * (g["gdr"] - g["prior"])) for g in graphs}
    part = "test" if revealed else "validation"
    assert f"gain on {part} nodes" in chart["layout"]["yaxis"]["title"]["text"]
    assert any(f"judged on its {part} nodes" in words.value for words in app.caption)


@pytest.mark.parametrize("view", ["embed", "present"])
@pytest.mark.parametrize("page", ["1_Dataset", "4_Relabel", STRUCTURE])
def test_no_view_of_a_page_tells_of_a_hidden_class(page, view):
    assert_tells_nothing(page, dataset="karate", node="20", view=view)


@pytest.mark.parametrize("page", ["1_Dataset", "2_Prior", "3_Overshoot", "4_Relabel", STRUCTURE])
def test_nothing_tells_of_a_hidden_class_of_own_data(page):
    """Own data are handed over as they are, test classes and all."""
    mine = [replace(each("karate"), name="mine") for each in (load, with_other_test_classes)]
    assert_same(*(sent_by(page, load, own) for own in mine))
    shown = [sent_by(page, load, own, test="shown") for own in mine]
    assert shown[0] != shown[1], "so the line above can fail"


@pytest.mark.parametrize("view", list(ALWAYS_SHOWN))
def test_what_shows_accuracy_on_test_nodes_all_the_same_says_so(view):
    page, query, words = ALWAYS_SHOWN[view]
    assert EXCEPTION in words
    one = sent_by(page, load, **query)
    assert EXCEPTION.encode() in b"".join(one)
    other = sent_by(page, with_other_test_classes, **query)
    assert_same(*([re.sub(_UUID, b"", each) for each in sent] for sent in (one, other)))


# What the project stores of test nodes is on these pages, or must not be. Reproduce and the tables
# of Directed are left out: their numbers are those on test nodes, and they say so (`ALWAYS_SHOWN`).
STORED = {
    "Compare": ("5_Compare", {"runs": "known runs"}),
    "Compare, datasets": ("5_Compare", {"runs": "known runs", "datasets": ["cora", "karate"]}),
    "Train": ("6_Train", {}),
    "Train, an own run": ("6_Train", {"run": "run-000000000000"}),
    "Lesson": ("0_Lessons", {"lesson": "4-t-min", "step": "4"}),
    **{
        f"Structure, {aspect}": (STRUCTURE, {"aspect": aspect})
        for aspect in ("homophily", "alignment")
    },
}


def other_numbers(found: Any, of_test: bool = False) -> Any:
    """Stored results with other numbers on test nodes, and of what is made from their classes."""
    if isinstance(found, dict):
        told = ("test", "test_spread", "revealed")
        return {key: other_numbers(value, of_test or key in told) for key, value in found.items()}
    if isinstance(found, list):
        return [other_numbers(value, of_test) for value in found]
    return round(found * 0.9 + 0.01, 9) if of_test and isinstance(found, float) else found


def other_results(folder: Path) -> Path:
    """The folder of data with other stored numbers; all that is no result stays what it is."""
    for path in data_folder().iterdir():
        if path.name != "results":
            (folder / path.name).symlink_to(path)
    for path in sorted((data_folder() / "results").rglob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        copied = folder / path.relative_to(data_folder())
        copied.parent.mkdir(parents=True, exist_ok=True)
        whole = path.name == "randomised-cora.json"  # made with all classes
        copied.write_text(json.dumps(other_numbers(found, whole)), encoding="utf-8")
    return folder


def own_run(shift: float) -> Report:
    """A finished run; its accuracies on test nodes are raised by a number."""
    recorded = Recording.read(data_folder() / replay.FILE).report()
    rows = recorded.history.rows.copy()
    rows[:, COLUMNS.index("test_accuracy")] += shift
    nodes, classes = recorded.picture.labels.size, int(recorded.picture.labels.max()) + 1
    best = dict(zip(COLUMNS, rows[-1].tolist(), strict=True))
    result = Result(np.full((nodes, classes), 1 / classes), {"first": np.ones(3)}, best)
    run = "run-000000000000"
    return replace(recorded, id=run, name="Mine", history=History(rows), result=result)


def sent_with(folder: Path, shift: float, view: str, **query: str) -> list[bytes]:
    """All that a page sends if the stored numbers are those of a folder."""
    page, asked = STORED[view]
    mine, example = own_run(shift), replace(own_run(shift), id=replay.EXAMPLE, result=None)
    with pytest.MonkeyPatch.context() as patched:
        for module in (homophily_part, alignment_part, randomising):
            patched.setattr(module, "data_folder", lambda: folder)
        patched.setattr(results_store, "FOLDER", folder / "results")
        patched.setattr(replay, "_example", lambda: example)
        for module in (watching, run_choice):
            patched.setattr(module, "report_of", lambda run: mine if run == mine.id else None)
        return sent_by(page, load, dataset="cora", **asked, **query)


@pytest.mark.slow
@pytest.mark.parametrize("view", STORED)
def test_no_page_tells_of_stored_numbers_on_test_nodes(tmp_path, view):
    other = other_results(tmp_path)
    assert_same(sent_with(data_folder(), 0.0, view), sent_with(other, 0.01, view))


@pytest.mark.slow
@pytest.mark.parametrize("view", [view for view in STORED if view != "Lesson"])
def test_once_revealed_stored_numbers_are_shown(tmp_path, view):
    """So the test above can fail. (A lesson judges by validation nodes.)"""
    other = other_results(tmp_path)
    one = sent_with(data_folder(), 0.0, view, test="shown")
    assert one != sent_with(other, 0.01, view, test="shown")


_UUID = rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # of a chart in a report, at random


@pytest.mark.parametrize("part", ["where a walk goes", "what changes for one node"])
@pytest.mark.parametrize(
    "name", ["directed-citations", pytest.param("cora-directed", marks=pytest.mark.slow)]
)
def test_the_directed_page_tells_of_no_hidden_class(name, part):
    graph = load(name)
    node = graph.node_names[graph.split.test[0]]
    assert_tells_nothing("7_Directed", dataset=name, node=node, part=part)


@pytest.mark.parametrize("view", [view for view in EXPLORERS if view not in SHOW_NO_TRUTH])
def test_once_revealed_every_page_shows_test_classes(view):
    """So the test above can fail."""
    page, query = EXPLORERS[view]
    query = {"dataset": "karate", "node": "20", "test": "shown", **query}
    one, other = (sent_by(page, loader, **query) for loader in (load, with_other_test_classes))
    assert one != other


def test_hiding_takes_the_test_classes_and_nothing_else():
    dataset = load("karate")
    hidden = hide_test(dataset)
    test = dataset.split.test
    others = np.setdiff1d(np.arange(dataset.nodes), test)
    assert (hidden.labels[test] == -1).all()
    np.testing.assert_array_equal(hidden.labels[others], dataset.labels[others])
    assert hidden.adjacency is dataset.adjacency
    assert hide_test(hidden) is hidden
    assert (dataset.labels[test] >= 0).all(), "the original stays as it is"
    names = truth_names(dataset.class_names)
    for node in range(dataset.nodes):
        expected = HIDDEN if node in test else dataset.class_names[dataset.labels[node]]
        assert names[truth_codes(hidden)[node]] == truth_of(hidden, node) == expected
    with pytest.raises(ValueError, match="nodes of test have no known label"):
        replace(hidden, test_hidden=False)


def test_revealing_judges_the_same_labels_by_all_classes():
    dataset = load("karate")
    prior = priors.compute_prior("projection", hide_test(dataset))
    laplacian = make_laplacian("combinatorial", dataset.undirected)
    full = reclassify(laplacian, prior, dataset.labels, dataset.split)
    hidden = reclassify(laplacian, prior, hide_test(dataset).labels, dataset.split)
    shown = hidden.judged_by(dataset.labels)
    assert np.isnan(hidden.accuracy["test"]).all()
    assert hidden.chosen == shown.chosen == full.chosen
    for part in ("train", "validation", "test"):
        np.testing.assert_array_equal(shown.accuracy[part], full.accuracy[part])
        assert shown.prior_accuracy[part] == full.prior_accuracy[part]
    for index in range(0, full.times.size, 20):
        assert shown.at(index).tally == full.at(index).tally
        unjudged = full.at(index).ledger.nodes
        unjudged = np.intersect1d(unjudged, dataset.split.test)
        assert hidden.at(index).tally.not_judged == unjudged.size
    assert copy(hidden).outlook is shown.outlook, "what does not depend on truth is shared"
