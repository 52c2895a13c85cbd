"""How the server keeps its memory small and its garbage collector quick; both once a process."""

from __future__ import annotations

import ctypes
import gc
from typing import Final

import streamlit as st

# Names in glibc's malloc.h: M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD
ARENA_MAX, MMAP_THRESHOLD, TRIM_THRESHOLD = -8, -3, -1
SETTINGS: Final = {ARENA_MAX: 2, MMAP_THRESHOLD: 1 << 20, TRIM_THRESHOLD: 1 << 22}


@st.cache_resource(max_entries=1, show_spinner=False)
def share_heaps() -> None:
    """Let all threads use two heaps, and keep large arrays out of them.

    Streamlit runs each visit in a thread of its own, and glibc gives threads heaps of their own,
    which keep what the visit has left. Arrays of a megabyte and more are mapped one by one, so
    that their memory goes back to the system with them: by default glibc soon moves these into
    the heaps as well, where small things that last keep the room of large ones that do not. Other
    libraries than glibc have no such settings.
    """
    try:
        library = ctypes.CDLL(None)
        for setting, value in SETTINGS.items():
            library.mallopt(setting, value)
    except (AttributeError, OSError, TypeError):
        return


@st.cache_resource(max_entries=1, show_spinner=False)
def spare_collector() -> None:
    """Keep from the garbage collector what is there to stay.

    Streamlit collects garbage after each run of a page and looks at every object for it: a tenth
    of a second for those of the libraries alone, which are all loaded when this is called.
    """
    gc.collect()
    gc.freeze()
