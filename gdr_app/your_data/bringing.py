"""The ways in: files, a pasted edge list, the examples, a project file."""

from __future__ import annotations

import streamlit as st

from gdr_app.wording import plain
from gdr_app.your_data.draft import Draft, start_over
from gdr_app.your_data.examples import example_files
from gdr_app.your_data.reopening import offer_reopening
from gdr_app.your_data.texts import EXAMPLES, FORMATS_READ, PASTE_HELP, PASTED
from gdr_core.datasets.own import File
from gdr_core.datasets.own.findings import listed
from gdr_core.datasets.own.limits import MEGABYTE
from gdr_tools.own.choices import WEB_LIMITS, WEB_TOGETHER
from gdr_tools.own.project import is_project
from gdr_tools.own.requests import bytes_of

_PASTE_LIMIT = 1_000_000  # characters


def bring_files(now: Draft) -> None:
    """Take what was dropped or pasted into the draft."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        files = _dropped(now)
        _examples()
    with right:
        _paste(now)
    projects = [file for file in files if is_project(bytes_of(file))]
    offer_reopening(now, projects)
    pasted = now.pasted.encode(errors="replace")
    text = [File(PASTED, pasted, WEB_LIMITS)] if now.pasted.strip() else []
    if left_out := now.take([*text, *(file for file in files if file not in projects)]):
        st.error(
            f"{plain(listed(left_out))}: left out, because files of at most "
            f"{WEB_TOGETHER // MEGABYTE} MB together are read here.",
            icon=":material/error:",
        )
    if now.files:
        st.button("Start over", icon=":material/restart_alt:", on_click=start_over)


def _dropped(now: Draft) -> list[File]:
    uploads = st.file_uploader(
        "Files: edges, classes, features, a split, class probabilities, or a project file",
        accept_multiple_files=True,
        key=f"own files {now.turn}",
    )
    with st.expander("What can be read", icon=":material/description:"):
        st.markdown(FORMATS_READ)
    return [File(upload.name, upload.getvalue(), WEB_LIMITS) for upload in uploads or ()]


def _paste(now: Draft) -> None:
    with st.expander("Paste an edge list", icon=":material/content_paste:", expanded=True):
        key = f"own pasted {now.turn}"

        def take() -> None:
            now.pasted = st.session_state[key]

        st.text_area(
            "Edge list",
            key=key,
            height=130,
            max_chars=_PASTE_LIMIT,
            placeholder="ann, bob\nbob, cyd\ncyd, ann, 2.5",
            help=PASTE_HELP,
            on_change=take,
        )
        st.button("Read it", key="read pasted", icon=":material/arrow_forward:")


def _examples() -> None:
    with st.expander("Examples to try", icon=":material/lightbulb:"):
        st.markdown(EXAMPLES)
        with st.container(horizontal=True, gap="small"):
            for name, content in example_files().items():
                st.download_button(
                    name,
                    content,
                    file_name=name,
                    mime="text/csv",
                    icon=":material/download:",
                    on_click="ignore",
                )
