"""Select boxes bound to the URL, and what is said when a link asks for what there is not."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.shared import link
from pages.shared.wording import plain


def pick(
    label: str,
    choices: tuple[str, ...],
    *,
    key: str,
    default: str | None = None,
    help: str | None = None,
) -> str:
    """A select box bound to the URL. A value it does not have gives the default, and says so.

    The choices are shown as they are named in the library: what a select box displays is what
    Streamlit writes into the URL.
    """
    first = choices[0] if default is None else default
    link.carry(key, first)
    report_unknown(label, key, choices, first)
    if st.session_state.get(key) not in choices:
        st.session_state.pop(key, None)
    return st.selectbox(
        label, choices, choices.index(first), key=key, bind="query-params", help=help
    )


def pick_some(label: str, choices: Sequence[str], *, key: str) -> list[str]:
    """Pills bound to the URL, of which several or none can be chosen.

    The choices should not depend on what moves while one looks: a pill that goes takes its being
    chosen with it.
    """
    link.carry(key, [])
    report_unknown_ones(label, key, tuple(choices))
    return st.pills(label, choices, selection_mode="multi", key=key, bind="query-params")


def asked_by_link(key: str) -> str | None:
    """What the link says, as long as the widget of that name has not taken it over."""
    return None if key in st.session_state else st.query_params.get(key)


def report_unknown(label: str, key: str, choices: tuple[str, ...], default: str) -> None:
    """Say that the link asks for a choice that there is not."""
    asked = asked_by_link(key)
    if asked is not None and asked not in choices:
        st.warning(
            f"The link asks for “{plain(asked)}” under **{label}**, which there is not. "
            f"Showing {default}.",
            icon=":material/link_off:",
        )


def report_unknown_ones(label: str, key: str, choices: tuple[str, ...]) -> None:
    """Say which of several choices that the link asks for there are not."""
    asked = [] if key in st.session_state else st.query_params.get_all(key)
    if unknown := [name for name in asked if name not in choices]:
        listed = ", ".join(f"“{plain(name)}”" for name in unknown)
        st.warning(
            f"The link asks for {listed} under **{label}**, which there is not. "
            f"Choose from {', '.join(choices)}.",
            icon=":material/link_off:",
        )


def report_outside(label: str, key: str, low: float, high: float, default: float) -> None:
    """Say that the link asks for a number that is none, or out of range."""
    asked = asked_by_link(key)
    if asked is not None and not _lies_between(asked, low, high):
        st.warning(
            f"The link asks for “{plain(asked)}” under **{label}**; it must be a number from "
            f"{low:g} to {high:g}. Showing {default:g}.",
            icon=":material/link_off:",
        )


def _lies_between(text: str, low: float, high: float) -> bool:
    try:
        return low <= float(text) <= high
    except ValueError:
        return False
