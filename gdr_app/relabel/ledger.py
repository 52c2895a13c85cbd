"""The table of relabelled nodes, and the filter of what it lists."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa
import streamlit as st

from gdr_app.computing import cached
from gdr_app.computing.kept import kept
from gdr_app.state.pickers import Pills
from gdr_app.widgets.overview import select_row
from gdr_app.widgets.plots import show_table
from gdr_app.wording import counted, readable
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.gdr import OUTCOMES, Relabelling
from gdr_core.method import Method

TABLE: Final = "ledger"
FILTER: Final = "outcomes"


def outcome_pills(graph: Dataset) -> Pills:
    """The filter of the ledger: which outcomes it shows."""
    possible = OUTCOMES[1:] if (graph.labels < 0).any() else OUTCOMES[1:-1]
    return Pills("Show only", possible, key=FILTER)


def show_ledger(
    view: Method, graph: Dataset, now: Relabelling, wanted: list[str], node: int | None
) -> None:
    """One row a relabelled node; choosing a row chooses the node.

    The chosen node's row is ticked, whoever chose it: rows move as t_min does.
    """
    nodes, table = _rows(view, now.t_min_index, tuple(wanted), graph, now)
    ticked = [] if node is None else np.flatnonzero(nodes == node).tolist()
    if TABLE in st.session_state or ticked:
        st.session_state[TABLE] = {"selection": {"rows": ticked, "columns": [], "cells": []}}
    st.markdown(f"{counted(nodes.size, 'node')}. Search, sort and download in the table's header.")
    show_table(
        table,
        key=TABLE,
        height=360,
        choose=lambda: select_row(view.dataset, TABLE, nodes),
        formats={
            "Margin": st.column_config.NumberColumn(format="%.4f", help=MARGIN_HELP),
            "Peak time": st.column_config.NumberColumn(format="%.4f", help=PEAK_HELP),
        },
        alt="Table of relabelled nodes: name, true class, prior, GDR, outcome, margin, peak time.",
    )


MARGIN_HELP: Final = (
    "The largest p − π of any class from t_min on, less that of the class that comes second. The "
    "rules peak and reference compare other values."
)
PEAK_HELP: Final = "When the new class is highest from t_min on, in relaxation times."


@kept(most=128)
def _rows(
    view: Method, index: int, wanted: tuple[str, ...], _graph: Dataset, _now: Relabelling
) -> tuple[np.ndarray, pa.Table]:
    """The nodes that the ledger lists, and its table."""
    found = _now.ledger
    codes = [OUTCOMES.index(word) for word in wanted or OUTCOMES]
    rows = np.flatnonzero(np.isin(found.outcomes, codes))
    return found.nodes[rows], _table(view.dataset, _graph, _now, rows)


def _table(choice: DatasetChoice, graph: Dataset, now: Relabelling, rows: np.ndarray) -> pa.Table:
    """Some rows of the ledger in words, as what Streamlit sends: pandas on the way took longer
    than all else that a step of t_min computes."""
    found, result = now.ledger, now.result
    names, truth, classes = _unmoved(choice, graph)
    nodes = found.nodes[rows]
    labels = {"True class": truth, "Prior": result.prior_labels, "GDR": now.predicted}
    unit = result.times[-1] / result.relative_times[-1]
    return pa.table(
        {
            "Node": names.take(pa.array(nodes)),
            **{
                title: pa.DictionaryArray.from_arrays(codes[nodes].astype(np.int16), classes)
                for title, codes in labels.items()
            },
            "Outcome": pa.DictionaryArray.from_arrays(found.outcomes[rows], pa.array(OUTCOMES)),
            "Margin": found.margins[rows],
            "Peak time": found.peak_times[rows] / unit,
        }
    )


@kept(most=12)
def _unmoved(choice: DatasetChoice, _graph: Dataset) -> tuple[pa.Array, np.ndarray, pa.Array]:
    """What no step of t_min changes: names of nodes, true classes as codes, names of classes."""
    classes = truth_names(list(map(readable, _graph.class_names)))
    return pa.array(cached.node_labels(choice)), truth_codes(_graph), pa.array(classes)
