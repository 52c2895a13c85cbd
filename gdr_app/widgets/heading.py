"""The first row of a page: its title, its tabs, and the switch that reveals the test nodes."""

from __future__ import annotations

import streamlit as st

from gdr_app.state.pickers import Tabs
from gdr_app.widgets.sidebar import tell_of_absent
from gdr_app.widgets.t_min import WHY_HIDDEN, offer_test


def head_page(title: str, why_hidden: str = WHY_HIDDEN, tabs: Tabs | None = None) -> bool:
    """Title and switch in one row, so that the page's picture stays high up; see `offer_test`.

    tabs   of the page, if it has some
    """
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.title(title, anchor=False, width="content")
        if tabs is not None:
            tabs.draw()
        revealed = offer_test(why_hidden)
    tell_of_absent()
    return revealed
