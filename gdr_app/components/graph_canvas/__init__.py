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

from gdr_app.components.graph_canvas.payload import (
    SHAPES,
    Detail,
    Geometry,
    Looks,
    Mark,
    pack_geometry,
    pack_looks,
)
from gdr_app.components.mounts import two_mounts

__all__ = [
    "SHAPES",
    "Detail",
    "Geometry",
    "Looks",
    "Mark",
    "graph_canvas",
    "pack_geometry",
    "send_geometry",
]

_HERE = Path(__file__).parent
_code, _drawing = two_mounts("graph_canvas", _HERE / "canvas.js", _HERE / "canvas.css")


def send_geometry(geometry: Geometry, *, key: str) -> None:
    """Let the browser have the geometry: a page with fragments does it once, outside them."""
    _code(key=f"{key}-geometry", data=geometry.payload, height="content")


def graph_canvas(
    geometry: Geometry,
    looks: Looks,
    *,
    key: str,
    label: str,
    selected: int | None = None,
    on_select: Callable[[int], None] | None = None,
    height: int = 720,
    sent: bool = False,
) -> None:
    """Draw the graph; a click on a node calls `on_select(node)` before the page runs again.

    label is read out by screen readers; height is the most that the canvas takes, in pixels: it
    keeps to three fifths of the window. sent says that the page has called `send_geometry`;
    otherwise that is done here.
    """
    if len(looks.colours) != geometry.nodes:
        raise ValueError(f"looks of {len(looks.colours)} nodes for {geometry.nodes} nodes")

    def tell() -> None:
        node = (st.session_state.get(key) or {}).get("selected")
        if on_select is not None and isinstance(node, int) and 0 <= node < geometry.nodes:
            on_select(node)

    with st.container(gap=None):
        if not sent:
            send_geometry(geometry, key=key)
        _drawing(
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
