"""Opening a dataset on a page: load it, or explain why it cannot be shown and what helps."""

from __future__ import annotations

import streamlit as st

from gdr_core.datasets import DamagedFileError, Dataset, MissingFilesError, wikipedia
from pages.shared import cached
from pages.shared.sidebar import DatasetChoice


def open_dataset(choice: DatasetChoice) -> Dataset:
    """The chosen dataset. If it cannot be had, the page says why and ends here."""
    try:
        return cached.dataset(choice)
    except MissingFilesError:
        explain_missing()
    except (DamagedFileError, ValueError) as error:
        st.error(f"This graph cannot be shown: {error}.", icon=":material/error:")
    st.stop()


def explain_missing() -> None:
    """Wikipedia is fetched on demand: the button and the command that do it."""
    st.warning(
        "**Wikipedia is not on this machine yet.** It is not shipped with the app: about 8 MB are "
        "downloaded from the authors' repository and verified by checksum, once.",
        icon=":material/cloud_download:",
    )
    if st.button("Download Wikipedia", type="primary", icon=":material/download:"):
        _fetch()
    st.markdown("Or in a terminal, in the project's folder:")
    st.code(wikipedia.FETCH_COMMAND, language="bash")
    st.markdown("All other graphs work without it: choose one in the sidebar.")


def _fetch() -> None:
    bar = st.progress(0.0, "Connecting …")

    def report(share: float, text: str) -> None:
        bar.progress(share, text)

    try:
        wikipedia.fetch(report)
    except (OSError, DamagedFileError) as error:
        bar.empty()
        st.error(f"The download failed: {error}.", icon=":material/error:")
        return
    st.rerun()
