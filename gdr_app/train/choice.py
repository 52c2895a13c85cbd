"""Which run the Train page shows, what it is called, and whether test nodes may be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import streamlit as st

from gdr_app.components.owner_key import owner_key
from gdr_app.computing.runs import attempt, fits, registry, report_of
from gdr_app.state import link
from gdr_app.state.pickers import identity, moved
from gdr_app.train.replay import EXAMPLE
from gdr_app.train.watch import RUN, show_run
from gdr_app.wording import plain
from gdr_core.datasets import DatasetChoice
from gdr_tools.jobs import Report

_PICKER: Final = "run picker"


def report_lost_link(choice: DatasetChoice) -> None:
    """Say so when the run of the link is gone, or is about another graph."""
    asked = link.recall(RUN)
    if asked is None:
        return
    run = report_of(asked)
    if run is None and registry().is_elsewhere(asked):
        st.info(
            f"The run “{plain(asked)}” is on another server of this group, which alone can show "
            "it: open the link in the browser in which the run was started. If that server stops, "
            "the run goes on here.",
            icon=":material/dns:",
        )
    elif run is None:
        st.warning(
            f"There is no run “{plain(asked)}” on this server: it was removed, forgotten after "
            "hours without a visitor, or lived on a server that has stopped. Your other runs are "
            "untouched.",
            icon=":material/link_off:",
        )
        link.correct(RUN, None)
    elif not fits(run.job, choice):
        if registry().is_owner(asked, owner_key()):
            link.correct(RUN, None)  # `mention_others` tells of it
            return
        st.info(
            f"The run “{plain(run.name)}” is about {_graph_of(run)}: choose that in the sidebar to "
            "see it.",
            icon=":material/hub:",
        )


def mention_others(choice: DatasetChoice) -> None:
    """Where else the visitor has runs: they count too, and are chosen by their graph."""
    runs = [report_of(run) for run in registry().owned(owner_key())]
    elsewhere = [_graph_of(run) for run in runs if run and not fits(run.job, choice)]
    if elsewhere:
        counts = ", ".join(f"{graph}: {number}" for graph, number in Counter(elsewhere).items())
        st.caption(f"Your runs on other graphs, which the sidebar can show. {counts}.")


def _graph_of(report: Report) -> str:
    job = report.job
    shape = "".join(f", {name} {value:g}" for name, value in job.dataset_options)
    seed = f", seed {job.dataset_seed}" if job.dataset_seed else ""
    return plain(f"{job.dataset} ({job.split} split{shape}{seed})")


def choose_run(reports: Sequence[Report]) -> Report | None:
    """The run of the link, or else the newest; a picker where there are several."""
    if not reports:
        return None
    if reports[0].id == EXAMPLE:
        return reports[0]
    known = {report.id: report for report in reports}
    asked = link.recall(RUN)
    shown = known.get(asked or "", reports[-1])
    if asked != shown.id:
        link.correct(RUN, shown.id)
    if len(reports) > 1:
        _offer_others(known, shown)
    return shown


def _offer_others(known: dict[str, Report], shown: Report) -> None:
    control = identity(_PICKER, shown.id, tuple(known))

    def take() -> None:
        moved(_PICKER, st.session_state[control])
        show_run(st.session_state[control])

    st.pills(
        "Run shown",
        list(known),
        default=shown.id,
        key=control,
        format_func=lambda run: plain(known[run].name) if run in known else run,
        required=True,
        on_change=take,
    )


def offer_name(shown: Report) -> None:
    """The owner can give a run a name."""
    if not registry().is_owner(shown.id, owner_key()):
        return
    key = f"name of {shown.id}"
    with st.container(width=220):
        st.text_input(
            "Name of this run",
            shown.name,
            key=key,
            max_chars=60,
            on_change=lambda: _rename(shown, st.session_state[key]),
        )


def _rename(shown: Report, name: str) -> None:
    attempt(registry().rename, shown.id, owner_key(), name.strip() or shown.name)
