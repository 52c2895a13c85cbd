"""All numbers at once: how they stand, what GDR adds, and the whole page as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from gdr_app.reproduce.texts import gain_text
from gdr_app.widgets.export import offer_file
from gdr_app.widgets.plots import draw_figure, show_table
from gdr_app.widgets.tiles import tiles
from gdr_tools.paper.document import html_document, markdown_document
from gdr_tools.paper.figures import gain_over_prior
from gdr_tools.paper.gains import Gain, Standing
from gdr_tools.paper.store import Snapshot

if TYPE_CHECKING:
    import plotly.graph_objects as go


def standing_tiles(found: Standing, rule: str) -> None:
    """How many numbers there are, and how they stand beside the paper's."""
    mean = found.mean_difference
    tiles(
        [
            (
                "Computed",
                f"{found.stored} of {found.total}",
                "Accuracies of tables 2 to 5 that have a stored result.",
            ),
            (
                "Reach the paper",
                f"{found.reached} of {found.compared}",
                "Within a point of the paper's number, or above it.",
            ),
            (
                "Mean difference",
                "–" if mean is None else f"{mean:+.1f} points",
                "Ours minus the paper's, over all numbers that both have.",
            ),
            ("Rule", rule, "How overshoots become labels; choose it in the sidebar."),
        ]
    )


def show_gains(gains: Sequence[Gain], rule: str) -> go.Figure:
    """The chart of gains, and the same as a table."""
    st.header("What GDR adds to each prior", anchor=False)
    st.markdown(gain_text(gains))
    chart = draw_figure(
        gain_over_prior(gains, rule),
        key="gains",
        alt="Points gained by GDR against the accuracy of the prior, one mark for every cell.",
    )
    numbers = ("Prior accuracy", "Gain", "Gain in the paper")
    with st.expander("The same as numbers", icon=":material/table:"):
        show_table(
            _gains_table(gains),
            key="gains-table",
            height=300,
            formats=dict.fromkeys(numbers, "%.1f"),
            alt="Table: accuracy of each prior, gain by GDR, and gain in the paper.",
        )
    return chart


def _gains_table(gains: Sequence[Gain]) -> pd.DataFrame:
    """One row a cell."""
    return pd.DataFrame(
        {
            "Prior": [gain.cell.method for gain in gains],
            "Dataset": [gain.cell.dataset for gain in gains],
            "Direction": [gain.cell.direction for gain in gains],
            "Split": [gain.cell.split for gain in gains],
            "Prior accuracy": [gain.before for gain in gains],
            "Gain": [gain.gain for gain in gains],
            "Gain in the paper": pd.array([gain.paper_gain for gain in gains], dtype="Float64"),
        }
    )


def offer_reports(store: Snapshot, rule: str, chart: go.Figure) -> None:
    """The whole page as one file: standing, tables, gains, notes, settings, versions, checksums."""
    name = f"gdr-tables-{rule}"
    with st.container(horizontal=True):
        offer_file("Report as HTML", f"{name}.html", lambda: html_document(store, rule, [chart]))
        offer_file("Report as Markdown", f"{name}.md", lambda: markdown_document(store, rule))
