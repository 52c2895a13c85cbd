"""Who waits for what another visitor computes sees how far it is, and can leave at any moment."""

from __future__ import annotations

from threading import Event, Thread

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from gdr_app.computing import results, working
from gdr_app.computing.deciding import decision_of
from gdr_app.computing.kept import forget_everything
from gdr_app.computing.results import OutcomeLine
from gdr_app.computing.working import unseen
from gdr_core.method import Method
from tests.staging import PATIENCE

SOON = 10.0  # seconds; who waits is asked five times a second


def in_a_thread(act) -> Thread:
    thread = Thread(target=act, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize(
    "ask",
    [
        lambda: decision_of(Method.on("karate", prior="uniform", auto=True)),
        lambda: OutcomeLine(Method.on("karate", prior="uniform")),
    ],
    ids=["auto", "outcome"],
)
def test_a_visitor_leaves_while_another_computes_the_same(ask, monkeypatch):
    """A page ends where its progress is reported, and here whoever sees progress wants to leave."""
    begun, free, left = Event(), Event(), Event()
    diffused = results.diffused

    def slowly(*asked):
        begun.set()
        free.wait(PATIENCE)
        return diffused(*asked)

    def stop(share: float, text: str) -> None:
        raise StopException

    def stay() -> None:
        with unseen():
            ask()

    def leave() -> None:
        with pytest.raises(StopException):
            ask()
        left.set()

    forget_everything()
    monkeypatch.setattr(results, "diffused", slowly)
    monkeypatch.setattr(working, "_progress_box", lambda place, key, title: stop)
    visitors = [in_a_thread(stay)]
    assert begun.wait(PATIENCE)
    visitors.append(in_a_thread(leave))
    try:
        assert left.wait(SOON)
    finally:
        free.set()
        for visitor in visitors:
            visitor.join(PATIENCE)
