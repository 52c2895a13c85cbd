"""What a step of t_min draws anew: why a node has its label, the flow of classes, the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import streamlit as st

from gdr_app.components.picture import show_picture
from gdr_app.computing import cached
from gdr_app.computing.kept import kept
from gdr_app.relabel.story import origin_of, story_of
from gdr_app.state.pickers import Pills
from gdr_app.widgets.later import Continuation
from gdr_app.widgets.overview import select_row
from gdr_app.wording import counted, plain, readable
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.figures import svg
from gdr_core.gdr import OUTCOMES, Relabelling
from gdr_core.method import Method

TABLE: Final = "ledger"
FILTER: Final = "outcomes"
MOST_MOVES: Final = 6
STAYING: Final = "Grey bands are nodes that keep the prior's class."


def why_card(view: Method, later: Continuation, now: Relabelling, node: int, preface: str) -> None:
    """Curves, sentence, runner-up, history and the ten largest sources of a node."""
    story = story_of(view, node, later)
    told = story.at(now.result, node, now.t_min_index)
    st.markdown(told.headline)
    show_picture(story.frame(told.label) + told.marks + svg.END, key="why-curves")
    st.markdown(f"{told.verdict}\n\n{preface}")
    st.caption(story.lines)
    origin = origin_of(view, node, told.label, told.moment)
    st.markdown(f"{told.how}\n\n{origin.said}")
    st.html(origin.table)


def draw_flow(view: Method, now: Relabelling) -> None:
    """From the prior's classes to those after reclassification."""
    drawn, said = _flow(view, now.t_min_index, now)
    picture, words = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with words:
        st.markdown(said)
    with picture:
        show_picture(drawn, key="class-flow")


def flow_picture(view: Method, now: Relabelling) -> str:
    """The same as a picture, for a file."""
    return _flow(view, now.t_min_index, now)[0]


@kept(most=256)
def _flow(view: Method, index: int, _now: Relabelling) -> tuple[str, str]:
    """The picture of the flow, and its widest bands in words."""
    names = [readable(name) for name in cached.dataset(view.dataset).class_names]
    return svg.class_flow(_now.flows, names), _largest_moves(_now.flows, names)


def _largest_moves(counts: np.ndarray, names: Sequence[str]) -> str:
    """The widest bands of the flow in words."""
    moves = counts - np.diag(np.diag(counts))
    order = np.argsort(-moves, axis=None, kind="stable")[:MOST_MOVES]
    pairs = [divmod(int(place), len(names)) for place in order if moves.flat[place]]
    if not pairs:
        return "At this t_min no node moves."
    rows = [f"- {plain(names[a])} → {plain(names[b])}: **{moves[a, b]:,}**" for a, b in pairs]
    return "\n".join(["**Most frequent moves**", "", *rows, "", STAYING])


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
    st.dataframe(
        table,
        key=TABLE,
        hide_index=True,
        height=360,
        on_select=lambda: select_row(view.dataset, TABLE, nodes),
        selection_mode="single-row",
        column_config={
            "Margin": st.column_config.NumberColumn(format="%.4f", help=MARGIN_HELP),
            "Peak time": st.column_config.NumberColumn(format="%.4f", help=PEAK_HELP),
        },
        alt="Table of relabelled nodes: name, true class, prior, GDR, outcome, margin, peak time.",
    )


MARGIN_HELP: Final = "How far the largest overshoot lies above the second largest."
PEAK_HELP: Final = "When the new class is highest, in relaxation times."


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
