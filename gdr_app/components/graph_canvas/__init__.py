"""A whole graph on a canvas: pan, zoom, hover, click, smooth at twenty thousand nodes.

    graph = SentGraph(pack_geometry(dataset.layout, dataset.undirected, names), key="overview")
    graph.draw(looks, key="overview", label="…", selected=node, on_select=choose)
    graph.search(key="search", selected=node, on_choose=choose)

What travels is packed as bytes. Geometry (positions, edges, names) is one block that depends on the
graph alone; it travels once, when a `SentGraph` is made, and is remembered by the browser. Looks
(colours, marks, tooltip lines, selection) are a few bytes a node, and a change of them keeps the
view. Their layout is read by `geometry.js` and `looks.js`: they change together.

Put the search box or a table beside every canvas: that is the way round it for the keyboard and for
screen readers.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
import streamlit as st

from gdr_app.components.mounts import component, two_mounts, value_of

_HERE = Path(__file__).parent
_SEARCH = _HERE.parent / "node_search"
_code, _drawing = two_mounts("graph_canvas", _HERE / "canvas.js", _HERE / "canvas.css")
_search = component("node_search", _SEARCH / "search.js", _SEARCH / "search.css")

UNKNOWN_CODE: Final = 255
SHAPES: Final = ("circle", "square", "diamond", "triangle", "ring")


@dataclass(frozen=True)
class Mark:
    """How nodes with one mark code look, and the word for it in the legend.

    size multiplies the usual radius; colour None keeps the class's colour. Nodes with a higher
    code are drawn over nodes with a lower one.
    """

    name: str
    shape: str = "circle"
    size: float = 1.0
    colour: str | None = None
    opacity: float = 1.0

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"unknown shape {self.shape!r}; choose from {', '.join(SHAPES)}")
        if not 0 < self.size <= 8:
            raise ValueError(f"size must lie in (0, 8], got {self.size}")
        if not 0 < self.opacity <= 1:
            raise ValueError(f"opacity must lie in (0, 1], got {self.opacity}")


@dataclass(frozen=True, eq=False)
class Detail:
    """One line of every node's tooltip: `label: names[codes[node]]`; an empty name hides it."""

    label: str
    codes: np.ndarray
    names: Sequence[str]


@dataclass(frozen=True, eq=False)
class Looks:
    """How the nodes of a geometry are to look now. Colours index `classes`; -1 is unknown."""

    colours: np.ndarray
    classes: Sequence[str]
    palette: Sequence[str]
    unknown_colour: str
    details: Sequence[Detail] = ()
    marks: np.ndarray | None = None
    mark_styles: Sequence[Mark] = ()

    def __post_init__(self) -> None:
        _check_codes("colours", self.colours, len(self.colours), -1, len(self.classes))
        for detail in self.details:
            _check_codes(detail.label, detail.codes, len(self.colours), 0, len(detail.names))
        if self.marks is not None:
            _check_codes("marks", self.marks, len(self.colours), 0, len(self.mark_styles))
        if len(self.palette) < len(self.classes):
            raise ValueError(
                f"{len(self.classes)} classes need as many colours, got {self.palette}"
            )


@dataclass(frozen=True)
class Geometry:
    """A graph's places, edges and node names, ready to send; `id` is a digest of the content."""

    id: str
    nodes: int
    payload: bytes


class SentGraph:
    """A graph that the browser has: making one sends it, outside the fragments that draw it."""

    def __init__(self, geometry: Geometry, *, key: str) -> None:
        self.id, self.nodes = geometry.id, geometry.nodes
        with st.sidebar, st.container(key=f"sent-{key}"):  # where it moves nothing
            _code(key=f"{key}-geometry", data=geometry.payload, height="content")

    def draw(
        self,
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
        keeps to three fifths of the window.
        """
        if len(looks.colours) != self.nodes:
            raise ValueError(f"looks of {len(looks.colours)} nodes for {self.nodes} nodes")

        def tell() -> None:
            node = value_of(key, "selected", range(self.nodes))
            if on_select is not None and node is not None:
                on_select(node)

        _drawing(
            key=key,
            data={
                "geometry": self.id,
                **pack_looks(looks),
                "selected": selected,
                "clickable": on_select is not None,
                "label": label,
                "height": height,
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


def pack_geometry(
    positions: np.ndarray, adjacency: sp.csr_array, names: Sequence[str], *, directed: bool = False
) -> Geometry:
    """Header length, JSON header, float32 positions, edge ends, JSON names; 4-byte aligned."""
    nodes = adjacency.shape[0]
    if positions.shape != (nodes, 2) or len(names) != nodes:
        raise ValueError(
            f"{nodes} nodes need ({nodes}, 2) positions and {nodes} names, "
            f"got {positions.shape} and {len(names)}"
        )
    links = (adjacency if directed else sp.triu(adjacency, format="csr")).tocoo()
    width = np.uint16 if nodes <= 0xFFFF else np.uint32
    ends = np.column_stack([links.row, links.col]).astype(width)
    body = _aligned(np.ascontiguousarray(positions, dtype="<f4").tobytes())
    body += _aligned(ends.astype(ends.dtype.newbyteorder("<")).tobytes())
    body += json.dumps(list(names), ensure_ascii=False).encode()
    digest = hashlib.blake2b(body, digest_size=12).hexdigest()
    header = {"id": digest, "nodes": nodes, "edges": len(ends), "wide": width is np.uint32}
    head = json.dumps({**header, "directed": directed}).encode()
    head += b" " * (-len(head) % 4)
    return Geometry(digest, nodes, struct.pack("<I", len(head)) + head + body)


def pack_looks(looks: Looks) -> dict[str, Any]:
    """The looks as a dictionary that JSON can carry, its arrays as base64."""
    return {
        "colours": _bytes_of(np.where(looks.colours < 0, UNKNOWN_CODE, looks.colours), np.uint8),
        "classes": list(looks.classes),
        "palette": list(looks.palette),
        "unknownColour": looks.unknown_colour,
        "details": [
            {
                "label": detail.label,
                "names": list(detail.names),
                "wide": len(detail.names) > 0x100,
                "codes": _bytes_of(
                    detail.codes, np.uint16 if len(detail.names) > 0x100 else np.uint8
                ),
            }
            for detail in looks.details
        ],
        "marks": None if looks.marks is None else _bytes_of(looks.marks, np.uint8),
        "markStyles": [vars(style) for style in looks.mark_styles],
    }


def _check_codes(field: str, codes: np.ndarray, nodes: int, lowest: int, count: int) -> None:
    if len(codes) != nodes:
        raise ValueError(f"{field} has {len(codes)} entries for {nodes} nodes")
    if nodes and not lowest <= codes.min() <= codes.max() < count:
        raise ValueError(
            f"{field} must lie between {lowest} and {count - 1}, got {codes.min()} to {codes.max()}"
        )


def _aligned(block: bytes) -> bytes:
    return block + b"\0" * (-len(block) % 4)


def _bytes_of(codes: np.ndarray, dtype: type) -> str:
    return base64.b64encode(np.asarray(codes).astype(dtype).tobytes()).decode()
