"""A whole graph on a canvas: pan, zoom, hover, click, smooth at twenty thousand nodes.

    geometry = pack_geometry(dataset.layout, dataset.undirected, dataset.node_names)
    graph_canvas(geometry, looks, key="overview", selected=node, on_select=choose)

The geometry travels once and is remembered by the browser; a change of looks or of the selected
node sends a few bytes a node and keeps the view. Put a select box or a table beside every canvas:
that is the way round it for the keyboard and for screen readers.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.shared.graph_canvas.payload import (
    SHAPES,
    Detail,
    Geometry,
    Looks,
    Mark,
    pack_geometry,
    pack_looks,
)

__all__ = ["SHAPES", "Detail", "Geometry", "Looks", "Mark", "graph_canvas", "pack_geometry"]

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "gdr_graph_canvas",
    css=(_HERE / "canvas.css").read_text(encoding="utf-8"),
    js=(_HERE / "canvas.js").read_text(encoding="utf-8"),
)


def graph_canvas(
    geometry: Geometry,
    looks: Looks,
    *,
    key: str,
    label: str,
    selected: int | None = None,
    on_select: Callable[[int], None] | None = None,
    height: int = 720,
) -> None:
    """Draw the graph; a click on a node calls `on_select(node)` before the page runs again.

    label is read out by screen readers; height is the most that the canvas takes, in pixels: it
    keeps to three fifths of the window. The two mounts make the traffic cheap: Streamlit sends
    an unchanged message by reference, so the bytes of the geometry cross the wire only once.
    """
    if len(looks.colours) != geometry.nodes:
        raise ValueError(f"looks of {len(looks.colours)} nodes for {geometry.nodes} nodes")

    def tell() -> None:
        node = (st.session_state.get(key) or {}).get("selected")
        if on_select is not None and isinstance(node, int) and 0 <= node < geometry.nodes:
            on_select(node)

    with st.container(gap=None):
        _component(key=f"{key}-geometry", data=geometry.payload, height="content")
        _component(
            key=key,
            data={
                "geometry": geometry.id,
                **pack_looks(looks),
                "selected": selected,
                "clickable": on_select is not None,
                "label": label,
                "height": height,
            },
            on_selected_change=tell,
        )
