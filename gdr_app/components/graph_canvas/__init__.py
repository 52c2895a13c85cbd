"""A whole graph on a canvas: pan, zoom, hover, click, smooth at twenty thousand nodes.

    graph = SentGraph(pack_geometry(dataset.layout, dataset.undirected, names), key="overview")
    graph.draw(looks, key="overview", label="…", selected=node, on_select=choose)
    graph.search(key="search", selected=node, on_choose=choose)

What travels is packed as bytes. Geometry (positions, edges, names) is one block that depends on the
graph alone; it travels once, when a `SentGraph` is made, and is remembered by the browser. Looks
(colours, marks, tooltip lines, selection) are a few bytes a node, and a change of them keeps the
view. `gdr_core/canvases/graph_canvas` has what is drawn and how it is packed.

Put the search box or a table beside every canvas: that is the way round it for the keyboard and for
screen readers.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from gdr_app.components.mounts import component, lasting, two_mounts, value_of
from gdr_core.canvases.bundle import ROOM
from gdr_core.canvases.graph_canvas.payload import (
    UNKNOWN_CODE,
    AnyLooks,
    Detail,
    Geometry,
    Looks,
    Mark,
    pack_geometry,
    pack_looks,
)

__all__ = [
    "UNKNOWN_CODE",
    "AnyLooks",
    "Detail",
    "Geometry",
    "Looks",
    "Mark",
    "SentGraph",
    "pack_geometry",
    "pack_looks",
]

_DRAWN = ROOM / "graph_canvas"
_SEARCH = Path(__file__).parent.parent / "node_search"
_code, _drawing = two_mounts("graph_canvas", _DRAWN / "mount.js", _DRAWN / "canvas.css")
_search = component("node_search", _SEARCH / "search.js", _SEARCH / "search.css")


class SentGraph:
    """A graph that the browser has: making one sends it, outside the fragments that draw it."""

    def __init__(self, geometry: Geometry, *, key: str) -> None:
        self.id, self.nodes = geometry.id, geometry.nodes
        with lasting(), st.sidebar, st.container(key=f"sent-{key}"):  # where it moves nothing
            _code(key=f"{key}-geometry", data=geometry.payload, height="content")

    def draw(
        self,
        looks: AnyLooks,
        *,
        key: str,
        label: str,
        selected: int | None = None,
        on_select: Callable[[int], None] | None = None,
        height: int = 720,
        fills: int | None = None,
    ) -> None:
        """Draw the graph; a click on a node calls `on_select(node)` before the page runs again.

        label is read out by screen readers; height is the most that the canvas takes, in pixels: it
        keeps to three fifths of the window. Where it should fill the window, `fills` is the room
        that the rest of the page needs above and below it.
        """
        if looks.nodes != self.nodes:
            raise ValueError(f"looks of {looks.nodes} nodes for {self.nodes} nodes")

        def tell() -> None:
            node = value_of(key, "selected", range(self.nodes))
            if on_select is not None and node is not None:
                on_select(node)

        _drawing(
            key=key,
            data={
                "geometry": self.id,
                **looks.message(),
                "selected": selected,
                "clickable": on_select is not None,
                "label": label,
                "height": height,
                "fills": fills,
            },
            on_selected_change=tell,
        )

    def search(
        self,
        *,
        key: str,
        selected: int | None,
        on_choose: Callable[[int | None], None],
        label: str = "Node",
        hint: str = "Search or click one",
    ) -> None:
        """A combo box: type a part of a name, take one of the matches; empty it to choose none.

        It is as quick with twenty thousand nodes as with ten: it looks the names up in the geometry
        that the browser has, where Streamlit's select box builds an element for every option, which
        takes a second for Pubmed. `on_choose(node)` runs before the page does.
        """

        def tell() -> None:
            chosen = value_of(key, "chosen", range(-1, self.nodes))
            if chosen is not None:
                on_choose(None if chosen < 0 else chosen)

        _search(
            key=key,
            data={"geometry": self.id, "selected": selected, "label": label, "hint": hint},
            on_chosen_change=tell,
        )
