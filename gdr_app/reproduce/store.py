"""The stored results as they are now: read again when a file has changed."""

from __future__ import annotations

import logging
from typing import Final

import streamlit as st

from gdr_app.computing.kept import kept
from gdr_app.wording import told
from gdr_tools.paper.store import FOLDER, GROUPS, Snapshot, Store

LOG: Final = logging.getLogger(__name__)


def snapshot() -> Snapshot:
    """All stored results; a file that cannot be read is reported and the page ends."""
    store = Store(FOLDER)
    try:
        return _snapshot(_state(store))
    except ValueError as error:
        LOG.warning("the stored results cannot be read: %s", error)
        said = told(error, *map(store.path, GROUPS))
        st.error(f"The stored results cannot be read: {said}.", icon=":material/error:")
        st.stop()


@kept(most=2)
def _snapshot(state: tuple[tuple[str, int, int], ...]) -> Snapshot:
    return Snapshot(Store(FOLDER))


def _state(store: Store) -> tuple[tuple[str, int, int], ...]:
    """Time of change and size of every file: the key of the cache."""
    files = [store.path(group) for group in GROUPS]
    marks = [(path.name, path.stat()) for path in files if path.exists()]
    return tuple((name, mark.st_mtime_ns, mark.st_size) for name, mark in marks)
