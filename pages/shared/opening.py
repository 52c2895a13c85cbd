"""Opening a dataset on a page: load it, or explain why it cannot be shown and what helps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from gdr_core.datasets import (
    DamagedFileError,
    Dataset,
    MissingFilesError,
    heterophilous,
    spec_of,
    wikipedia,
)
from pages.shared import cached
from pages.shared.sidebar import DatasetChoice


def open_dataset(choice: DatasetChoice) -> Dataset:
    """The chosen dataset. If it cannot be had, the page says why and ends here."""
    try:
        return cached.dataset(choice)
    except MissingFilesError:
        explain_missing(choice.name)
    except (DamagedFileError, ValueError) as error:
        st.error(f"This graph cannot be shown: {error}.", icon=":material/error:")
    st.stop()


def explain_missing(name: str) -> None:
    """Some graphs are fetched on demand: the button and the command that do it."""
    own = name in heterophilous.FILES
    title = spec_of(name).title
    size, whose = ("under 1 MB is", "a public") if own else ("about 8 MB are", "the authors'")
    st.warning(
        f"**{title} is not on this machine yet.** It is not shipped with the app: {size} "
        f"downloaded from {whose} repository and verified by checksum, once.",
        icon=":material/cloud_download:",
    )
    if st.button(f"Download {title}", type="primary", icon=":material/download:"):
        _fetch(partial(heterophilous.fetch, name) if own else wikipedia.fetch)
    st.markdown("Or in a terminal, in the project's folder:")
    st.code(heterophilous.fetch_command(name), language="bash")
    st.markdown("All other graphs work without it: choose one in the sidebar.")


def _fetch(fetch: Callable[..., object]) -> None:
    bar = st.progress(0.0, "Connecting …")

    def report(share: float, text: str) -> None:
        bar.progress(share, text)

    try:
        fetch(progress=report)
    except (OSError, DamagedFileError) as error:
        bar.empty()
        st.error(f"The download failed: {error}.", icon=":material/error:")
        return
    st.rerun()
