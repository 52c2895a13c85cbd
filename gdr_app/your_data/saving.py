"""Saving a project: own data, settings, trained runs and predictions as one zip."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from gdr_app.components.owner_key import mount_owner_key
from gdr_app.computing import cached
from gdr_app.computing.results import result_of
from gdr_app.computing.runs import PREFIX, in_file_names, report_of
from gdr_app.state import link
from gdr_app.state.own import Own, opened, room
from gdr_app.widgets.export import offer_file
from gdr_app.wording import plain
from gdr_core.datasets import DatasetChoice
from gdr_core.datasets.own.findings import short
from gdr_core.gdr.predictions import predictions_csv
from gdr_core.method import Method
from gdr_tools.jobs import Report
from gdr_tools.own.project import MOST_RUNS, Project, saved_run, write_project

_SAVING: Final = "project being saved"
_SAVED: Final = "project saved"
_METHOD_WORDS: Final = ("prior", "laplacian", "direction", "rule", "stationary")


def offer_project() -> None:
    """For each open dataset: make its project file, then take it away."""
    if not opened():
        return
    with st.sidebar:
        mount_owner_key()
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for key, own in opened().items():
            _offer(key, own)


def _offer(key: str, own: Own) -> None:
    def begin() -> None:
        st.session_state[_SAVING] = key
        st.session_state.pop(_SAVED, None)

    name = plain(short(own.dataset.name, 30))
    st.button(
        f"Save “{name}” as a project file",
        key=f"save {key}",
        icon=":material/save:",
        on_click=begin,
        help="Data, settings, trained runs and predictions in one zip, to drop here another time.",
    )
    if st.session_state.get(_SAVING) == key:
        st.session_state[_SAVED] = key, _project_file(key, own)
        del st.session_state[_SAVING]
    whose, content = st.session_state.get(_SAVED, ("", b""))
    if whose == key:
        offer_file(
            f"Download the project ({max(len(content) / 1e6, 0.01):.2f} MB)",
            f"{in_file_names(own.dataset.name)}.gdr.zip",
            content,
            type="primary",
        )


def _project_file(key: str, own: Own) -> bytes:
    runs = _runs_of(key)
    project = Project(
        own.dataset.name,
        own.files,
        own.choices,
        _view(key, runs),
        own.dataset.layout,
        tuple(map(saved_run, runs)),
    )
    return write_project(project, _predictions(key, own))


def _runs_of(key: str) -> list[Report]:
    found = [report_of(run) for run in sorted(room().runs)]
    with_result = [run for run in found if run is not None and run.result is not None]
    mine = [run for run in with_result if run.job.dataset == key]
    return sorted(mine, key=lambda run: run.number)[-MOST_RUNS:]


def _view(key: str, runs: list[Report]) -> dict[str, Any]:
    """What is chosen for these data, runs by their place in the project."""
    numbers = {run.id: str(i) for i, run in enumerate(runs)}
    chosen: dict[str, Any] = {}
    for id, value in link.visit().kept_for(key).items():
        if isinstance(value, tuple):
            chosen[id] = list(value)
        else:
            run = value.removeprefix(PREFIX)
            chosen[id] = value.replace(run, numbers.get(run, run))
    return chosen


def _predictions(key: str, own: Own) -> str:
    """What GDR makes of the data with the settings of the visit; nothing where it cannot be."""
    if own.dataset.classes < 2:
        return ""
    visit = link.visit()
    before = visit.dataset
    visit.put("dataset", key)
    words: dict[str, Any] = {word: visit.current(word) for word in _METHOD_WORDS}
    visit.put("dataset", before)
    choice = DatasetChoice(key, own=own.dataset)
    view = _method(choice, words, own.first_prior)
    return predictions_csv(cached.dataset(choice), result_of(view).at())


def _method(choice: DatasetChoice, words: dict[str, Any], first_prior: str) -> Method:
    try:
        return replace(Method(choice, first_prior), **words)
    except ValueError:
        return Method(choice, first_prior)
