"""State that every page shares and the URL shows, whether or not a page draws its widget.

A widget bound to the URL loses its parameter on pages that do not draw it. What is kept here is
plain session state, copied into the URL by every page that reads it.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

PAGE: Final = "page shown"
DRAWN: Final = "page that drew"


def enter_page(title: str) -> None:
    """Say which page is being drawn, before any widget of it."""
    st.session_state[PAGE] = title


def carry(key: str, default: object = None) -> None:
    """Take the value of a bound widget along to the page that now draws it for the first time.

    Streamlit 1.67 forgets a value that came with a link as soon as the visitor changes the page,
    if nothing was clicked in between. What the new page's own link says comes first.
    """
    if not _first_here(key) or key in st.query_params or key not in st.session_state:
        return
    value = st.session_state[key]
    st.session_state[key] = value
    if value not in (None, default):
        st.query_params[key] = value if isinstance(value, list) else str(value)


def recall(key: str) -> str | None:
    """What the link to this page says, or else what this session holds under the key."""
    arriving = _first_here(key) and key in st.query_params
    if arriving or key not in st.session_state:
        st.session_state[key] = st.query_params.get(key)
    value = st.session_state[key]
    _mirror(key, value)
    return value


def remember(key: str, value: str | None) -> None:
    """Keep a value, in the session and in the URL; None forgets it."""
    st.session_state[key] = value
    _mirror(key, value)


def _first_here(key: str) -> bool:
    """Whether the key is used for the first time since the visitor came to this page."""
    mark, page = f"{DRAWN} {key}", st.session_state.get(PAGE)
    first = st.session_state.get(mark) != page
    st.session_state[mark] = page
    return first


def _mirror(key: str, value: str | None) -> None:
    if value is None:
        if key in st.query_params:
            del st.query_params[key]
    elif st.query_params.get(key) != str(value):
        st.query_params[key] = str(value)
