"""How the server keeps its memory small and its garbage collector quick; both once a process."""

from __future__ import annotations

import ctypes
import gc
from typing import Final

import streamlit as st

ARENA_MAX: Final = -8  # M_ARENA_MAX in glibc's malloc.h
ARENAS: Final = 2


@st.cache_resource(max_entries=1, show_spinner=False)
def share_heaps() -> None:
    """Let all threads use two heaps.

    Streamlit runs each visit in a thread of its own, and glibc gives threads heaps of their own,
    which keep what the visit has left. Other libraries than glibc have no such setting.
    """
    try:
        ctypes.CDLL(None).mallopt(ARENA_MAX, ARENAS)
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
