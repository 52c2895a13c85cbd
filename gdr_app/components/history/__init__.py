"""One entry in the browser's history for a choice, none for the move of a slider.

Streamlit makes an entry of every change of the address. The code here runs in the page's own
window and decides instead: see `history.js`. Back and Forward are Streamlit's own: it runs the
page with the restored address, which `link.enter_page` reads.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

import streamlit as st

from gdr_app.components.mounts import component

MOUNT: Final = "history"

_component = component("history", Path(__file__).parent / "history.js")


def mount_history(slides: Sequence[str], families: Sequence[str]) -> None:
    """Install the code, once for each page, in a place where nothing is drawn.

    slides, families   names in links, and their beginnings, whose changes make no entry
    """
    _mount(MOUNT, {"slides": list(slides), "families": list(families)})


def correct_address(
    page: str, others: Collection[str], link: str, arrival: str, number: int
) -> None:
    """Let the page's address say what it shows, without an entry in the history.

    others    the names of all other pages
    arrival   tells one coming to the page from another
    number    of the correction, from 1: of several for an arrival the last one holds
    """
    data = {"page": page, "others": sorted(others), "link": link}
    _mount(f"{MOUNT}-{number}", data | {"arrival": arrival, "number": number})


def _mount(key: str, data: dict[str, object]) -> None:
    # In the sidebar: in the page it would move what stands below, and in a fragment, which does not
    # send it again with its next run, let the browser make all of that anew.
    with st.sidebar, st.container(key=f"sent-{key}"):
        # Whoever was cut off and is back asks for a run of the page: that is all there is to do.
        _component(key=key, data=data, height="content", on_back_change=lambda: None)
