"""A node's surroundings with vis-network, and the film of classes flowing through them.

    send_library()
    packed = pack_scene(scene)
    neighbourhood_view(packed, details, key="around", label="…", index=index, on_select=choose)

The film travels once and runs in the browser. The library vis-network comes with the package
pyvis; it travels once too, in a mount of its own whose message never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

from gdr_app.components.mounts import component, two_mounts
from gdr_app.components.neighbourhood.payload import PackedScene, Scene, pack_scene

__all__ = ["PackedScene", "Scene", "neighbourhood_view", "pack_scene", "send_library"]

_HERE = Path(__file__).parent
_library = component("vis_network", _HERE / "vis.js")
_code, _drawing = two_mounts(
    "neighbourhood", _HERE / "neighbourhood.js", _HERE / "neighbourhood.css"
)


@cache
def vis_network() -> bytes:
    """The JavaScript of vis-network, as the package pyvis brings it."""
    spec = find_spec("pyvis")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package pyvis, which brings vis-network, is not installed")
    return (Path(spec.origin).parent / "lib/vis-9.1.2/vis-network.min.js").read_bytes()


def send_library() -> None:
    """Let the browser have vis-network; a page calls this once, outside its fragments."""
    with st.sidebar, st.container(key="sent-library"):  # where it moves nothing
        _library(key="vis-network", data=vis_network(), height="content")


def neighbourhood_view(
    packed: PackedScene,
    details: Sequence[str],
    *,
    key: str,
    label: str,
    index: int,
    on_select: Callable[[int], None] | None = None,
    height: int = 400,
) -> None:
    """Draw the scene at time `index`; a click calls `on_select(node)` before the page runs.

    details holds a line of the tooltip for each node. `send_library` must have been called.
    """
    if not 0 <= index < packed.times:
        raise ValueError(f"index must lie between 0 and {packed.times - 1}, got {index}")
    if len(details) != len(packed.nodes):
        raise ValueError(f"details must have one entry for each of {len(packed.nodes)} nodes")

    def tell() -> None:
        place = (st.session_state.get(key) or {}).get("selected")
        if on_select is not None and isinstance(place, int) and 0 <= place < len(packed.nodes):
            on_select(packed.nodes[place])

    with st.container(gap=None):
        _code(key=f"{key}-data", data=packed.payload, height="content")
        _drawing(
            key=key,
            data={
                "scene": packed.id,
                "details": list(details),
                "index": index,
                "label": label,
                "height": height,
                "clickable": on_select is not None,
            },
            on_selected_change=tell,
        )
