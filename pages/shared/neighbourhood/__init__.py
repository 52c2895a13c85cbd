"""A node's surroundings with vis-network, and the film of classes flowing through them.

    packed = pack_scene(scene)
    neighbourhood_view(packed, key="around", label="…", index=index, on_select=choose)

The film travels once and runs in the browser. The library vis-network comes with the package
pyvis; it travels once too, in a mount of its own whose message never changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

from pages.shared.neighbourhood.payload import PackedScene, Scene, pack_scene

__all__ = ["PackedScene", "Scene", "neighbourhood_view", "pack_scene"]

_HERE = Path(__file__).parent
_library = st.components.v2.component(
    "gdr_vis_network", js=(_HERE / "library.js").read_text(encoding="utf-8")
)
_component = st.components.v2.component(
    "gdr_neighbourhood",
    css=(_HERE / "neighbourhood.css").read_text(encoding="utf-8"),
    js=(_HERE / "neighbourhood.js").read_text(encoding="utf-8"),
)


@cache
def vis_network() -> bytes:
    """The JavaScript of vis-network, as the package pyvis brings it."""
    spec = find_spec("pyvis")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package pyvis, which brings vis-network, is not installed")
    return (Path(spec.origin).parent / "lib/vis-9.1.2/vis-network.min.js").read_bytes()


def neighbourhood_view(
    packed: PackedScene,
    *,
    key: str,
    label: str,
    index: int,
    on_select: Callable[[int], None] | None = None,
    height: int = 400,
) -> None:
    """Draw the scene at time `index`; a click calls `on_select(node)` before the page runs."""
    if not 0 <= index < packed.times:
        raise ValueError(f"index must lie between 0 and {packed.times - 1}, got {index}")

    def tell() -> None:
        place = (st.session_state.get(key) or {}).get("selected")
        if on_select is not None and isinstance(place, int) and 0 <= place < len(packed.nodes):
            on_select(packed.nodes[place])

    with st.container(gap=None):
        _library(key=f"{key}-library", data=vis_network(), height="content")
        _component(key=f"{key}-data", data=packed.payload, height="content")
        _component(
            key=key,
            data={
                "scene": packed.id,
                "index": index,
                "label": label,
                "height": height,
                "clickable": on_select is not None,
            },
            on_selected_change=tell,
        )
