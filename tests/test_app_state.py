"""What the pages do with the state of a visit, without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from gdr_app.state import link
from tests.visiting import open_app


def open_page(page: str = "1_Dataset", **query: str) -> AppTest:
    return open_app(page, **query)


def box(app: AppTest, label: str):
    [found] = [each for each in app.selectbox if each.label == label]
    return found


def said(app: AppTest) -> dict:
    return app.session_state["visit"].link()


def test_another_dataset_has_its_own_splits_and_another_control():
    app = open_page(dataset="cora", split="random")
    before = box(app, "Split").key
    box(app, "Dataset").set_value("karate").run()
    assert box(app, "Split").value in box(app, "Split").options
    assert box(app, "Split").key != before, "the browser would keep what it showed under that key"
    assert said(app) == {"dataset": "karate"}
    box(app, "Dataset").set_value("cora").run()
    assert box(app, "Split").value == "random"


def test_a_choice_that_is_the_default_elsewhere_does_not_come_back_from_nowhere():
    """No link names it there, so who reloads and who does not would see different pages."""
    app = open_page("4_Relabel", dataset="directed-ring", laplacian="combinatorial")
    assert box(app, "Laplacian").value == "combinatorial"
    box(app, "Dataset").set_value("path").run()
    assert said(app) == {"dataset": "path"}
    again = open_page("4_Relabel", **said(app))
    for each in (app, again):
        box(each, "Dataset").set_value("directed-ring").run()
        assert box(each, "Laplacian").value == "directed"
        assert said(each) == {"dataset": "directed-ring"}


def test_what_is_chosen_is_in_the_link_at_once():
    app = open_page(dataset="karate")
    box(app, "Dataset").set_value("star").run()
    assert dict(app.query_params) == {"dataset": ["star"]} or dict(app.query_params) == {
        "dataset": "star"
    }
    box(app, "Dataset").set_value("cora").run()
    assert not dict(app.query_params)


def test_an_older_address_from_the_browser_changes_nothing():
    """Runs carry the address that the browser had when they were asked for."""
    app = open_page(dataset="karate")
    box(app, "Dataset").set_value("star").run()
    app.query_params["dataset"] = "karate"
    app.run()
    assert box(app, "Dataset").value == "star"
    assert said(app) == {"dataset": "star"}


def test_back_restores_the_view_that_its_address_names(monkeypatch):
    app = open_page(dataset="karate", node="3")
    box(app, "Dataset").set_value("star").run()
    app.query_params.clear()
    app.query_params.update({"dataset": "karate", "node": "3"})
    monkeypatch.setattr(link, "_by_history", lambda: True)
    app.run()
    assert box(app, "Dataset").value == "karate"
    assert said(app) == {"dataset": "karate", "node": "3"}


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"dataset": "karate", "split": "public"}, "not one of the options: teaching, random"),
        ({"dataset": "nowhere"}, "not one of the options: cora, citeseer"),
        ({"dataset": "karate", "seed": "1.5"}, "must be a whole number from 0 to 9999"),
        ({"dataset": "sbm", "sbm-homophily": "7"}, "must be a number from 0 to 1"),
        ({"dataset": "karate", "node": "nobody"}, "has no node “nobody”"),
    ],
)
def test_a_link_that_asks_for_what_cannot_be_had_says_so_and_is_corrected(query, words):
    app = open_page(**query)
    assert any(words in warning.value for warning in app.warning)
    wrong = next(reversed(query))
    assert wrong not in said(app)
    app.run()
    assert not app.warning
