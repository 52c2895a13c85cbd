"""Table 6 on the page: methods beyond the paper, and the guard over homophily."""

from __future__ import annotations

from typing import Final

import streamlit as st

from gdr_app.widgets.plots import draw_figure
from gdr_core.figures.trust import gain_over_homophily
from gdr_tools.beyond import guard, report
from gdr_tools.beyond.table import KINDS, columns, standing, stored

_KEY: Final = "beyond-the-paper"
_STYLE: Final = f"""<style>
.st-key-{_KEY} [data-testid="stMarkdownContainer"]:has(table) {{ overflow-x: auto; }}
</style>"""  # on a narrow screen tables move by themselves, not the page


def show_beyond() -> None:
    """What was run, how the best diffusion method stands, and whether the guard holds."""
    st.html(_STYLE)
    with st.container(key=_KEY):
        _show_table()
        _show_guard()


def _show_table() -> None:
    st.header("Table 6: beyond the paper", anchor=False)
    found = columns(stored())
    st.markdown(report.ABOUT)
    said = [*standing(found), *report.remarks(found)]
    st.markdown("\n".join(f"- {line}" for line in said))
    tabs = st.tabs([*KINDS.values(), "Seconds"])
    for tab, kind in zip(tabs, KINDS, strict=False):
        with tab:
            st.markdown(f"{report.accuracies(found, kind)}\n\n{report.missing(found, kind)}")
    with tabs[-1]:
        st.markdown(f"Seconds of one core for one run.\n\n{report.seconds(found)}")


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
