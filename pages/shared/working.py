"""Long computations on a page: a bar that says what is being done, and a Cancel that works.

The computation runs in the page's own thread. Each of its progress reports moves the bar, and
Streamlit ends a page at such a moment when its visitor has clicked Cancel, has chosen something
else or has left: the exception passes through the computation, which releases what it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

import streamlit as st

from gdr_core.progress import Progress
from pages.shared.store import Store

Value = TypeVar("Value")
CANCELLED: Final = "cancelled"


def obtain(
    store: Store[Value], key: Hashable, title: str, compute: Callable[[Progress], Value]
) -> Value:
    """The stored value, or a newly computed one; ends the page if that is refused or fails."""
    if (known := store.get(key)) is not None:
        return known
    place = st.empty()
    if st.session_state.get(CANCELLED) == key:
        _offer_again(place, title)
    report = _progress_box(place, key, title)
    try:
        value = store.fetch(
            key,
            lambda: compute(report),
            lambda: report(0.0, "another visitor has asked for the same, waiting"),
        )
    except ValueError as error:
        place.error(f"{title} is not possible here: {error}.", icon=":material/error:")
        st.stop()
    place.empty()
    return value


def _progress_box(place, key: Hashable, title: str) -> Progress:  # type: ignore[no-untyped-def]
    def cancel() -> None:
        st.session_state[CANCELLED] = key

    box = place.container(border=True)
    bar = box.progress(0.0, title)
    box.button("Cancel", key=f"cancel {key!r}", icon=":material/stop_circle:", on_click=cancel)

    def report(share: float, text: str) -> None:
        bar.progress(min(max(share, 0.0), 1.0), f"**{title}** · {text}")

    return report


def _offer_again(place, title: str) -> None:  # type: ignore[no-untyped-def]
    def resume() -> None:
        st.session_state.pop(CANCELLED, None)

    box = place.container(border=True)
    box.info(f"Cancelled: {title}. Choose something else in the sidebar, or:")
    box.button("Compute it after all", icon=":material/play_arrow:", on_click=resume)
    st.stop()
