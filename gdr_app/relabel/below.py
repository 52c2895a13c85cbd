"""What stands below graph and card, one at a time: surroundings, flow, ledger, accuracy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gdr_app.components.neighbourhood import NeighbourhoodView
from gdr_app.computing.results import dataset_of
from gdr_app.relabel.charts import accuracy_figure
from gdr_app.relabel.moving import draw_flow, show_ledger
from gdr_app.state.pickers import Pills
from gdr_app.widgets.around import class_film
from gdr_app.widgets.plots import draw_figure
from gdr_core.gdr import Relabelling
from gdr_core.method import Method

HOPS: Final = 2  # shown around the node


@dataclass(frozen=True, eq=False)
class Below:
    """What it is drawn from.

    subject    the node that the card tells of
    node       the chosen one, if any
    outcomes   the filter of the ledger
    """

    view: Method
    now: Relabelling
    subject: int
    node: int | None
    outcomes: Pills


def _flow(below: Below) -> None:
    draw_flow(below.view, below.now)


def _ledger(below: Below) -> None:
    graph = dataset_of(below.view)
    show_ledger(below.view, graph, below.now, below.outcomes.draw(), below.node)


def _surroundings(below: Below) -> None:
    film = class_film(below.view, below.subject, HOPS)
    NeighbourhoodView().draw(film, below.now.t_min_index)


def _accuracy(below: Below) -> None:
    draw_figure(
        accuracy_figure(below.view),
        key="accuracy-curve",
        alt="Accuracy for every t_min, with the chosen one marked by a diamond.",
    )


PARTS: Final[dict[str, Callable[[Below], None]]] = {
    "from prior class to GDR class": _flow,
    "relabelled nodes": _ledger,
    "neighbourhood of this node": _surroundings,
    "accuracy": _accuracy,
}
