"""Tables 4 and 5 on the Directed page; a clicked number can be opened on the Reproduce page."""

from __future__ import annotations

import streamlit as st

from gdr_app.components.results_table import results_table
from gdr_app.directed.texts import TABLES
from gdr_app.reproduce.cell import CELL, select_number
from gdr_app.reproduce.store import snapshot
from gdr_app.state import link
from gdr_app.state.pickers import pick
from gdr_app.widgets.sidebar import RULE_HELP
from gdr_core.gdr import RULES
from gdr_tools.paper.board import tables


def show_tables() -> None:
    """Both tables with our numbers, by the chosen rule."""
    st.markdown(TABLES)
    with st.container(width=220):
        rule = pick("Rule", tuple(RULES), key="rule", help=RULE_HELP)
    shown = tables(snapshot(), rule)[-2:]
    chosen = link.recall(CELL)
    for table in shown:
        st.header(table.title, anchor=False)
        results_table(table, key=f"table-{table.key}", chosen=chosen, on_choose=select_number)
        if chosen in {number.name for number in table.numbers}:
            # Streamlit cannot switch from a page whose pickers are in the link; a link can.
            st.page_link(
                "pages/8_Reproduce.py",
                label=f"Open {chosen}: every seed, and run it again",
                icon=":material/fact_check:",
                query_params={CELL: chosen},
            )
