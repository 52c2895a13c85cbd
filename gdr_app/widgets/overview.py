"""The whole graph: how its nodes look; one is chosen by click, search, table row or link."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
import streamlit as st

from gdr_app.components.graph_canvas import AnyLooks, Detail, Looks, Mark, SentGraph
from gdr_app.components.t_min_bar import MovingLooks, PackedSweep
from gdr_app.computing import cached
from gdr_app.computing.kept import kept
from gdr_app.state import link
from gdr_app.state.visit import NODE
from gdr_app.wording import plain, readable
from gdr_core.canvases.relabelling.outcomes import (
    MARKS,
    NAMED_MARKS,
    OUTCOME_COLOURS,
    OUTCOME_NAMES,
)
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.datasets.record import PARTS, UNKNOWN
from gdr_core.figures.palette import UNKNOWN_COLOUR, class_colours
from gdr_core.gdr import Relabelling

OVERVIEW: Final = "overview"
_SEARCH: Final = "node search"
_HIDDEN_TEST: Final = "test, hidden"
SHARES: Final = (
    "no neighbour wrong",
    "up to a quarter wrong",
    "up to half",
    "up to three quarters",
    "more",
    "no neighbour judged",
)
SHARE_COLOURS: Final = ("#0072B2", "#56B4E9", "#F0C040", "#E69F00", "#D55E00", UNKNOWN_COLOUR)
BY_OUTCOME, BY_CLASS = "what happened", "GDR class"
COLOURINGS: Final = (BY_OUTCOME, BY_CLASS)


class Overview:
    """The graph of a page, and the ways to choose a node of it.

    Making one sends the graph to the browser and looks at the node that the link asks for. Where a
    fragment draws it, it is made outside, so that the graph does not travel with each run.
    clickable   whether a click chooses a node; otherwise it is a picture only
    """

    def __init__(self, choice: DatasetChoice, *, clickable: bool = True) -> None:
        graph = cached.dataset(choice)
        self.choice = choice
        self.canvas = SentGraph(cached.geometry(choice), key=OVERVIEW)
        self.about = f"{graph.name}: {graph.nodes:,} nodes and {graph.edges:,} edges"
        self.clickable = clickable
        self.select = partial(select_node, choice)
        # The link names the same node run after run: it is looked up when it names another.
        self._node_at = lru_cache(maxsize=1)(partial(cached.node_at, choice))
        if clickable:
            _forget_unknown_node(choice)

    def choose_node(self) -> int | None:
        """A search box over all nodes; None when none is chosen. The choice is in every link."""
        label = link.recall(NODE)
        node = self._node_at(label)
        link.tell_used("node", node=label)
        self.canvas.search(key=_SEARCH, selected=node, on_choose=self.select)
        return node

    def draw(
        self,
        looks: AnyLooks,
        node: int | None,
        *,
        height: int = 720,
        fills: int | None = None,
        coloured_by: str = "class",
    ) -> None:
        """The canvas with the chosen node marked; a click chooses another."""
        self.canvas.draw(
            looks,
            key=OVERVIEW,
            label=f"{self.about}, coloured by {coloured_by}.",
            selected=node,
            on_select=self.select if self.clickable else None,
            height=height,
            fills=fills,
        )

    def draw_beside(self, looks: Looks, node: int | None, *, key: str, label: str) -> None:
        """One of several pictures of the graph that stand side by side with the same selection."""
        self.canvas.draw(
            looks, key=key, label=label, selected=node, on_select=self.select, height=465
        )


def _forget_unknown_node(choice: DatasetChoice) -> None:
    """Where a link names a node that this graph does not have: say so, and choose none."""
    label = link.recall(NODE)
    if label is not None and cached.node_at(choice, label) is None:
        st.warning(
            f"This graph has no node “{plain(label)}”. No node is chosen.",
            icon=":material/link_off:",
        )
        link.correct(NODE, None)
    link.visit().asked.discard(NODE)


def select_node(choice: DatasetChoice, node: int | None) -> None:
    """Make a node the chosen one, or none; for callbacks, which run before the page does."""
    link.remember(NODE, None if node is None else cached.address_of(choice, node))


def select_row(choice: DatasetChoice, key: str, nodes: Sequence[int] | np.ndarray) -> None:
    """Make the node of a table's ticked row the chosen one; for callbacks.

    The table may have changed since, and a message can be made by hand: what is no row of it
    chooses nothing.
    """
    rows = st.session_state[key]["selection"]["rows"]
    if rows and rows[0] in range(len(nodes)):
        select_node(choice, int(nodes[rows[0]]))


def class_looks(graph: Dataset) -> Looks:
    """Every node in the colour of its class; the tooltip also tells its part of the split.

    Nodes whose class is hidden are small and grey.
    """
    parts = ("", *PARTS)
    part_of = graph.split.part_of_nodes(graph.nodes)
    codes = np.select([part_of == part for part in parts], range(len(parts)))
    truth = truth_colours(graph)
    return Looks(
        **truth,
        details=[Detail("split", codes, parts)],
        marks=(truth["colours"] != graph.classes).astype(int),
        mark_styles=(Mark("", size=0.8, opacity=0.45), Mark("")),
    )


def group_looks(groups: np.ndarray, names: Sequence[str], label: str) -> Looks:
    """Every node in the colour of its group; what has more groups than colours repeats them."""
    palette = class_colours(len(names))
    return Looks(
        colours=groups,
        classes=list(names),
        palette=palette,
        unknown_colour=UNKNOWN_COLOUR,
        details=[Detail(label, groups, list(names))],
    )


def truth_colours(graph: Dataset) -> dict[str, Any]:
    """Looks by true class: colour codes, their names and colours; −1 is a class that nobody knows.

    Test nodes whose class is hidden have a name and a grey of their own.
    """
    colours, names, palette = graph.labels, _names(graph), class_colours(graph.classes)
    if graph.test_hidden:
        colours = colours.copy()
        colours[graph.split.test] = graph.classes
        names, palette = [*names, _HIDDEN_TEST], (*palette, UNKNOWN_COLOUR)
    return {
        "colours": colours,
        "classes": names,
        "palette": palette,
        "unknown_colour": UNKNOWN_COLOUR,
    }


def prior_looks(graph: Dataset, prior_labels: np.ndarray) -> Looks:
    """Every node in the colour of the class that the prior gives it; wrong ones stand out."""
    known = graph.labels != UNKNOWN
    wrong = known & (prior_labels != graph.labels)
    training = np.zeros(graph.nodes, dtype=bool)
    training[graph.split.train] = True
    return Looks(
        colours=prior_labels,
        classes=_names(graph),
        palette=class_colours(graph.classes),
        unknown_colour=UNKNOWN_COLOUR,
        details=[truth_detail(graph), Detail("prior", prior_labels, _names(graph))],
        marks=np.select([training, wrong, known], [3, 2, 0], 1),
        mark_styles=(
            Mark("right", opacity=0.4, size=0.85),
            Mark("not judged", shape="ring", opacity=0.6),
            Mark("wrong", shape="triangle", size=1.5),
            Mark("training node", shape="square", size=1.3),
        ),
    )


def level_of(shares: np.ndarray) -> np.ndarray:
    """Which of the SHARE_COLOURS each share of wrong nodes has; NaN has the last one.

    >>> level_of(np.array([0.0, 0.2, 0.25, 0.3, 1.0, np.nan])).tolist()
    [0, 1, 1, 2, 4, 5]
    """
    known = np.nan_to_num(shares)
    return np.where(np.isnan(shares), len(SHARE_COLOURS) - 1, np.ceil(4 * known)).astype(int)


def wrong_looks(graph: Dataset, prior_labels: np.ndarray, shares: np.ndarray) -> Looks:
    """Every node in the colour of the share of its neighbours that the prior gets wrong.

    Wrong nodes are large diamonds, right ones small dots: a blue diamond is wrong among right ones.
    """
    names, known = _names(graph), graph.labels != UNKNOWN
    wrong = known & (prior_labels != graph.labels)
    return Looks(
        colours=level_of(shares),
        classes=list(SHARES),
        palette=SHARE_COLOURS,
        unknown_colour=UNKNOWN_COLOUR,
        details=[truth_detail(graph), Detail("prior", prior_labels, names)],
        marks=np.select([wrong, known], [2, 1], 0),
        mark_styles=(
            Mark("not judged", shape="ring", size=0.7, opacity=0.45),
            Mark("right", size=0.7, opacity=0.7),
            Mark("wrong", shape="diamond", size=1.7),
        ),
    )


@kept(most=12)
def _unmoved(choice: DatasetChoice, _graph: Dataset) -> tuple[Detail, list[str], Sequence[str]]:
    """What no step of t_min changes: true classes, names of classes, outcomes there can be."""
    judged = (_graph.labels != UNKNOWN).all()  # then nothing is left unjudged
    return truth_detail(_graph), _names(_graph), OUTCOME_NAMES[:-1] if judged else OUTCOME_NAMES


def relabel_looks(choice: DatasetChoice, graph: Dataset, now: Relabelling, colouring: str) -> Looks:
    """Relabelled nodes stand out by shape and size, coloured by outcome or by their new class."""
    codes, new = now.outcomes, now.predicted
    by_class = colouring == BY_CLASS
    truth, names, outcomes = _unmoved(choice, graph)
    return Looks(
        colours=new if by_class else codes,
        classes=names if by_class else outcomes,
        palette=class_colours(graph.classes) if by_class else OUTCOME_COLOURS,
        unknown_colour=UNKNOWN_COLOUR,
        details=[
            truth,
            Detail("prior", now.result.prior_labels, names),
            Detail("GDR", new, names),
        ],
        marks=codes,
        mark_styles=NAMED_MARKS if by_class else MARKS,
    )


def moving_looks(
    choice: DatasetChoice, graph: Dataset, sweep: PackedSweep, colouring: str
) -> MovingLooks:
    """The same for the t_min that the hand is at, made in the browser."""
    by_class = colouring == BY_CLASS
    _, names, outcomes = _unmoved(choice, graph)
    return MovingLooks(
        sweep=sweep,
        index=0,
        by_class=by_class,
        classes=names if by_class else outcomes,
        palette=class_colours(graph.classes) if by_class else OUTCOME_COLOURS,
        unknown_colour=UNKNOWN_COLOUR,
        mark_styles=NAMED_MARKS if by_class else MARKS,
    )


def truth_detail(graph: Dataset) -> Detail:
    """The line of the tooltip that tells the true class, or that it is hidden or not known."""
    return Detail("true class", truth_codes(graph), truth_names(_names(graph)))


def _names(graph: Dataset) -> list[str]:
    return list(map(readable, graph.class_names))
