"""State that every page shares and the URL shows, whether or not a page draws its widget.

A widget bound to the URL loses its parameter on pages that do not draw it. What is kept here is
plain session state, copied into the URL by every page that reads it.
"""

from __future__ import annotations

import streamlit as st


def recall(key: str) -> str | None:
    """What this session holds under the key, or else what its link says."""
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key)
    value = st.session_state[key]
    _mirror(key, value)
    return value


def remember(key: str, value: str | None) -> None:
    """Keep a value, in the session and in the URL; None forgets it."""
    st.session_state[key] = value
    _mirror(key, value)


def _mirror(key: str, value: str | None) -> None:
    if value is None:
        if key in st.query_params:
            del st.query_params[key]
    elif st.query_params.get(key) != str(value):
        st.query_params[key] = str(value)
