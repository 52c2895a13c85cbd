"""Opening a dataset on a page: load it, or explain why it cannot be shown and what helps."""

from __future__ import annotations

import logging
from typing import Final

import streamlit as st

from gdr_app.computing import cached
from gdr_app.wording import told
from gdr_core.datasets import (
    DamagedFileError,
    Dataset,
    DatasetChoice,
    Download,
    MissingFilesError,
    Spec,
)

LOG: Final = logging.getLogger(__name__)


def open_dataset(choice: DatasetChoice) -> Dataset:
    """The chosen dataset. If it cannot be had, the page says why and ends here."""
    try:
        return cached.dataset(choice)
    except MissingFilesError:
        _explain_missing(choice.spec)
    except (DamagedFileError, ValueError) as error:
        LOG.warning("%s cannot be shown: %s", choice.name, error)
        st.error(f"This graph cannot be shown: {told(error)}.", icon=":material/error:")
    st.stop()


def _explain_missing(spec: Spec) -> None:
    """A dataset that is fetched on demand: the button and the command that do it."""
    download = spec.download
    if download is None:
        st.error(f"The files of {spec.title} are missing.", icon=":material/error:")
        return
    st.warning(
        f"**{spec.title} is not on this machine yet.** It is not shipped with the app: about "
        f"{download.size} are downloaded from {download.origin} and verified by checksum, once.",
        icon=":material/cloud_download:",
    )
    if st.button(f"Download {spec.title}", type="primary", icon=":material/download:"):
        _fetch(download)
    st.markdown("Or in a terminal, in the project's folder:")
    st.code(download.command, language="bash")
    st.markdown("All other graphs work without it: choose one in the sidebar.")


def _fetch(download: Download) -> None:
    bar = st.progress(0.0, "Connecting …")

    def report(share: float, text: str) -> None:
        bar.progress(share, text)

    try:
        download.fetch(report)
    except (OSError, DamagedFileError) as error:
        bar.empty()
        LOG.warning("a download failed: %s", error)
        st.error(f"The download failed: {told(error)}.", icon=":material/error:")
        return
    st.rerun()
