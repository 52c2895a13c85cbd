"""Sharing a view: a button that copies its link, and the presenter's keys.

The browser copies the address that it shows. A QR code is asked for here, so that it says what the
visit says; nothing outside is asked for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import streamlit as st

from gdr_app.components.mounts import component

MOUNT: Final = "presenting"
_HERE = Path(__file__).parent
_component = component("presenting", _HERE / "presenting.js", _HERE / "presenting.css")


@dataclass(frozen=True)
class Showing:
    """How the page is shown.

    view      `page`, `embed` or `present`
    autoplay  whether the first animation plays by itself; it does not for who wants less motion
    own       whether the page is about own data, which no link carries
    code      the QR code of `address` as an SVG, where it was asked for
    """

    view: str
    autoplay: bool
    own: bool
    code: str = ""
    address: str = ""


def mount_presenting(showing: Showing, wishes: dict[str, Callable[[], None]]) -> None:
    """The buttons, and what happens on a wish: `code`, `present` or `leave`."""

    def tell() -> None:
        wish = (st.session_state.get(MOUNT) or {}).get("wish")
        if isinstance(wish, str) and wish in wishes:
            wishes[wish]()

    _component(key=MOUNT, data=asdict(showing), on_wish_change=tell, height="content")
