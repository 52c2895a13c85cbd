"""Who a visitor is, without accounts: a random key that stays in the visitor's own browser.

Session state dies with a reload, and a key in the link would be given away with the link. So the
key is kept in the browser's storage: a reload and further tabs of the same browser are the same
visitor, and whoever opens a copied link elsewhere is another one. A cookie of this site alone
brings it along when a page is opened. Where there is none, as in a frame of another site, the
browser answers with the key, which costs another run of the page.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st

from gdr_app.components.mounts import component

OWNER: Final = "owner"
_COOKIE: Final = "gdr-explorer-owner"
MOUNT: Final = "owner key"
_VALID: Final = re.compile(r"[A-Za-z0-9_-]{43}")

_component = component("owner_key", Path(__file__).parent / "owner_key.js")


def owner_key() -> str:
    """The visitor's key: the browser's, or a new one that the browser is asked to keep."""
    if OWNER not in st.session_state:
        brought = st.context.cookies.get(_COOKIE)
        st.session_state[OWNER] = brought if _is_key(brought) else secrets.token_urlsafe(32)
    return st.session_state[OWNER]


def mount_owner_key() -> None:
    """Exchange keys with the browser; once for each page, in a place where nothing is drawn."""

    def adopt() -> None:
        _adopt(st.session_state.get(MOUNT))

    answer = _component(
        key=MOUNT,
        data={"key": owner_key(), "name": _COOKIE},
        on_kept_change=adopt,
        height="content",
    )
    # The answer may come in while the page still runs, and then its callback is not always called.
    if _adopt(answer):
        st.rerun()


def _adopt(answer: Mapping[str, object] | None) -> bool:
    """Take the key that the browser answered with; whether it is another one than before."""
    kept = (answer or {}).get("kept")
    if not _is_key(kept) or kept == owner_key():
        return False
    st.session_state[OWNER] = kept
    return True


def _is_key(said: object) -> bool:
    return isinstance(said, str) and _VALID.fullmatch(said) is not None
