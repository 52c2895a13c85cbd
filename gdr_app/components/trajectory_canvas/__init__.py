"""Curves over time with a line that can be dragged: every frame is drawn in the browser.

    packed = pack_curves(curves)
    trajectory_canvas(packed, key="curves", label="…", index=index, on_move=choose)

The curves travel once. While the line is dragged nothing is sent; Python hears where it
rests or is let go, and of a single press of a key at once. Put a table beside it, for screen
readers.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from gdr_app.components.mounts import two_mounts, value_of
from gdr_core.canvases.bundle import ROOM
from gdr_core.canvases.trajectory_canvas.payload import Curves, Group, Packed, pack_curves

__all__ = ["Curves", "Group", "Packed", "pack_curves", "trajectory_canvas"]

_DRAWN = ROOM / "trajectory_canvas"
_code, _drawing = two_mounts("trajectory_canvas", _DRAWN / "mount.js", _DRAWN / "trajectory.css")


def trajectory_canvas(
    packed: Packed,
    *,
    key: str,
    label: str,
    index: int,
    on_move: Callable[[int], None] | None = None,
    height: int = 400,
) -> None:
    """Draw the curves with the line at time `index`; `on_move(index)` runs before the page does.

    Without `on_move` the line still moves, and with it the neighbourhood on the same page, but
    Python hears nothing of it.
    """
    if not 0 <= index < packed.times:
        raise ValueError(f"index must lie between 0 and {packed.times - 1}, got {index}")

    def tell() -> None:
        moved = value_of(key, "moved", range(packed.times))
        if on_move is not None and moved is not None:
            on_move(moved)

    listens = on_move is not None
    seen = {"index": index, "label": label, "height": height, "listens": listens}
    with st.container(gap=None):
        _code(key=f"{key}-data", data=packed.payload, height="content")
        _drawing(key=key, data={"curves": packed.id, **seen}, on_moved_change=tell)
