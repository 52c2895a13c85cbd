"""`auto` on the explorer pages: what it chooses and says, what is exported. No browser here."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from gdr_app.state.link import VISIT
from gdr_app.widgets.export import PYTHON_OPEN, export_of
from gdr_app.widgets.method.auto import NAMES
from gdr_core import datasets
from gdr_core.datasets import DatasetChoice, Split
from gdr_core.gdr import RULES, automatic, reclassify, with_rule
from gdr_core.gdr.predictions import predictions_csv
from gdr_core.laplacians import adjacency_for, fitting, make_laplacian
from gdr_core.method import Method
from gdr_core.priors import compute_prior
from tests.visiting import assert_fine, assert_warns, open_app, with_own

EXPLORERS = ("2_Prior", "3_Overshoot", "4_Relabel", "5_Compare")
NOISE = {"dataset": "sbm", "prior": "linear", "sbm-homophily": "0.5", "sbm-classes": "2"}
CLEAR = {"dataset": "sbm", "sbm-homophily": "0.6"}
RING = {"dataset": "directed-ring"}


def found_by_library(query: dict[str, str]):
    """The choice, made from the parts of the library and not by `Method`."""
    dataset = datasets.load_dataset(query["dataset"], **shape_of(query))
    prior = compute_prior(query.get("prior", "projection"), dataset)
    names = fitting(dataset.directed)
    ways = {name: make_laplacian(name, adjacency_for(name, dataset)) for name in names}
    return dataset, prior, automatic(ways, prior, dataset.labels, dataset.split)


def shape_of(query: dict[str, str]) -> dict[str, float]:
    shape = {n.removeprefix("sbm-"): float(v) for n, v in query.items() if n.startswith("sbm-")}
    return {name: int(value) if name == "classes" else value for name, value in shape.items()}


def sidebar_of(app: AppTest) -> str:
    return "\n".join(block.value for block in app.sidebar.markdown)


def text_of(app: AppTest) -> str:
    return "\n".join(block.value for block in app.main.markdown)


@pytest.mark.parametrize(
    "query",
    [*(pytest.param(each, marks=pytest.mark.slow) for each in (NOISE, CLEAR)), RING],
    ids=str,
)
@pytest.mark.parametrize("page", EXPLORERS)
def test_the_sidebar_says_what_the_library_decides(page, query):
    found = found_by_library(query)[2]
    app = open_app(page, auto="true", **query)
    assert_fine(app)
    assert found.sentence in sidebar_of(app)
    shown = [box.label for box in app.sidebar.selectbox]
    assert "How to reclassify" in shown
    assert "Laplacian" not in shown
    assert "Rule" not in shown
    assert app.query_params["auto"] == "true"


def test_the_page_shows_the_chosen_way():
    dataset, prior, found = found_by_library(CLEAR)
    assert not found.keeps_prior
    assert (found.chosen.laplacian, found.chosen.rule) != ("combinatorial", "overshoot")
    laplacian = make_laplacian(found.chosen.laplacian, dataset.undirected)
    alone = reclassify(laplacian, prior, dataset.labels, dataset.split)
    alone = with_rule(alone, found.chosen.rule)
    app = open_app("4_Relabel", auto="true", **CLEAR)
    before, after = alone.prior_accuracy["validation"], alone.accuracy["validation"][alone.chosen]
    assert f"**{before:.1%} → {after:.1%}** on validation nodes" in sidebar_of(app)
    assert f"the rule *{found.chosen.rule}*" in text_of(app)


@pytest.mark.slow
@pytest.mark.parametrize("test", [None, "shown"])
def test_a_kept_prior_leaves_every_label_and_every_sentence_says_so(test):
    found = found_by_library(NOISE)[2]
    assert found.keeps_prior
    assert found.result.at().tally.relabelled > 0  # else nothing would be seen
    query = {**NOISE, "auto": "true", **({"test": test} if test else {})}
    app = open_app("4_Relabel", **query)
    assert_fine(app)
    assert "0 nodes relabelled" in sidebar_of(app)
    said = text_of(app)
    assert "Every node keeps the label that the prior gives it" in said
    assert "auto keeps the prior" in said
    assert "becomes" not in said
    assert found.sentence in said  # the verdict below the graph
    app = open_app("3_Overshoot", **query)
    assert "becomes" not in text_of(app)
    assert "Every node keeps the label" in text_of(app)


def test_choosing_by_hand_again_brings_the_controls_back():
    app = open_app("4_Relabel", auto="true", **CLEAR)
    box = next(box for box in app.sidebar.selectbox if box.label == "How to reclassify")
    assert box.options == list(NAMES.values())
    box.set_value("false").run()
    assert_fine(app)
    assert "auto" not in app.query_params
    shown = [box.label for box in app.sidebar.selectbox]
    assert {"Laplacian", "Rule"} <= set(shown)
    assert "ways by the validation nodes" not in sidebar_of(app)


def test_a_link_that_names_a_rule_beside_auto_shows_what_auto_chose():
    plain = open_app("4_Relabel", auto="true", **CLEAR)
    app = open_app("4_Relabel", auto="true", rule="reference", laplacian="max-entropy", **CLEAR)
    assert sidebar_of(app) == sidebar_of(plain)
    assert set(app.session_state[VISIT].link()) == {*CLEAR, "auto"}


def test_a_word_that_is_no_choice_is_refused_in_a_warning():
    assert_warns(open_app("4_Relabel", auto="perhaps", **CLEAR), "How to reclassify")


@pytest.mark.slow
@pytest.mark.parametrize("query", [NOISE, CLEAR], ids=str)
def test_python_and_csv_give_the_labels_that_are_shown(query):
    dataset, _, found = found_by_library(query)
    app = open_app("4_Relabel", state={PYTHON_OPEN: True}, auto="true", test="shown", **query)
    lines = app.code[0].value
    said, names = io.StringIO(), {}
    with redirect_stdout(said):
        exec(compile(lines, "app", "exec"), names)
    np.testing.assert_array_equal(names["predicted"], found.labels)
    assert found.sentence in said.getvalue()
    asked = Method.on(
        "sbm", prior=query.get("prior", "projection"), options=shape_of(query), auto=True
    )
    view = asked.decided(found.decision)
    expected = predictions_csv(dataset, found.decided.at())
    assert export_of(view).csv(found.decided.at()) == expected
    report = export_of(view).report(found.decided.at())
    assert "left to the validation nodes" in report
    assert ("The prior's labels are kept" in report) == found.keeps_prior


def test_too_few_validation_nodes_say_so_and_leave_the_usual_way():
    app = open_app("4_Relabel", dataset="karate", prior="uniform", auto="true")
    assert_fine(app)
    said = sidebar_of(app)
    assert "Too few validation nodes to choose by: overshoot on the combinatorial Laplacian" in said
    assert "16 validation nodes are too few" in said
    usual = open_app("4_Relabel", dataset="karate", prior="uniform")
    assert sidebar_of(usual).splitlines()[-1] == said.splitlines()[-1]


def test_own_data_are_chosen_for_too_and_a_missing_class_is_told():
    graph = datasets.load_dataset("sbm", homophily=0.9)
    validation = graph.split.validation
    without = validation[graph.labels[validation] != 0]
    split = Split(graph.split.train, without, graph.split.test, "mine")
    key, state = with_own(graph.with_split(split))
    app = open_app("4_Relabel", state=state, dataset=key, auto="true")
    assert_fine(app)
    assert "ways by the validation nodes" in sidebar_of(app)
    assert "has no validation node: the choice knows nothing of it." in sidebar_of(app)


def test_test_classes_choose_nothing():
    """The same choice, word for word, whether test classes are shown or hidden."""
    hidden, shown = (
        open_app("4_Relabel", auto="true", **CLEAR, **more) for more in ({}, {"test": "shown"})
    )
    one, two = (
        next(b.value for b in app.sidebar.markdown if "ways by" in b.value)
        for app in (hidden, shown)
    )
    assert one == two


def test_compare_says_what_its_methods_have():
    found = found_by_library(NOISE)[2]
    app = open_app("5_Compare", auto="true", **NOISE)
    assert_fine(app)
    said = " ".join(text_of(app).split())
    assert f"the rule *{found.chosen.rule}* and the *{found.chosen.laplacian}* Laplacian" in said
    assert "but is kept as it is" in said


def test_methods_that_are_chosen_travel_as_words_and_links():
    asked = Method.on("cora", prior="linear", auto=True)
    assert asked.to_arguments() == ["cora", "--prior", "linear", "--auto"]
    assert asked.to_link() == {"dataset": "cora", "prior": "linear", "auto": "true"}
    assert Method.from_arguments(asked.to_arguments()) == asked
    assert Method.from_link(asked.to_link()) == asked
    chosen = automatic_of(asked)
    assert chosen.to_link() == asked.to_link()
    assert chosen.by_hand.rule == chosen.rule
    assert not chosen.by_hand.auto


def automatic_of(asked: Method) -> Method:
    dataset = asked.load_dataset()
    return asked.decided(asked.choose(dataset, asked.compute_prior(dataset)).decision)


def test_naming_a_rule_beside_auto_is_refused():
    for more in (["--rule", "peak"], ["--laplacian", "symmetric"]):
        with pytest.raises(ValueError, match=f"leave out {more[0]}"):
            Method.from_arguments(["cora", "--auto", *more])


def test_every_way_walks_as_the_method_says():
    ways = Method(DatasetChoice("directed-ring"), auto=True, direction="backward", alpha=0.5).ways
    assert set(ways) == set(fitting(True))
    assert ways["directed"].direction == "backward"
    assert ways["directed"].alpha == 0.5
    assert all(way.rule == next(iter(RULES)) for way in ways.values())
