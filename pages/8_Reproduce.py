"""Reproduce: the paper's tables, computed again, every number with its settings."""

from __future__ import annotations

import streamlit as st

from gdr_app.components.results_table import results_table
from gdr_app.reproduce import texts
from gdr_app.reproduce.beyond import show_beyond
from gdr_app.reproduce.cell import (
    choose_number,
    chosen_name,
    python_for,
    select_number,
    show_number,
)
from gdr_app.reproduce.store import snapshot
from gdr_app.reproduce.summary import offer_reports, show_gains, standing_tiles
from gdr_app.reproduce.tables import choose_table
from gdr_app.state.pickers import pick
from gdr_app.widgets.glossary import introduce
from gdr_app.widgets.sidebar import RULE_HELP, sidebar_of
from gdr_core.gdr import RULES
from gdr_tools.paper.board import tables
from gdr_tools.paper.gains import gains, standing

with sidebar_of("Reproduce"):
    rule = pick("Rule", tuple(RULES), key="rule", help=RULE_HELP)
st.title("The paper's tables, computed again", anchor=False)
introduce(texts.INTRODUCTION, *texts.TERMS)
store = snapshot()
boards = tables(store, rule)
numbers = [number for table in boards for number in table.numbers]
table = choose_table(boards)
beside, card = st.columns([3, 2], gap="medium")
with beside:
    st.markdown(table.caption)
    results_table(table, key=f"table-{table.key}", chosen=chosen_name(), on_choose=select_number)
    st.html(texts.LEGEND)
standing_tiles(standing(numbers), rule)
chart = show_gains(gains(store, rule), rule)
show_beyond()
with st.expander("The mathematics", icon=":material/function:"):
    st.markdown(texts.MATHEMATICS)
lines = st.expander("Python for this view", icon=":material/code:")
offer_reports(store, rule, chart)
with card, st.container(key="one-cell"):  # last: it waits for a run, and the rest does not
    number = choose_number(numbers)
    with lines:
        st.code(python_for(number), language="python")
    show_number(number)
