"""The ledger: every relabelled node, to filter, sort, download, and to choose one."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa
import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.results import selected_node
from gdr_app.state.pickers import pick_some
from gdr_app.widgets.overview import select_node
from gdr_app.wording import counted, readable
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.gdr import OUTCOMES, Relabelling
from gdr_core.gdr.relabelling import Ledger
from gdr_core.method import Method

TABLE: Final = "ledger"
FILTER: Final = "outcomes"


def show_ledger(view: Method, graph: Dataset, now: Relabelling) -> None:
    """One row a relabelled node; choosing a row chooses the node."""
    found = now.ledger
    possible = OUTCOMES[1:] if (graph.labels < 0).any() else OUTCOMES[1:-1]
    wanted = pick_some("Show only", possible, key=FILTER)
    rows = _wanted_rows(found, wanted)
    table = _table(view, graph, now, rows)

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
    codes = [OUTCOMES.index(word) for word in wanted]
    return np.flatnonzero(np.isin(found.outcomes, codes))


def _table(view: Method, graph: Dataset, now: Relabelling, rows: np.ndarray) -> pa.Table:
    """Some rows of the ledger in words, as what Streamlit sends: pandas on the way took longer
    than all else that a step of t_min computes."""
    found, result = now.ledger, now.result
    names, truth, classes = _unmoved(view.dataset, graph)
    nodes = found.nodes[rows]

    def named(codes: np.ndarray) -> pa.Array:
        return pa.DictionaryArray.from_arrays(codes[nodes].astype(np.int16), classes)

    unit = result.times[-1] / result.relative_times[-1]
    return pa.table(
        {
            "Node": names.take(pa.array(nodes)),
            "True class": named(truth),
            "Prior": named(result.prior_labels),
            "GDR": named(now.predicted),
            "Outcome": pa.DictionaryArray.from_arrays(found.outcomes[rows], pa.array(OUTCOMES)),
            "Margin": found.margins[rows],
            "Peak time": found.peak_times[rows] / unit,
        }
    )


@st.cache_resource(max_entries=12, show_spinner=False)
def _unmoved(choice: DatasetChoice, _graph: Dataset) -> tuple[pa.Array, np.ndarray, pa.Array]:
    """What no step of t_min changes: names of nodes, true classes as codes, names of classes."""
    classes = truth_names(list(map(readable, _graph.class_names)))
    return pa.array(cached.node_labels(choice)), truth_codes(_graph), pa.array(classes)
