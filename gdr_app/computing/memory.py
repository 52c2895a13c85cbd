"""How the server keeps its memory small and its garbage collector quick; all once a process.

Streamlit can collect garbage after each run of a page. With forty visitors this looks at all that
their pages hold, every time, and takes longer than the run: .streamlit/config.toml turns it off,
and a thread does it every few seconds. Python does it, too, whenever many objects are new, which
forty pages that are drawn again make true every two seconds; nobody's page is drawn meanwhile, the
longer the more sessions are there or have just been left. So Python leaves what is old to the
thread.
"""

from __future__ import annotations

import ctypes
import gc
from functools import cache
from threading import Event, Thread
from typing import Final

# Names in glibc's malloc.h: M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD
ARENA_MAX, MMAP_THRESHOLD, TRIM_THRESHOLD = -8, -3, -1
SETTINGS: Final = {ARENA_MAX: 2, MMAP_THRESHOLD: 1 << 20, TRIM_THRESHOLD: 1 << 22}
EVERY: Final = 10.0  # seconds between two collections
_NEVER: Final = 2**30  # collections of what is new, before Python looks at what is old by itself


@cache
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


@cache
def spare_collector() -> None:
    """Keep from the garbage collector what is there to stay, all that is imported by now, and have
    it look at what is old only when it is told to (see `collect_regularly`).

    To be called when the libraries of all pages are loaded, and before the first visitor comes.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], _NEVER)


@cache
def collect_regularly() -> Event:
    """Collect garbage every few seconds until the event that this gives is set."""
    ended = Event()

    def collect() -> None:
        while not ended.wait(EVERY):
            gc.collect()

    Thread(target=collect, name="garbage", daemon=True).start()
    return ended
