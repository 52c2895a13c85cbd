"""A project file that was dropped: its data, settings and runs come back."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.components.owner_key import owner_key
from gdr_app.computing.runs import PREFIX, address, attempt, registry
from gdr_app.state import link
from gdr_app.state.own import Own, room
from gdr_app.wording import counted, plain
from gdr_app.your_data.draft import Draft, lay_out, start_over, understand
from gdr_app.your_data.opening import open_data
from gdr_core.datasets.own import File, ReadingError
from gdr_core.datasets.own.findings import short
from gdr_tools.own.project import Project, SavedRun, fits, read_project
from gdr_tools.own.requests import bytes_of

_READ: Final = "projects that were read"  # by name and content, for as long as they are there
_REOPENING: Final = "project being reopened"
_RUN_WORDS: Final = ("run", "prior")


def offer_reopening(now: Draft, projects: list[File]) -> None:
    """A button for each project file; a file that is not to be trusted says why."""
    known = st.session_state.get(_READ, {})
    st.session_state[_READ] = fresh = dict[tuple[str, bytes], Project | str]()
    for file in projects:
        key = file.name, hashlib.blake2b(bytes_of(file), digest_size=16).digest()
        fresh[key] = project = known[key] if key in known else _read(file)
        if isinstance(project, str):
            st.error(plain(project), icon=":material/error:")
        else:
            _offer(now, file, project)


def _read(file: File) -> Project | str:
    """The project, or why it is none."""
    try:
        return read_project(bytes_of(file), file.name)
    except ReadingError as problem:
        return str(problem)


def _offer(now: Draft, file: File, project: Project) -> None:
    def begin() -> None:
        st.session_state[_REOPENING] = file.name

    with st.container(border=True):
        st.markdown(
            f":material/folder_zip: **{plain(short(file.name))}** is a project, "
            f"“{plain(project.name)}”: {counted(len(project.files), 'file')}, "
            f"{counted(len(project.runs), 'trained run')}."
        )
        st.button("**Reopen it**", key=f"reopen {file.name}", type="primary", on_click=begin)
    if st.session_state.get(_REOPENING) == file.name:
        _reopen(now, project)


def _reopen(now: Draft, project: Project) -> None:
    """Read the data again with the same choices, then put everything in its place."""
    saved = Draft(turn=now.turn)
    saved.choices = replace(project.choices, name=project.name)
    saved.files = project.files
    answer = understand(saved)
    if answer["counts"] is None:
        del st.session_state[_REOPENING]
        st.error(f"The data cannot be read: {plain(answer['trouble'])}.", icon=":material/error:")
        return
    own = open_data(saved, answer, _layout(saved, answer, project))
    names = {i: _restore(own, run) for i, run in enumerate(project.runs)}
    _settings(project.view, names)
    del st.session_state[_REOPENING]
    start_over()
    st.rerun()


def _layout(saved: Draft, answer: dict[str, Any], project: Project) -> Any:
    places, nodes = project.layout, answer["counts"]["nodes"]
    if places is not None and places.shape == (nodes, 2) and np.isfinite(places).all():
        return places
    return lay_out(saved, answer["data"].tobytes())


def _restore(own: Own, run: SavedRun) -> str | None:
    """Put a trained run back into the list of runs; its new id."""
    if not fits(run, own.dataset.nodes, own.dataset.classes):
        return None
    job = replace(run.job, dataset=own.key, split=own.dataset.split.name)
    kept = (job, run.name, run.rows, run.result)
    found = attempt(registry().restore, owner_key(), *kept, address())
    if not isinstance(found, str):
        return None
    room().runs.add(found)
    return found


def _settings(view: dict[str, Any], runs: dict[int, str | None]) -> None:
    """The settings of the pages; runs have other ids now."""
    for key, value in view.items():
        number = value.removeprefix(PREFIX) if isinstance(value, str) else ""
        if key in _RUN_WORDS and number.isdigit() and isinstance(value, str):
            found = runs.get(int(number))
            value = None if found is None else (PREFIX if value.startswith(PREFIX) else "") + found
        if value is not None:
            try:
                link.visit().put(key, value)
            except KeyError:
                continue
