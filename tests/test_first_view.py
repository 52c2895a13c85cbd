"""What is made before the first visitor comes: the numbers that the first pages ask for."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from gdr_app.computing import diffusing
from gdr_app.computing.kept import forget_everything
from gdr_app.home import story
from gdr_app.overshoot import examples
from gdr_app.relabel import story as why
from gdr_app.serving import first_view
from gdr_core.method import Method

APP = Path(__file__).parents[1] / "app.py"


@pytest.fixture
def prepared(monkeypatch):
    """A server that has prepared, and refuses to compute anything of that again."""
    forget_everything()
    first_view.prepare()

    def refuse(*given, **named):
        raise AssertionError("it is computed again")

    monkeypatch.setattr(Method, "reclassify", refuse)
    monkeypatch.setattr(story, "SketchFacts", refuse)
    monkeypatch.setattr(examples, "summits", refuse)
    monkeypatch.setattr(why, "tell", refuse)
    yield
    forget_everything()


@pytest.mark.parametrize("page", [None, "pages/3_Overshoot.py", "pages/4_Relabel.py"])
def test_the_first_pages_find_their_numbers_ready(prepared, page):
    app = AppTest.from_file(APP, default_timeout=60).run()
    if page:
        app.switch_page(page).run()
    assert not app.exception
    assert not app.error


def test_what_cannot_be_prepared_is_logged_and_stops_nobody(monkeypatch, caplog):
    def fail():
        raise ValueError("no such file")

    monkeypatch.setattr(first_view, "prepare", fail)
    first_view._try()
    assert "could not be prepared" in caplog.text


def test_the_first_view_waits_for_no_worker(monkeypatch):
    """One that must be started takes longer than all the rest of the first view."""

    def refuse(*given, **named):
        raise AssertionError("a worker is asked")

    forget_everything()
    monkeypatch.setattr(diffusing, "ask_worker", refuse)
    first_view.prepare()
    forget_everything()


def test_preparing_needs_no_page(caplog):
    """Streamlit warns where something is drawn outside of a page."""
    forget_everything()
    first_view.prepare()
    assert "ScriptRunContext" not in caplog.text
    forget_everything()
