"""The ledger: every relabelled node, to filter, sort, download, and to choose one."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from gdr_core.datasets import Dataset
from gdr_core.gdr import GDRResult
from gdr_core.ledger import Ledger
from pages.shared import cached
from pages.shared.overview import select_node
from pages.shared.results import selected_node
from pages.shared.sidebar import View
from pages.shared.wording import counted, readable

TABLE: Final = "ledger"
FILTER: Final = "ledger-outcomes"
WORDS: Final = ("kept", "fixed", "broken", "still wrong", "class unknown")


def show_ledger(view: View, graph: Dataset, result: GDRResult, found: Ledger) -> None:
    """One row a relabelled node; choosing a row chooses the node."""
    present = [WORDS[code] for code in np.unique(found.outcomes)]
    wanted = st.pills(
        "Show only", present, selection_mode="multi", key=FILTER, persist_state="session"
    )
    rows = _wanted_rows(found, wanted)
    table = _frame(view, graph, result, found).iloc[rows]

    def choose_row() -> None:
        if chosen := st.session_state[TABLE]["selection"]["rows"]:
            select_node(view.dataset, int(found.nodes[rows[chosen[0]]]))

    _show_selected(rows, found, selected_node(view))
    st.markdown(f"{counted(len(rows), 'node')}. Search, sort and download in the table's header.")
    st.dataframe(
        table,
        key=TABLE,
        hide_index=True,
        height=360,
        on_select=choose_row,
        selection_mode="single-row",
        column_config={
            "Margin": st.column_config.NumberColumn(format="%.4f", help=MARGIN_HELP),
            "Peak time": st.column_config.NumberColumn(format="%.4f", help=PEAK_HELP),
        },
        alt="Table of relabelled nodes: name, true class, prior, GDR, outcome, margin, peak time.",
    )


MARGIN_HELP: Final = "How far the largest overshoot lies above the second largest."
PEAK_HELP: Final = "When the new class is highest, in relaxation times."


def _show_selected(rows: np.ndarray, found: Ledger, node: int | None) -> None:
    """Tick the row of the chosen node, whoever chose it; rows move as t_min does."""
    ticked = [] if node is None else np.flatnonzero(found.nodes[rows] == node).tolist()
    if TABLE in st.session_state or ticked:
        st.session_state[TABLE] = {"selection": {"rows": ticked, "columns": [], "cells": []}}


def _wanted_rows(found: Ledger, wanted: list[str]) -> np.ndarray:
    if not wanted:
        return np.arange(found.nodes.size)
    codes = [WORDS.index(word) for word in wanted]
    return np.flatnonzero(np.isin(found.outcomes, codes))


def _frame(view: View, graph: Dataset, result: GDRResult, found: Ledger) -> pd.DataFrame:
    classes = [*map(readable, graph.class_names), "unknown"]

    def named(labels: np.ndarray) -> pd.Categorical:
        return pd.Categorical.from_codes(np.where(labels < 0, graph.classes, labels), classes)

    labels = np.array(list(cached.node_labels(view.dataset)), dtype=object)
    unit = result.times[-1] / result.relative_times[-1]
    return pd.DataFrame(
        {
            "Node": labels[found.nodes],
            "True class": named(found.true),
            "Prior": named(found.prior),
            "GDR": named(found.new),
            "Outcome": pd.Categorical.from_codes(found.outcomes, WORDS),
            "Margin": found.margins,
            "Peak time": found.peak_times / unit,
        }
    )
