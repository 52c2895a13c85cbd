"""What stands below graph and card, one at a time: flow, ledger, accuracy, confidence and so on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.components.neighbourhood import NeighbourhoodView
from gdr_app.components.picture import show_picture
from gdr_app.relabel.charts import accuracy_figure
from gdr_app.relabel.ledger import show_ledger
from gdr_app.relabel.sureness import (
    ALT,
    confidence_at,
    error_sentence,
    meaning,
    node_sentence,
    reliability_figure,
)
from gdr_app.state.pickers import Pills
from gdr_app.widgets.around import class_film
from gdr_app.widgets.plots import draw_figure
from gdr_app.wording import plain, readable
from gdr_core.datasets import Dataset
from gdr_core.figures import svg
from gdr_core.gdr import Relabelling
from gdr_core.method import Method

HOPS: Final = 2  # shown around the node
_MOST_MOVES: Final = 6
_STAYING: Final = "Grey bands are nodes that keep the prior's class."


@dataclass(frozen=True, eq=False)
class Below:
    """What it is drawn from.

    subject    the node that the card tells of
    node       the chosen one, if any
    outcomes   the filter of the ledger
    """

    view: Method
    graph: Dataset
    now: Relabelling
    subject: int
    node: int | None
    outcomes: Pills


def _flow(below: Below) -> None:
    """From the prior's classes to those after reclassification."""
    names = [readable(name) for name in below.graph.class_names]
    picture, words = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with words:
        st.markdown(_largest_moves(below.now.flows, names))
    with picture:
        show_picture(svg.class_flow(below.now.flows, names), key="class-flow")


def _largest_moves(counts: np.ndarray, names: Sequence[str]) -> str:
    """The widest bands of the flow in words."""
    moves = counts - np.diag(np.diag(counts))
    order = np.argsort(-moves, axis=None, kind="stable")[:_MOST_MOVES]
    pairs = [divmod(int(place), len(names)) for place in order if moves.flat[place]]
    if not pairs:
        return "At this t_min no node moves."
    rows = [f"- {plain(names[a])} → {plain(names[b])}: **{moves[a, b]:,}**" for a, b in pairs]
    return "\n".join(["**Most frequent moves**", "", *rows, "", _STAYING])


def flow_picture(graph: Dataset, now: Relabelling) -> str:
    """The flow as a picture, for a file."""
    return svg.class_flow(now.flows, [readable(name) for name in graph.class_names])


def _ledger(below: Below) -> None:
    show_ledger(below.view, below.graph, below.now, below.outcomes.draw(), below.node)


def _surroundings(below: Below) -> None:
    film = class_film(below.view, below.subject, HOPS)
    NeighbourhoodView().draw(film, below.now.t_min_index)


def _accuracy(below: Below) -> None:
    draw_figure(
        accuracy_figure(below.view),
        key="accuracy-curve",
        alt="Accuracy for every t_min, with the chosen one marked by a diamond.",
    )


def _confidence(below: Below) -> None:
    """How sure each label is, and how far that can be believed."""
    found = confidence_at(below.view, below.now.t_min_index)
    label = int(below.now.predicted[below.subject])
    picture, words = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with words:
        st.markdown(node_sentence(below.graph, found, label, below.subject))
        st.markdown(error_sentence(found))
        st.markdown(meaning(below.view, found))
    with picture:
        draw_figure(reliability_figure(found), key="gdr-reliability", alt=ALT)


PARTS: Final[dict[str, Callable[[Below], None]]] = {
    "from prior class to GDR class": _flow,
    "relabelled nodes": _ledger,
    "neighbourhood of this node": _surroundings,
    "accuracy": _accuracy,
    "confidence": _confidence,
}
