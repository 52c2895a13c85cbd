"""The nodes whose curves are drawn pale together with those of the chosen one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from gdr_app.computing import cached
from gdr_app.state.pickers import pick, type_text
from gdr_app.wording import counted, plain
from gdr_core.datasets import Dataset, DatasetChoice
from gdr_core.explanation.highlights import Ranking

ALONE, NEIGHBOURS, LISTED, NAMED = "nothing else", "its neighbours", "nodes of the list", "by name"
OVERLAYS: Final = (ALONE, NEIGHBOURS, LISTED, NAMED)
NAMES: Final = "with"
MOST: Final = 24
LONGEST: Final = 2000


@dataclass(frozen=True, eq=False)
class Overlay:
    """The nodes to draw, the chosen one first, and how many there are to be drawn with it."""

    nodes: np.ndarray
    available: int

    @property
    def caption(self) -> str:
        """What is drawn pale; empty where nothing is."""
        drawn = self.nodes.size - 1
        if not drawn:
            return ""
        which = counted(drawn, "other node")
        if drawn < self.available:
            which = f"the first {drawn:,} of {self.available:,} other nodes"
        return f"Pale: {which}. Point at a pale curve to read whose it is."


def choose_overlay() -> str:
    """A select box: what is drawn together with the node."""
    with st.container(width=165):
        return pick("Also draw", OVERLAYS, key="overlay")


def overlay_of(
    choice: DatasetChoice, graph: Dataset, node: int, kind: str, found: Ranking
) -> Overlay:
    """The nodes of the chosen kind, at most MOST; asks for their names where these are given."""
    if kind == NAMED:
        return _overlay(node, _choose_names(choice))
    if kind == NEIGHBOURS:
        return _overlay(node, graph.undirected[[node]].indices)
    if kind == LISTED:
        walked = int(np.isin(node, found.nodes))
        return _overlay(node, found.nodes, found.total - walked)
    return _overlay(node, np.array([], dtype=np.int64))


def _overlay(node: int, others: np.ndarray, available: int | None = None) -> Overlay:
    rest = others[others != node]
    drawn = np.concatenate([[node], rest[:MOST]]).astype(np.int64)
    return Overlay(drawn, rest.size if available is None else available)


def _choose_names(choice: DatasetChoice) -> np.ndarray:
    """A text field, in every link, for names of nodes; says which the graph does not have."""
    text = type_text(
        "Nodes to draw as well",
        key=NAMES,
        longest=LONGEST,
        placeholder="Names as in the search box, separated by ;",
    )
    nodes, unknown = named_nodes(text, cached.node_labels(choice))
    if unknown:
        listed = ", ".join(f"“{plain(name)}”" for name in unknown)
        st.warning(f"This graph has no node {listed}.", icon=":material/search_off:")
    return np.array(nodes, dtype=np.int64)


def named_nodes(text: str, labels: dict[str, int]) -> tuple[list[int], list[str]]:
    """The nodes that a text names, each once, and the names that are unknown.

    Names stand between semicolons. Commas do as well, except in a name that has one itself.
    """
    pieces = [piece.strip() for piece in text.split(";")]
    names = [
        name.strip()
        for piece in pieces
        for name in ([piece] if piece in labels else piece.split(","))
    ]
    nodes = {labels[name]: None for name in names if name in labels}
    return list(nodes), [name for name in names if name and name not in labels]
