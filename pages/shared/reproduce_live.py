"""Running a cell again, with progress and a way to stop it; what is stored stays as it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

import streamlit as st

from gdr_core import datasets
from gdr_core.experiments.board import Number
from gdr_core.experiments.cells import Cell
from gdr_core.experiments.run import run_cell
from gdr_core.priors import PRIORS
from pages.shared.store import Store
from pages.shared.wording import counted
from pages.shared.working import CANCELLED, obtain

REQUEST: Final = "cell to run again"
BUDGET: Final = 16 * 2**20
SLOW: Final = 60.0  # seconds from which on a visitor is warned


@dataclass(frozen=True)
class Request:
    """A visitor's wish to run a cell; each click is a wish of its own."""

    cell: Cell
    seeds: int
    click: str


@st.cache_resource(max_entries=1, show_spinner=False)
def _runs() -> Store[dict[str, Any]]:
    return Store(BUDGET, lambda result: len(json.dumps(result)))


def offer_run(number: Number) -> None:
    """How many seeds, how long that takes, and the button."""
    cell = number.cell
    if not datasets.available(cell.dataset):
        st.info(f"{cell.dataset} is not on this machine, so this cell cannot be run here.")
        return
    seeds = _choose_seeds(number) if is_random(cell) else 1

    def ask() -> None:
        st.session_state[REQUEST] = Request(cell, seeds, uuid4().hex)

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run this cell again",
            key="run-again",
            icon=":material/replay:",
            type="primary",
            on_click=ask,
        )
        st.markdown(_how_long(number, seeds), width="content")


def run_of(number: Number) -> dict[str, Any] | None:
    """The result of the visitor's run of this cell; computes it now if it was asked for."""
    request = st.session_state.get(REQUEST)
    if not isinstance(request, Request) or request.cell != number.cell:
        return None
    if st.session_state.get(CANCELLED) == request:
        st.session_state.pop(REQUEST)
        st.info("Cancelled. Nothing was stored.", icon=":material/stop_circle:")
        return None
    return obtain(
        _runs(),
        request,
        f"Running {number.cell.method} on {number.cell.dataset} again",
        lambda progress: run_cell(request.cell, request.seeds, progress),
    )


def is_random(cell: Cell) -> bool:
    """Whether seeds make a difference."""
    if cell.group == "sizes":
        return False
    return cell.group == "networks" or PRIORS[cell.method].random


def _choose_seeds(number: Number) -> int:
    most = max(len(number.seeds), 1)
    with st.container(width=170):
        return int(
            st.number_input(
                "Seeds to run",
                1,
                max(most, 10),
                1,
                key=f"seeds of {number.cell.key}",
                help="Seeds 0, 1, … are run; each is compared with the stored run of that seed.",
            )
        )


def _how_long(number: Number, seeds: int) -> str:
    if number.result is None:
        return "There is no stored run to tell how long it takes; it may be minutes."
    seconds = seeds * sum(number.result.get("seconds", {}).values())
    if seconds < 1:
        return "Takes about a second."
    took = f"The stored run took {seconds:.0f} s for {counted(seeds, 'seed')}"
    return f"{took}; other visitors may notice." if seconds > SLOW else f"{took}."
