"""The visit of this browser tab, and the address that shows it.

The visit (see `visit`) is the truth. The address is read when somebody arrives: with a new tab or a
reload, by Back and Forward, or by a link that carries values. It is written whenever the truth
changes, and never read in between: what the browser sends with each run may be older than the
truth. `history` sees to it that a choice makes one entry in the browser's history and a slide none.

What a page has computed with is told to machines by an element that nobody sees: tests compare it
with what the controls show and what the address says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from secrets import token_hex
from typing import Final
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from gdr_app.components.history import correct_address, mount_history
from gdr_app.state.visit import FAMILIES, PAGES, Value, Visit, slide_names

VISIT: Final = "visit"
_SENT: Final = "link sent"
ARRIVAL: Final = "arrival"
_CORRECTIONS: Final = "corrections of the address"
_READY: Final = "link may be written"
USED: Final = '<span hidden class="gdr-used" data-used="{facts}"></span>'


def visit() -> Visit:
    """The state of this tab's visit."""
    if VISIT not in st.session_state:
        st.session_state[VISIT] = Visit()
    return st.session_state[VISIT]


def enter_page(title: str) -> None:
    """Say which page is being drawn, before any widget of it; take over what its link says."""
    with _undisturbed():
        _enter(title)


def _enter(title: str) -> None:
    now = visit()
    other, by_history = title != now.page, _by_history()
    if by_history or not now.page:
        now.arrive(title, _shown(), whole=True)
    elif other and len(st.query_params):
        now.arrive(title, _shown(), whole=False)
    now.page = title
    if other or by_history:
        st.session_state[_SENT] = _shown()
    cut_short = st.session_state.get(_READY) is False  # the run before, by a click or by itself
    st.session_state[ARRIVAL] = token_hex(4) if other or cut_short else None
    st.session_state[_CORRECTIONS] = 0
    st.session_state[_READY] = False


def finish_sidebar() -> None:
    """After the sidebar's pickers: make the address say what they show."""
    st.session_state[_READY] = True
    mount_history(slide_names(), FAMILIES)
    write()


def recall(key: str) -> str | None:
    """What was chosen, None for the default."""
    value = visit().get(key)
    return None if value is None else str(value)


def remember(key: str, value: Value | None) -> None:
    """Choose a value, in the visit and in the address; None is the default. For callbacks."""
    st.session_state[ARRIVAL] = None  # who acts has a page before them
    visit().put(key, value)
    write()


def correct(key: str, value: Value | None) -> None:
    """Put a value right while the page is drawn; in the address when the sidebar is complete."""
    visit().put(key, value)
    if st.session_state.get(_READY):
        write()


def write() -> None:
    """Make the address say what the visit is; nothing is sent where it does.

    A run that enters a page leaves that to code in the browser, which waits for the page's own
    address: Streamlit may take a message before it has left the address of the page before.
    """
    wanted = _listed(visit().link())
    if arrival := st.session_state.get(ARRIVAL):
        if wanted != st.session_state[_SENT]:
            st.session_state[_CORRECTIONS] = number = st.session_state[_CORRECTIONS] + 1
            page, address = visit().page, urlencode(wanted, doseq=True)
            correct_address(page, PAGES - {page}, address, arrival, number)
    elif wanted != _shown() or wanted != st.session_state.get(_SENT):
        st.query_params.from_dict(wanted)
    st.session_state[_SENT] = wanted


def tell_used(place: str, **facts: object) -> None:
    """Leave a note on what was computed with; a later one of the same place takes its room."""
    with st.sidebar, st.container(key=f"sent-used-{place}"):  # where it moves nothing
        st.html(USED.format(facts=escape(json.dumps(facts, default=str), quote=True)))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let nobody choose anything meanwhile: who does so in the moment of Back does so on its page.

    Another run may take a message while this one, which is to stop, has not heard of it yet.
    """
    context = get_script_run_ctx()
    if context is None:
        yield
        return
    with context.session_state.query_params():  # the lock that taking a message needs, too
        VISIT in st.session_state  # noqa: B015  Streamlit ends a run here that is to stop
        yield


def _by_history() -> bool:
    """Whether this run answers the browser's Back or Forward."""
    context = get_script_run_ctx()
    return context is not None and bool(getattr(context, "is_history_navigation", False))


def _shown() -> dict[str, list[str]]:
    """What the browser says that the address is."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _listed(link: dict[str, Value]) -> dict[str, list[str]]:
    """The texts that stand for values; several of which none is chosen are an empty one."""
    return {
        name: [value] if isinstance(value, str) else list(value) or [""]
        for name, value in link.items()
    }
