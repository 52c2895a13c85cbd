"""Priors that take seconds, computed by workers while the page can be looked at already."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from gdr_app.components.owner_key import owner_key
from gdr_app.computing.opening import open_dataset
from gdr_app.computing.results import concealed, keep_prior, prior_is_kept
from gdr_app.computing.runs import address, is_run
from gdr_app.computing.slow_priors import prior_request
from gdr_app.wording import plain
from gdr_core import priors
from gdr_core.method import Method
from gdr_tools.jobs import Task, TaskFailed, Ticket, TooManyTasks
from gdr_tools.jobs.everybody import pool
from gdr_tools.jobs.kinds import PRIOR

_TICKETS: Final = "priors under way"
FAILED: Final = "priors that failed"
_EVERYTHING: Final = "priors of minutes wanted"
LOOK: Final = 1.0  # seconds between two looks at the workers
AT_ONCE: Final = 2  # tasks of one visitor that compute priors


def _is_ready(view: Method) -> bool:
    """Whether the result of a view is there, or is computed while one looks."""
    if is_run(view.prior) or view.prior not in priors.PRIORS:
        return True
    if priors.spec_of(view.prior).cost == "instant" or view.dataset.own is not None:
        return True
    hidden = concealed(view)
    if prior_is_kept(hidden) or view in st.session_state.get(FAILED, ()):
        return True
    try:
        options = dict(view.prior_options)
        known = priors.recall(view.prior, open_dataset(hidden.dataset), seed=view.seed, **options)
    except ValueError:
        return True  # computing it says what is wrong
    return known is not None


def split_ready(
    views: dict[str, Method], own: Method, asked: bool
) -> tuple[dict[str, Method], dict[str, Method], dict[str, Method]]:
    """The views to show, those to compute in the background, and those to leave alone.

    own     the view of the sidebar, which is shown whatever it costs
    asked   whether the visitor has chosen the others: then these are shown as well
    """
    ready = {n: v for n, v in views.items() if asked or v == own or _is_ready(v)}
    others = {name: view for name, view in views.items() if name not in ready}
    long = st.session_state.get(_EVERYTHING, False)
    wanted = {n: v for n, v in others.items() if long or priors.spec_of(v.prior).cost == "seconds"}
    return ready, wanted, {n: v for n, v in others.items() if n not in wanted}


def compute_in_background(wanted: dict[str, Method], left: dict[str, Method]) -> None:
    """Hand the wanted priors to workers and look at them every second; offer the others."""
    if left:
        text, icon = f"Run {', '.join(left)} here too (minutes)", ":material/hourglass_top:"
        offer_to_run(text, icon, {_EVERYTHING: True}, key="compute-long")
    if wanted:
        _look(wanted)


def offer_to_run(text: str, icon: str, wish: dict[str, object], *, key: str) -> None:
    """A button for what takes long; the session remembers the wish, by its name."""
    st.button(text, key=key, icon=icon, on_click=lambda: st.session_state.update(wish))


@st.fragment(run_every=LOOK)
def _look(wanted: dict[str, Method]) -> None:
    """One line on how far the workers are; draws the page again when one has ended."""
    tickets: dict[Method, Ticket] = st.session_state.setdefault(_TICKETS, {})
    words = []
    for name, view in list(wanted.items())[:AT_ONCE]:
        try:
            ticket = tickets.get(view) or _submit(view)
            state = ticket.state
        except (TooManyTasks, TaskFailed) as trouble:
            tickets.pop(view, None)
            words.append(f"{name}: {plain(str(trouble))}")
            continue
        tickets[view] = ticket
        if state.ended:
            _finish(view, ticket, state.result)
            st.rerun()
        words.append(f"{name} {state.share:.0%}")
    waiting = list(wanted)[AT_ONCE:]
    more = f"; then {', '.join(waiting)}" if waiting else ""
    said = f"Computing in the background: {', '.join(words)}{more}."
    st.caption(f":material/progress_activity: {said}")


def _submit(view: Method) -> Ticket:
    task = Task(PRIOR, prior_request(concealed(view)))
    return pool().submit(owner_key(), task, address())


def _finish(view: Method, ticket: Ticket, found: dict[str, Any] | None) -> None:
    """Keep the prior; one that failed is tried by the page, which says what is wrong."""
    st.session_state[_TICKETS].pop(view, None)
    ticket.leave()
    if found is None:
        st.session_state.setdefault(FAILED, set()).add(view)
    else:
        keep_prior(view, found["probabilities"])
