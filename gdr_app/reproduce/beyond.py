"""Table 6 on the page: methods beyond the paper, and the guard over homophily."""

from __future__ import annotations

import streamlit as st

from gdr_app.widgets.plots import draw_figure
from gdr_core.figures.trust import gain_over_homophily
from gdr_tools.beyond import guard, report
from gdr_tools.beyond.table import KINDS, columns, standing, stored


def show_beyond() -> None:
    """What was run, how the best diffusion method stands, and whether the guard holds."""
    st.header("Table 6: beyond the paper", anchor=False)
    found = columns(stored())
    st.markdown(report.ABOUT)
    st.markdown("\n".join(f"- {line}" for line in standing(found)))
    tabs = st.tabs([*KINDS.values(), "Seconds"])
    for tab, kind in zip(tabs, KINDS, strict=False):
        with tab:
            st.markdown(f"{report.accuracies(found, kind)}\n\n{report.missing(found, kind)}")
    with tabs[-1]:
        st.markdown(f"Seconds of one core for one run.\n\n{report.seconds(found)}")
    _show_guard()


def _show_guard() -> None:
    st.header("Should the graph be trusted?", anchor=False)
    found = guard.stored()
    st.markdown(guard.statement(found))
    if not found["levels"]:
        return
    draw_figure(
        gain_over_homophily(*(guard.gain_points(found, way) for way in ("plain", "guarded"))),
        key="guard",
        alt="Points gained over the prior by homophily, by plain GDR and by the guarded choice.",
    )
    with st.expander("The same as numbers", icon=":material/table:"):
        st.markdown(guard.table(found))
