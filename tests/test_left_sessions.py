"""A session that was left is kept for two minutes: nothing large is kept with it."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from gdr_app.computing import results
from gdr_app.computing.kept import forget_everything
from gdr_app.computing.results import NOT_KEPT, NotKeptError
from gdr_app.serving.refusals import tell_refusals
from gdr_app.state.own import ROOM
from gdr_app.widgets import later
from gdr_core.datasets import load_dataset
from gdr_core.diffusion.trajectories import Trajectories
from gdr_core.method import Method
from tests.visiting import assert_fine, open_app, with_own

PAGES = ("2_Prior", "3_Overshoot", "4_Relabel", "5_Compare")


@pytest.fixture
def offered(monkeypatch) -> dict[str, Any]:
    """What is called when a file is asked for, by its button."""
    files: dict[str, Any] = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, **_: files.update({label: data}))
    return files


def give_away() -> None:
    """What the stores that visitors share do for newer diffusions."""
    for store in (results._diffusions(), later._laters()):
        store.clear()
    forget_everything()


def diffusions() -> int:
    gc.collect()
    return sum(type(each) is Trajectories for each in gc.get_objects())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_was_left_keeps_no_diffusion(page, offered):
    """Neither do its fragments, nor the buttons of its files."""
    forget_everything()
    before = diffusions()
    session = open_app(page, dataset="karate", prior="uniform")
    assert_fine(session)
    assert diffusions() > before
    assert offered
    give_away()
    assert diffusions() == before
    assert session


@pytest.mark.parametrize("page", PAGES)
def test_a_file_is_the_same_whenever_it_is_asked_for(page, offered):
    forget_everything()
    assert_fine(open_app(page, dataset="karate", prior="uniform", t_min="0.5"))
    made = {label: make() for label, make in offered.items() if "CSV" in label}
    assert made
    give_away()
    assert {label: offered[label]() for label in made} == made


@pytest.mark.parametrize("slow", ["graph", "prior"])
def test_a_file_computes_nothing_that_takes_long(slow, offered, monkeypatch):
    """Nobody would see how far it is, wait in a queue for it, or could cancel it."""
    forget_everything()
    assert_fine(open_app("4_Relabel", dataset="karate", prior="label-propagation"))
    give_away()
    results._priors().clear()
    if slow == "graph":
        monkeypatch.setattr(results, "is_large", lambda adjacency: True)
        results.keep_prior(Method.on("karate", prior="label-propagation"), np.full((34, 2), 0.5))
    makers = [make for label, make in offered.items() if "CSV" in label]
    assert makers
    for make in makers:
        with pytest.raises(NotKeptError, match="not kept any more: open the page"):
            make()


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (NotKeptError(NOT_KEPT), NOT_KEPT),
        (ValueError("of the server's inside"), "Failed to generate file for download"),
    ],
)
def test_why_a_file_is_not_made_is_told_beside_its_button(fault, told):
    """As the browser asks for it; any other fault is told without its words."""

    def make() -> str:
        raise fault

    tell_refusals()
    files = MediaFileManager(MemoryMediaFileStorage("/media"))
    request = BackendOperationRequest(request_id="one")
    request.deferred_file.file_id = files.add_deferred(make, "text/csv", "button")
    answer = asyncio.run(DeferredFileHandler(lambda: files).handle(request, "visitor"))
    assert answer.error_msg == told


@pytest.mark.parametrize("page", PAGES)
def test_a_file_of_own_data_puts_nothing_beyond_the_visit(page, offered):
    """Here, as when a button is pressed, no visit is known."""
    key, state = with_own(replace(load_dataset("karate"), name="mine"))
    assert_fine(open_app(page, state=state, dataset=key, prior="uniform"))
    assert all(make() for make in offered.values())
    assert ROOM not in st.session_state
