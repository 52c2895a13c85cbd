"""Running a cell again, with progress and a way to stop it; what is stored stays as it is.

A worker process does the work, so that other visitors' pages do not wait for it. This page only
waits: when it is run again, because its visitor has chosen something, it takes up the same run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import streamlit as st

from gdr_app.components.owner_key import owner_key
from gdr_app.computing.kept import kept
from gdr_app.computing.runs import address
from gdr_app.computing.store import Store
from gdr_app.computing.working import CANCELLED, obtain
from gdr_app.wording import counted, plain
from gdr_core import datasets
from gdr_core.priors import PRIORS
from gdr_core.progress import Progress
from gdr_tools.jobs import Task, TaskFailed, TaskRefused, Ticket, TooManyTasks
from gdr_tools.jobs.everybody import pool
from gdr_tools.jobs.kinds import CELL
from gdr_tools.paper.board import Number
from gdr_tools.paper.cells import Cell
from gdr_tools.paper.worker import request_of

REQUEST: Final = "cell to run again"
REFUSED: Final = "cell not started"
BUDGET: Final = 16 * 2**20
SLOW: Final = 60.0  # seconds from which on a visitor is warned


class NoResult(Exception):
    """A run has none; the message says why, as one or more sentences."""


@dataclass(frozen=True, eq=False)
class Request:
    """A visitor's wish to run a cell; each click is a wish of its own."""

    cell: Cell
    seeds: int
    ticket: Ticket = field(repr=False)


@kept(most=1)
def _results() -> Store[dict[str, Any]]:
    return Store(BUDGET, lambda result: len(json.dumps(result)))


def offer_run(number: Number) -> None:
    """How many seeds, how long that takes, and the button."""
    cell = number.cell
    if not datasets.available(cell.dataset):
        st.info(f"{cell.dataset} is not on this machine, so this cell cannot be run here.")
        return
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        seeds = _choose_seeds(number) if _is_random(cell) else 1
    pool().expect()

    def ask() -> None:
        if isinstance(before := st.session_state.pop(REQUEST, None), Request):
            before.ticket.cancel()  # one run a visitor
        try:
            ticket = pool().submit(owner_key(), Task(CELL, request_of(cell, seeds)), address())
        except TooManyTasks as refusal:
            st.session_state[REFUSED] = str(refusal)
        else:
            st.session_state[REQUEST] = Request(cell, seeds, ticket)

    row.button(
        "Run this cell again",
        key="run-again",
        icon=":material/replay:",
        type="primary",
        on_click=ask,
    )
    st.markdown(_how_long(number, seeds))


def run_of(number: Number) -> dict[str, Any] | None:
    """The result of the visitor's run of this cell; waits for it if it was asked for."""
    if refusal := st.session_state.pop(REFUSED, None):
        st.error(f"This cell was not started: {plain(refusal)}.", icon=":material/error:")
    request = st.session_state.get(REQUEST)
    if not isinstance(request, Request) or request.cell != number.cell:
        return None
    if st.session_state.get(CANCELLED) == request:
        request.ticket.cancel()
        st.session_state.pop(REQUEST)
        st.info("Cancelled. Nothing was stored.", icon=":material/stop_circle:")
        return None
    return _wait_for(request)


def _wait_for(request: Request) -> dict[str, Any] | None:
    what = f"Running {request.cell.method} on {request.cell.dataset} again"
    place = st.empty()
    try:
        with place.container():
            return obtain(_results(), request, what, partial(_wait, request), together=True)
    except NoResult as failure:
        place.error(f"**There is no result.** {plain(str(failure))}", icon=":material/error:")
        return None


def _wait(request: Request, progress: Progress) -> dict[str, Any]:
    """The result; here a page goes on without one."""
    try:
        return request.ticket.wait(progress)
    except (TaskFailed, TaskRefused) as failure:
        raise NoResult(str(failure)) from failure


def _is_random(cell: Cell) -> bool:
    """Whether seeds make a difference."""
    if cell.group == "sizes":
        return False
    return cell.group == "networks" or PRIORS[cell.method].random


def _choose_seeds(number: Number) -> int:
    most = max(len(number.seeds), 1)
    with st.container(width=150):
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
        return "Takes a few seconds at most, on a server that is not busy."
    took = f"The stored run took {seconds:.0f} s for {counted(seeds, 'seed')}"
    return f"{took}; here it may take longer." if seconds > SLOW else f"{took}."
